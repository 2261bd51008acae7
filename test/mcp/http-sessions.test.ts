/** Sessions of the revisions up to 2025-11-25, and clients without one: their lives, and what ends them. */
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventually, isAlive } from "../support/processes.ts";
import { type StandIn, standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import {
  type Answer,
  call,
  initialize,
  INITIALIZE,
  messages,
  newest,
  open,
  type Opened,
  send,
  serve,
  textOf,
} from "./http-server.ts";
import { startProgram, stop } from "./program.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** How many sessions it says it has. */
async function count(port: number): Promise<number> {
  const { text } = await send(port, { method: "GET", path: "/health" });
  return (JSON.parse(text) as { readonly sessions: number }).sessions;
}

/** A ripgrep that never ends when it looks for `endless`, and leaves its process id. */
function endless(): StandIn & { readonly pid: () => Promise<number> } {
  const stand = standIn(
    'case "$*" in *endless*) echo $$ > "$MARK/new"; mv "$MARK/new" "$MARK/pids"; exec sleep 300;; esac; exec "$RG" "$@"',
  );
  return {
    ...stand,
    pid: async () => {
      while (!existsSync(join(stand.folder, "pids"))) await pause(10);
      return Number(readFileSync(join(stand.folder, "pids"), "utf8"));
    },
  };
}

/** What is said until the connection ends, or is ended. */
async function rest({ chunks }: Opened): Promise<string> {
  let text = "";
  try {
    for await (const chunk of chunks) text += chunk;
  } catch {
    // It was cut off.
  }
  return text;
}

describe("health", () => {
  test("tells how many sessions there are, and needs no token", async () => {
    const { port } = await serve(tree({}), { http: { tokens: ["0123456789abcdef"] } });
    const answer = await send(port, { method: "GET", path: "/health" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ ok: true, sessions: 0, version: "0.0.0" });
    await initialize(port, { authorization: "Bearer 0123456789abcdef" });
    expect(await count(port)).toBe(1);
    expect((await send(port, { method: "POST", path: "/health", body: {} })).status).toBe(405);
  });
});

describe("a session", () => {
  test("serves calls, and is gone after DELETE", async () => {
    const { port } = await serve(tree({ "a.txt": "a needle\n" }));
    const session = await initialize(port);
    expect(
      textOf(await send(port, { headers: session, body: call(1, "search", { pattern: "needle" }) })),
    ).toContain("*1:a needle");
    expect((await send(port, { method: "DELETE", headers: session })).status).toBe(200);
    expect(await count(port)).toBe(0);
    for (const method of ["POST", "GET", "DELETE"]) {
      const body = method === "POST" ? { body: PING } : {};
      expect((await send(port, { method, headers: session, ...body })).status).toBe(404);
    }
  });

  test("has a workspace of its own: another's tag means nothing in it", async () => {
    const { port } = await serve(tree({ "a.txt": "one\n" }));
    const [first, second] = [await initialize(port), await initialize(port)];
    const shown = textOf(await send(port, { headers: first, body: call(1, "read", { path: "a.txt" }) }));
    const [, tag] = /#([0-9A-F]{4})/.exec(shown) ?? [];
    const edit = call(2, "edit", { input: `¶a.txt#${tag}\nreplace 1..1:\n+two` });
    expect(textOf(await send(port, { headers: second, body: edit }))).toContain("[TAG_UNKNOWN]");
  });

  test("belongs to the token that began it", async () => {
    const tokens = ["first-token-0123456", "second-token-0123456"];
    const [one, two] = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
    const { port } = await serve(tree({}), { http: { tokens } });
    const session = await initialize(port, one ?? {});
    for (const method of ["POST", "GET", "DELETE"]) {
      const body = method === "POST" ? { body: PING } : {};
      expect((await send(port, { method, headers: { ...session, ...two }, ...body })).status).toBe(404);
    }
    expect((await send(port, { headers: session, body: PING })).status).toBe(200);
  });

  test.each([
    ["an Accept without events", { accept: "application/json" }, 406],
    ["another content type", { "content-type": "text/plain" }, 415],
  ])("is not left behind when initialize is refused for %s", async (_, headers, status) => {
    const { port } = await serve(tree({}), { ground: { sessions: 1 } });
    for (let at = 0; at < 3; at++) {
      expect((await send(port, { headers, body: INITIALIZE })).status).toBe(status);
    }
    expect((await send(port, { body: INITIALIZE })).status).toBe(200);
  });

  test("takes the place of the one that was idle the longest, where there are as many as may be", async () => {
    const { port, log } = await serve(tree({}), { ground: { sessions: 3 } });
    const [first, second, third] = [
      await initialize(port),
      await initialize(port),
      await initialize(port),
    ] as const;
    // The first is the one that was used last.
    expect((await send(port, { headers: first, body: PING })).status).toBe(200);
    const fourth = await initialize(port);
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        [first, second, third, fourth].map(
          async (headers) => (await send(port, { headers, body: PING })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 404, 200, 200]);
    expect(await count(port)).toBe(3);
    expect(log()).toContain("A session was ended for a new one");
    // Many at once find places, and no more of them than there are.
    await Promise.all(Array.from({ length: 12 }, () => send(port, { body: INITIALIZE })));
    expect(await count(port)).toBeLessThanOrEqual(3);
  });

  test("never takes the place of one that somebody works with, however many only greet", async () => {
    const { port } = await serve(tree({ "a.txt": "one\n" }), { ground: { sessions: 2 } });
    const read = call(1, "read", { path: "a.txt" });
    const works = await initialize(port);
    await send(port, { headers: works, body: read });
    for (let at = 0; at < 5; at++) await initialize(port);
    expect((await send(port, { headers: works, body: PING })).status).toBe(200);
    const other = await initialize(port);
    await send(port, { headers: other, body: read });
    expect((await send(port, { body: INITIALIZE })).status).toBe(503);
    expect((await send(port, { headers: works, body: PING })).status).toBe(200);
  });

  test("is refused where as many as may be are in use, and the place of one that ended is free", async () => {
    const rg = endless();
    const { port, log } = await serve(tree({}), { options: { env: rg.env }, ground: { sessions: 2 } });
    const [listening, working] = [await initialize(port), await initialize(port)] as const;
    const stream = await open(port, { method: "GET", headers: listening });
    const running = await open(port, { headers: working, body: call(1, "search", { pattern: "endless" }) });
    await rg.pid();
    running.drop();
    const refused = await send(port, { body: INITIALIZE });
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("60");
    expect(messages(refused.text)[0]?.error?.message).toContain("too many sessions");
    expect(log()).toContain("A session was refused");
    await send(port, { method: "DELETE", headers: listening });
    expect((await send(port, { body: INITIALIZE })).status).toBe(200);
    expect((await send(port, { headers: working, body: { ...PING, id: 2 } })).status).toBe(200);
    stream.drop();
  });

  test("is not begun twice, nor by a request that is no greeting", async () => {
    const { port } = await serve(tree({}));
    const session = await initialize(port);
    expect((await send(port, { headers: session, body: INITIALIZE })).status).toBe(400);
    expect((await send(port, { body: PING })).status).toBe(400);
    expect((await send(port, { body: [INITIALIZE, PING] })).status).toBe(400);
    expect(await count(port)).toBe(1);
  });
});

describe("an idle session", () => {
  test("is ended", async () => {
    const { port } = await serve(tree({}), { ground: { idle: 200 } });
    const session = await initialize(port);
    while ((await count(port)) > 0) await pause(20);
    expect((await send(port, { headers: session, body: PING })).status).toBe(404);
  });

  test("is none while somebody listens, or a call runs", async () => {
    const rg = endless();
    const { port } = await serve(tree({}), { options: { env: rg.env }, ground: { idle: 100 } });
    const [listening, working] = [await initialize(port), await initialize(port)];
    const stream = await open(port, { method: "GET", headers: listening });
    const running = await open(port, { headers: working, body: call(1, "search", { pattern: "endless" }) });
    await rg.pid();
    // Nobody waits for it any more, and it runs on.
    running.drop();
    await pause(600);
    expect(await count(port)).toBe(2);
    stream.drop();
    expect((await send(port, { headers: working, body: cancelled(1) })).status).toBe(202);
    while ((await count(port)) > 0) await pause(20);
  });
});

function cancelled(requestId: number): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "enough" } };
}

describe("cancelling", () => {
  test("ends the ripgrep below and the stream, without an answer; the id is free again", async () => {
    const rg = endless();
    const { port } = await serve(tree({ "a.txt": "x\n" }), { options: { env: rg.env } });
    const session = await initialize(port);
    const running = await open(port, { headers: session, body: call(5, "search", { pattern: "endless" }) });
    const pid = await rg.pid();
    expect((await send(port, { headers: session, body: cancelled(5) })).status).toBe(202);
    const text = await rest(running);
    expect(messages(text)).toEqual([]);
    expect(await eventually(() => !isAlive(pid), 2000)).toBe(true);
    expect(
      textOf(await send(port, { headers: session, body: call(5, "search", { pattern: "x" }) })),
    ).toContain("a.txt");
    // Who comes back for the rest hears that there is none.
    const [, id = ""] = /^id: (.+)$/m.exec(text) ?? [];
    const again = await send(port, { method: "GET", headers: { ...session, "last-event-id": id } });
    expect(messages(again.text)).toMatchObject([{ id: 5, error: { message: "The request was cancelled" } }]);
  });

  test("of what is not running, or by what is no such notification, changes nothing", async () => {
    const rg = endless();
    const { port } = await serve(tree({}), { options: { env: rg.env } });
    const session = await initialize(port);
    const running = await open(port, { headers: session, body: call(5, "search", { pattern: "endless" }) });
    const pid = await rg.pid();
    for (const params of [{ requestId: 6 }, { requestId: "5" }, { requestId: 5, reason: 7 }, {}, null, []]) {
      const body = { jsonrpc: "2.0", method: "notifications/cancelled", params };
      await send(port, { headers: session, body });
    }
    expect(isAlive(pid)).toBe(true);
    await send(port, { headers: session, body: cancelled(5) });
    expect(messages(await rest(running))).toEqual([]);
  });

  test("is what a lost connection means without sessions, and not what it means in one", async () => {
    const rg = endless();
    const { port } = await serve(tree({}), { options: { env: rg.env } });
    const away = new AbortController();
    const lost = send(port, { ...newest(1, "search", { pattern: "endless" }), signal: away.signal });
    const pid = await rg.pid();
    away.abort();
    await expect(lost).rejects.toMatchObject({ name: "AbortError" });
    expect(await eventually(() => !isAlive(pid), 2000)).toBe(true);
  });

  test("of one call leaves the others alone", async () => {
    const rg = endless();
    const { port } = await serve(tree({ "a.txt": "x\n" }), { options: { env: rg.env } });
    const session = await initialize(port);
    const running = await open(port, { headers: session, body: call(1, "search", { pattern: "endless" }) });
    await rg.pid();
    const other = send(port, { headers: session, body: call(2, "search", { pattern: "x" }) });
    await send(port, { headers: session, body: cancelled(1) });
    expect(textOf(await other)).toContain("a.txt");
    expect(messages(await rest(running))).toEqual([]);
  });
});

describe("a lost connection", () => {
  /** A ripgrep that waits for a file before it searches. */
  const waiting = (): StandIn & { readonly go: () => void } => {
    const stand = standIn(
      'case "$*" in *later*) : > "$MARK/begun"; until [ -e "$MARK/go" ]; do sleep 0.02; done;; esac; exec "$RG" "$@"',
    );
    return { ...stand, go: () => writeFileSync(join(stand.folder, "go"), "") };
  };

  test("loses no answer: who names the last event gets the rest, and only of its own stream", async () => {
    const rg = waiting();
    const { port } = await serve(tree({ "a.txt": "later\n" }), { options: { env: rg.env } });
    const session = await initialize(port);
    const running = await open(port, { headers: session, body: call(3, "search", { pattern: "later" }) });
    let begun = "";
    for await (const chunk of running.chunks) {
      begun += chunk;
      break;
    }
    running.drop();
    const [, id = ""] = /^id: (.+)$/m.exec(begun) ?? [];
    while (!existsSync(join(rg.folder, "begun"))) await pause(10);
    await send(port, { headers: session, body: call(4, "find", { paths: ["*"] }) });
    rg.go();
    const again = await send(port, { method: "GET", headers: { ...session, "last-event-id": id } });
    expect(messages(again.text).map((message) => message.id)).toEqual([3]);
    expect(textOf(again)).toContain("*1:later");
  });

  test("is not taken up in another session, nor from an event that never was", async () => {
    const { port } = await serve(tree({ "a.txt": "x\n" }));
    const [session, other] = [await initialize(port), await initialize(port)];
    const { text } = await send(port, { headers: session, body: call(3, "search", { pattern: "x" }) });
    const [, id = ""] = /^id: (.+)$/m.exec(text) ?? [];
    const statusOf = async (headers: Record<string, string>, event: string): Promise<number> =>
      (await send(port, { method: "GET", headers: { ...headers, "last-event-id": event } })).status;
    expect(await statusOf(session, id)).toBe(200);
    expect(await statusOf(other, id)).toBe(400);
    expect(await statusOf(session, "nothing_1")).toBe(400);
    expect(await statusOf(session, id.replace(/_\d+$/, "_0"))).toBe(400);
    expect(await statusOf(session, id.replace(/_\d+$/, "_999999"))).toBe(400);
    expect(await statusOf(session, "__proto__")).toBe(400);
  });
});

describe("an id that is in use", () => {
  test("is refused, and the first call has its answer", async () => {
    const rg = endless();
    const { port } = await serve(tree({ "a.txt": "x\n" }), { options: { env: rg.env } });
    const session = await initialize(port);
    const ask = (body: unknown): Promise<Answer> => send(port, { headers: session, body });
    const running = open(port, { headers: session, body: call(1, "search", { pattern: "endless" }) });
    const pid = await rg.pid();
    for (const body of [call(1, "search", { pattern: "x" }), [PING, call(2, "search", { pattern: "x" })]]) {
      const refused = await ask(body);
      expect(refused.status).toBe(400);
      expect(messages(refused.text)[0]?.error).toEqual({ code: -32_600, message: "This id is still in use" });
    }
    // Another type is another id.
    expect(textOf(await ask(call("1", "search", { pattern: "x" })))).toContain("a.txt");
    process.kill(pid);
    expect(messages(await rest(await running)).map((message) => message.id)).toEqual([1]);
    expect((await ask(PING)).status).toBe(200);
  });

  test("is refused when both come at once", async () => {
    const { port } = await serve(tree({ "a.txt": "x\n" }));
    const session = await initialize(port);
    for (let round = 0; round < 20; round++) {
      const both = await Promise.all(
        ["x", "y"].map((pattern) => send(port, { headers: session, body: call(1, "search", { pattern }) })),
      );
      const served = both.filter(({ status }) => status === 200);
      expect(served.length).toBeGreaterThan(0);
      expect(served.map(({ text }) => messages(text).length)).toEqual(served.map(() => 1));
    }
    expect((await send(port, { headers: session, body: [PING, PING] })).status).toBe(400);
  });

  test("is free again when the request was refused as a whole", async () => {
    const { port } = await serve(tree({}));
    const session = await initialize(port);
    const bad = { ...session, accept: "application/json" };
    expect((await send(port, { headers: bad, body: PING })).status).toBe(406);
    expect((await send(port, { headers: session, body: PING })).status).toBe(200);
  });
});

describe("clients without sessions", () => {
  test("keep their tags from call to call, each token its own", async () => {
    const tokens = ["first-token-0123456", "second-token-0123456"];
    const { port } = await serve(tree({ "a.txt": "one\n" }), { http: { tokens } });
    const ask = (who: number, name: string, input: object): Promise<Answer> => {
      const { headers, body } = newest(1, name, input);
      return send(port, { headers: { ...headers, authorization: `Bearer ${tokens[who]}` }, body });
    };
    const [, tag] = /#([0-9A-F]{4})/.exec(textOf(await ask(0, "read", { path: "a.txt" }))) ?? [];
    const input = `¶a.txt#${tag}\nreplace 1..1:\n+two`;
    expect(textOf(await ask(1, "edit", { input }))).toContain("[TAG_UNKNOWN]");
    expect(textOf(await ask(0, "edit", { input }))).toContain("two");
    expect(await count(port)).toBe(0);
  });

  test("lose them after a long silence", async () => {
    const { port } = await serve(tree({ "a.txt": "one\n" }), { ground: { idle: 150 } });
    const [, tag] =
      /#([0-9A-F]{4})/.exec(textOf(await send(port, newest(1, "read", { path: "a.txt" })))) ?? [];
    await pause(600);
    const input = `¶a.txt#${tag}\nreplace 1..1:\n+two`;
    expect(textOf(await send(port, newest(1, "edit", { input })))).toContain("[TAG_UNKNOWN]");
  });

  test("are served beside those with one, with the same ids", async () => {
    const { port } = await serve(tree({ "a.txt": "old\nnew\n" }));
    const session = await initialize(port);
    const [old, recent] = await Promise.all([
      send(port, { headers: session, body: call(1, "search", { pattern: "old" }) }),
      send(port, newest(1, "search", { pattern: "new" })),
    ]);
    expect(textOf(old)).toContain("*1:old");
    expect(textOf(recent)).toContain("*2:new");
  });
});

describe("the end of the server", () => {
  test("ends streams, calls and the ripgrep below", async () => {
    const rg = endless();
    const server = await startProgram(tree({}), [], rg.env);
    const session = await initialize(server.port);
    const listening = await open(server.port, { method: "GET", headers: session });
    const running = await open(server.port, {
      headers: session,
      body: call(1, "search", { pattern: "endless" }),
    });
    const pid = await rg.pid();
    expect(await stop(server)).toBe(143);
    expect(await eventually(() => !isAlive(pid), 2000)).toBe(true);
    expect(await rest(listening)).toBe("");
    expect(messages(await rest(running))).toEqual([]);
    expect(server.log()).toContain("The server has ended");
    expect(server.log()).not.toContain("interrupted");
  });

  test("answers a body that was still coming when it began, and does nothing of what it asks for", async () => {
    const root = tree({});
    const { port, end } = await serve(root);
    const session = await initialize(port);
    const body = JSON.stringify(call(1, "write", { path: "canary.txt", content: "sung" }));
    const asked = [session, {}].map((headers) => {
      const request = httpRequest({
        host: "127.0.0.1",
        port,
        path: "/mcp",
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "content-length": Buffer.byteLength(body),
          ...headers,
        },
      });
      request.write(body.slice(0, 20));
      return request;
    });
    const answers = asked.map((request) => once(request, "response"));
    // Both have arrived when this is answered.
    await pause(100);
    expect((await send(port, { method: "GET", path: "/health" })).status).toBe(200);
    const ended = end();
    await pause(50);
    for (const request of asked) request.end(body.slice(20));
    const statuses = (await Promise.all(answers)).map(([response]: { statusCode?: number }[]) => {
      return response?.statusCode;
    });
    expect(statuses).toEqual([503, 503]);
    await ended;
    expect(existsSync(join(root, "canary.txt"))).toBe(false);
  });

  test("does not wait for who does not listen", async () => {
    const { port, end } = await serve(tree({ "a.txt": "x\n" }));
    const session = await initialize(port);
    await open(port, { method: "GET", headers: session });
    await end();
    await expect(send(port, { headers: session, body: PING })).rejects.toThrow(
      /ECONNREFUSED|hang up|ECONNRESET/,
    );
  });
});
