/** A client's root is narrowed by its own quarry.json or package.json, as the working folder is: never widened. */
import { existsSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ClientGround } from "../../src/mcp/client-ground.ts";
import type { McpOptions } from "../../src/mcp/options.ts";
import type { ToolResult } from "../../src/quarry.ts";
import { type Files, tree } from "../support/tree.ts";
import { CLIENTS, converse, type Step } from "./clients.ts";
import { OPTIONS } from "./http-server.ts";

const uri = (path: string): { uri: string } => ({ uri: pathToFileURL(path).href });

/** A client that has these folders of a tree as its roots; gone with the test that asked for it. */
async function clientIn(
  files: Files,
  folders: readonly string[],
  options: Partial<McpOptions> = {},
): Promise<{
  readonly all: string;
  readonly ground: ClientGround;
  readonly call: (name: string, input: object) => Promise<ToolResult | string>;
}> {
  const all = tree(files);
  const ground = new ClientGround({ ...OPTIONS, root: all, ...options }, () => {});
  await ground.roots.take({ roots: folders.map((folder) => uri(join(all, folder))), tellsChanges: true });
  const call = async (name: string, input: object): Promise<ToolResult | string> => {
    try {
      return await ground.use(undefined, async ({ tools }) => {
        const tool = tools[name];
        return tool === undefined ? "NOT OFFERED" : tool(input as never);
      });
    } catch (cause) {
      const { code, message } = cause as { readonly code?: string; readonly message: string };
      return `[${code}] ${message}`;
    }
  };
  return { all, ground, call };
}

const SEARCH = { pattern: "needle", mode: "files" };

const FILES: Files = {
  "web/src/a.ts": "needle\n",
  "web/src/key.pem": "needle\n",
  "web/other/b.ts": "needle\n",
  "web/src/large.ts": `needle\n${"x".repeat(5000)}\n`,
  "api/c.ts": "needle\n",
};

const text = (value: string): object => ({ content: [{ type: "text", text: value }] });

describe("the settings of a client's root", () => {
  test.each([
    [{ deny: ["a{b"] }, "web/quarry.json: deny: "],
    [{ disableTools: ["wirte"] }, "web/quarry.json: disableTools names no tool"],
  ])("that have a mistake say in which file: %j", async (content, told) => {
    const { call } = await clientIn({ ...FILES, "web/quarry.json": JSON.stringify(content) }, ["web", "api"]);
    expect(await call("search", SEARCH)).toContain(`[INVALID_INPUT] ${told}`);
  });

  const settings = {
    allow: ["src"],
    deny: ["*.pem"],
    readOnly: true,
    disableTools: ["find"],
    maxFileSize: 1000,
  };

  test.each([
    ["quarry.json", settings],
    ["package.json", { name: "web", quarry: settings }],
  ])("narrow what is done in it, in %s", async (file, content) => {
    const { ground, call, all } = await clientIn({ ...FILES, [`web/${file}`]: JSON.stringify(content) }, [
      "web",
    ]);
    const found = (await call("search", { ...SEARCH, paths: "src" })) as ToolResult;
    expect(found.details).toMatchObject({ files: ["src/a.ts"] });
    expect(await call("read", { path: "other/b.ts" })).toMatchObject({ details: { code: "PATH_OUTSIDE" } });
    expect(await call("read", { path: "src/key.pem" })).toMatchObject({ details: { code: "PATH_DENIED" } });
    expect(await call("write", { path: "src/a.ts", content: "" })).toBe("NOT OFFERED");
    expect(await call("find", {})).toBe("NOT OFFERED");
    await ground.close();
    // What the server was started with holds elsewhere.
    expect(existsSync(join(all, "web/src/a.ts"))).toBe(true);
  });

  test("never widen: what the command line denied, took or bounded stays so", async () => {
    const wide = { deny: [], readOnly: false, disableTools: [], maxFileSize: 1e9, allow: ["..", "/", "src"] };
    const { ground, call } = await clientIn({ ...FILES, "web/quarry.json": JSON.stringify(wide) }, ["web"], {
      deny: ["*.pem"],
      readOnly: true,
      disabledTools: ["find"],
      maxFileSize: 1000,
    });
    const found = (await call("search", { ...SEARCH, paths: "src" })) as ToolResult;
    expect(found.details).toMatchObject({ files: ["src/a.ts"] });
    expect(await call("read", { path: "../api/c.ts" })).toMatchObject({ details: { code: "PATH_OUTSIDE" } });
    expect(await call("write", { path: "src/a.ts", content: "" })).toBe("NOT OFFERED");
    expect(await call("find", {})).toBe("NOT OFFERED");
    await ground.close();
  });

  test("of one of several count for all, but for the folders that it allows", async () => {
    const own = { allow: ["src"], deny: ["src/*.pem"], readOnly: true };
    const { ground, call } = await clientIn(
      { ...FILES, "web/quarry.json": JSON.stringify(own), "api/src/d.pem": "needle\n" },
      ["api", "web"],
    );
    expect(await call("read", { path: "api/c.ts:raw" })).toMatchObject(text("needle"));
    expect(await call("read", { path: "web/src/a.ts:raw" })).toMatchObject(text("needle"));
    expect(await call("read", { path: "web/other/b.ts" })).toMatchObject({
      details: { code: "PATH_OUTSIDE" },
    });
    expect(await call("read", { path: "web/src/key.pem" })).toMatchObject({
      details: { code: "PATH_DENIED" },
    });
    expect(await call("write", { path: "api/c.ts", content: "" })).toBe("NOT OFFERED");
    await ground.close();
  });

  test.each([
    ["no JSON", "{", "quarry.json: it is no JSON"],
    ["an unknown setting", '{"readonly":true}', 'quarry.json: there is no setting "readonly"'],
    ["no folder that is there", '{"allow":["nowhere"]}', "quarry.json: allow names no folder"],
    ["no tool that there is", '{"disableTools":["wirte"]}', "names no tool"],
  ])("are an error of each call while they are %s, and nothing is done", async (_, content, words) => {
    const { all, ground, call } = await clientIn({ ...FILES, "web/quarry.json": content }, ["web"]);
    for (const [name, input] of [
      ["search", SEARCH],
      ["write", { path: "made.txt", content: "" }],
    ] as const) {
      const answer = await call(name, input);
      expect(answer).toContain("[INVALID_INPUT]");
      expect(answer).toContain(words);
    }
    expect(existsSync(join(all, "web/made.txt"))).toBe(false);
    writeFileSync(join(all, "web/quarry.json"), "{}");
    expect(await call("read", { path: "src/a.ts:raw" })).toMatchObject(text("needle"));
    await ground.close();
  });

  test("are named with their root where there are several", async () => {
    const { ground, call } = await clientIn({ ...FILES, "web/quarry.json": "{" }, ["api", "web"]);
    expect(await call("search", SEARCH)).toBe("[INVALID_INPUT] web/quarry.json: it is no JSON");
    await ground.close();
  });
});

describe("the working folder as a client's root", () => {
  test("is what it is without roots, where only a part of it is allowed", async () => {
    const { all, ground, call } = await clientIn(FILES, [], {});
    const narrow = new ClientGround({ ...OPTIONS, root: all, allow: [join(all, "api")] }, () => {});
    await narrow.roots.take({ roots: [uri(all)], tellsChanges: true });
    expect(narrow.news.takeNotices()).toEqual([]);
    const read = (path: string): Promise<unknown> =>
      narrow.use(undefined, async ({ tools }) => tools["read"]?.({ path } as never));
    expect(await read("api/c.ts:raw")).toMatchObject(text("needle"));
    expect(await read("web/src/a.ts")).toMatchObject({ details: { code: "PATH_OUTSIDE" } });
    await narrow.close();
    expect(await call("read", { path: "web/src/a.ts:raw" })).toMatchObject(text("needle"));
    await ground.close();
  });
});

describe("a root that is swapped for a link (T4)", () => {
  const swap = (all: string, folder: string, target: string): void => {
    renameSync(join(all, folder), join(all, `${folder}-away`));
    symlinkSync(target, join(all, folder));
  };

  test.each([[["web"]], [["api", "web"]]])("after it was permitted leads nowhere: %j", async (folders) => {
    const secret = tree({ "src/a.ts": "TOPSECRET needle\n" });
    const { all, ground, call } = await clientIn(FILES, folders);
    swap(all, "web", secret);
    for (const [name, input] of [
      ["search", SEARCH],
      ["find", { paths: "**/*" }],
      ["read", { path: join(all, "web/src/a.ts") }],
    ] as const) {
      const answer = await call(name, input);
      expect(answer).toContain("[PATH_OUTSIDE]");
      expect(JSON.stringify(answer)).not.toContain("TOPSECRET");
    }
    await ground.close();
  });

  test.each([[["web"]], [["api", "web"]]])("after it was opened leads nowhere: %j", async (folders) => {
    const secret = tree({ "src/topsecret.ts": "TOPSECRET needle\n" });
    const { all, ground, call } = await clientIn(FILES, folders);
    expect(await call("search", SEARCH)).toMatchObject({ details: { partial: false } });
    swap(all, "web", secret);
    for (const [name, input] of [
      ["search", { pattern: "[n]eedle", mode: "files" }],
      ["search", { pattern: "[n]eedle" }],
      ["search", { pattern: "[n]eedle", mode: "count" }],
      ["find", { paths: "**/*" }],
      ["read", { path: join(all, "web") }],
    ] as const) {
      const answer = JSON.stringify(await call(name, input));
      expect([name, input, answer.match(/topsecret.{0,20}/i)?.[0]]).toEqual([name, input, undefined]);
    }
    expect(await call("read", { path: join(all, "web/src/topsecret.ts") })).toMatchObject({
      details: { code: "PATH_OUTSIDE" },
    });
    await ground.close();
  });
});

const SEARCH_STEP: Step = { do: "call", name: "search", arguments: SEARCH };

test.each(CLIENTS)(
  "%s is told of settings that cannot be understood, and served by those that can",
  async (_, library, transport) => {
    const all = tree({ ...FILES, "web/quarry.json": "{", "api/quarry.json": '{"readOnly":true}' });
    const asked = async (folder: string): Promise<unknown> => {
      const write = { do: "call", name: "write", arguments: { path: "made.txt", content: "x" } };
      const { results } = await converse(library, transport, {
        flags: ["--workdir", all],
        roots: [uri(join(all, folder))],
        steps: [SEARCH_STEP, write],
      });
      return results;
    };
    expect(await asked("web")).toMatchObject([
      { isError: true, _meta: { "quarry/details": { code: "INVALID_INPUT" } } },
      { isError: true, _meta: { "quarry/details": { code: "INVALID_INPUT" } } },
    ]);
    expect(await asked("api")).toMatchObject([
      { content: [{ text: "c.ts" }] },
      { isError: true, _meta: { "quarry/details": { code: "READ_ONLY" } } },
    ]);
  },
);
