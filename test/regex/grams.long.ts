/** The law of grams over as many patterns as `QUARRY_LONG_CASES` says: 100,000 if it does not. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anyCase, holdTrue, NOTHING_SEEN } from "./gram-law.ts";

const cases = Number(process.env["QUARRY_LONG_CASES"] ?? 100_000);

it(`asks for nothing that a matching text may be without, over ${cases} patterns`, () => {
  const seen = { ...NOTHING_SEEN };
  fc.assert(
    fc.property(anyCase, (chosen) => holdTrue(chosen, seen)),
    { numRuns: cases },
  );
  console.log(seen);
  expect(seen.asked).toBeGreaterThan(cases / 2);
});
