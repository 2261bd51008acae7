import { array, assert, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { roundRobin } from "../../src/shape/round-robin.ts";

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const cases = [array(nat(40), { maxLength: 30 }), nat(500)] as const;

describe("A page shared out among files", () => {
  it("gives one to each in turn, the first ones one more where it does not come out even", () => {
    expect(roundRobin([5, 1, 5], 6)).toEqual([3, 1, 2]);
    expect(roundRobin([2, 2], 10)).toEqual([2, 2]);
    expect(roundRobin([3, 3, 3], 2)).toEqual([1, 1, 0]);
    expect(roundRobin([], 10)).toEqual([]);
    expect(roundRobin([3], 0)).toEqual([0]);
  });

  it("is given out whole, or as far as somebody wants it", () => {
    assert(
      property(...cases, (wanted, total) => {
        const given = roundRobin(wanted, total);
        expect(given).toHaveLength(wanted.length);
        expect(sum(given)).toBe(Math.min(total, sum(wanted)));
      }),
    );
  });

  it("gives nobody more than is wanted, and nobody two more than one who still wants", () => {
    assert(
      property(...cases, (wanted, total) => {
        const given = roundRobin(wanted, total);
        for (const [at, got] of given.entries()) {
          expect(got).toBeLessThanOrEqual(wanted[at] ?? 0);
          if (got === wanted[at]) continue;
          // Who came before may have one more, who came behind none.
          for (const [other, theirs] of given.entries())
            expect(theirs).toBeLessThanOrEqual(other < at ? got + 1 : got);
        }
      }),
    );
  });
});
