/** The few ranges that stand for large classes: the same in ASCII, and beyond it nothing is missed. */
import { describe, expect, it } from "vitest";
import { build } from "../../src/regex/instance.ts";
import { regexOf } from "../../src/regex/ripgrep-regex.ts";
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
    String.raw`\d`,
    String.raw`\D`,
    String.raw`[\w-]`,
    String.raw`[^\w.]`,
    String.raw`[\W_]`,
    String.raw`[^\W_]`,
    String.raw`[\d.]`,
    String.raw`[^\d]`,
    String.raw`[\D]`,
    String.raw`[^\D5]`,
    String.raw`[[:alpha:]\d]`,
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
    ["nothing in it is large", String.raw`[a-z]\s\pL`],
    ["it is a text", String.raw`\\w`],
    ["its classes are put together", String.raw`[\w--x]`],
    ["it is without Unicode", String.raw`(?-u)\w`],
    ["it has comments", String.raw`(?x) \w # \w`],
  ])("is left as it is where %s", (_, text) => {
    expect(widerPattern({ ...PATTERN, text, source: text })).toBeNull();
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
