/** The law as properties over random cases: the suite checks some, the long run thousands. */
import * as fc from "fast-check";
import { findCase, searchCase } from "./cases.ts";
import { askProgram, sayable } from "./command-line.ts";
import { findLaw, searchLaw } from "./law.ts";
import type { Tree } from "./tree.ts";

/** At least this part of the cases must find something, or the law would hold for want of answers. */
export const MATCHING = 0.5;

export function searchesAgree(tree: Tree, cases: number): Promise<number> {
  return agree(searchCase(tree), (searched) => searchLaw(searched), cases);
}

export function programAgrees(tree: Tree, cases: number): Promise<number> {
  return agree(searchCase(tree).map(sayable), (searched) => searchLaw(searched, askProgram), cases);
}

export function findsAgree(tree: Tree, cases: number): Promise<number> {
  return agree(findCase(tree), findLaw, cases);
}

/** The law returns how many hits there were; this, in which part of the cases there were any. */
async function agree<T>(
  arbitrary: fc.Arbitrary<T>,
  law: (one: T) => Promise<number>,
  cases: number,
): Promise<number> {
  let matching = 0;
  await fc.assert(
    fc.asyncProperty(arbitrary, async (one) => {
      if ((await law(one)) > 0) matching++;
    }),
    { numRuns: cases, interruptAfterTimeLimit: 3_000_000, markInterruptAsFailure: true },
  );
  return matching / cases;
}
