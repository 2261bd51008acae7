import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anyCase, compare, type Outcome } from "./matching.ts";
import { plant, type Tree } from "./ripgrep.ts";

let tree: Tree;
beforeAll(() => {
  tree = plant({});
});
afterAll(() => tree.remove());

it("gives ripgrep's records over 10,000 patterns, each with four texts", () => {
  const seen: Record<Outcome, number> = { same: 0, undecided: 0, unreadable: 0, crashed: 0 };
  fc.assert(
    fc.property(anyCase, (chosen) => {
      const outcome = compare(tree, chosen);
      seen[outcome] += 1;
      fc.pre(outcome !== "unreadable");
    }),
    { numRuns: 10_000, maxSkipsPerRun: 100 },
  );
  console.log(seen);
  expect(seen.same).toBeGreaterThan(6_000);
});
