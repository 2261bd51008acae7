/** The answer to `initialize` that is given before the SDK is there, and all that is left to the SDK. */
import { PassThrough } from "node:stream";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { ClientGround } from "../../src/mcp/client-ground.ts";
import { answerEarly } from "../../src/mcp/early.ts";
import { LEGACY_REVISIONS } from "../../src/mcp/hello.ts";
import type { McpOptions } from "../../src/mcp/options.ts";
import { createServer } from "../../src/mcp/server.ts";
import { tree } from "../support/tree.ts";
import { greeting, type Message, Wire } from "./wire.ts";

const OPTIONS: McpOptions = {
  root: "/",
  allow: null,
  deny: [],
  dialect: "quarry",
  anthropicCompat: false,
  readOnly: false,
  disabledTools: [],
  maxFileSize: null,
  structured: false,
  env: {},
  version: "1.2.3",
};

/** What is said at once to these chunks, and what comes out for the SDK. */
async function early(
  chunks: readonly (string | Buffer)[],
  options: McpOptions = OPTIONS,
): Promise<{
  readonly said: Message[];
  readonly passed: string;
  readonly answered: (id: unknown) => boolean;
}> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { rest, answered } = answerEarly(stdin, stdout, options);
  for (const chunk of chunks) {
    stdin.write(chunk);
    await new Promise(setImmediate);
  }
  stdin.end();
  const passed = (await rest().toArray()) as Buffer[];
  stdout.end();
  const said = Buffer.concat((await stdout.toArray()) as Buffer[]).toString();
  return {
    said: said
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Message),
    passed: Buffer.concat(passed).toString("latin1"),
    answered,
  };
}

function initialize(revision: string, id: unknown = 0): string {
  const params = greeting(revision, { roots: { listChanged: true }, sampling: {} });
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params })}\n`;
}

/** What the SDK itself answers. */
async function bySdk(revision: string, options: McpOptions): Promise<JSONRPCMessage> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createServer(new ClientGround(options, () => {}), () => {});
  const answer = new Promise<JSONRPCMessage>((resolve) => {
    theirs.onmessage = (message) => resolve(message);
  });
  await server.connect(ours);
  await theirs.start();
  await theirs.send(JSON.parse(initialize(revision)) as JSONRPCMessage);
  return answer;
}

const REVISIONS = [...LEGACY_REVISIONS, "2026-07-28", "1999-01-01", ""];

const WAYS: readonly Partial<McpOptions>[] = [
  {},
  { readOnly: true },
  { dialect: "claude", structured: true },
  { dialect: "boris" },
  { dialect: "boris", anthropicCompat: true },
];

describe("the early answer", () => {
  test.each(REVISIONS)("is the SDK's own, asked for revision %j", async (revision) => {
    for (const way of WAYS) {
      const options = { ...OPTIONS, ...way };
      const { said } = await early([initialize(revision)], options);
      expect(said).toEqual([await bySdk(revision, options)]);
    }
  });

  test("comes once, to bytes in any pieces, and all of them go on to the SDK", async () => {
    const text = `${initialize("2025-06-18", "é")}${initialize("2025-06-18", "again")}{"half`;
    const bytes = Buffer.from(text);
    for (const size of [1, 7, 60, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const { said, passed, answered } = await early(chunks);
      expect(said.map(({ id }) => id)).toEqual(["é"]);
      expect(passed).toBe(bytes.toString("latin1"));
      expect([answered("again"), answered("é"), answered("é")]).toEqual([false, true, false]);
    }
  });

  const params = greeting("2025-11-25");
  test.each([
    ["another method", { jsonrpc: "2.0", id: 1, method: "ping" }],
    ["another revision's question", { jsonrpc: "2.0", id: 1, method: "server/discover", params: {} }],
    ["a notification", { jsonrpc: "2.0", method: "initialize", params }],
    ["an id that is none", { jsonrpc: "2.0", id: 1.5, method: "initialize", params }],
    ["an id of null", { jsonrpc: "2.0", id: null, method: "initialize", params }],
    ["another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "initialize", params }],
    ["no parameters", { jsonrpc: "2.0", id: 1, method: "initialize" }],
    ["parameters that are a text", { jsonrpc: "2.0", id: 1, method: "initialize", params: "2025-11-25" }],
    [
      "no revision",
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...params, protocolVersion: 5 } },
    ],
    [
      "a client without a name",
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...params, clientInfo: {} } },
    ],
    [
      "no capabilities",
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...params, capabilities: [] } },
    ],
    [
      "a capability that is no object",
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { ...params, capabilities: { roots: true } } },
    ],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "initialize", params }]],
    ["null", null],
    ["a number", 5],
  ])("is not given to %s", async (_, message) => {
    const line = `${JSON.stringify(message)}\n`;
    const { said, passed } = await early([line]);
    expect(said).toEqual([]);
    expect(passed).toBe(line);
  });

  test("is not given to what does not end, nor to a line behind another", async () => {
    expect((await early([initialize("2025-11-25").trimEnd()])).said).toEqual([]);
    expect((await early(["\n", initialize("2025-11-25")])).said).toEqual([]);
    expect((await early(["x".repeat(100_000), `\n${initialize("2025-11-25")}`])).said).toEqual([]);
  });
});

describe("behind it", () => {
  test("a call that came in the same breath is answered, and initialize only once", async () => {
    const wire = new Wire({ cwd: tree({ "a.txt": "needle\n" }) });
    const call = { id: 2, method: "tools/call", params: { name: "find", arguments: {} } };
    wire.send(
      { id: 1, method: "initialize", params: greeting("2025-11-25") },
      { method: "notifications/initialized" },
      call,
    );
    expect((await wire.answer(2))?.result?.["content"]).toEqual([{ type: "text", text: "a.txt" }]);
    expect((await wire.request(3, "ping"))?.result).toEqual({});
    expect((await wire.end()).code).toBe(0);
    expect(wire.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("its id may be used again", async () => {
    const wire = new Wire({ cwd: tree() });
    await wire.initialize();
    await wire.request(1, "ping");
    wire.send({ id: "hello", method: "ping" }, { id: 2, method: "ping" });
    await wire.answer(2);
    expect(wire.messages.filter(({ id }) => id === "hello").map(({ result }) => result)).toEqual([
      expect.objectContaining({ protocolVersion: "2025-11-25" }),
      {},
    ]);
  });

  test.each([
    ["without a name", { ...greeting("2025-11-25"), clientInfo: {} }],
    ["with a capability that is none", greeting("2025-11-25", { roots: true })],
  ])("an initialize %s gets the SDK's error, and the next one its answer", async (_, params) => {
    const wire = new Wire({ cwd: tree() });
    expect((await wire.request(1, "initialize", params))?.error?.code).toBeLessThan(0);
    expect((await wire.request(2, "initialize", greeting("2025-06-18")))?.result).toMatchObject({
      protocolVersion: "2025-06-18",
    });
  });
});
