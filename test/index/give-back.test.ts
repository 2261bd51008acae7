import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { giveBack, givingBackWhenQuiet, processIsOurs } from "../../src/index/give-back.ts";
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

/** What V8 leaves to threads that are to save memory. */
const SAVED = 2 * 2 ** 20;

test("threads that are started later have more room than those that are to save memory", async () => {
  processIsOurs();
  giveBack();
  expect(await youngRoom()).toBeGreaterThan(SAVED);
});

test("memory that nobody needs is given back, with the room that was made for more", () => {
  makeMuch();
  const before = getHeapStatistics().total_physical_size;
  giveBack();
  expect(before - getHeapStatistics().total_physical_size).toBeGreaterThan(10e6);
});

test("it is given back once nothing was done for a while, and not again before there is much", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let collected = 0;
  const stir = givingBackWhenQuiet(() => {
    collected += 1;
  });
  stir();
  vi.advanceTimersByTime(GIVE_BACK_SOON - 1);
  stir();
  vi.advanceTimersByTime(GIVE_BACK_SOON - 1);
  expect(collected, "something was done since").toBe(0);
  vi.advanceTimersByTime(1);
  expect(collected).toBe(1);
  stir();
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(collected, "nothing has come together").toBe(1);
  kept.push(Buffer.alloc(GIVE_BACK_WORTH * 2));
  stir();
  vi.advanceTimersByTime(GIVE_BACK_QUIET - 1);
  expect(collected, "a call may follow").toBe(1);
  vi.advanceTimersByTime(1);
  expect(collected).toBe(2);
  kept.length = 0;
});

test("young objects are collected right behind what was done, once for calls that follow at once", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let collected = 0;
  const stir = givingBackWhenQuiet(
    () => {},
    () => {
      collected += 1;
    },
  );
  stir();
  vi.advanceTimersByTime(COLLECT_YOUNG - 1);
  stir();
  vi.advanceTimersByTime(COLLECT_YOUNG - 1);
  expect(collected, "another followed").toBe(0);
  vi.advanceTimersByTime(1);
  expect(collected).toBe(1);
  vi.advanceTimersByTime(GIVE_BACK_QUIET);
  expect(collected, "nothing was done since").toBe(1);
  stir();
  vi.advanceTimersByTime(COLLECT_YOUNG);
  expect(collected).toBe(2);
});

test("what a call left among the young objects is collected soon after it", async () => {
  const collections: number[] = [];
  const observer = new PerformanceObserver((list) => {
    // Node's types know of no detail before they know which entry it is.
    const entries = list.getEntries() as unknown as readonly { readonly detail: NodeGCPerformanceDetail }[];
    for (const { detail } of entries) collections.push(detail.kind);
  });
  observer.observe({ entryTypes: ["gc"] });
  givingBackWhenQuiet()();
  await vi.waitFor(() => expect(collections).toContain(constants.NODE_PERFORMANCE_GC_MINOR));
  observer.disconnect();
});
