/** Garbage on stdin: an error where the protocol has one, and the server lives; when stdin ends, so does everything. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually, isAlive } from "../support/processes.ts";
import { standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import { greeting, newest, Wire } from "./wire.ts";

const PARSE = -32700;
const REQUEST = -32600;
const METHOD = -32601;
const PARAMS = -32602;

const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const big = "x".repeat(50 << 20);

/** Bytes, and the errors that they get: code and id. */
const GARBAGE: readonly (readonly [string, string | Buffer, readonly (readonly [number, unknown])[]])[] = [
  ["no JSON", "hello there\n", [[PARSE, null]]],
  ["half of JSON", '{"jsonrpc":"2.0","id":1,\n', [[PARSE, null]]],
  ["nothing", "\n  \r\n\n", []],
  ["NULs", Buffer.from([0, 0, 0, 10]), [[PARSE, null]]],
  ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe, 0x22, 10]), [[PARSE, null]]],
  [
    "scalars",
    'null\n5\n"text"\ntrue\n',
    [
      [REQUEST, null],
      [REQUEST, null],
      [REQUEST, null],
      [REQUEST, null],
    ],
  ],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', [[REQUEST, null]]],
  ["an empty batch", "[]\n", [[REQUEST, null]]],
  ["no method", '{"jsonrpc":"2.0","id":5}\n', [[REQUEST, 5]]],
  ["another JSON-RPC", '{"jsonrpc":"1.0","id":"a","method":"ping"}\n', [[REQUEST, "a"]]],
  ["no version", '{"id":6,"method":"ping"}\n', [[REQUEST, 6]]],
  ["a method that is a number", '{"jsonrpc":"2.0","id":7,"method":7}\n', [[REQUEST, 7]]],
  ["parameters that are a text", '{"jsonrpc":"2.0","id":8,"method":"ping","params":"x"}\n', [[REQUEST, 8]]],
  ["parameters that are a list", '{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}\n', [[REQUEST, 9]]],
  ["an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}\n', [[REQUEST, null]]],
  ["a broken id", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', [[REQUEST, null]]],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n', [[REQUEST, null]]],
  ["an unknown method", '{"jsonrpc":"2.0","id":10,"method":"tools/destroy"}\n', [[METHOD, 10]]],
  ["a method that is in every object", '{"jsonrpc":"2.0","id":11,"method":"__proto__"}\n', [[METHOD, 11]]],
  ["an unknown tool", call(12, { name: "destroy", arguments: {} }), [[PARAMS, 12]]],
  ["a tool that is in every object", call(13, { name: "constructor", arguments: {} }), [[PARAMS, 13]]],
  ["a tool that is a number", call(14, { name: 5 }), [[PARAMS, 14]]],
  ["arguments that are a list", call(15, { name: "find", arguments: [] }), [[PARAMS, 15]]],
  [
    "a log level that is none",
    '{"jsonrpc":"2.0","id":16,"method":"logging/setLevel","params":{"level":"loud"}}\n',
    [[PARAMS, 16]],
  ],
  [
    "a resource that is a number",
    '{"jsonrpc":"2.0","id":17,"method":"resources/read","params":{"uri":5}}\n',
    [[PARAMS, 17]],
  ],
  ["a resource without a name", '{"jsonrpc":"2.0","id":19,"method":"resources/read"}\n', [[PARAMS, 19]]],
  [
    "a completion of nothing",
    '{"jsonrpc":"2.0","id":20,"method":"completion/complete","params":{"ref":5}}\n',
    [[PARAMS, 20]],
  ],
  [
    "a cursor that is a number",
    '{"jsonrpc":"2.0","id":21,"method":"tools/list","params":{"cursor":5}}\n',
    [[PARAMS, 21]],
  ],
  [
    "a progress token that is an object",
    call(22, { name: "find", arguments: {}, _meta: { progressToken: {} } }),
    [[PARAMS, 22]],
  ],
  [
    "a progress token that is null",
    call(23, { name: "find", arguments: {}, _meta: { progressToken: null } }),
    [[PARAMS, 23]],
  ],
  ["a second initialize that is none", '{"jsonrpc":"2.0","id":24,"method":"initialize"}\n', [[PARAMS, 24]]],
  ["an answer that nobody asked for", '{"jsonrpc":"2.0","id":99,"result":{}}\n', []],
  ["one that is nested deep", `{"jsonrpc":"2.0","id":777,"result":{"a":${deep}}}\n`, []],
  [
    "a method that is nested deep",
    `{"jsonrpc":"2.0","id":25,"method":"tools/destroy","params":{"a":${deep}}}\n`,
    [[METHOD, 25]],
  ],
  ["an error that nobody asked for", '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}\n', []],
  ["an unknown notification", '{"jsonrpc":"2.0","method":"notifications/party"}\n', []],
  [
    "a cancellation of nothing",
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}\n',
    [],
  ],
  ["a cancellation without an id", '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}\n', []],
  ["a line of 50 MB", `${big}\n`, [[REQUEST, null]]],
  ["a message of 50 MB", call(18, { name: "search", arguments: { pattern: big } }), [[REQUEST, null]]],
  ["100,000 open brackets", `${"[".repeat(100_000)}\n`, [[PARSE, null]]],
];

function call(id: number, params: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

describe("the server lives after", () => {
  const first = new Set([
    "no JSON",
    "nothing",
    "a batch",
    "a broken id",
    "an unknown method",
    "an unknown tool",
  ]);
  const opening = GARBAGE.filter(([name]) => first.has(name) || name.endsWith("notification"));

  test("all of it, one behind the other on one connection", async () => {
    const wire = new Wire({ cwd: tree({ "a.txt": "needle\n" }) });
    await wire.initialize();
    let at = 0;
    for (const [name, bytes, errors] of GARBAGE) {
      const before = wire.messages.length;
      wire.write(bytes);
      at += 1;
      expect((await wire.request(`ping ${at}`, "ping"))?.result).toEqual({});
      const got = wire.messages.slice(before, -1).map(({ error, id }) => [error?.code, id]);
      expect([name, got]).toEqual([name, errors]);
    }
    const { code, rest } = await wire.end();
    expect([code, rest]).toEqual([0, ""]);
  });

  test.each(opening)("%s as its first message", async (_, bytes) => {
    const wire = new Wire({ cwd: tree() });
    wire.write(bytes);
    expect((await wire.initialize())?.result).toMatchObject({ protocolVersion: "2025-11-25" });
    expect((await wire.request(1_000, "tools/list"))?.result?.["tools"]).toHaveLength(5);
    expect(await wire.end()).toEqual({ code: 0, rest: "" });
  });

  test("garbage in the newest revision", async () => {
    const wire = new Wire({ cwd: tree({ "a.txt": "" }) });
    const params = { name: "find", arguments: {} };
    expect((await wire.request(1, "tools/call", { ...params, _meta: newest() }))?.result).toBeDefined();
    wire.write("no JSON\n");
    const without = await wire.request(2, "tools/call", params);
    expect(without?.error?.code).toBe(PARAMS);
    const ping = await wire.request(3, "ping", { _meta: newest() });
    expect(ping?.error?.code).toBe(METHOD);
    // Roots that nobody checked.
    const roots = [5, "x", {}, { roots: 5 }, { roots: [5, null, {}, { uri: 5 }, { uri: "no url" }] }];
    for (const [at, given] of roots.entries()) {
      const meta = newest({ roots: {} });
      const request = { ...params, _meta: meta, inputResponses: { roots: given } };
      const answer = await wire.request(10 + at, "tools/call", request);
      expect(answer?.error?.message ?? "").not.toMatch(/at \/|node_modules|undefined/);
      expect(
        (await wire.request(20 + at, "tools/call", { ...params, _meta: newest() }))?.result,
      ).toMatchObject({
        content: [{ text: "a.txt" }],
      });
    }
    expect((await wire.end()).code).toBe(0);
  });
});

describe("an id", () => {
  test("that is in use is refused, and the first call is answered", async () => {
    const rg = standIn(
      'touch "$MARK/started"; while [ ! -e "$MARK/go" ]; do sleep 0.02; done; exec "$RG" "$@"',
    );
    const root = tree({ "a.txt": "needle\n" });
    const wire = new Wire({ cwd: root, env: rg.env });
    await wire.initialize();
    const search = { name: "search", arguments: { pattern: "needle", mode: "files" } };
    wire.send({ id: 1, method: "tools/call", params: search });
    expect(await eventually(() => existsSync(join(rg.folder, "started")), 60_000)).toBe(true);
    wire.send({ id: 1, method: "ping" }, { id: "1", method: "ping" });
    // A text is another id than the number.
    expect((await wire.answer("1"))?.result).toEqual({});
    expect((await wire.answer(1))?.error).toEqual({ code: REQUEST, message: "This id is still in use" });
    wire.messages.length = 0;
    standBy(rg.folder);
    expect((await wire.answer(1))?.result).toMatchObject({ content: [{ text: "a.txt" }] });
    expect((await wire.request(1, "ping"))?.jsonrpc).toBe("2.0");
  });
});

/** Lets the ripgrep of the test go on. */
function standBy(folder: string): void {
  writeFileSync(join(folder, "go"), "");
}

describe("when stdin ends", () => {
  test.each([
    ["before anything came", ""],
    ["in the middle of a message", '{"jsonrpc":"2.0","id":1,"method":"pi'],
    [
      "right behind initialize",
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: greeting("2025-11-25") })}\n`,
    ],
    ["in the middle of 20 MB", "x".repeat(20 << 20)],
  ])("%s, the process does", async (_, bytes) => {
    const wire = new Wire({ cwd: tree() });
    wire.write(bytes);
    expect(await wire.end()).toEqual({ code: 0, rest: "" });
  });

  test("in the middle of a slow search, nothing of it is left", async () => {
    const rg = standIn('echo $$ >> "$MARK/pids"; exec sleep 600');
    const wire = new Wire({ cwd: tree({ "a.txt": "" }), env: rg.env });
    await wire.initialize();
    wire.send({ id: 1, method: "tools/call", params: { name: "search", arguments: { pattern: "x" } } });
    const pids = join(rg.folder, "pids");
    expect(
      await eventually(() => existsSync(pids) && readFileSync(pids, "utf8").endsWith("\n"), 60_000),
    ).toBe(true);
    const { code, rest } = await wire.end();
    expect([code, rest]).toEqual([0, ""]);
    const children = readFileSync(pids, "utf8").trim().split("\n").map(Number);
    expect(await eventually(() => !children.some(isAlive), 10_000)).toBe(true);
    expect(wire.messages.map(({ id }) => id)).toEqual(["hello"]);
  });

  test("nothing of the session is left in the cache", async () => {
    const cache = join(tree(), "cache");
    const line = `needle ${"x".repeat(300)}\n`;
    const files = Array.from({ length: 20 }, (_, at) => [`${at}.txt`, line.repeat(20)]);
    const wire = new Wire({
      cwd: tree(Object.fromEntries(files) as Record<string, string>),
      env: { QUARRY_CACHE_DIR: cache },
    });
    await wire.initialize();
    // A cut answer is kept as an artifact, in a folder of the session's own.
    const cut = await wire.request(1, "tools/call", { name: "search", arguments: { pattern: "needle" } });
    expect(JSON.stringify(cut?.result)).toContain("artifact://");
    const sessions = join(cache, "sessions", "unnamed");
    expect(readdirSync(sessions)).toHaveLength(1);
    expect((await wire.end()).code).toBe(0);
    expect(readdirSync(sessions)).toEqual([]);
  });
});
