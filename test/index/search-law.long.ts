/** The laws of the index over as many cases as `QUARRY_LONG_CASES` says: 20,000 searches if it does not. */
import { afterAll, describe, expect, it } from "vitest";
import { plant } from "../differential/tree.ts";
import { findLaw } from "./find-law.ts";
import { withOddFiles } from "./odd-files.ts";
import { searchLaw } from "./search-law.ts";

const CASES = Number(process.env["QUARRY_LONG_CASES"] ?? 20_000);
const planted = plant();
afterAll(planted.remove);

describe("The index answers as ripgrep does", () => {
  const tree = withOddFiles(planted);

  it(`in ${CASES} searches`, async () => {
    const { cases, byIndex, matched } = await searchLaw(tree, CASES);
    expect(byIndex / cases).toBeGreaterThan(0.4);
    expect(matched / cases).toBeGreaterThan(0.4);
  });

  it(`in ${CASES / 4} finds`, async () => {
    const { cases, byIndex, matched } = await findLaw(tree, CASES / 4);
    expect(byIndex / cases).toBeGreaterThan(0.4);
    expect(matched / cases).toBeGreaterThan(0.4);
  });
});
