/** V8's own threads, in a process of ours. */
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { beforeEach, expect, test, vi } from "vitest";
import { processIsOurs } from "../../src/index/give-back.ts";

vi.mock(import("node:v8"), async (original) => {
  const v8 = await original();
  return { ...v8, setFlagsFromString: vi.fn<typeof setFlagsFromString>(v8.setFlagsFromString) };
});

const said = (): readonly string[] => vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag);

beforeEach(() => {
  vi.mocked(setFlagsFromString).mockClear();
  vi.unstubAllEnvs();
});

test("help to collect only where there are cores for them", () => {
  processIsOurs(8);
  expect(said()).toEqual([]);
  processIsOurs(2);
  expect(said()).toEqual(["--no-concurrent-marking", "--no-parallel-scavenge"]);
});

test("are left as whoever started the process wants them", () => {
  for (const flag of ["--single-threaded-gc", "--no-parallel-scavenge", "--max-semi-space-size=8"]) {
    vi.stubEnv("NODE_OPTIONS", flag);
    processIsOurs(2);
  }
  expect(said()).toEqual([]);
});

test("are not missed by a thread that makes much, nor by this one", async () => {
  processIsOurs(2);
  const code = `
    const { parentPort } = require("node:worker_threads");
    const kept = [];
    for (let at = 0; at < 3e6; at++) if (at % 10 === 0) kept.push({ at, list: [at] }); else ({ at, list: [at] });
    parentPort.postMessage(kept.length);
  `;
  const kept = await new Promise((resolve, reject) => {
    new Worker(code, { eval: true }).once("message", resolve).once("error", reject);
  });
  expect(kept).toBe(300_000);
  const mine = Array.from({ length: 1e6 }, (_, at) => ({ at }));
  expect(mine.at(-1)).toEqual({ at: 999_999 });
});
