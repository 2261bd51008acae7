/** Garbage on the wire: an error where the protocol has one, and the server lives. */
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plant } from "../support/tree.ts";
import { begin, call, initialize, messages, newest, send, type Served, textOf } from "./http-server.ts";

const MiB = 1024 * 1024;

/** One for all of it, which is to live on. */
let server: Served;
const ground = plant({ "a.txt": "needle\n" });

beforeAll(async () => {
  server = await begin(ground.root);
});

afterAll(async () => {
  await server.end();
  ground.remove();
});

function start(): Promise<Record<string, string>> {
  return initialize(server.port);
}

/** Bytes as they are, and all that comes back. */
async function raw(bytes: string | Buffer, then?: (socket: Socket) => void): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  const answer = text(socket).catch(() => "");
  socket.on("error", () => {});
  socket.write(bytes);
  then?.(socket);
  return answer;
}

function head(session: Record<string, string>, extra: readonly string[]): string {
  const lines = Object.entries(session).map(([name, value]) => `${name}: ${value}`);
  return [
    "POST /mcp HTTP/1.1",
    "host: localhost",
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    ...lines,
    ...extra,
    "",
    "",
  ].join("\r\n");
}

/** What the next client gets, whatever came before. */
async function next(): Promise<readonly [text: string, faults: boolean]> {
  const session = await initialize(server.port);
  const body = call(1, "search", { pattern: "needle", mode: "files" });
  const answer = await send(server.port, { headers: session, body });
  await send(server.port, { method: "DELETE", headers: session });
  return [textOf(answer), server.log().includes("A request failed")];
}

const SERVED = ["a.txt", false];

describe("what is no message", () => {
  test.each([
    ["nothing", "", -32_700],
    ["half a message", '{"jsonrpc":"2.0","id":1,', -32_700],
    ["bytes that are no text", "\u0000\u0001\ufffd", -32_700],
    ["a number", "5", -32_600],
    ["null", "null", -32_600],
    ["an empty object", "{}", -32_600],
    ["an empty batch", "[]", -32_600],
    ["a batch of garbage", "[1,2,3]", -32_600],
    [
      "a batch of 101",
      `[${Array.from({ length: 101 }, () => '{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`,
      -32_600,
    ],
    ["another JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32_600],
    ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":5}', -32_600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    ["an id that is no whole number", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600],
    ["an id that is true, in a batch", '[{"jsonrpc":"2.0","id":true,"method":"ping"}]', -32_600],
    ["params that are a string", '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', -32_600],
  ])("%s is refused", async (_, body, code) => {
    const session = await start();
    const answer = await send(server.port, { headers: session, body });
    expect([answer.status, messages(answer.text)[0]?.error?.code]).toEqual([400, code]);
    expect(answer.text).not.toMatch(/node:|\.ts|\.js|\/src\//);
    expect((await send(server.port, { body })).status).toBe(400);
    expect(await next()).toEqual(SERVED);
  });
});

describe("what is a message, and wrong", () => {
  const ask = async (message: object): Promise<ReturnType<typeof messages>> => {
    const session = await start();
    const answer = await send(server.port, { headers: session, body: { jsonrpc: "2.0", id: 7, ...message } });
    return messages(answer.text);
  };

  test.each([
    ["an unknown method", { method: "no/such" }, -32_601],
    ["a method that is a property", { method: "__proto__" }, -32_601],
    ["an unknown tool", { method: "tools/call", params: { name: "no-such" } }, -32_602],
    ["a tool's name that is a property", { method: "tools/call", params: { name: "constructor" } }, -32_602],
    ["a tool's name that is a number", { method: "tools/call", params: { name: 5 } }, -32_602],
    [
      "arguments that are a list",
      { method: "tools/call", params: { name: "search", arguments: [] } },
      -32_602,
    ],
    ["no params", { method: "tools/call" }, -32_602],
    ["an unknown resource", { method: "resources/read", params: { uri: "file:///etc/passwd" } }, -32_602],
  ])("%s gets its error", async (_, message, code) => {
    expect(await ask(message)).toMatchObject([{ id: 7, error: { code } }]);
    expect(await next()).toEqual(SERVED);
  });

  test("a tool's wrong arguments are for the agent to mend", async () => {
    const [answer] = await ask({
      method: "tools/call",
      params: { name: "search", arguments: { pattern: 5 } },
    });
    expect(answer?.result).toMatchObject({ isError: true });
    expect(answer?.result?.content?.[0]?.text).toContain("[INVALID_INPUT]");
    expect(await next()).toEqual(SERVED);
  });

  test.each(["null", "1.5", "true", "{}"])("an id that is %s is no notification's", async (id) => {
    const { headers, body } = newest(7, "find", {});
    const without = { headers, body: JSON.stringify(body).replace('"id":7', `"id":${id}`) };
    const ping = (one: string): string => `{"jsonrpc":"2.0","id":${one},"method":"ping"}`;
    const session = await start();
    const batch = `[${ping("1")},${ping(id)}]`;
    for (const sent of [without, { headers: session, body: ping(id) }, { headers: session, body: batch }]) {
      const answer = await send(server.port, sent);
      expect(answer.status).toBe(400);
      expect(messages(answer.text)).toEqual([
        {
          jsonrpc: "2.0",
          id: null,
          error: { code: -32_600, message: "An id is a string or a whole number" },
        },
      ]);
    }
  });

  test("JSON a hundred thousand levels deep is answered", async () => {
    const session = await start();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const body = JSON.stringify(call(1, "search", { pattern: "DEEP" })).replace('"DEEP"', deep);
    const answer = await send(server.port, { headers: session, body });
    expect(messages(answer.text)).toHaveLength(1);
    expect((await send(server.port, { body: deep })).status).toBe(400);
    expect(await next()).toEqual(SERVED);
  });

  test.each([
    ["no such revision", { "mcp-protocol-version": "1999-01-01" }, 400],
    ["the headers of another method", { "mcp-method": "ping" }, 400],
    ["the headers of another tool", { "mcp-name": "write" }, 400],
  ])("%s is refused without sessions", async (_, headers, status) => {
    const given = newest(1, "search", { pattern: "needle" });
    expect(
      (await send(server.port, { headers: { ...given.headers, ...headers }, body: given.body })).status,
    ).toBe(status);
    expect(await next()).toEqual(SERVED);
  });

  test("a response to nothing, and an unknown notification, are taken and forgotten", async () => {
    const session = await start();
    for (const body of [
      { jsonrpc: "2.0", id: 99, result: {} },
      { jsonrpc: "2.0", id: 99, error: { code: 1, message: "x" } },
      { jsonrpc: "2.0", method: "notifications/no-such" },
    ]) {
      expect((await send(server.port, { headers: session, body })).status).toBe(202);
    }
    expect(await next()).toEqual(SERVED);
  });
});

describe("bodies of 50 MB", () => {
  test("are refused by their length, before they come", async () => {
    const session = await start();
    const answer = await raw(head(session, [`content-length: ${50 * MiB}`]));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(await next()).toEqual(SERVED);
  });

  test("are refused while they come, and the client gets to see it", async () => {
    const session = await start();
    const answer = await send(server.port, { headers: session, body: "x".repeat(50 * MiB) });
    expect(answer.status).toBe(413);
    expect(messages(answer.text)).toMatchObject([{ error: { code: -32_600 } }]);
    expect(await next()).toEqual(SERVED);
  });

  test("are refused without a length, too, and also who reads last gets to see it", async () => {
    const session = await start();
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MiB, "x"), Buffer.from("\r\n")]);
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(head(session, ["transfer-encoding: chunked"]));
    for (let at = 0; at < 25; at++) socket.write(chunk);
    await new Promise<void>((resolve) => socket.write("0\r\n\r\n", () => resolve()));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /);
    expect(await next()).toEqual(SERVED);
  });

  test("are not read at all where the place is wrong", async () => {
    const answer = await raw(
      head({ origin: "https://evil.example" }, ["transfer-encoding: chunked"]),
      (socket) => void socket.write(`100000\r\n${"x".repeat(MiB)}\r\n`),
    );
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(await next()).toEqual(SERVED);
  });
});

describe("what is no HTTP, or half of it", () => {
  test.each([
    ["garbage", "\x16\x03\x01\x02\x00\r\n\r\n"],
    ["a request without its host", "POST /mcp HTTP/1.1\r\n\r\n"],
    [
      "two lengths",
      "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
    ],
    [
      "a length and chunks",
      "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a header without end", `GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
  ])("%s is refused", async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(await next()).toEqual(SERVED);
  });

  test("an old client without a host is refused", async () => {
    expect(await raw("GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 403 /);
    expect(await next()).toEqual(SERVED);
  });

  test("half a body whose client goes away is forgotten, and so is half a head", async () => {
    const session = await start();
    const halves = [`${head(session, ["content-length: 100"])}{"jsonrpc"`, "POST /mcp HTT", ""];
    await Promise.all(
      halves.map((bytes) =>
        raw(bytes, (socket) => {
          setTimeout(() => socket.destroy(), 50);
        }),
      ),
    );
    await pause(50);
    expect(await next()).toEqual(SERVED);
  });

  test("a client that asks and does not stay for the answer is forgotten", async () => {
    const session = await start();
    const body = JSON.stringify(call(1, "search", { pattern: "needle" }));
    for (let at = 0; at < 20; at++) {
      await raw(`${head(session, [`content-length: ${body.length}`])}${body}`, (socket) => {
        setTimeout(() => socket.destroy(), at);
      });
    }
    expect(await next()).toEqual(SERVED);
  });
});
