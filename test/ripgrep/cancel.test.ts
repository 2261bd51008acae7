import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { find, search, ToolError } from "../../src/quarry.ts";
import { children, descriptors, eventually, isAlive } from "../support/processes.ts";
import { standIn } from "../support/ripgrep.ts";
import { runScript, startScript } from "../support/script.ts";
import { tree } from "../support/tree.ts";

const CANCELS = 1000;

/** Enough that a scan takes a few milliseconds. */
function forest(): string {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at} with a needle\n`).join("");
  return tree(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`d${at % 10}/f${at}`, lines])));
}

describe("a thousand cancels at random moments", () => {
  it("leave no process and no descriptor behind", async () => {
    const root = forest();
    await search({ root, pattern: "needle" }).collect();
    const before = descriptors();
    const outcomes = new Map<string, number>();
    const cancel = async (at: number): Promise<void> => {
      const abort = new AbortController();
      const request = { root, signal: abort.signal };
      const asked =
        at % 4 === 0
          ? find(request).collect()
          : search({ ...request, pattern: "needle", order: at % 2 === 0 ? "none" : "path" }).collect();
      const outcome = asked.then(
        () => "done",
        (error: unknown) => (error instanceof ToolError ? error.code : "broken"),
      );
      await sleep(Math.random() * 12);
      abort.abort();
      const word = await outcome;
      outcomes.set(word, (outcomes.get(word) ?? 0) + 1);
    };
    for (let at = 0; at < CANCELS; at += 4) {
      await Promise.all([at, at + 1, at + 2, at + 3].map(cancel));
    }
    expect(await eventually(() => children().length === 0, 1000)).toBe(true);
    expect(await eventually(() => descriptors() <= before, 1000)).toBe(true);
    expect([...outcomes.keys()].filter((word) => word !== "done")).toEqual(["ABORTED"]);
    expect(outcomes.get("ABORTED")).toBeGreaterThan(CANCELS / 10);
  });

  it("of consumers that just leave do not either", async () => {
    const root = forest();
    const before = descriptors();
    for (let at = 0; at < 100; at++) {
      for await (const hit of search({ root, pattern: "needle", order: at % 2 === 0 ? "none" : "path" })) {
        expect(hit.text).toContain("needle");
        break;
      }
    }
    expect(await eventually(() => children().length === 0, 1000)).toBe(true);
    expect(await eventually(() => descriptors() <= before, 1000)).toBe(true);
  });
});

it("leaves no process behind when Node exits in the middle", async () => {
  const { folder, env } = standIn(
    'echo $$ > "$MARK/pids"; "$RG" "$@" | grep -v summary; sleep 60 & echo $! >> "$MARK/pids"; wait',
  );
  const root = tree({ a: "needle\n" });
  await runScript(
    `const hits = search({ root: ${JSON.stringify(root)}, pattern: "needle", order: "none" })[Symbol.asyncIterator]();
     await hits.next();
     setTimeout(() => { console.log("null"); process.exit(0); }, 300);`,
    { env },
  );
  const pids = readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
  expect(pids).toHaveLength(2);
  expect(await eventually(() => !pids.some(isAlive), 1000)).toBe(true);
});

it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "leaves no process behind when Node dies of %s, and dies of it",
  async (signal) => {
    const { folder, env } = standIn('echo $$ > "$MARK/pids"; sleep 60 & echo $! >> "$MARK/pids"; wait');
    const root = tree({ a: "needle\n" });
    const script = startScript(
      `await search({ root: ${JSON.stringify(root)}, pattern: "needle" }).collect();`,
      {
        env,
      },
    );
    const pids = (): number[] =>
      existsSync(join(folder, "pids"))
        ? readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number)
        : [];
    expect(await eventually(() => pids().length === 2, 30_000)).toBe(true);
    const death = once(script, "exit");
    script.kill(signal);
    expect(await death).toEqual([null, signal]);
    expect(await eventually(() => !pids().some(isAlive), 5_000)).toBe(true);
  },
);
