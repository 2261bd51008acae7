/**
 * The law of edit over as many edits as `QUARRY_LONG_CASES` says: 100,000 if it does not, from the case
 * `QUARRY_LONG_FIRST` on, so that a long run can be done in pieces. Prints its figures.
 */
import { describe, expect, it } from "vitest";
import { editsHold } from "./law.ts";
import { mapsHold } from "./map-law.ts";

const edits = Number(process.env["QUARRY_LONG_CASES"] ?? 100_000);
const first = Number(process.env["QUARRY_LONG_FIRST"] ?? 1);

describe("An edit", () => {
  it(`does what the plain model says, or is refused for its reasons, ${edits} times`, async () => {
    const begin = performance.now();
    const tally = await editsHold(edits, first);
    console.info(JSON.stringify({ ...tally, seconds: Math.round((performance.now() - begin) / 1000) }));
    expect(tally.merged / tally.mergeable).toBeGreaterThan(0.5);
  });

  it(`finds a line again only where it is that very one, in ${10 * edits} changed files`, () => {
    const { there, found, wrong } = mapsHold(10 * edits, first);
    console.info(JSON.stringify({ there, found, wrong: wrong.length }));
    expect(wrong).toEqual([]);
  });
});
