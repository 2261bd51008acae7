import { assert, check } from "fast-check";
import { expect, test } from "vitest";
import type { OpenBarrier } from "../../src/index/feed/barrier.ts";
import { nothingIsMissed } from "./feed-law.ts";

/** Passed before anything was heard. */
const NO_BARRIER: OpenBarrier = () => ({ pass: () => Promise.resolve("passed"), close: () => {} });

test("no change is missed, whatever is done to a tree", async () => {
  await assert(nothingIsMissed(), { numRuns: 150 });
});

test("without the barrier changes are missed, so the law can tell", async () => {
  const { failed, errorInstance } = await check(nothingIsMissed(NO_BARRIER), {
    numRuns: 150,
    endOnFailure: true,
  });
  expect(failed).toBe(true);
  expect(String(errorInstance)).toContain("Missed");
});
