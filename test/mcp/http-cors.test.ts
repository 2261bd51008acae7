/** Pages in browsers: those of named origins may call and read the answers, and no other page learns anything. */
import { describe, expect, test } from "vitest";
import { tree } from "../support/tree.ts";
import { type Answer, call, INITIALIZE, newest, open, send, serve, type Sent } from "./http-server.ts";

const TOKEN = "0123456789abcdef-token";
const NAMED = "https://app.example:8443";
const HTTP = {
  tokens: [TOKEN],
  allowedOrigins: ["app.example", "https://only.example", "vscode-webview://abc"],
};

const preflight = (origin: string | readonly string[] | null): Sent => ({
  method: "OPTIONS",
  headers: {
    ...(origin === null ? {} : { origin }),
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type,mcp-session-id",
  },
});

/** What a browser goes by. */
function granted({ headers }: Pick<Answer, "headers">): Record<string, unknown> {
  const names = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

describe("a preflight", () => {
  test.each([NAMED, "http://APP.example", "https://only.example", "vscode-webview://abc"])(
    "of %s is answered without a token",
    async (origin) => {
      const { port } = await serve(tree({}), { http: HTTP });
      const answer = await send(port, preflight(origin));
      expect([answer.status, answer.text, answer.headers.vary]).toEqual([204, "", "Origin"]);
      expect(granted(answer)).toEqual({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "POST, GET, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name",
        "access-control-expose-headers": "Mcp-Session-Id",
        "access-control-max-age": "600",
      });
    },
  );

  test.each([
    ["another origin", "https://evil.example", 403],
    ["another port of a whole origin", "https://only.example:444", 403],
    ["a subdomain", "https://x.app.example", 403],
    ["an origin with a user", "https://app.example@evil.example", 403],
    ["an origin that begins like one", "https://app.example.evil.example", 403],
    ["an origin with a path", "https://app.example/x", 403],
    ["two origins", [NAMED, "https://evil.example"], 403],
    ["a wildcard", "*", 403],
    ["no page's origin", "null", 403],
    ["an empty origin", "", 403],
    ["a page of this machine that is not named", "http://localhost:3000", 401],
    ["no origin", null, 401],
  ])("of %s is refused, and grants nothing", async (_, origin, status) => {
    const { port } = await serve(tree({}), { http: HTTP });
    const answer = await send(port, preflight(origin));
    expect(answer.status).toBe(status);
    expect(granted(answer)).toEqual({});
  });

  test("is nothing elsewhere, and no other OPTIONS is one", async () => {
    const { port } = await serve(tree({}), { http: HTTP });
    expect((await send(port, { ...preflight(NAMED), path: "/other" })).status).toBe(404);
    expect((await send(port, { ...preflight(NAMED), path: "/health" })).status).toBe(405);
    expect((await send(port, { method: "OPTIONS", headers: { origin: NAMED } })).status).toBe(401);
    const host = { ...preflight(NAMED).headers, host: "evil.example" };
    const answer = await send(port, { method: "OPTIONS", headers: host });
    expect([answer.status, granted(answer)]).toEqual([403, {}]);
  });
});

describe("an answer", () => {
  const GRANT = { "access-control-allow-origin": NAMED, "access-control-expose-headers": "Mcp-Session-Id" };
  const good = { origin: NAMED, authorization: `Bearer ${TOKEN}` };

  test("to a page of a named origin can be read by it: results, streams and errors", async () => {
    const { port } = await serve(tree({ "a.txt": "needle\n" }), { http: HTTP });
    const begun = await send(port, { headers: good, body: INITIALIZE });
    expect([begun.status, granted(begun), begun.headers.vary]).toEqual([200, GRANT, "Origin"]);
    const session = { ...good, "mcp-session-id": String(begun.headers["mcp-session-id"]) };
    const stream = await open(port, { method: "GET", headers: session });
    expect([stream.status, granted(stream)]).toEqual([200, GRANT]);
    stream.drop();
    const without = newest(1, "find", {});
    const answers: readonly (readonly [number, Sent])[] = [
      [200, { headers: session, body: call(1, "search", { pattern: "needle" }) }],
      [200, { headers: { ...good, ...without.headers }, body: without.body }],
      [202, { headers: session, body: { jsonrpc: "2.0", method: "notifications/initialized" } }],
      [400, { headers: session, body: "{" }],
      [401, { headers: { origin: NAMED }, body: INITIALIZE }],
      [404, { headers: { ...session, "mcp-session-id": "none" }, body: INITIALIZE }],
      [404, { path: "/other", headers: good }],
      [405, { method: "PUT", headers: good }],
      [413, { headers: session, body: "x".repeat(17 * 1024 * 1024) }],
      [200, { method: "GET", path: "/health", headers: { origin: NAMED } }],
    ];
    for (const [status, sent] of answers) {
      const answer = await send(port, sent);
      expect([answer.status, granted(answer), answer.headers.vary]).toEqual([status, GRANT, "Origin"]);
    }
  });

  test("to whoever is no page, or a page that is not named, grants nothing", async () => {
    const { port } = await serve(tree({}), { http: HTTP });
    for (const origin of [null, "http://localhost:3000", "http://127.0.0.1"]) {
      const answer = await send(port, { headers: { ...good, origin }, body: INITIALIZE });
      expect([answer.status, granted(answer)]).toEqual([200, {}]);
    }
    const foreign = await send(port, {
      headers: { ...good, origin: "https://evil.example" },
      body: INITIALIZE,
    });
    expect([foreign.status, granted(foreign)]).toEqual([403, {}]);
  });
});
