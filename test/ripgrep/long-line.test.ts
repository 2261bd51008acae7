import { expect, it } from "vitest";
import { searchLongLine } from "../support/long-line.ts";

it("finds the match in a line of 96 MB, says where, leaves the text out and does not hold it", async () => {
  const { hits, notices, partial, growthMiB } = await searchLongLine(96);
  expect(hits).toEqual([
    {
      path: "long.txt",
      line: 2,
      text: "",
      submatches: [],
      before: [],
      after: [],
      elidedBytes: expect.any(Number) as number,
    },
    { path: "short.txt", line: 1, text: "a needle", submatches: [[2, 8]], before: [], after: [] },
  ]);
  expect(hits[0]?.elidedBytes).toBeGreaterThan(96 << 20);
  expect(notices).toEqual([expect.objectContaining({ code: "TEXT_ELIDED", path: "long.txt" })]);
  expect(partial).toBe(false);
  expect(growthMiB).toBeLessThan(64);
});
