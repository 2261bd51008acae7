import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEXT_IN_PROCESS } from "../../src/model/limits.ts";
import { textMatcher } from "../../src/regex/matcher.ts";
import { type TextMatch, Undecided } from "../../src/regex/text-match.ts";
import { type PatternRequest, readPattern } from "../../src/regex/read.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { PATTERN } from "../support/query.ts";
import { anyCase, compare, ripgrep } from "./matching.ts";
import { plant, type Tree } from "./ripgrep.ts";

const MB = 1024 * 1024;
const PLAIN = { literal: false, word: false, case: "sensitive", multiline: false, dotAll: false } as const;

const read = (pattern: string, options: Partial<PatternRequest> = {}) =>
  readPattern({ ...PLAIN, ...options, pattern }).pattern;

function matches(text: string, pattern: string, options: Partial<PatternRequest> = {}): TextMatch[] {
  const matcher = textMatcher(read(pattern, options));
  if (matcher.kind === "undecided") throw new Error(matcher.why);
  return [...matcher.matches(text)];
}

const lines = (found: readonly TextMatch[]): number[] => found.map(({ line }) => line);

describe("a text by line", () => {
  it("gives each matching line without its terminator, and where in it", () => {
    expect(matches("one foo, two foo\r\nbar\nfoo", "foo")).toEqual([
      {
        line: 1,
        text: "one foo, two foo",
        submatches: [
          [4, 7],
          [13, 16],
        ],
      },
      { line: 3, text: "foo", submatches: [[0, 3]] },
    ]);
  });

  it("counts offsets in UTF-16 units", () => {
    expect(matches("é😀x λx\n", "x")[0]?.submatches).toEqual([
      [3, 4],
      [6, 7],
    ]);
  });

  it("does not let a blank or a negated class reach over the end of a line", () => {
    expect(matches("a\n\nb\n", String.raw`a\s+b`)).toEqual([]);
    expect(matches("a\n\nb\n", String.raw`\s`)).toEqual([]);
    expect(matches("a\nb\n", "(?s)a.b|a[^x]b")).toEqual([]);
  });

  it("takes a carriage return for a character of the line, and does not show it", () => {
    expect(matches("a\r\na\n", "a$")).toEqual([{ line: 2, text: "a", submatches: [[0, 1]] }]);
    expect(matches("a\r\n", String.raw`a\r$`)).toEqual([{ line: 1, text: "a", submatches: [[0, 1]] }]);
  });

  it("gives every line for a pattern that matches nothing, and none of an empty text", () => {
    expect(lines(matches("a\n\nb", "x*"))).toEqual([1, 2, 3]);
    expect(matches("", "x*")).toEqual([]);
  });

  it("shows no empty match at the end of a last line without newline, as ripgrep does not", () => {
    expect(matches("a\nb", "$").map(({ submatches }) => submatches)).toEqual([[[1, 1]], []]);
  });

  it("matches whole words by their outer sides alone", () => {
    expect(matches("a -2 b\nx-2y\n", "-2", { word: true })).toEqual([
      { line: 1, text: "a -2 b", submatches: [[2, 4]] },
    ]);
  });

  it("takes a literal as it stands", () => {
    expect(lines(matches("a.b\naxb\n", "a.b", { literal: true }))).toEqual([1]);
  });
});

describe("smart case", () => {
  const insensitive = (pattern: string, text: string): boolean =>
    matches(text, pattern, { case: "smart" }).length > 0;

  it("is insensitive without an upper-case literal, and sensitive with one", () => {
    expect(insensitive("foo", "FOO")).toBe(true);
    expect(insensitive("Foo", "foo")).toBe(false);
    expect(insensitive("[A-Z]", "f")).toBe(false);
    expect(insensitive(String.raw`\x46oo`, "foo")).toBe(false);
  });

  it("takes no class for a literal", () => {
    expect(insensitive(String.raw`foo\W`, "FOO.")).toBe(true);
    expect(insensitive(String.raw`foo\p{Ll}`, "FOOx")).toBe(true);
    expect(insensitive(String.raw`foo\pL`, "FOOx")).toBe(true);
    expect(insensitive(String.raw`foo[\PL]`, "FOO.")).toBe(true);
    expect(insensitive("x[[:upper:]]", "Xy")).toBe(true);
    expect(insensitive(String.raw`\p{Lu}`, "x")).toBe(false);
  });
});

describe("a text across lines", () => {
  const multiline = (text: string, pattern: string): TextMatch[] =>
    matches(text, pattern, { multiline: true });

  it("gives a match over several lines as one record", () => {
    expect(multiline("x\na\nb\ny\n", String.raw`a\nb`)).toEqual([
      { line: 2, text: "a\nb", submatches: [[0, 3]] },
    ]);
  });

  it("joins matches on adjoining lines", () => {
    expect(multiline("ab\nab\nx\nab\n", "^a")).toEqual([
      {
        line: 1,
        text: "ab\nab",
        submatches: [
          [0, 1],
          [3, 4],
        ],
      },
      { line: 4, text: "ab", submatches: [[0, 1]] },
    ]);
  });

  it("keeps lines apart for a pattern that cannot touch their ends", () => {
    expect(lines(multiline("ab\nab\n", "a."))).toEqual([1, 2]);
  });

  it("lets a dot match a newline only when asked", () => {
    expect(multiline("a\nb\n", "a.b")).toEqual([]);
    expect(matches("a\nb\n", "a.b", { multiline: true, dotAll: true })).toHaveLength(1);
  });
});

describe("a pattern without Unicode", () => {
  const bytes = (text: string, pattern: string): readonly (readonly [number, number])[] =>
    matches(text, pattern).flatMap(({ submatches }) => submatches);

  it("knows ASCII letters, digits and blanks only", () => {
    expect(bytes("éAh xAh 7Ah\n", String.raw`(?-u:\w)Ah`)).toEqual([
      [4, 7],
      [8, 11],
    ]);
    expect(bytes("1\u00a02 1 2\n", String.raw`1(?-u:\s)2`)).toEqual([[4, 7]]);
    expect(bytes("a\n b\n", String.raw`(?-u:a\s+b)`)).toEqual([]);
    expect(bytes("٣3\n", String.raw`(?-u:\d)`)).toEqual([[1, 2]]);
  });

  it("sees the end of a word before any other letter", () => {
    expect(bytes("aé\n", String.raw`a(?-u:\b)`)).toEqual([[0, 1]]);
    expect(bytes("aé\n", String.raw`a\b`)).toEqual([]);
  });

  it("folds ASCII only", () => {
    expect(bytes("kK\u212a\n", "(?i-u:k)")).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(bytes("kK\u212a\n", "(?i:k)")).toHaveLength(3);
    expect(bytes("ééÉ\n", "(?i-u:é)")).toHaveLength(2);
  });

  it("ends with the group in which it was asked for", () => {
    expect(bytes("éaé\n", String.raw`(?:(?-u)x|\wé)`)).toEqual([[1, 3]]);
    expect(bytes("aéé\n", String.raw`(?:(?-u)\w)\w\w`)).toEqual([[0, 3]]);
    expect(bytes("aéé\n", String.raw`(?-u)\w(?u)\w\w`)).toEqual([[0, 3]]);
  });
});

describe("what is left to ripgrep", () => {
  const why = (pattern: string, options: Partial<PatternRequest> = {}): string =>
    textMatcher(read(pattern, options)).kind;

  it("is PCRE2, bytes that are no text, and looks at carriage returns", () => {
    expect(why("(?<=a)b")).toBe("undecided");
    expect(why(String.raw`(?-u)\xff`)).toBe("undecided");
    expect(why("(?R)a$")).toBe("undecided");
  });

  it.each([
    String.raw`(?-u:\W)a`,
    String.raw`(?-u)\S`,
    "(?-u:.)",
    "(?-u:[^a])b",
    String.raw`(?-u:[\Da])`,
    "(?-u:[[:^alpha:]])",
  ])("is what may match half a character: %s", (pattern) => {
    expect(why(pattern)).toBe("undecided");
  });

  it.each([
    String.raw`(?-u:\B)`,
    String.raw`(?-u)a|\B`,
    String.raw`(?i-u:\b{start-half})`,
    String.raw`(?-u:\b{end-half})`,
  ])("is a look into the middle of a character: %s", (pattern) => {
    expect(why(pattern)).toBe("undecided");
  });

  it("is what is too large for this engine and not for ripgrep's", () => {
    expect(why(String.raw`\w{1000}\w{1000}`)).toBe("undecided");
  });

  it("is what does not parse, and is too long to find out before", () => {
    expect(why(String.raw`\w`.repeat(25))).toBe("matcher");
    expect(why(`${String.raw`\w`.repeat(25)}[\\w-z]`)).toBe("undecided");
  });

  it("is what is no text any more, in bytes", () => {
    const bytes = Buffer.from([0x41, 0x42, 0x43, 0xff, 0x0a]);
    const matcher = textMatcher(read("[A-Z]{3,}"));
    expect(() => matcher.kind === "matcher" && matcher.inBytes?.(bytes, textLines(bytes), 9, null)).toThrow(
      Undecided,
    );
  });

  it("is the start of the text, which ripgrep tests in its own buffer", () => {
    expect(why(String.raw`\Aa`)).toBe("undecided");
    expect(why("(?-m)^a")).toBe("undecided");
  });

  it("is the end of the text in a pattern with comments, which a block of lines has only once", () => {
    expect(why(String.raw`(?x) [a-z]+ \z`)).toBe("undecided");
    expect(why(String.raw`(?x) [a-z]+ $`)).toBe("matcher");
    expect(why(String.raw`[a-z]+\z`)).toBe("matcher");
  });

  it.each(['["]', String.raw`["\d]`])(
    "is, in bytes, a line too long to tell all of its matches at once: %s",
    (text) => {
      const matcher = textMatcher({ ...PATTERN, text, source: text });
      const shown = (bytes: Buffer): readonly unknown[] | null => {
        if (matcher.kind === "undecided" || matcher.inBytes === null) throw new Error("not in bytes");
        return matcher.inBytes(bytes, textLines(bytes), 5, null);
      };
      const long = Buffer.alloc(TEXT_IN_PROCESS, '"a');
      expect(shown(Buffer.concat([Buffer.from('"\n'), long, Buffer.from('"\n')]))).toBeNull();
      const lines = Buffer.alloc(4 * TEXT_IN_PROCESS, '"\n');
      expect(shown(lines)).toHaveLength(5);
    },
  );

  it("is an empty match across lines, and a long one that looks behind", () => {
    expect(why(String.raw`\s*`, { multiline: true })).toBe("undecided");
    expect(why("^a[^;]*;", { multiline: true })).toBe("undecided");
    expect(why("^a", { multiline: true })).toBe("matcher");
  });
});

describe("against ripgrep", () => {
  let tree: Tree;
  beforeAll(() => {
    tree = plant({});
  });
  afterAll(() => tree.remove());

  it("gives the same records for any pattern, options and text", () => {
    fc.assert(
      fc.property(anyCase, (chosen) => {
        const outcome = compare(tree, chosen);
        fc.pre(outcome !== "unreadable" && outcome !== "undecided" && outcome !== "crashed");
        expect(outcome).toBe("same");
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same records where a match follows another at once", () => {
    const text = "aab\nx\ny\nfoofoo bar\nfoo\nbarfoo\nbar\n";
    for (const [pattern, word] of [
      ["^a(?:b\nx)?", false],
      [String.raw`\bfoo(?: bar\nfoo\n)?`, false],
      ["foo\nbar|foo", true],
    ] as const) {
      const request = read(pattern, { multiline: true, word });
      expect(matches(text, pattern, { multiline: true, word })).toEqual(ripgrep(tree, request, [text])?.[0]);
    }
  });
});

describe("cost", () => {
  const line = "const value = compute(first, second) + 42; // the usual line\n";

  it("finds a rare word in 20 MB", () => {
    const text = `${line.repeat(160_000)}needle\n${line.repeat(160_000)}`;
    expect(lines(matches(text, "needle"))).toEqual([160_001]);
  });

  it("gives every one of many matches on one long line", () => {
    const text = "é a".repeat(100_000);
    expect(matches(text, "a")[0]?.submatches).toHaveLength(100_000);
  });

  it("gives the first match before it has read on", () => {
    const matcher = textMatcher(read("const"));
    if (matcher.kind !== "matcher") throw new Error(matcher.why);
    expect(matcher.matches(line.repeat(300_000)).next().value).toMatchObject({ line: 1 });
  });

  it("holds its memory over 1,000 patterns", () => {
    matches(line, "warm");
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 1_000; i += 1) matches(line.repeat(20), String.raw`value|name${i}\w+\s`);
    expect((process.memoryUsage.rss() - before) / MB).toBeLessThan(150);
  });
});
