/** The few ranges that stand for large classes: the same in ASCII, and beyond it nothing is missed. */
import { describe, expect, it } from "vitest";
import type { RRegex } from "rregex";
import { type Finder, regexFinder, widerFinder } from "../../src/regex/finder.ts";
import { build } from "../../src/regex/instance.ts";
import { regexOf } from "../../src/regex/ripgrep-regex.ts";
import { Undecided } from "../../src/regex/text-match.ts";
import { widerPattern } from "../../src/regex/wide.ts";
import { PATTERN } from "../support/query.ts";

const ASCII = Array.from({ length: 0x80 }, (_, code) => String.fromCodePoint(code));
/** All of two bytes, and some of the others. */
const BEYOND = Array.from({ length: 0x11_00_00 - 0x80 }, (_, at) => at + 0x80)
  .filter((code) => (code < 0x8_00 || code % 61 === 0) && (code < 0xd8_00 || code > 0xdf_ff))
  .map((code) => String.fromCodePoint(code))
  .concat(Array.from("\u212a\u3000\u2028٣𝟗日"));

describe("A pattern with a large class", () => {
  it.each([
    String.raw`\w`,
    String.raw`\W`,
    String.raw`[\w-]`,
    String.raw`[-\w]`,
    String.raw`[^-\w.]`,
    String.raw`[^\w.é]`,
    String.raw`[\W_]`,
    String.raw`[^\W_]`,
    String.raw`[\w\D]`,
    String.raw`[^\W\d]`,
    String.raw`[[:alpha:]\w]`,
    String.raw`(?i:[\Wk])`,
    String.raw`\d\w|\w`,
  ])("is told by fewer letters: %s", (text) => {
    for (const letters of ["sensitive", "insensitive"] as const) {
      const pattern = { ...PATTERN, text, source: text, case: letters };
      const wide = widerPattern(pattern);
      if (wide === null) throw new Error("it is the pattern itself");
      const [exact, wider] = [pattern, wide].map((one) => build(regexOf(one, "line")));
      const differs = ASCII.filter((letter) => exact?.isMatch(letter) !== wider?.isMatch(letter));
      const missed = BEYOND.filter((letter) => exact?.isMatch(letter) === true && !wider?.isMatch(letter));
      expect({ differs, missed }).toEqual({ differs: [], missed: [] });
    }
  });

  it.each([
    ["nothing in it is so large", String.raw`[a-z]\s\pL\d[\d.]`],
    ["it is a text", String.raw`\\w`],
    ["its classes are put together", String.raw`[\w--x]`],
    ["it would be repaired", String.raw`[\w-z]`],
    ["it would be repaired behind", String.raw`[+-\w]`],
    ["it is very large", String.raw`(?:\w{50}){50}`],
    ["it is very large in many parts", String.raw`\w{300}[\d.]{300}`],
    ["it is without Unicode", String.raw`(?-u)\w`],
    ["it has comments", String.raw`(?x) \w # \w`],
  ])("is left as it is where %s", (_, text) => {
    expect(widerPattern({ ...PATTERN, text, source: text })).toBeNull();
  });

  it("may be repeated by and by", () => {
    const text = String.raw`(?:\w{5}\s+){4}\w{5}|(\w\w){9}`;
    expect(widerPattern({ ...PATTERN, text, source: text })?.text).toContain("{4}");
  });

  it("is told exactly once a line beyond ASCII may match", () => {
    const counted = { wide: 0, made: 0 };
    const finder = (regex: RRegex, one: () => void): Finder => {
      const { isMatch, first, ...rest } = regexFinder(regex);
      return {
        ...rest,
        isMatch: (text) => (one(), isMatch(text)),
        first: (text) => (one(), first(text)),
      };
    };
    const [wide, exact] = [build("[^a-z]"), build("[0-9]")];
    const both = widerFinder(
      finder(wide, () => (counted.wide += 1)),
      () => ((counted.made += 1), regexFinder(exact)),
    );
    expect([both.isMatch("a7"), both.first("a→7"), counted.made]).toEqual([true, 1, 0]);
    expect([both.isMatch("a→"), both.first("a→7"), both.all("a→7")]).toEqual([false, 2, [[2, 3]]]);
    const { wide: before } = counted;
    for (let time = 0; time < 9; time += 1) expect(both.isMatch("→")).toBe(false);
    expect(counted).toEqual({ wide: before, made: 1 });
  });

  it("throws what stands in the way of it, and tries it once", () => {
    let tried = 0;
    const both = widerFinder(regexFinder(build("[^a-z]")), () => {
      tried += 1;
      throw new Undecided("too large");
    });
    for (const text of ["→", "é→"]) expect(() => both.isMatch(text)).toThrow(Undecided);
    expect([both.isMatch("a7"), both.isMatch("é".slice(1)), tried]).toEqual([true, false, 1]);
  });

  it("keeps the case that was typed", () => {
    const wide = (text: string): string | undefined =>
      widerPattern({ ...PATTERN, text, source: text, case: "smart" })?.case;
    expect([wide(String.raw`a\w`), wide(String.raw`A\w`), wide(String.raw`\w`)]).toEqual([
      "insensitive",
      "sensitive",
      "sensitive",
    ]);
  });
});
