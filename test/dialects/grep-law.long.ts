/** The law of grep over as many calls of each dialect as `QUARRY_LONG_CASES` says: 2,000 if it does not. */
import { describe, expect, it } from "vitest";
import { borisAgrees, claudeAgrees, MATCHING } from "./grep-law.ts";

const cases = Number(process.env["QUARRY_LONG_CASES"] ?? 2_000);

describe("the answer is what ripgrep prints", () => {
  it(`in ${cases} calls of Claude's Grep`, async () => {
    expect(await claudeAgrees(cases)).toBeGreaterThanOrEqual(MATCHING);
  });

  it(`in ${cases} calls of Boris's grep`, async () => {
    expect(await borisAgrees(cases)).toBeGreaterThanOrEqual(MATCHING);
  });
});
