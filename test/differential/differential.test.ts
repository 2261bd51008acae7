/** A few hundred cases of the differential law on every run of the suite; `differential.long.ts` has thousands. */
import { afterAll, describe, expect, it } from "vitest";
import { findsAgree, MATCHING, programAgrees, searchesAgree } from "./properties.ts";
import { plant } from "./tree.ts";

const tree = plant();
afterAll(tree.remove);

describe("the answer is ripgrep's own", () => {
  it("in a search: every path, line, text, offset, context and count, in order", async () => {
    expect(await searchesAgree(tree, 250)).toBeGreaterThanOrEqual(MATCHING);
  });

  it("in a search from the command line", async () => {
    expect(await programAgrees(tree, 30)).toBeGreaterThan(0);
  });

  it("in a find: every file and folder, in order", async () => {
    expect(await findsAgree(tree, 100)).toBeGreaterThan(0);
  });
});
