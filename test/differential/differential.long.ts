/** The differential law over as many cases as `QUARRY_LONG_CASES` says: 2,000 searches if it does not. */
import { afterAll, describe, expect, it } from "vitest";
import { findsAgree, MATCHING, programAgrees, searchesAgree } from "./properties.ts";
import { plant } from "./tree.ts";

const cases = Number(process.env["QUARRY_LONG_CASES"] ?? 2_000);
const tree = plant();
afterAll(tree.remove);

describe("the answer is ripgrep's own", () => {
  it(`in ${cases} searches`, async () => {
    expect(await searchesAgree(tree, cases)).toBeGreaterThanOrEqual(MATCHING);
  });

  it(`in ${Math.ceil(cases / 4)} searches from the command line`, async () => {
    expect(await programAgrees(tree, Math.ceil(cases / 4))).toBeGreaterThan(0);
  });

  it(`in ${Math.ceil(cases / 2)} finds`, async () => {
    expect(await findsAgree(tree, Math.ceil(cases / 2))).toBeGreaterThan(0);
  });
});
