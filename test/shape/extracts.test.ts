import { assert, boolean, integer, nat, option, property, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Match } from "../../src/model/match.ts";
import { extracts, lastLine } from "../../src/shape/extracts.ts";

const match = (line: number, text = `line ${line}`): Match => ({
  path: "f",
  line,
  text,
  submatches: [[0, 1]],
  before: [],
  after: [],
});

const lineAt =
  (count: number) =>
  (line: number): string | null =>
    line >= 1 && line <= count ? `line ${line}` : null;

const numbers = (rows: ReturnType<typeof extracts>): string[] =>
  rows.map(({ line, hit }) => `${hit ? "*" : " "}${line}`);

describe("Matches with the lines around them", () => {
  it("merge where their context meets, and leave out what neither reaches", () => {
    const rows = extracts([match(3), match(6), match(20)], lineAt(30), { before: 1, after: 2 }, null);
    expect(numbers(rows)).toEqual([" 2", "*3", " 4", " 5", "*6", " 7", " 8", " 19", "*20", " 21", " 22"]);
    expect(rows[1]).toEqual({ line: 3, text: "line 3", spans: [[0, 1]], hit: true });
    expect(rows[0]).toEqual({ line: 2, text: "line 2", spans: [], hit: false });
  });

  it("end at the ends of the file", () => {
    expect(numbers(extracts([match(1), match(4)], lineAt(5), { before: 9, after: 9 }, null))).toEqual([
      "*1",
      " 2",
      " 3",
      "*4",
      " 5",
    ]);
  });

  it("end before the next match that is not shown", () => {
    expect(numbers(extracts([match(2)], lineAt(9), { before: 0, after: 5 }, 4))).toEqual(["*2", " 3"]);
    expect(numbers(extracts([match(2)], lineAt(9), { before: 0, after: 5 }, 3))).toEqual(["*2"]);
  });

  it("count the lines of a match that spans several", () => {
    const rows = extracts([match(2, "a\nb\nc"), match(6)], lineAt(9), { before: 2, after: 1 }, null);
    expect(numbers(rows)).toEqual([" 1", "*2", " 5", "*6", " 7"]);
    expect(lastLine(match(2, "a\nb\nc"))).toBe(4);
  });

  it("say how long a line was that could not be held", () => {
    const [row] = extracts([{ ...match(1, ""), elidedBytes: 9 }], lineAt(1), { before: 0, after: 0 }, null);
    expect(row).toEqual({ line: 1, text: "", spans: [[0, 1]], hit: true, elidedBytes: 9 });
  });

  it("show each line once, in order, every match, and exactly the lines that are near enough", () => {
    assert(
      property(
        uniqueArray(integer({ min: 1, max: 60 }), { maxLength: 12 }),
        nat(5),
        nat(5),
        option(integer({ min: 1, max: 5 })),
        boolean(),
        (lines, before, after, beyond, short) => {
          const count = short ? Math.max(0, ...lines) : 60;
          const sorted = [...lines].sort((one, other) => one - other);
          const stop = beyond === null ? null : (sorted.at(-1) ?? 0) + beyond;
          const rows = extracts(
            sorted.map((line) => match(line)),
            lineAt(count),
            { before, after },
            stop,
          );
          const near = Array.from({ length: count }, (_, at) => at + 1).filter((line) =>
            sorted.some(
              (hit) => line >= hit - before && line <= hit + after && (stop === null || line < stop),
            ),
          );
          expect(rows.map(({ line }) => line)).toEqual(near);
          expect(rows.filter(({ hit }) => hit).map(({ line }) => line)).toEqual(sorted);
          for (const { line, text } of rows) expect(text).toBe(`line ${line}`);
        },
      ),
    );
  });
});
