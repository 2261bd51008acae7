/** How the index of a server is steered: flags, their twins, a project that may only switch it off. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parseTyped } from "../../src/cli/arguments.ts";
import { twins } from "../../src/cli/environment-twins.ts";
import { mcpOptions } from "../../src/cli/mcp-options.ts";
import { indexFolder } from "../../src/index/places.ts";
import type { IndexUse } from "../../src/index/settings.ts";
import { objects, quarry } from "../cli/helpers.ts";
import { FOLDER, tree } from "../support/tree.ts";
import { Wire } from "./wire.ts";

async function useOf(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
  settings: unknown = {},
): Promise<IndexUse | undefined> {
  const cwd = tree({ "quarry.json": JSON.stringify(settings) });
  const typed = parseTyped("mcp", [...twins("mcp", env), ...argv]);
  return (await mcpOptions(typed, { cwd, env } as Parameters<typeof mcpOptions>[1])).index;
}

describe("The index of a server", () => {
  test("is what was typed, else what the environment says", async () => {
    expect(await useOf(["--index", "now"])).toBe("now");
    expect(await useOf([], { QUARRY_INDEX: "now" })).toBe("now");
    expect(await useOf(["--index", "auto"], { QUARRY_INDEX: "now" })).toBe("auto");
    expect(await useOf(["--no-index"], { QUARRY_INDEX: "now" })).toBe("off");
    expect(await useOf(["--index", "now"], { QUARRY_NO_INDEX: "1" })).toBe("off");
  });

  test("may be switched off by a project, and not on", async () => {
    expect(await useOf(["--index", "now"], {}, { index: false })).toBe("off");
    expect(await useOf(["--no-index"], {}, { index: true })).toBe("off");
    await expect(useOf([], {}, { index: "now" })).rejects.toThrow("index must be true or false");
  });

  test("is refused at the start where it makes no sense", async () => {
    await expect(useOf(["--index", "always"])).rejects.toThrow("--index must be auto, now or off");
    await expect(useOf([], { QUARRY_INDEX_MAX_FILES: "many" })).rejects.toThrow("QUARRY_INDEX_MAX_FILES");
  });

  test("is built from the start with --index now, before there is a call", async () => {
    const ground = tree({ "root/a.txt": "needle\n", cache: FOLDER });
    const root = join(ground, "root");
    const env = { QUARRY_CACHE_DIR: join(ground, "cache") };
    const wire = new Wire({ cwd: root, env, flags: ["--index", "now"] });
    await wire.initialize();
    while (!existsSync(join(indexFolder(root, env), "manifest"))) await setTimeout(20);
    const status = await quarry(root, ["index", "status", "--json"], { env: { ...process.env, ...env } });
    expect(objects(status.stdout).summary).toMatchObject({ saved: true, files: 1 });
    wire.child.stdin.end();
    expect((await wire.ended()).code).toBe(0);
  }, 60_000);
});

describe("A single call on the command line", () => {
  test("builds no index, whatever the environment says", async () => {
    const ground = tree({ "root/a.txt": "needle\n", cache: FOLDER });
    const root = join(ground, "root");
    const env = { ...process.env, QUARRY_CACHE_DIR: join(ground, "cache"), QUARRY_INDEX: "now" };
    const called = await quarry(root, ["call", "search", '{"pattern":"needle"}', "--details"], { env });
    expect(JSON.parse(called.stdout)).toMatchObject({ details: { engine: "ripgrep" } });
    await quarry(root, ["read", "a.txt", "--no-index"], { env });
    expect(existsSync(join(ground, "cache", "index"))).toBe(false);
    const found = await quarry(root, ["search", "needle", "--no-index", "--json"], { env });
    expect(objects(found.stdout).summary).toMatchObject({ engine: "ripgrep", engineWhy: "asked for" });
    const listed = await quarry(root, ["find", "*.txt", "--no-index", "--json"], { env });
    expect(objects(listed.stdout).summary).toMatchObject({ entries: 1, engineWhy: "asked for" });
  });
});
