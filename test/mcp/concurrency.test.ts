/** Calls run side by side, with a bound; no answer waits for a slower one, and none goes to another call. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MCP_CALLS } from "../../src/model/limits.ts";
import { eventually } from "../support/processes.ts";
import { standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import { CLIENTS, converse } from "./clients.ts";
import { Wire } from "./wire.ts";

const canary = (at: number): string => `canary-${String(at).padStart(3, "0")}-end`;

test.each(CLIENTS)(
  "%s gets each answer for its own call, of many in flight",
  async (_, library, transport) => {
    const count = 60;
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${at}.txt`, `${canary(at)}\n`]),
    );
    const steps = Array.from({ length: count }, (_, at) => [
      { do: "call", name: "search", arguments: { pattern: canary(at) } },
      { do: "call", name: "read", arguments: { path: `${at}.txt:raw` } },
    ]).flat();
    const { results } = await converse(library, transport, {
      flags: ["--workdir", tree(files)],
      steps: [{ do: "together", steps }],
    });
    const answers = Object.values(results[0] ?? {}) as { content: [{ text: string }] }[];
    const found = answers.map(({ content: [{ text }] }) => text.match(/canary-\d+-end/g)?.join(" "));
    expect(found).toEqual(steps.map((_, at) => canary(at >> 1)));
  },
);

/** A ripgrep that leaves a mark and, for the pattern `slow`, waits until it may go on. */
const SLOW = [
  'case "$*" in *slow*)',
  '  mkdir -p "$MARK/running"; : > "$MARK/running/$$"',
  '  ls "$MARK/running" | wc -l >> "$MARK/counts"',
  '  while [ ! -e "$MARK/go" ]; do sleep 0.02; done',
  '  "$RG" "$@"; code=$?; rm "$MARK/running/$$"; exit $code;;',
  "esac",
  'exec "$RG" "$@"',
].join("\n");

function running(folder: string): number {
  const place = join(folder, "running");
  return existsSync(place) ? readdirSync(place).length : 0;
}

const search = (id: number, pattern: string): object => ({
  id,
  method: "tools/call",
  params: { name: "search", arguments: { pattern, mode: "files" } },
});

describe("over one connection", () => {
  test("a slow search does not delay a small one", async () => {
    const rg = standIn(SLOW);
    const wire = new Wire({ cwd: tree({ "a.txt": "slow\nquick\n" }), env: rg.env });
    await wire.initialize();
    wire.send(search(1, "slow"));
    expect(await eventually(() => running(rg.folder) === 1, 60_000)).toBe(true);
    wire.send(search(2, "quick"));
    expect((await wire.answer(2))?.result).toMatchObject({ content: [{ text: "a.txt" }] });
    expect(running(rg.folder)).toBe(1);
    writeFileSync(join(rg.folder, "go"), "");
    expect((await wire.answer(1))?.result).toMatchObject({ content: [{ text: "a.txt" }] });
  });

  test(`no more than ${MCP_CALLS} run at once, and all are answered`, async () => {
    const rg = standIn(SLOW);
    const wire = new Wire({ cwd: tree({ "a.txt": "slow\n" }), env: rg.env });
    await wire.initialize();
    const ids = Array.from({ length: 3 * MCP_CALLS }, (_, at) => at + 1);
    wire.send(...ids.map((id) => search(id, "slow")));
    expect(await eventually(() => running(rg.folder) === MCP_CALLS, 60_000)).toBe(true);
    // Time for those that should not be there to come.
    await pause(500);
    writeFileSync(join(rg.folder, "go"), "");
    const answers = await Promise.all(ids.map((id) => wire.answer(id)));
    expect(answers.map((answer) => answer?.result?.["content"])).toEqual(
      ids.map(() => [{ type: "text", text: "a.txt" }]),
    );
    const counts = readFileSync(join(rg.folder, "counts"), "utf8").trim().split("\n").map(Number);
    expect(counts.length).toBeGreaterThanOrEqual(ids.length);
    expect(Math.max(...counts)).toBe(MCP_CALLS);
  });

  test("a call that waits for its turn can be cancelled, and gives it to nobody else", async () => {
    const rg = standIn(SLOW);
    const wire = new Wire({ cwd: tree({ "a.txt": "slow\n" }), env: rg.env });
    await wire.initialize();
    const ids = Array.from({ length: MCP_CALLS }, (_, at) => at + 1);
    wire.send(...ids.map((id) => search(id, "slow")));
    expect(await eventually(() => running(rg.folder) === MCP_CALLS, 60_000)).toBe(true);
    wire.send(search(100, "slow"), search(101, "slow"));
    wire.send({ method: "notifications/cancelled", params: { requestId: 100 } });
    await wire.request(102, "ping");
    writeFileSync(join(rg.folder, "go"), "");
    expect((await wire.answer(101))?.result).toMatchObject({ content: [{ text: "a.txt" }] });
    await Promise.all(ids.map((id) => wire.answer(id)));
    // The bound still has all its places.
    const again = ids.map((id) => 200 + id);
    wire.send(...again.map((id) => search(id, "slow")));
    const answers = await Promise.all(again.map((id) => wire.answer(id)));
    expect(answers.filter((answer) => answer?.result === undefined)).toEqual([]);
    expect(wire.messages.some(({ id }) => id === 100)).toBe(false);
  });
});
