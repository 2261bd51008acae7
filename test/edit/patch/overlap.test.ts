import { array, assert, boolean, integer, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { overlapOf, type Touched } from "../../../src/edit/patch/overlap.ts";
import { HEADER, refusal } from "./patches.ts";

describe("operations on the same line", () => {
  it.each([
    [["replace 3..5:", "+x", "delete 5..6"], 5],
    [["delete 5..6", "replace 3..5:", "+x"], 5],
    [["replace 3..9:", "+x", "delete 5..6"], 5],
    [["delete 3..3", "delete 3..3"], 3],
    [["replace 3..5:", "+x", "insert after 4:", "+y"], 4],
    [["replace 3..5:", "+x", "insert after 5:", "+y"], 5],
    [["replace 3..5:", "+x", "insert before 3:", "+y"], 3],
    [["insert before 3:", "+y", "replace 3..5:", "+x"], 3],
    [["replace block 4:", "+x", "delete 2..4"], 4],
    [["delete block 4", "insert after 4:", "+x"], 4],
  ])("are refused: %j", async (rows, line) => {
    expect(await refusal(HEADER, ...rows)).toMatch(
      new RegExp(
        `^PATCH_INVALID Patch line \\d: line ${line} of the file is already named by the operation on patch line 2 /`,
      ),
    );
  });

  it("are refused over sections of the same file", async () => {
    expect(await refusal(HEADER, "delete 3..3", "¶b.ts#1111", "delete 3..3", HEADER, "delete 2..4")).toMatch(
      /line 6: line 3 of the file is already named by the operation on patch line 2/,
    );
  });

  it.each([
    [["replace 3..5:", "+x", "insert after 6:", "+y", "insert before 2:", "+z", "delete 7..9"]],
    [["delete 7..9", "replace 3..5:", "+x", "delete 1..2"]],
    [["insert after 3:", "+x", "insert after 3:", "+y", "insert before 3:", "+z"]],
    [["insert head:", "+x", "insert tail:", "+y", "delete 1..1"]],
    // Where the block ends is not known yet.
    [["insert after block 3:", "+x", "replace 3..3:", "+y"]],
  ])("are not all that stand close: %j", async (rows) => {
    expect(await refusal(HEADER, ...rows)).toBe("parsed");
  });
});

describe("overlapOf", () => {
  const touched = array(
    record({ first: integer({ min: 1, max: 30 }), length: nat(4), anchor: boolean() }).map(
      ({ first, length, anchor }) => ({ first, last: anchor ? first : first + length, anchor }),
    ),
    { maxLength: 8 },
  ).map((all) =>
    all.map(
      ({ first, last, anchor }, row): Touched => ({ first, last, row, as: anchor ? "anchor" : "range" }),
    ),
  );

  function clash(a: Touched, b: Touched): boolean {
    if (a.as === "anchor" && b.as === "anchor") return false;
    return a.first <= b.last && b.first <= a.last;
  }

  it("finds one exactly where two of them clash", () => {
    assert(
      property(touched, (all) => {
        const some = all.some((a) => all.some((b) => a.row < b.row && clash(a, b)));
        const found = overlapOf(all);
        expect(found !== null).toBe(some);
        const { earlier, later, line } = found ?? { earlier: null, later: null, line: 0 };
        const fits =
          earlier === null ||
          (clash(earlier, later) &&
            earlier.row < later.row &&
            [earlier, later].every(({ first, last }) => first <= line && line <= last));
        expect(fits).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
