import { expect, it } from "vitest";
import { searchLongLine } from "../support/long-line.ts";

it("finds the match in a line of 500 MB and grows by less than 64 MB", async () => {
  const { hits, notices, growthMiB } = await searchLongLine(500);
  expect(hits.map(({ path, line, text }) => [path, line, text])).toEqual([
    ["long.txt", 2, ""],
    ["short.txt", 1, "a needle"],
  ]);
  expect(notices.map(({ code }) => code)).toEqual(["TEXT_ELIDED"]);
  expect(growthMiB).toBeLessThan(64);
});
