import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Match } from "../../src/model/match.ts";
import { matchDecoder } from "../../src/ripgrep/decode.ts";
import { rg } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";

/** The records of one file, and the matches they decode to, in one piece or cut after these records. */
function decode(
  content: string | Buffer,
  argv: readonly string[],
  after = 0,
  cuts: readonly number[] = [],
): Match[] {
  return decodeRecords(recordsOf(tree(), content, argv), after, cuts);
}

function recordsOf(root: string, content: string | Buffer, argv: readonly string[]): string[] {
  writeFileSync(join(root, "f"), content);
  const lines = rg(root, "--json", ...argv, "--", "f")
    .toString()
    .split("\n");
  return lines.filter((line) => /^\{"type":"(match|context)"/.test(line));
}

function decodeRecords(records: readonly string[], after: number, cuts: readonly number[]): Match[] {
  const { decode } = matchDecoder({ path: "f" }, after);
  const ends = [...cuts, records.length];
  return ends.flatMap((end, at) => {
    const part = records.slice(ends[at - 1] ?? 0, end).map((record) => `${record}\n`);
    return decode(Buffer.from(part.join("")), at === ends.length - 1);
  });
}

const shown = ({ line, text, submatches }: Match): unknown => [line, text, submatches];

describe("a match", () => {
  it.each([
    ["a newline", "a needle\n"],
    ["a return and a newline", "a needle\r\n"],
    ["nothing", "a needle"],
  ])("has a text without its terminator where the line ends with %s", (_, content) => {
    expect(decode(content, ["-e", "needle"]).map(shown)).toEqual([[1, "a needle", [[2, 8]]]]);
  });

  it("keeps a return that ends no line", () => {
    expect(decode("needle\rx\r\r\n", ["-e", "needle"]).map(shown)).toEqual([[1, "needle\rx\r", [[0, 6]]]]);
  });

  it("never reaches into the terminator that was taken off", () => {
    expect(decode("a\r\nb\n", ["-U", "-e", "a\\r\\n"]).map(shown)).toEqual([[1, "a", [[0, 1]]]]);
  });

  it("over several lines keeps the inner terminators", () => {
    expect(decode("x\na\r\nb\r\nc\n", ["-U", "-e", "a\\s+b"]).map(shown)).toEqual([[2, "a\r\nb", [[0, 4]]]]);
  });

  it("has offsets in UTF-16 units, behind characters of every width", () => {
    expect(decode("é€😀needle😀needle\n", ["-e", "needle"]).map(shown)).toEqual([
      [
        1,
        "é€😀needle😀needle",
        [
          [4, 10],
          [12, 18],
        ],
      ],
    ]);
  });

  it("of UTF-16 is given as text, in both byte orders", () => {
    const text = "\ufeffone\n😀 needle\r\n";
    const little = Buffer.from(text, "utf16le");
    const big = Buffer.from(little).swap16();
    for (const content of [little, big]) {
      expect(decode(content, ["-e", "needle"]).map(shown)).toEqual([[2, "😀 needle", [[3, 9]]]]);
    }
  });

  it("has no byte order mark in its text", () => {
    expect(decode("\ufeffneedle\n", ["-e", "needle"]).map(shown)).toEqual([[1, "needle", [[0, 6]]]]);
  });

  it("on a line that is not UTF-8 is shown replaced and flagged", () => {
    const content = Buffer.concat([
      Buffer.from([0xff, 0xe2, 0x82]),
      Buffer.from("needle"),
      Buffer.from([0xc3, 0x0a]),
    ]);
    expect(decode(content, ["-e", "needle"])).toEqual([
      {
        path: "f",
        line: 1,
        text: "��needle�",
        submatches: [[2, 8]],
        before: [],
        after: [],
        invalidUtf8: true,
      },
    ]);
  });

  it("of a part of a character does not push the ones behind it away", () => {
    const [match] = decode("€x€x\n", ["-e", "(?-u:\\x82)|x"]);
    expect([match?.submatches[1], match?.submatches[3]]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("lies where ripgrep says, whatever the line holds", () => {
    const word = fc.constantFrom(
      "needle",
      "é",
      "😀",
      "€",
      "a",
      " ",
      "\r",
      "\\",
      '"',
      "\ufeff",
      "\u2028",
      "日本",
    );
    const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
    const root = tree();
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("\n", "\r\n"),
        (lines, end) => {
          const records = recordsOf(root, lines.join(end), ["-e", "needle"]);
          const said = records.map((record) => {
            const { data } = JSON.parse(record) as {
              data: { line_number: number; submatches: { match: { text: string } }[] };
            };
            return [data.line_number, data.submatches.map(({ match }) => match.text)];
          });
          const read = decodeRecords(records, 0, []).map(({ line, text, submatches }) => [
            line,
            submatches.map(([start, end]) => text.slice(start, end)),
          ]);
          expect(read).toEqual(said);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("context", () => {
  const lines = (count: number, needles: readonly number[]): string =>
    Array.from({ length: count }, (_, at) =>
      needles.includes(at + 1) ? `needle ${at + 1}\n` : `${at + 1}\n`,
    ).join("");
  const numbers = (match: Match): unknown => [
    match.before.map(({ line }) => line),
    match.line,
    match.after.map(({ line }) => line),
  ];

  it("is given after the match before it where that reaches, else before the next", () => {
    expect(decode(lines(12, [3, 7]), ["-B3", "-A2", "-e", "needle"], 2).map(numbers)).toEqual([
      [[1, 2], 3, [4, 5]],
      [[6], 7, [8, 9]],
    ]);
  });

  it("counts from the last line of a match that has several", () => {
    const argv = ["-U", "-C1", "-e", "needle 3\\n4\\n"];
    expect(decode(lines(8, [3]), argv, 1).map(numbers)).toEqual([[[2], 3, [5]]]);
  });

  it("has its terminators taken off", () => {
    const [match] = decode("a\r\nneedle\r\nb", ["-C1", "-e", "needle"], 1);
    expect([match?.before, match?.after]).toEqual([[{ line: 1, text: "a" }], [{ line: 3, text: "b" }]]);
  });

  it("gives every line that ripgrep prints once, and not further than asked", () => {
    const root = tree();
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
        fc.nat(4),
        fc.nat(4),
        (needles, before, after) => {
          const records = recordsOf(root, lines(30, needles), [`-B${before}`, `-A${after}`, "-e", "needle"]);
          const printed = records.map(
            (record) => (JSON.parse(record) as { data: { line_number: number } }).data.line_number,
          );
          const matches = decodeRecords(records, after, []);
          const given = matches.flatMap((match) =>
            [...match.before, match, ...match.after].map(({ line }) => line),
          );
          expect(given).toEqual(printed);
          for (const match of matches) {
            expect(match.after.every(({ line }) => line <= match.line + after)).toBe(true);
            expect(match.before.every(({ line }) => line >= match.line - before)).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is the same in one piece and in several", () => {
    const records = recordsOf(tree(), lines(40, [2, 3, 9, 20, 22, 39]), ["-C3", "-e", "needle"]);
    const whole = decodeRecords(records, 3, []);
    fc.assert(
      fc.property(fc.array(fc.nat(records.length), { maxLength: 5 }), (cuts) => {
        const sorted = cuts.sort((one, other) => one - other);
        expect(decodeRecords(records, 3, sorted)).toEqual(whole);
      }),
    );
    expect(whole).toHaveLength(6);
  });
});

it("says how long a line was that was too long to hold", () => {
  const record =
    '{"type":"match","data":{"path":{"text":"f"},"lines":{"text":""},"line_number":8,"submatches":[],"elided":99}}';
  expect(decodeRecords([record], 0, [])).toEqual([
    { path: "f", line: 8, text: "", submatches: [], before: [], after: [], elidedBytes: 99 },
  ]);
});
