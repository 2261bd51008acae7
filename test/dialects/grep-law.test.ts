/** Some cases of the law of grep on every run of the suite; `grep-law.long.ts` has thousands. */
import { describe, expect, it } from "vitest";
import { borisAgrees, claudeAgrees, MATCHING } from "./grep-law.ts";

describe("the answer is what ripgrep prints", () => {
  it("of Claude's Grep: the whole text and the details", async () => {
    expect(await claudeAgrees(90)).toBeGreaterThanOrEqual(MATCHING);
  });

  it("of Boris's grep, by its own rules", async () => {
    expect(await borisAgrees(60)).toBeGreaterThanOrEqual(MATCHING);
  });
});
