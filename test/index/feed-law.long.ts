import { assert } from "fast-check";
import { test } from "vitest";
import { nothingIsMissed } from "./feed-law.ts";

test("no change is missed, whatever is done to a tree, 5,000 times", async () => {
  await assert(nothingIsMissed(), { numRuns: 5_000 });
});
