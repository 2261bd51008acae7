import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { mapLines } from "../../src/edit/line-map.ts";
import { type TextLines, textLines } from "../../src/workspace/text-lines.ts";
import { mapsHold } from "./map-law.ts";

function text(lines: readonly string[], end = "\n"): TextLines {
  return textLines(Buffer.from(lines.map((line) => line + end).join("")));
}

/** What somebody else did to a file: lines taken out, and lines put in that were nowhere before. */
const change = record({ at: nat(12), remove: nat(2), add: nat(2) });

interface Line {
  readonly text: string;
  /** Its number before; null for a new one. */
  readonly was: number | null;
}

function changed(lines: readonly string[], changes: readonly { at: number; remove: number; add: number }[]) {
  const now: Line[] = lines.map((line, at) => ({ text: line, was: at + 1 }));
  for (const [index, { at, remove, add }] of changes.entries()) {
    const fresh = Array.from({ length: add }, (_, row) => ({ text: `new ${index}.${row}`, was: null }));
    now.splice(Math.min(at, now.length), remove, ...fresh);
  }
  return now;
}

describe("Lines found again in a changed file", () => {
  it("are never others, however many lines are equal", () => {
    let [there, found] = [0, 0];
    assert(
      property(
        array(constantFrom("a", "b", "c", "}", ""), { minLength: 1, maxLength: 12 }),
        array(change, { minLength: 1, maxLength: 3 }),
        nat(11),
        nat(3),
        (lines, changes, from, more) => {
          const now = changed(lines, changes);
          const map = mapLines(text(lines), text(now.map((line) => line.text)));
          const first = Math.min(from, lines.length - 1) + 1;
          const last = Math.min(first + more, lines.length);
          const place = map.find(first, last);
          const truth = now.findIndex(({ was }) => was === first) + 1;
          const whole =
            truth > 0 &&
            Array.from({ length: last - first + 1 }, (_, at) => now[truth - 1 + at]?.was).every(
              (was, at) => was === first + at,
            );
          there += Number(whole);
          found += Number(place !== null);
          expect(place === null || (whole && place === truth)).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
    // Most are found: a map that finds nothing would never be wrong either.
    expect(found / there).toBeGreaterThan(0.6);
  });

  it("are never others where lines were copied or moved", () => {
    const { there, found, wrong } = mapsHold(5_000);
    expect(wrong).toEqual([]);
    expect(found / there).toBeGreaterThan(0.7);
  });

  it("are given up in time where looking for them would take too long", () => {
    // Every line but the last has come a second time, right behind the next one: each look settles one more.
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, at) => `${at}`);
    const map = mapLines(
      text(lines),
      text(lines.flatMap((line, at) => (at === 0 ? [line] : [line, `${at - 1}`]))),
    );
    expect(map.find(count, count)).toBe(2 * count - 2);
    expect(map.find(1, 1)).toBe(null);
  });

  it.each([
    ["a line above it", ["a", "b", "c"], ["x", "a", "b", "c"], [2, 2], 3],
    ["a line right before it", ["a", "b", "c"], ["a", "x", "b", "c"], [2, 2], 3],
    ["nothing of it", ["a", "b", "c"], ["a", "b!", "c"], [2, 2], null],
    ["one of two equal lines", ["a", "b", "b", "c"], ["a", "b", "c"], [2, 2], null],
    ["another equal line", ["a", "}", "c"], ["a", "}", "}", "c"], [2, 2], null],
    ["its inside", ["a", "b", "c", "d"], ["a", "b", "x", "c", "d"], [1, 4], null],
    ["lines around a blank one", [""], ["x", "", "y"], [1, 1], 2],
    ["line ends", ["a", "b", "c"], ["a\r", "b\r", "c\r"], [2, 2], 2],
  ])("after a change of %s", (_, before, after, [first = 0, last = 0], place) => {
    expect(mapLines(text(before), text(after)).find(first, last)).toBe(place);
  });
});
