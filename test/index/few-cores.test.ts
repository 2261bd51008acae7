/** V8's own threads, in a process of ours. */
import { setFlagsFromString } from "node:v8";
import { beforeEach, expect, test, vi } from "vitest";
import { processIsOurs } from "../../src/index/give-back.ts";

vi.mock(import("node:v8"), async (original) => {
  const v8 = await original();
  return { ...v8, setFlagsFromString: vi.fn<typeof setFlagsFromString>() };
});

const said = (): readonly string[] => vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag);

beforeEach(() => {
  vi.mocked(setFlagsFromString).mockClear();
  vi.unstubAllEnvs();
});

test("help to collect and to compile only where there are cores for them", () => {
  processIsOurs(8);
  expect(said()).toEqual([]);
  processIsOurs(2);
  expect(said()).toEqual(["--no-concurrent-marking", "--no-parallel-scavenge", "--interrupt-budget=2000000"]);
});

test("are left as whoever started the process wants them", () => {
  for (const flag of [
    "--single-threaded-gc",
    "--no-parallel-scavenge",
    "--max-semi-space-size=8",
    "--interrupt_budget=9",
  ]) {
    vi.stubEnv("NODE_OPTIONS", flag);
    processIsOurs(2);
  }
  expect(said()).toEqual([]);
});
