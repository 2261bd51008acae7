/** docs/clients.md says what the program does: configurations, flags and their twins, what a project may say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTyped } from "../../src/cli/arguments.ts";
import { CLIENT_NAMES, clientConfig } from "../../src/cli/client-config.ts";
import { twinOf } from "../../src/cli/environment-twins.ts";
import { flagsOf } from "../../src/cli/flags.ts";
import { mcpOptions } from "../../src/cli/mcp-options.ts";
import { quarry, shell } from "../cli/helpers.ts";
import { FOLDER, tree } from "../support/tree.ts";

const page = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");

function section(title: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
}

function blocks(text: string): string[] {
  return [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
}

describe.each(CLIENT_NAMES)("the section of %s", (name) => {
  const { title, file, text } = clientConfig(name, "/path/to/project", []);

  test("has the configuration that --print-config prints, and where it goes", async () => {
    const argv = ["mcp", "--print-config", name, "--workdir", "/path/to/project"];
    const { stdout, stderr } = await quarry("/", argv);
    expect(stdout).toBe(`${text}\n`);
    expect(stderr).toBe(`${title}: ${file}\n`);
    expect(blocks(section(title))[0]).toBe(stdout);
    expect(section(title)).toContain(`\nGoes into: ${file}\n`);
  });
});

test("a configuration has the flags that were typed, and folders as they are meant here", async () => {
  const argv = [
    "--read-only",
    "--allow-dir",
    "lib",
    "--allow-dir=../x",
    "--print-config=codex",
    "--workdir",
    ".",
  ];
  const { stdout } = await quarry("/home/me", ["mcp", ...argv]);
  expect(stdout).toContain(
    'args = ["mcp", "--workdir", "/home/me", "--read-only", "--allow-dir", "/home/me/lib", "--allow-dir=/home/x"]',
  );
});

/** A cell without what lines it up. */
const plain = (line: string): string => line.replaceAll(/\s+/g, " ").trim();

test("the table of flags is the program's", () => {
  const rows = flagsOf("mcp")
    .filter(([name]) => name !== "help")
    .map(([name, flag]) => {
      const typed = `\`--${name}${"value" in flag ? ` ${flag.value}` : ""}\``;
      const twin = twinOf(name);
      return `| ${typed} | ${twin === null ? "–" : `\`${twin}\``} | ${typeof flag.help === "string" ? flag.help : ""} |`;
    });
  const shown = section("Flags")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map(plain);
  expect(shown).toEqual(rows);
});

test("what a project may say is understood, and all there is", async () => {
  const [example = ""] = blocks(section("What a project may say"));
  const root = tree({ src: FOLDER, docs: FOLDER, "quarry.json": example });
  const io = { cwd: root, env: {} } as Parameters<typeof mcpOptions>[1];
  expect(await mcpOptions(parseTyped("mcp", []), io)).toMatchObject({
    allow: [join(root, "src"), join(root, "docs")],
    deny: ["*.pem", ".env*"],
    readOnly: true,
    disabledTools: ["write"],
    maxFileSize: 1_000_000,
    index: "off",
  });
  const wrong = tree({ "quarry.json": '{"zzz":1}' });
  const keys = Object.keys(JSON.parse(example) as object).join(", ");
  await expect(mcpOptions(parseTyped("mcp", []), { ...io, cwd: wrong })).rejects.toMatchObject({
    hint: `The settings are ${keys}`,
  });
});

test("the greeting by hand is answered with one line", async () => {
  const greeting = blocks(section("Any client that starts a command"))[1] ?? "";
  const { code, stdout } = await shell(tree(), greeting);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: "quarry" } } });
});
