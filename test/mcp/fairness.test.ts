/** No client keeps the others from their answers, however much it asks for; and nobody waits who need not. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MCP_CALLS, MCP_CALLS_SHARE, MCP_CALLS_WAITING } from "../../src/model/limits.ts";
import { eventually } from "../support/processes.ts";
import { type StandIn, standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import { call, initialize, messages, newest, send, serve, textOf } from "./http-server.ts";
import { Wire } from "./wire.ts";

/** A ripgrep that, for the pattern `slow`, leaves a mark and waits until it may go on. */
function held(): StandIn & { readonly running: () => number; readonly go: () => void } {
  const stand = standIn(
    [
      'case "$*" in *slow*)',
      '  mkdir -p "$MARK/running"; : > "$MARK/running/$$"',
      '  while [ ! -e "$MARK/go" ]; do sleep 0.02; done;;',
      "esac",
      'exec "$RG" "$@"',
    ].join("\n"),
  );
  const place = join(stand.folder, "running");
  return {
    ...stand,
    running: () => (existsSync(place) ? readdirSync(place).length : 0),
    go: () => writeFileSync(join(stand.folder, "go"), ""),
  };
}

const slow = (id: number): object => call(id, "search", { pattern: "slow", mode: "files" });

describe("over HTTP", () => {
  test("a client that asks for everything leaves turns to the others, with or without sessions", async () => {
    const rg = held();
    const { port } = await serve(tree({ "a.txt": "slow quick\n" }), { options: { env: rg.env } });
    const [greedy, other] = [await initialize(port), await initialize(port)];
    const asked = Array.from({ length: 4 * MCP_CALLS }, (_, at) =>
      send(port, { headers: greedy, body: slow(at) }),
    );
    expect(await eventually(() => rg.running() === MCP_CALLS_SHARE, 60_000)).toBe(true);
    const quick = { pattern: "quick", mode: "files" };
    expect(textOf(await send(port, { headers: other, body: call(1, "search", quick) }))).toBe("a.txt");
    expect(textOf(await send(port, newest(1, "search", quick)))).toBe("a.txt");
    expect(rg.running()).toBe(MCP_CALLS_SHARE);
    rg.go();
    expect((await Promise.all(asked)).map(textOf)).toEqual(asked.map(() => "a.txt"));
  });
});

describe("over HTTP, with tokens", () => {
  test("a token has one share for all its sessions, and a small read waits for no search", async () => {
    const rg = held();
    const tokens = ["first-token-of-the-test", "second-token-of-the-test"];
    const { port } = await serve(tree({ "a.txt": "slow\n" }), {
      options: { env: rg.env },
      http: { tokens },
    });
    const bearers = tokens.map((token) => ({ authorization: `Bearer ${token}` }));
    const [first = {}, other = {}] = bearers;
    const sessions = [await initialize(port, first), await initialize(port, first)];
    const greedy = sessions.flatMap((headers) =>
      Array.from({ length: MCP_CALLS }, (_, at) => send(port, { headers, body: slow(at) })),
    );
    expect(await eventually(() => rg.running() === MCP_CALLS_SHARE, 60_000)).toBe(true);
    const second = await initialize(port, other);
    const more = Array.from({ length: MCP_CALLS }, (_, at) =>
      send(port, { headers: second, body: slow(at) }),
    );
    expect(await eventually(() => rg.running() === MCP_CALLS, 60_000)).toBe(true);
    for (const headers of [...sessions, second]) {
      const read = await send(port, { headers, body: call(100, "read", { path: "a.txt" }) });
      expect(textOf(read)).toContain("slow");
    }
    expect(rg.running()).toBe(MCP_CALLS);
    rg.go();
    expect((await Promise.all([...greedy, ...more])).map(textOf)).toEqual(
      [...greedy, ...more].map(() => "a.txt"),
    );
  });
});

describe("over stdio", () => {
  test("the documentation, completion and lists wait for no search; too many searches are told to come again", async () => {
    const rg = held();
    const wire = new Wire({ cwd: tree({ "a.txt": "slow\n" }), env: rg.env });
    await wire.initialize();
    const ids = Array.from({ length: MCP_CALLS + MCP_CALLS_WAITING }, (_, at) => at + 1);
    wire.send(...ids.map(slow));
    expect(await eventually(() => rg.running() === MCP_CALLS, 60_000)).toBe(true);
    wire.send(slow(1000));
    expect((await wire.answer(1000))?.result).toMatchObject({
      isError: true,
      _meta: { "quarry/details": { code: "SERVER_BUSY" } },
    });
    const docs = await wire.request(1001, "resources/read", { uri: "docs://tools.md" });
    expect(docs?.result).toMatchObject({ contents: [{ uri: "docs://tools.md" }] });
    const ref = { type: "ref/resource", uri: "docs://{page}" };
    const argument = { name: "page", value: "to" };
    expect((await wire.request(1002, "completion/complete", { ref, argument }))?.result).toMatchObject({
      completion: { values: ["tools.md"] },
    });
    expect((await wire.request(1003, "resources/list"))?.result).toHaveProperty("resources");
    expect((await wire.request(1004, "tools/list"))?.result).toHaveProperty("tools");
    expect(rg.running()).toBe(MCP_CALLS);
    expect(wire.stderr).not.toContain("SERVER_BUSY");
    rg.go();
    const answers = await Promise.all(ids.map((id) => wire.answer(id)));
    expect(answers.filter((answer) => answer?.result?.["isError"] === true)).toEqual([]);
    expect(messages(JSON.stringify(answers[0]))).toHaveLength(1);
  });
});
