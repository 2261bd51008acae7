import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { findCase, searchCase } from "./cases.ts";
import { findLaw, searchLaw } from "./law.ts";
import { plant } from "./tree.ts";

const tree = plant();
afterAll(tree.remove);

describe("search and find answer as ripgrep does", () => {
  it("in every match, line, offset, context, count and order", async () => {
    const numRuns = Number(process.env["N"] ?? 300);
    let [matching, cases] = [0, 0];
    await fc.assert(
      fc.asyncProperty(searchCase(tree), async (searched) => {
        cases++;
        if ((await searchLaw(searched)) > 0) matching++;
      }),
      { numRuns },
    );
    expect(matching / cases).toBeGreaterThan(0.5);
    console.log(matching, cases);
  });
  it("in every file and folder", async () => {
    const numRuns = Number(process.env["N"] ?? 100);
    let [matching, cases] = [0, 0];
    await fc.assert(
      fc.asyncProperty(findCase(tree), async (searched) => {
        cases++;
        if ((await findLaw(searched)) > 0) matching++;
      }),
      { numRuns },
    );
    console.log(matching, cases);
  });
});
