/** What the protocol offers besides calls, with every client library: cancelling, progress, logs, resources, hints. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually, isAlive } from "../support/processes.ts";
import { standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import { CLIENTS, converse, OVER_STDIO, type Step } from "./clients.ts";
import { newest, Wire } from "./wire.ts";

const call = (name: string, input: object, more: object = {}): Step => ({
  do: "call",
  name,
  arguments: input,
  ...more,
});

/** An answer of more than 50 KiB is cut, and kept whole. */
function cutTree(): string {
  const line = `needle ${"x".repeat(300)}\n`;
  return tree(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.txt`, line.repeat(20)])));
}

describe.each(CLIENTS)("%s", (_, library, transport) => {
  const isNewest = library.revision !== undefined;

  test("cancels a search, and nothing of it is left", async () => {
    const rg = standIn('echo $$ >> "$MARK/pids"; exec sleep 600');
    const pids = join(rg.folder, "pids");
    const { results } = await converse(library, transport, {
      flags: ["--workdir", tree({ "a.txt": "needle\n" })],
      env: rg.env,
      steps: [
        { do: "cancel", name: "search", arguments: { pattern: "needle" }, when: pids },
        // The client stays until the work below is gone: it is not its end that ends it.
        { do: "over", file: pids },
        call("read", { path: "a.txt:raw" }),
      ],
    });
    expect(results[0]?.thrown?.message).toContain("enough");
    expect(results[1]).toEqual({ alive: [] });
    expect(results[2]?.content).toEqual([{ type: "text", text: "needle" }]);
    const left = readFileSync(pids, "utf8").trim().split("\n").map(Number).filter(isAlive);
    expect(left).toEqual([]);
  });

  test("hears how far a long search is", async () => {
    // A ripgrep that takes a while between one match and the next.
    const slow =
      'case "$*" in *--json*) "$RG" "$@" | while IFS= read -r l; do printf "%s\\n" "$l"; sleep 0.1; done;; *) exec "$RG" "$@";; esac';
    const rg = standIn(slow);
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.txt`, "needle\n"]));
    const { results } = await converse(library, transport, {
      flags: ["--workdir", tree(files)],
      env: rg.env,
      steps: [call("search", { pattern: "needle" }, { progress: true })],
    });
    const [{ seen = [] } = {}] = results;
    expect(results[0]?.isError).toBeUndefined();
    expect(seen.length).toBeGreaterThanOrEqual(1);
    expect(seen.map(({ message }) => message).join("\n")).toMatch(/^\d files? with matches so far/);
    const steps = seen.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
  });

  test("hears how much there is, where everything was named", async () => {
    const slow = 'case "$*" in *needle*) sleep 0.25;; esac; exec "$RG" "$@"';
    const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
    const { results } = await converse(library, transport, {
      flags: ["--workdir", tree(Object.fromEntries(names.map((name) => [name, "needle\n"])))],
      env: standIn(slow).env,
      // Look-around is for ripgrep to decide, file by file.
      steps: [call("search", { pattern: "(?=n)needle", paths: names }, { progress: true })],
    });
    const [{ seen = [] } = {}] = results;
    expect(seen.length).toBeGreaterThanOrEqual(1);
    expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([names.length]));
    expect(seen[0]?.message).toMatch(/^\d of 4 texts searched$/);
  });

  test("hears log messages where it asked for them, and not before", async () => {
    const root = tree({ "a.txt": "" });
    const asking = { meta: { "io.modelcontextprotocol/logLevel": "debug" } };
    const { logs } = await converse(library, transport, {
      flags: ["--workdir", root],
      steps: [
        call("find", {}),
        ...(isNewest ? [call("read", { path: "a.txt" }, asking)] : [{ do: "level", level: "debug" }]),
        ...(isNewest ? [] : [call("read", { path: "a.txt" }), { do: "level", level: "error" }]),
        call("find", {}),
      ],
    });
    expect(logs.map(({ level, data }) => [level, data])).toEqual([
      ["debug", expect.stringMatching(/^read took \d+ ms$/)],
    ]);
  });

  test("lists and reads resources, and completes their names", async () => {
    const { results } = await converse(library, transport, {
      flags: ["--workdir", cutTree()],
      steps: [
        call("search", { pattern: "needle" }),
        { do: "resources" },
        { do: "templates" },
        { do: "read", uri: "docs://tools.md" },
        { do: "read", uri: "artifact://1" },
        { do: "complete", uri: "docs://{page}", name: "page", value: "to" },
        { do: "complete", uri: "artifact://{id}", name: "id", value: "" },
        { do: "complete", uri: "other://{id}", name: "id", value: "" },
      ],
    });
    const [cut, list, templates, docs, artifact, ...completed] = results;
    const id = /artifact:\/\/(\w+)/.exec(JSON.stringify(cut?.content))?.[1] ?? "none";
    const resources = list?.["resources"] as { uri: string; mimeType: string }[];
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: "docs://tools.md", mimeType: "text/markdown" }),
    );
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `artifact://${id}`, mimeType: "text/plain" }),
    );
    expect(resources.filter(({ uri }) => !/^(?:docs|artifact):\/\//.test(uri))).toEqual([]);
    expect(templates).toMatchObject({
      resourceTemplates: [{ uriTemplate: "docs://{page}" }, { uriTemplate: "artifact://{id}" }],
    });
    expect(docs).toMatchObject({
      contents: [{ uri: "docs://tools.md", text: expect.stringMatching(/^# /) as unknown }],
    });
    expect(id).toBe("1");
    expect(JSON.stringify(artifact?.["contents"]).length).toBeGreaterThan(60_000);
    expect(completed.map(({ completion }) => (completion as { values: string[] }).values)).toEqual([
      ["tools.md"],
      ["1"],
      [],
    ]);
  });

  test("is told of a resource that there is not", async () => {
    const { results } = await converse(library, transport, {
      flags: ["--workdir", tree({ "a.txt": "secret" })],
      steps: [
        "docs://nothing.md",
        "artifact://77",
        "local://a",
        "file:///etc/passwd",
        "a.txt",
        "docs://../package.json",
      ].map((uri) => ({ do: "read", uri })),
    });
    expect(results.map(({ thrown }) => thrown?.code)).toEqual(results.map(() => -32602));
  });

  test("gets a protocol error for a tool that there is not, and an answer with a code for all else", async () => {
    const { results } = await converse(library, transport, {
      flags: ["--workdir", tree()],
      steps: [
        call("Search", { pattern: "x" }),
        call("search", { pattern: "x", paths: "nowhere" }),
        call("search", { pattern: "x", limit: "many" }),
        call("read", { path: "/etc/passwd" }),
      ],
    });
    const [unknown, ...known] = results;
    expect(unknown?.thrown).toMatchObject({
      code: -32602,
      message: expect.stringContaining("there are search, find") as unknown,
    });
    expect(
      known.map(({ isError, content, _meta }) => [isError, content?.[0], _meta?.["quarry/details"]]),
    ).toEqual(
      ["PATH_NOT_FOUND", "INVALID_INPUT", "PATH_OUTSIDE"].map((code) => [
        true,
        { type: "text", text: expect.stringContaining(`[${code}]`) as unknown },
        expect.objectContaining({ code }),
      ]),
    );
  });
});

describe("what a client is told", () => {
  const DIALECTS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["quarry", [], ["search", "find", "read", "edit", "write"]],
    ["claude", ["--dialect", "claude"], ["Grep", "Glob"]],
    ["boris", ["--dialect", "boris"], ["grep", "glob", "view", "str_replace", "create_file"]],
    [
      "boris with Claude's names",
      ["--dialect", "boris", "--anthropic-compat"],
      ["grep", "glob", "str_replace_editor"],
    ],
  ];
  const WRITING = new Set(["edit", "write", "str_replace", "create_file", "str_replace_editor"]);

  test.each(DIALECTS)(
    "of %s: titles, hints, and instructions of at most 150 words",
    async (_, flags, names) => {
      for (const [, library, transport] of OVER_STDIO.slice(-1)) {
        const { results, instructions, server, capabilities } = await converse(library, transport, {
          flags,
          steps: [{ do: "list" }],
        });
        const tools = results[0]?.tools ?? [];
        expect(tools.map(({ name }) => name)).toEqual(names);
        expect(tools.map(({ name, title, annotations }) => ({ name, title, annotations }))).toEqual(
          names.map((name) => ({
            name,
            title: expect.stringMatching(/^[A-Z]\w+$/) as unknown,
            annotations: {
              title: expect.stringMatching(/^[A-Z]\w+$/) as unknown,
              readOnlyHint: !WRITING.has(name),
              destructiveHint: WRITING.has(name),
              idempotentHint: !WRITING.has(name),
              openWorldHint: false,
            },
          })),
        );
        expect(instructions.split(/\s+/).length).toBeLessThanOrEqual(150);
        expect(names.filter((name) => !instructions.includes(name))).toEqual([]);
        expect(server).toMatchObject({ name: "quarry", title: "Quarry" });
        expect(capabilities).toEqual({ tools: {}, resources: {}, completions: {}, logging: {} });
      }
    },
  );

  test.each(DIALECTS)("of %s, read-only: no tool that writes, nor a word of one", async (_, flags, names) => {
    const wire = new Wire({ cwd: tree(), flags: [...flags, "--read-only"] });
    const hello = await wire.initialize();
    const list = await wire.request(1, "tools/list");
    const tools = list?.result?.["tools"] as { name: string; annotations: object }[];
    const left = names.filter((name) => !WRITING.has(name) || name === "str_replace_editor");
    expect(tools.map(({ name }) => name)).toEqual(left);
    expect(tools.map(({ annotations }) => annotations)).toEqual(
      left.map(() => expect.objectContaining({ readOnlyHint: true, destructiveHint: false }) as unknown),
    );
    const said = String(hello?.result?.["instructions"]);
    const gone = names.filter((name) => !left.includes(name));
    expect(gone.filter((name) => new RegExp(`\\b${name}\\b`).test(said))).toEqual([]);
  });
});

test("a cancelled request is not answered, and its id is free again", async () => {
  const rg = standIn('echo $$ >> "$MARK/pids"; exec sleep 600');
  const pids = join(rg.folder, "pids");
  const wire = new Wire({ cwd: tree({ "a.txt": "" }), env: rg.env });
  await wire.initialize();
  wire.send({ id: 5, method: "tools/call", params: { name: "search", arguments: { pattern: "x" } } });
  expect(await eventually(() => existsSync(pids), 60_000)).toBe(true);
  wire.send({ method: "notifications/cancelled", params: { requestId: 5, reason: "enough" } });
  const gone = (): boolean => !readFileSync(pids, "utf8").trim().split("\n").map(Number).some(isAlive);
  expect(await eventually(gone, 60_000)).toBe(true);
  expect((await wire.request(6, "ping"))?.result).toEqual({});
  expect(wire.messages.map(({ id }) => id)).toEqual(["hello", 6]);
  expect((await wire.request(5, "ping"))?.result).toEqual({});
});

test("a newest client that asked for no logs hears none", async () => {
  const wire = new Wire({ cwd: tree() });
  const find = { name: "find", arguments: {} };
  await wire.request(1, "tools/call", { ...find, _meta: newest() });
  expect(wire.messages.map(({ method }) => method)).toEqual([undefined]);
  await wire.request(2, "tools/call", {
    ...find,
    _meta: newest({}, { "io.modelcontextprotocol/logLevel": "debug" }),
  });
  expect(wire.messages.map(({ method }) => method)).toEqual([undefined, "notifications/message", undefined]);
});
