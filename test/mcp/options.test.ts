/** What a server is started with: flags, their twins in the environment, and a project that may only narrow them. */
import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { parseTyped } from "../../src/cli/arguments.ts";
import { twins } from "../../src/cli/environment-twins.ts";
import { mcpOptions } from "../../src/cli/mcp-options.ts";
import { groundOptions } from "../../src/mcp/ground-options.ts";
import type { McpOptions } from "../../src/mcp/options.ts";
import { permittedRoots } from "../../src/mcp/roots.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { quarry } from "../cli/helpers.ts";
import { type Files, FOLDER, link, tree } from "../support/tree.ts";
import { Wire } from "./wire.ts";

const MB = 1024 * 1024;

/** What the server would be started with. */
function optionsOf(
  cwd: string,
  argv: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<McpOptions> {
  const typed = parseTyped("mcp", [...twins("mcp", env), ...argv]);
  const io = { cwd, env } as Parameters<typeof mcpOptions>[1];
  return mcpOptions(typed, io);
}

/** A project with settings of its own. */
function project(settings: unknown, files: Files = {}): string {
  return tree({ ...files, "quarry.json": JSON.stringify(settings) });
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: Error) => error.message,
  );

describe("a project's settings", () => {
  test.each(["quarry.json", "package.json"])("narrow, in %s", async (file) => {
    const settings = {
      allow: ["src", "docs"],
      deny: ["*.pem"],
      readOnly: true,
      disableTools: ["find"],
      maxFileSize: 1000,
    };
    const content = file === "quarry.json" ? settings : { name: "p", quarry: settings };
    const root = tree({ src: FOLDER, docs: FOLDER, [file]: JSON.stringify(content) });
    expect(await optionsOf(root, ["--deny", "*.key", "--disable-tools", "write"])).toMatchObject({
      root,
      allow: [join(root, "src"), join(root, "docs")],
      deny: ["*.key", "*.pem"],
      readOnly: true,
      disabledTools: ["write", "find"],
      maxFileSize: 1000,
    });
  });

  test("hold where a folder that they leave is swapped for a link afterwards", async () => {
    const outside = tree({ "a.txt": "secret\n" });
    const root = project({ allow: ["src"] }, { "src/a.txt": "mine\n" });
    const options = await optionsOf(root);
    renameSync(join(root, "src"), join(root, "old"));
    symlinkSync(outside, join(root, "src"));
    const opening = groundOptions(options, []).then(({ workspace }) => createWorkspace(workspace));
    expect(await failure(opening)).toMatch(/src leads elsewhere than when it was allowed$/);
    const { roots } = await permittedRoots([{ uri: pathToFileURL(outside).href }], options);
    expect(roots).toEqual([]);
  });

  test("never widen: folders outside of what is allowed are left out", async () => {
    const outside = tree({ "secret.txt": "" });
    const root = project(
      { allow: [outside, "..", "/", "out", "src/../../..", "src"] },
      { src: FOLDER, other: FOLDER, out: link(outside) },
    );
    expect((await optionsOf(root)).allow).toEqual([join(root, "src")]);
    const allowed = ["--allow-dir", join(root, "other"), "--allow-dir", join(root, "src")];
    expect((await optionsOf(root, allowed)).allow).toEqual([join(root, "src")]);
    expect(await failure(optionsOf(root, ["--allow-dir", join(root, "other")]))).toContain(
      "allow names no folder that is there and that the command line allows",
    );
  });

  test.each([
    { "key-of-a-secret": 1 },
    { disableTools: ["key-of-a-secret"] },
    { deny: ["key-of-a-secret{"] },
  ])("are not repeated where they lead out of the folder: %j", async (settings) => {
    const outside = tree({ "secret.json": JSON.stringify(settings) });
    const root = tree({ "quarry.json": link(join(outside, "secret.json")) });
    const message = await failure(optionsOf(root));
    expect(message).toMatch(/^quarry\.json: /);
    expect(message).not.toContain("key-of-a-secret");
  });

  test("never widen: a larger size, tools and rights that the command line took", async () => {
    const root = project({ maxFileSize: 50 * MB, readOnly: false, disableTools: [], deny: [] });
    const flags = ["--read-only", "--max-file-size", "1M", "--disable-tools", "find", "--deny", "*.key"];
    expect(await optionsOf(root, flags)).toMatchObject({
      maxFileSize: MB,
      readOnly: true,
      disabledTools: ["find"],
      deny: ["*.key"],
    });
  });

  test("never widen: a larger size than a dialect has by itself", async () => {
    const root = project({ maxFileSize: 50 * MB });
    expect(await optionsOf(root, ["--dialect", "boris"])).toMatchObject({ maxFileSize: 10 * MB });
    expect(await optionsOf(root)).toMatchObject({ maxFileSize: 50 * MB });
  });

  test.each([
    ["a setting that there is not", { readonly: true }, 'there is no setting "readonly"'],
    ["a dialect", { dialect: "claude" }, 'there is no setting "dialect"'],
    ["a list that is none", { deny: "*.pem" }, "deny must be a list of strings"],
    ["a number that is none", { maxFileSize: "1M" }, "maxFileSize must be a number of bytes"],
    ["a size below nothing", { maxFileSize: -1 }, "maxFileSize must be a number of bytes"],
    ["a switch that is none", { readOnly: "yes" }, "readOnly must be true or false"],
    ["a list", [], "what it says to quarry must be an object"],
    ["nothing", null, "what it says to quarry must be an object"],
    ["a tool that there is not", { disableTools: ["wirte"] }, '.json: disableTools names no tool: "wirte"'],
    ["no folder at all", { allow: [] }, ".json: allow names nothing"],
    ["no list of folders", { allow: null }, ".json: allow must be a list of strings"],
    ["a glob that does not parse", { deny: ["a{b"] }, ".json: deny: "],
  ])("are refused when they have %s", async (_, settings, message) => {
    expect(await failure(optionsOf(project(settings)))).toContain(message);
    const manifest = tree({ "package.json": JSON.stringify({ quarry: settings }) });
    expect(await failure(optionsOf(manifest))).toContain(message);
  });

  test("are refused when they cannot be read, and a manifest without them may be broken", async () => {
    expect(await failure(optionsOf(tree({ "quarry.json": "{" })))).toContain("quarry.json: it is no JSON");
    for (const odd of [tree({ "quarry.json": FOLDER }), tree({ "quarry.json": link("/dev/zero") })]) {
      expect(await failure(optionsOf(odd))).toContain("quarry.json: it is no regular file");
    }
    const quoted = await failure(
      optionsOf(tree({ "private.txt": "canary", "quarry.json": link("private.txt") })),
    );
    expect(quoted).toContain("quarry.json: it is no JSON");
    expect(quoted).not.toContain("canary");
    expect(await failure(optionsOf(tree({ "package.json": '{"quarry":{"readOnly":true},' })))).toContain(
      "no JSON",
    );
    expect(await failure(optionsOf(tree({ "package.json": "{" })))).toBe("none");
    expect(await failure(optionsOf(tree({ "package.json": '{"name":"quarry"}' })))).toBe("none");
  });

  test("hold for a server, and end one that cannot understand them", async () => {
    const root = project({ readOnly: true, deny: ["*.pem"] }, { "a.pem": "needle", "a.txt": "needle" });
    const wire = new Wire({ cwd: root });
    await wire.initialize();
    const search = { name: "search", arguments: { pattern: "needle", mode: "files" } };
    expect((await wire.request(1, "tools/call", search))?.result).toMatchObject({
      content: [{ text: "a.txt" }],
    });
    const write = { name: "write", arguments: { path: "a.txt", content: "" } };
    expect((await wire.request(2, "tools/call", write))?.error?.code).toBe(-32602);
    writeFileSync(join(root, "quarry.json"), "{");
    const broken = new Wire({ cwd: root });
    expect(await broken.ended()).toEqual({ code: 2, rest: "" });
    expect(broken.stderr).toContain("quarry.json: it is no JSON");
    writeFileSync(join(root, "quarry.json"), '{"deny":["a{b"]}');
    const glob = new Wire({ cwd: root });
    expect(await glob.ended()).toEqual({ code: 2, rest: "" });
    expect(glob.stderr).toContain("[INVALID_INPUT] quarry.json: deny: ");
  });
});

describe("the environment", () => {
  test("has a twin of every flag", async () => {
    const root = tree({ one: FOLDER, two: FOLDER });
    const env = {
      QUARRY_WORKDIR: root,
      QUARRY_ALLOW_DIR: `${join(root, "one")}:${join(root, "two")}`,
      QUARRY_DENY: "*.{pem,key}, .env*",
      QUARRY_DIALECT: "boris",
      QUARRY_ANTHROPIC_COMPAT: "yes",
      QUARRY_READ_ONLY: "1",
      QUARRY_DISABLE_TOOLS: "grep,glob",
      QUARRY_MAX_FILE_SIZE: "2M",
      QUARRY_STRUCTURED: "true",
    };
    const byFlags = [
      ["--workdir", root],
      ["--allow-dir", join(root, "one"), "--allow-dir", join(root, "two")],
      ["--deny", "*.{pem,key}", "--deny", ".env*"],
      ["--dialect", "boris", "--anthropic-compat", "--read-only"],
      ["--disable-tools", "grep", "--disable-tools", "glob"],
      ["--max-file-size", "2M", "--structured"],
    ].flat();
    const { env: _, ...typed } = await optionsOf("/", byFlags);
    const { env: __, ...set } = await optionsOf("/", [], env);
    expect(set).toEqual(typed);
    expect(set).toMatchObject({
      root,
      dialect: "boris",
      readOnly: true,
      maxFileSize: 2 * MB,
      structured: true,
    });
  });

  test("gives way to what is typed, and adds to lists", async () => {
    const [set, typed] = [tree(), tree()];
    const env = {
      QUARRY_WORKDIR: set,
      QUARRY_DIALECT: "claude",
      QUARRY_DENY: "*.a",
      QUARRY_MAX_FILE_SIZE: "1M",
    };
    const flags = ["--workdir", typed, "--dialect", "quarry", "--deny", "*.b", "--max-file-size", "2M"];
    expect(await optionsOf("/", flags, env)).toMatchObject({
      root: typed,
      dialect: "quarry",
      deny: ["*.a", "*.b"],
      maxFileSize: 2 * MB,
    });
  });

  test.each(["", "0", "false", "no", "Off"])("turns a switch off with %j", async (value) => {
    expect((await optionsOf(tree(), [], { QUARRY_READ_ONLY: value })).readOnly).toBe(false);
  });

  test.each([
    ["*.{pem,key},.env*", ["*.{pem,key}", ".env*"]],
    ["{a,{b,c},d}/x,y", ["{a,{b,c},d}/x", "y"]],
    ["a{b,{c,{d,e}}}f,{g,h}", ["a{b,{c,{d,e}}}f", "{g,h}"]],
    ["x[,]y,z", ["x[,]y", "z"]],
    ["[],],[!],],{[}],q},r", ["[],]", "[!],]", "{[}],q}", "r"]],
    ["a\\,b,c\\{d,e", ["a\\,b", "c\\{d", "e"]],
    [" a , b ,,", ["a", "b"]],
  ])("has lists apart by the commas that no glob has: %s", async (value, globs) => {
    expect(twins("mcp", { QUARRY_DENY: value })).toEqual(globs.map((glob) => `--deny=${glob}`));
    expect((await optionsOf(tree(), [], { QUARRY_DENY: value })).deny).toEqual(globs);
  });

  test("is refused where it makes no sense", async () => {
    for (const env of [
      { QUARRY_READ_ONLY: "maybe" },
      { QUARRY_TOKEN: " " },
      { QUARRY_DIALECT: "cobol" },
      { QUARRY_MAX_FILE_SIZE: "huge" },
      { QUARRY_DISABLE_TOOLS: "serach" },
      { QUARRY_DENY: "a{b,c" },
      { QUARRY_ALLOW_DIR: "/nowhere/at/all" },
    ]) {
      const { code, stdout, stderr } = await quarry(tree(), ["mcp"], { env });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^quarry: /);
    }
  });
});

describe("bad flags", () => {
  test.each([
    ["a flag that there is not", ["--read-olny"], "Did you mean --read-only?"],
    ["an argument", ["."], "The folder is --workdir DIR"],
    ["a dialect that there is not", ["--dialect", "cobol"], "--dialect"],
    ["names of another dialect", ["--anthropic-compat"], "--anthropic-compat is for --dialect boris"],
    ["a folder that is not there", ["--workdir", "nowhere"], "is not there"],
    ["a folder that is a file", ["--workdir", "a.txt"], "is no folder"],
    ["a tool that there is not", ["--disable-tools", "serach"], "Did you mean search?"],
    ["two tools in one word", ["--disable-tools", "edit,write"], "--disable-tools names no tool"],
    ["a size that is none", ["--max-file-size", "huge"], "--max-file-size"],
    ["a level that is none", ["--log-level", "loud"], "--log-level"],
    [
      "an allowed folder that is not there",
      ["--allow-dir", "nowhere"],
      "[PATH_NOT_FOUND] The allowed folder",
    ],
    ["an allowed folder that is a file", ["--allow-dir", "a.txt"], "[NOT_A_FOLDER] The allowed folder"],
    ["a denied glob that does not parse", ["--deny", "*.txt", "--deny", "a{b"], "[INVALID_GLOB]"],
    ["a client that there is not", ["--print-config", "curser"], "Did you mean cursor?"],
  ])("are refused with a way out: %s", async (_, argv, message) => {
    const { code, stdout, stderr } = await quarry(tree({ "a.txt": "" }), ["mcp", ...argv]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });
});

describe("a server", () => {
  async function asked(flags: readonly string[], cwd: string, name: string, input: object): Promise<unknown> {
    const wire = new Wire({ cwd, flags });
    await wire.initialize();
    const answer = await wire.request(1, "tools/call", { name, arguments: input });
    return answer?.result ?? answer?.error?.code;
  }
  const files = {
    "small.txt": "needle\n",
    "large.txt": `needle\n${"x".repeat(2000)}\n`,
    "a.pem": "needle\n",
  };

  test("does not offer what is disabled", async () => {
    const flags = ["--disable-tools", "write", "--disable-tools", "edit", "--disable-tools", "Grep"];
    const wire = new Wire({ cwd: tree(files), flags });
    await wire.initialize();
    const list = await wire.request(1, "tools/list");
    const tools = list?.result?.["tools"] as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["find", "read"]);
    const write = { name: "write", arguments: { path: "made.txt", content: "" } };
    expect((await wire.request(2, "tools/call", write))?.error?.code).toBe(-32602);
  });

  test("does not search what is too large, nor what is denied", async () => {
    const search = { pattern: "needle", mode: "files" };
    const flags = ["--max-file-size", "1K", "--deny", "*.pem"];
    const answer = await asked(flags, tree(files), "search", search);
    expect(answer).toMatchObject({
      content: [{ text: expect.stringMatching(/^small\.txt$/m) as unknown }],
      _meta: { "quarry/details": { files: ["small.txt"] } },
    });
    expect(await asked(flags, tree(files), "read", { path: "a.pem" })).toMatchObject({
      isError: true,
      _meta: { "quarry/details": { code: "PATH_DENIED" } },
    });
  });

  test("touches the allowed folders alone", async () => {
    const root = tree({ "in/a.txt": "needle", "out/b.txt": "needle" });
    const flags = ["--workdir", root, "--allow-dir", join(root, "in")];
    const found = await asked(flags, "/", "search", {
      pattern: "needle",
      mode: "files",
      paths: join(root, "in"),
    });
    expect(found).toMatchObject({ content: [{ text: "in/a.txt" }] });
    expect(await asked(flags, "/", "read", { path: "out/b.txt" })).toMatchObject({
      _meta: { "quarry/details": { code: "PATH_OUTSIDE" } },
    });
  });

  test("works again when what was in its way is gone", async () => {
    const root = tree({ "inner/a.txt": "needle" });
    const [inner, away] = [join(root, "inner"), join(root, "away")];
    const wire = new Wire({ cwd: root, flags: ["--workdir", inner] });
    await wire.initialize();
    await wire.request(1, "ping");
    renameSync(inner, away);
    const find = { name: "find", arguments: {} };
    expect((await wire.request(2, "tools/call", find))?.result).toMatchObject({ isError: true });
    renameSync(away, inner);
    expect((await wire.request(3, "tools/call", find))?.result).toMatchObject({
      content: [{ text: "a.txt" }],
    });
  });

  test("writes its log as text or JSON, from a level on", async () => {
    const lines = async (...flags: string[]): Promise<string[]> => {
      const wire = new Wire({ cwd: tree(), flags });
      await wire.initialize();
      await wire.request(1, "tools/call", { name: "find", arguments: {} });
      await wire.end();
      return wire.stderr.split("\n").filter((line) => line !== "");
    };
    expect(await lines("--log-level", "error")).toEqual([]);
    // Over stdio a client keeps it: where nothing is wrong, nothing is said.
    expect(await lines()).toEqual([]);
    const text = await lines("--log-level", "info");
    expect(text[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info Serving over stdio /);
    const json = (await lines("--log-level", "debug", "--log-format", "json")).map(
      (line) => JSON.parse(line) as { level: string; message: string },
    );
    expect(json.map(({ level, message }) => [level, message])).toEqual([
      ["info", "Serving over stdio"],
      ["debug", "find was called"],
      ["info", "The client is gone"],
    ]);
  });
});
