import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { giveBack, giveBackBehind, givingBackWhenQuiet, processIsOurs } from "../../src/index/give-back.ts";
import { COLLECT_YOUNG, GIVE_BACK_QUIET, GIVE_BACK_SOON, GIVE_BACK_WORTH } from "../../src/model/limits.ts";

const kept: unknown[] = [];

/** Objects of which some live long enough that V8 makes room for more young ones. */
function makeMuch(): void {
  for (let round = 0; round < 20; round++) {
    kept.length = 0;
    for (let at = 0; at < 100_000; at++) kept.push({ at, list: [at] });
  }
  kept.length = 0;
}

/** The room for young objects of a thread that makes many, started now. */
function youngRoom(): Promise<number> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    let many = [];
    for (let at = 0; at < 2e6; at++) { many.push({ at }); if (many.length > 40_000) many = []; }
    const space = require("node:v8").getHeapSpaceStatistics().find((one) => one.space_name === "new_space");
    parentPort.postMessage(space.space_size);
  `;
  return new Promise((resolve, reject) => {
    new Worker(code, { eval: true }).once("message", resolve).once("error", reject);
  });
}

test("what a start leaves is given back behind it, only in a process that is ours, and not where its thread has ended", async () => {
  const given: string[] = [];
  const behind = (name: string, started: () => Promise<void>): void =>
    giveBackBehind(started, () => given.push(name));
  behind("of another", async () => {});
  await setTimeout(0);
  expect(given).toEqual([]);
  processIsOurs();
  let resolve = (): void => {};
  behind("ours", () => new Promise((done) => (resolve = done)));
  behind("failed", () => Promise.reject(new Error("failed")));
  await setTimeout(0);
  expect(given).toEqual([]);
  resolve();
  await setTimeout(0);
  expect(given).toEqual(["ours"]);
});

/** What V8 leaves to threads that are to save memory. */
const SAVED = 2 * 2 ** 20;

test("threads that are started later have more room than those that are to save memory", async () => {
  processIsOurs();
  giveBack();
  expect(await youngRoom()).toBeGreaterThan(SAVED);
});

test("memory that nobody needs is given back, with the room that was made for more", () => {
  const given = (): number => {
    makeMuch();
    const before = getHeapStatistics().total_physical_size;
    giveBack();
    return before - getHeapStatistics().total_physical_size;
  };
  // V8 may have done so itself just before.
  expect(Math.max(given(), given(), given())).toBeGreaterThan(10e6);
});

test("it is given back once nothing was done for a while, and not again before there is much", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let collected = 0;
  const begin = givingBackWhenQuiet(() => {
    collected += 1;
  });
  begin()();
  vi.advanceTimersByTime(GIVE_BACK_SOON - 1);
  begin()();
  vi.advanceTimersByTime(GIVE_BACK_SOON - 1);
  expect(collected, "something was done since").toBe(0);
  vi.advanceTimersByTime(1);
  expect(collected).toBe(1);
  begin()();
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(collected, "nothing has come together").toBe(1);
  kept.push(Buffer.alloc(GIVE_BACK_WORTH * 2));
  begin()();
  vi.advanceTimersByTime(GIVE_BACK_QUIET - 1);
  expect(collected, "a call may follow").toBe(1);
  vi.advanceTimersByTime(1);
  expect(collected).toBe(2);
  kept.length = 0;
});

test("what V8 still counts right after it was given back is not taken for what is needed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const external = (): number => getHeapStatistics().external_memory;
  let collected = 0;
  const begin = givingBackWhenQuiet(() => {
    collected += 1;
  });
  const start = external();
  kept.push(Buffer.alloc(GIVE_BACK_WORTH * 4));
  begin()();
  vi.advanceTimersByTime(GIVE_BACK_SOON);
  expect(collected).toBe(1);
  // As V8 does by and by, and notes with its next collection.
  kept.length = 0;
  await vi.waitFor(() => {
    giveBack();
    expect(external()).toBeLessThan(start + GIVE_BACK_WORTH);
  });
  begin()();
  vi.advanceTimersByTime(COLLECT_YOUNG);
  kept.push(Buffer.alloc(GIVE_BACK_WORTH * 2));
  begin()();
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(collected, "it is much for what was left").toBe(2);
  kept.length = 0;
});

test("young objects are collected right behind what was done, once for calls that follow at once", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let collected = 0;
  const begin = givingBackWhenQuiet(
    () => {},
    () => {
      collected += 1;
    },
  );
  begin()();
  vi.advanceTimersByTime(COLLECT_YOUNG - 1);
  begin()();
  vi.advanceTimersByTime(COLLECT_YOUNG - 1);
  expect(collected, "another followed").toBe(0);
  vi.advanceTimersByTime(1);
  expect(collected).toBe(1);
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(collected, "nothing was done since").toBe(1);
  begin()();
  vi.advanceTimersByTime(COLLECT_YOUNG);
  expect(collected).toBe(2);
});

test("nothing is collected or given back in the middle of what goes on", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const done: string[] = [];
  const begin = givingBackWhenQuiet(
    () => done.push("given back"),
    () => done.push("collected"),
  );
  begin()();
  vi.advanceTimersByTime(COLLECT_YOUNG - 1);
  const [one, other] = [begin(), begin()];
  kept.push(Buffer.alloc(GIVE_BACK_WORTH * 2));
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  one();
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(done).toEqual([]);
  other();
  vi.advanceTimersByTime(COLLECT_YOUNG);
  expect(done).toEqual(["collected"]);
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(done).toEqual(["collected", "given back"]);
  kept.length = 0;
});

describe("what a call left among the young objects", () => {
  /** Whether the room for them is mostly full. */
  const isMostlyFull = (): boolean => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    return (young?.space_used_size ?? 0) > (young?.space_available_size ?? 0);
  };
  /** The collections that were asked for right behind something that left the room as it is wanted. */
  const collected = async (full: boolean): Promise<number> => {
    const forced: number[] = [];
    const observer = new PerformanceObserver((list) => {
      // Node's types know of no detail before they know which entry it is.
      const entries = list.getEntries() as unknown as readonly { readonly detail: NodeGCPerformanceDetail }[];
      for (const { detail } of entries)
        if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) forced.push(detail.kind);
    });
    observer.observe({ entryTypes: ["gc"] });
    while (isMostlyFull() !== full) kept.splice(0, kept.length, Array.from({ length: 1_000 }));
    givingBackWhenQuiet()()();
    await setTimeout(COLLECT_YOUNG * 25);
    observer.disconnect();
    return forced.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR).length;
  };

  // V8 may collect in between, and the test itself takes some of the room.
  const PATIENTLY = { timeout: 20_000 };

  test("is collected soon after it, where it takes most of the room", async () => {
    await vi.waitFor(async () => expect(await collected(true)).toBe(1), PATIENTLY);
  });

  test("stays where there is room", async () => {
    // Once would be by chance, where it is always collected.
    await vi.waitFor(async () => {
      for (let time = 0; time < 5; time++) expect(await collected(false)).toBe(0);
    }, PATIENTLY);
  });
});
