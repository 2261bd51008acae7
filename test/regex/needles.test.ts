/** What every match holds: never rules out what matches, and the lines that hold it are all that need be looked at. */
import { assert, oneof, pre, property } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pattern } from "../../src/model/query.ts";
import { Haystack, holdsAll, needlesOf } from "../../src/regex/needles.ts";
import { textMatcher } from "../../src/regex/matcher.ts";
import { Undecided } from "../../src/regex/text-match.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { PATTERN } from "../support/query.ts";
import { anyCase as anyGramCase } from "./gram-law.ts";
import { anyCase, readable } from "./matching.ts";

interface Case {
  readonly pattern: Pattern;
  readonly texts: readonly string[];
}

const anyText = oneof(
  anyCase.map(({ request, texts }) => ({ pattern: readable(request), texts })),
  anyGramCase.map(({ pattern, texts }) => ({ pattern, texts: texts.map(String) })),
);

/** Each text as bytes, and what the matcher finds in it. */
function forEachText(one: (given: Given) => void): void {
  assert(
    property(anyText, ({ pattern, texts }) => {
      pre(pattern !== null);
      const matcher = textMatcher(pattern);
      pre(matcher.kind === "matcher");
      for (const raw of texts) {
        const text = raw.replaceAll(/[\0\ufeff]|\p{Surrogate}/gu, "");
        const found = allOf(matcher.matches(text));
        if (found !== null) one({ pattern, matcher, text, bytes: Buffer.from(text), found });
      }
    }),
    { numRuns: 400 },
  );
}

/** null: it takes too long, and is ripgrep's. */
function allOf(matches: Iterable<unknown>): readonly unknown[] | null {
  try {
    return [...matches];
  } catch (cause) {
    if (cause instanceof Undecided) return null;
    throw cause;
  }
}

interface Given {
  readonly pattern: Case["pattern"];
  readonly matcher: Extract<ReturnType<typeof textMatcher>, { kind: "matcher" }>;
  readonly text: string;
  readonly bytes: Buffer;
  readonly found: readonly unknown[];
}

describe("a look at the bytes", () => {
  it("never rules out a text that matches, nor promises one that does not", () => {
    let ruledOut = 0;
    forEachText(({ pattern, text, bytes, found }) => {
      const needles = needlesOf(pattern);
      const holds = holdsAll(new Haystack(bytes), needles);
      if (!holds) ruledOut += 1;
      const enough = needles.enough && !pattern.multiline;
      const wrong = (found.length > 0 && !holds) || (enough && holds && found.length === 0);
      expect({ pattern, text, wrong }).toMatchObject({ wrong: false });
    });
    expect(ruledOut).toBeGreaterThan(100);
  });

  it("finds the lines that match by themselves", () => {
    let looked = 0;
    forEachText(({ pattern, matcher, text, bytes, found }) => {
      const lines = matcher.inBytes?.(bytes, textLines(bytes), Number.POSITIVE_INFINITY, null) ?? found;
      const marked = Buffer.concat([Buffer.from("\ufeff"), bytes]);
      const behindMark =
        matcher.inBytes?.(marked, textLines(marked), Number.POSITIVE_INFINITY, null) ?? found;
      expect({ pattern, text, behindMark }).toMatchObject({ behindMark: found });
      const isIn = matcher.isIn?.(bytes) ?? found.length > 0;
      if (matcher.isIn !== null && found.length > 0) looked += 1;
      expect({ pattern, text, lines, isIn }).toMatchObject({ lines: found, isIn: found.length > 0 });
    });
    expect(looked).toBeGreaterThan(60);
  });

  it.each([
    ["abc", [["abc"]], true],
    ["foo\\w+longer", [["longer"], ["foo"]], false],
    ["(?:cat|dog)s? food", [[" food"], ["cat", "dog"]], false],
    ["cat|dog", [["cat", "dog"]], true],
    ["(abc)+", [["abc"], ["abc"]], false],
    ["(?i)abc", [null], false],
    ["[A-Z]+_RESUME", [["_RESUME"]], false],
    ["#define\\s+container_of\\b", [["container_of"], ["#define"]], false],
    ["a*", [], false],
    ["", [], false],
    ["\\w{5}", [], false],
    ["\\bword\\b", [["word"]], false],
  ])("knows what %s needs", (text, expected, enough) => {
    const { all, enough: known } = needlesOf({ ...PATTERN, text });
    expect([all.map(({ literals }) => literals?.map(String) ?? null), known]).toEqual([expected, enough]);
  });

  it.each([
    ["^struct\\s+\\w+", "struct"],
    ["^(?:struct)\\b", "struct"],
    ["(?m)^a", "a"],
    ["^(?i)struct", null],
    ["^(?:struct|union)\\s", null],
    ["^\\s*struct", null],
    ["(?-m)^struct", null],
    ["(?:^|x)struct", null],
    ["\\bstruct", null],
    ["struct", null],
  ])("knows what a line begins with that matches %s", (text, expected) => {
    expect(needlesOf({ ...PATTERN, text }).start?.toString() ?? null).toBe(expected);
  });

  it("looks at lines that begin so, the first too, and at no others", () => {
    const matcher = textMatcher({ ...PATTERN, text: "^item\\s+\\w+x" });
    const lines = "an item ax\nitem ax\n\titem ax\nitem bx\n";
    const found = (text: string): readonly (number | undefined)[] => {
      const bytes = Buffer.from(text);
      const places = textLines(bytes);
      const records = matcher.kind === "matcher" ? matcher.inBytes?.(bytes, places, 9, null) : null;
      return records?.map(({ line }) => line) ?? [];
    };
    expect(found(lines)).toEqual([2, 4]);
    expect(found(`item cx\n${lines}`)).toEqual([1, 3, 5]);
    expect(found(`\ufeffitem cx\r\n${lines}`)).toEqual([1, 3, 5]);
    expect(found("item cx")).toEqual([1]);
    expect(found("an item cx")).toEqual([]);
  });

  it("takes a byte order mark for one only where it is, and for a letter elsewhere", () => {
    const matcher = textMatcher({ ...PATTERN, text: "^\\x{FEFF}item\\d" });
    const text = Buffer.from("hay\n\ufeffitem1\n");
    const isIn = (bytes: Buffer): boolean | undefined =>
      matcher.kind === "matcher" ? matcher.isIn?.(bytes) : undefined;
    // A part of a file may begin anywhere.
    expect([isIn(text), isIn(text.subarray(4)), isIn(text.subarray(7))]).toEqual([true, true, false]);
    const places = textLines(text);
    const found = matcher.kind === "matcher" ? matcher.inBytes?.(text, places, 9, [4, 9]) : null;
    expect(found?.map(({ line }) => line)).toEqual([2]);
  });

  it("goes through a long text once, whatever is in it", () => {
    const pattern = { ...PATTERN, text: "(?:alpha|beta|gamma|delta)_\\w+_(?:one|two)" };
    const matcher = textMatcher(pattern);
    const lines = Array.from({ length: 50_000 }, (_, at) => `alpha_${at}_three`).join("\n");
    expect(matcher.kind === "matcher" && matcher.isIn?.(Buffer.from(`${lines}\ndelta_x_two`))).toBe(true);
  });
});
