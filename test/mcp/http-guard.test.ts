/** Whom the HTTP server serves: a bad Host, Origin, token or session is refused and nothing is done (T21). */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guard } from "../../src/mcp/http-guard.ts";
import { isLoopback } from "../../src/mcp/http-options.ts";
import { collect, PROGRAM, shell, tree } from "../cli/helpers.ts";
import {
  type Answer,
  call,
  HTTP,
  initialize,
  INITIALIZE,
  newest,
  send,
  serve,
  type Sent,
  textOf,
} from "./http-server.ts";
import { type Started, startProgram, stop } from "./program.ts";

const TOKEN = "0123456789abcdef-token";
const GOOD = { authorization: `Bearer ${TOKEN}` };

type Headers = NonNullable<Sent["headers"]>;

const BAD: readonly (readonly [string, Headers, number])[] = [
  ["another host", { host: "evil.example" }, 403],
  ["another host with the port", { host: "evil.example:8080" }, 403],
  ["a host that begins like loopback", { host: "127.0.0.1.evil.example" }, 403],
  ["a host that ends like loopback", { host: "evil-localhost" }, 403],
  ["a subdomain of localhost", { host: "evil.localhost" }, 403],
  ["a user before the host", { host: "evil@localhost" }, 403],
  ["a path behind the host", { host: "localhost/evil" }, 403],
  ["an address of the network", { host: "192.168.0.1" }, 403],
  ["every address", { host: "0.0.0.0" }, 403],
  ["an empty host", { host: "" }, 403],
  ["two hosts", { host: ["localhost", "evil.example"] }, 403],
  ["another origin", { origin: "https://evil.example" }, 403],
  ["the null origin", { origin: "null" }, 403],
  ["an origin that begins like loopback", { origin: "http://localhost.evil.example" }, 403],
  ["a user in the origin", { origin: "http://localhost@evil.example" }, 403],
  ["an origin that is no page's", { origin: "file://" }, 403],
  ["an extension's origin", { origin: "chrome-extension://localhost" }, 403],
  ["an empty origin", { origin: "" }, 403],
  ["two origins", { origin: ["http://localhost", "https://evil.example"] }, 403],
  ["no token", { authorization: null }, 401],
  ["an empty token", { authorization: "Bearer " }, 401],
  ["another token", { authorization: "Bearer 0123456789abcdef-tokem" }, 401],
  ["the begin of the token", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
  ["more than the token", { authorization: `Bearer ${TOKEN}x` }, 401],
  ["the token twice", { authorization: `Bearer ${TOKEN} ${TOKEN}` }, 401],
  ["two tokens", { authorization: [`Bearer ${TOKEN}`, "Bearer other"] }, 401],
  ["the token in another scheme", { authorization: `Basic ${TOKEN}` }, 401],
  ["the bare token", { authorization: TOKEN }, 401],
];

const BAD_SESSIONS: readonly (readonly [string, string | null])[] = [
  ["no session", null],
  ["an empty session", ""],
  ["an unknown session", "6a8de10f-8f8c-478d-a26c-f893a0505263"],
  ["a session's name that is a property", "__proto__"],
  ["a session with another behind it", "SESSION, SESSION"],
  ["a session in other letters", "UPPER"],
];

describe("the header matrix", () => {
  let root: string;
  let server: Started;
  let session: Record<string, string>;
  const canary = (): string => join(root, "canary.txt");
  const write = call(7, "write", { path: "canary.txt", content: "was here\n" });

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "quarry-http-")));
    server = await startProgram(root, [], { QUARRY_TOKEN: TOKEN });
    session = await initialize(server.port, GOOD);
  });

  afterAll(async () => {
    await stop(server);
    rmSync(root, { recursive: true, force: true });
  });

  for (const [what, headers, status] of BAD) {
    test.each(["POST", "GET", "DELETE"])(
      `${what} is refused in a %s, and nothing is done`,
      async (method) => {
        const body = method === "POST" ? { body: write } : {};
        const answer = await send(server.port, { method, headers: { ...session, ...headers }, ...body });
        expect(answer.status).toBe(status);
        expect(granted(answer)).toEqual([]);
        expect(existsSync(canary())).toBe(false);
      },
    );

    test(`${what} is refused in the revision without sessions, too`, async () => {
      const given = newest(7, "write", { path: "canary.txt", content: "was here\n" });
      const answer = await send(server.port, {
        headers: { ...GOOD, ...given.headers, ...headers },
        body: given.body,
      });
      expect(answer.status).toBe(status);
      expect(existsSync(canary())).toBe(false);
    });
  }

  for (const [what, id] of BAD_SESSIONS) {
    test.each(["POST", "GET", "DELETE"])(
      `${what} is refused in a %s, and nothing is done`,
      async (method) => {
        const real = session["mcp-session-id"] ?? "";
        const given = id === "UPPER" ? real.toUpperCase() : (id?.replaceAll("SESSION", real) ?? null);
        const headers = { ...session, "mcp-session-id": given };
        const body = method === "POST" ? { body: write } : {};
        const answer = await send(server.port, { method, headers, ...body });
        expect(answer.status).toBe(id === null ? 400 : 404);
        expect(existsSync(canary())).toBe(false);
      },
    );
  }

  test.each([
    ["a bad host", { host: "evil.example" }],
    ["a bad origin", { origin: "https://evil.example" }],
  ])("%s begins no session and learns no health", async (_, headers) => {
    const before = await send(server.port, { method: "GET", path: "/health" });
    expect((await send(server.port, { headers: { ...GOOD, ...headers }, body: INITIALIZE })).status).toBe(
      403,
    );
    expect((await send(server.port, { method: "GET", path: "/health", headers })).status).toBe(403);
    expect((await send(server.port, { method: "GET", path: "/health" })).text).toBe(before.text);
  });

  test.each([
    ["loopback by name", { host: "localhost:1234" }],
    ["loopback in large letters", { host: "LOCALHOST" }],
    ["loopback by address", { host: "127.0.0.5" }],
    ["loopback of IPv6", { host: "[::1]:80" }],
    ["a page of this machine", { origin: "http://localhost:3000" }],
    ["a page of this machine by address", { origin: "https://127.0.0.1" }],
    ["the scheme in small letters", { authorization: `bearer ${TOKEN}` }],
  ])("%s is served", async (_, headers) => {
    const answer = await send(server.port, {
      headers: { ...session, ...headers },
      body: call(8, "find", { paths: ["*"] }),
    });
    expect(answer.status).toBe(200);
    expect(granted(answer)).toEqual([]);
  });

  test("a refusal tells how to ask for a token, and of no path", async () => {
    const answer = await send(server.port, { body: write });
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(JSON.parse(answer.text)).toEqual({
      jsonrpc: "2.0",
      error: { code: -32_000, message: "A bearer token is needed, and this is none that is valid here" },
      id: null,
    });
  });

  test.each(["OPTIONS", "PUT", "PATCH", "HEAD", "TRACE"])("%s is not allowed", async (method) => {
    const answer = await send(server.port, {
      method,
      headers: { ...GOOD, origin: "http://localhost:3000", "access-control-request-method": "POST" },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("POST, GET, DELETE");
    expect(granted(answer)).toEqual([]);
  });

  test.each(["/", "/mcp/", "//mcp", "/MCP", "/mcp%00", "/sse", "http://evil.example/mcp"])(
    "%s is nothing",
    async (path) => {
      expect((await send(server.port, { path, headers: session, body: write })).status).toBe(404);
      expect(existsSync(canary())).toBe(false);
    },
  );

  test("the token is never logged", async () => {
    await send(server.port, { headers: session, body: call(9, "read", { path: "nowhere" }) });
    expect(server.log()).toContain("no valid token");
    expect(server.log()).not.toContain(TOKEN);
  });

  test("the canary would have sung", async () => {
    const answer = await send(server.port, { headers: session, body: write });
    expect(textOf(answer)).toContain("canary.txt");
    expect(existsSync(canary())).toBe(true);
  });
});

/** Headers by which a browser would let a page of another origin in. */
function granted({ headers }: Answer): string[] {
  return Object.keys(headers).filter((name) => name.startsWith("access-control-"));
}

describe("before it starts", () => {
  const started = (flags: string, env: NodeJS.ProcessEnv = {}): ReturnType<typeof shell> =>
    shell(tree({}), `timeout 20 quarry mcp --transport http --port 0 ${flags}`, env);

  test.each(["0.0.0.0", "::", "192.168.0.1", "example.com", "127.0.0.1.example.com", "::ffff:127.0.0.1"])(
    "--host %s needs a token",
    async (host) => {
      const { code, stderr } = await started(`--host ${host}`);
      expect(code).toBe(2);
      expect(stderr).toContain("[INVALID_INPUT]");
      expect(stderr).toContain("--generate-token");
    },
  );

  test.each(["tooshort", "fifteen-letters", "with a space in it", "umlaute-sind-schön"])(
    "the token %j is refused, and not repeated",
    async (token) => {
      const { code, stderr } = await started("", { QUARRY_TOKEN: token });
      expect(code).toBe(2);
      expect(stderr).toContain("The token");
      expect(stderr).not.toContain(token);
    },
  );

  test("a token and the wish for another are refused", async () => {
    const { code, stderr } = await started(`--generate-token --token ${TOKEN}`);
    expect(code).toBe(2);
    expect(stderr).not.toContain(TOKEN);
  });

  test.each([
    ["--port 70000", "--port must be at most 65535"],
    ["--host 192.0.2.1 --generate-token", "is no address of this machine"],
    ["--host nowhere.invalid --generate-token", "is no name that leads anywhere"],
  ])("%s is refused", async (flags, words) => {
    const { code, stderr } = await started(flags);
    expect(code).toBe(2);
    expect(stderr).toContain("[INVALID_INPUT]");
    expect(stderr).toContain(words);
  });

  test("a port that is in use is told", async () => {
    const { port } = await serve(tree({}));
    const child = spawn(process.execPath, [PROGRAM, "mcp", "--transport", "http", "--port", String(port)]);
    const { code, stderr } = await collect(child);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `quarry: [PORT_BUSY] Port ${port} of 127.0.0.1 is in use by another program. Choose another with --port; 0 takes any that is free.\n`,
    );
  });
});

describe("with a generated token", () => {
  test("it serves on every address, says the token once whatever is logged, and knows no other host", async () => {
    const root = tree({ "a.txt": "needle\n" });
    const flags = ["--host", "0.0.0.0", "--generate-token", "--allowed-host", "Quarry.Example"];
    const server = await startProgram(root, flags);
    try {
      const tokens = [...server.log().matchAll(/token="([\w-]{43})"/g)];
      expect(tokens).toHaveLength(1);
      const headers = { authorization: `Bearer ${tokens[0]?.[1]}` };
      const statusOf = async (host: string): Promise<number> =>
        (await send(server.port, { headers: { ...headers, host }, body: INITIALIZE })).status;
      expect(await statusOf("localhost")).toBe(200);
      expect(await statusOf("quarry.example:8080")).toBe(200);
      expect(await statusOf("0.0.0.0")).toBe(403);
      expect(await statusOf("192.168.0.1")).toBe(403);
      expect((await send(server.port, { body: INITIALIZE })).status).toBe(401);
    } finally {
      expect(await stop(server)).toBe(143);
    }
  });
});

describe("the lists", () => {
  const place = (http: Partial<typeof HTTP>, host: string, origin?: string): string | null =>
    guard({ ...HTTP, ...http }).refusesPlace({
      headersDistinct: { host: [host], ...(origin === undefined ? {} : { origin: [origin] }) },
    } as never);

  test("of hosts take in where it listens, and what is named", () => {
    expect(place({ host: "quarry.lan" }, "Quarry.LAN:8080")).toBeNull();
    expect(place({ host: "fe80::1" }, "[FE80:0::1]:8080")).toBeNull();
    expect(place({ host: "0.0.0.0" }, "0.0.0.0")).toBe("Host");
    expect(place({ host: "::" }, "[::]")).toBe("Host");
    expect(place({ allowedHosts: ["[fe80::2]"] }, "[fe80::2]")).toBeNull();
  });

  test("of origins take a host on any port, or one whole origin", () => {
    const allowedOrigins = ["app.example", "https://only.example", "vscode-webview://abc"];
    const fine = (origin: string): boolean => place({ allowedOrigins }, "localhost", origin) === null;
    expect(["http://app.example:3000", "https://APP.example", "https://only.example"].every(fine)).toBe(true);
    expect(fine("vscode-webview://abc")).toBe(true);
    expect(fine("http://only.example")).toBe(false);
    expect(fine("https://only.example:444")).toBe(false);
    expect(fine("vscode-webview://other")).toBe(false);
    expect(fine("https://x.app.example")).toBe(false);
  });

  test("of an allowed host do not let its pages in", () => {
    expect(place({ allowedHosts: ["quarry.lan"] }, "quarry.lan", "http://quarry.lan")).toBe("Origin");
  });

  test("know what is loopback", () => {
    for (const host of ["localhost", "127.0.0.1", "127.255.255.254", "::1", "[::1]", "0:0:0:0:0:0:0:1"]) {
      expect(isLoopback(host)).toBe(true);
    }
    for (const host of ["0.0.0.0", "::", "127.1", "128.0.0.1", "localhost.", "a.localhost", "::2", ""]) {
      expect(isLoopback(host)).toBe(false);
    }
  });
});
