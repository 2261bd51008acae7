import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRAM_QUERY } from "../../src/model/limits.ts";
import type { Pattern } from "../../src/model/query.ts";
import type { GramQuery } from "../../src/regex/gram-query.ts";
import { type Grams, gramsOf } from "../../src/regex/grams.ts";
import { type PatternRequest, readPattern } from "../../src/regex/read.ts";
import { anyCase, holdTrue, NOTHING_SEEN } from "./gram-law.ts";

const span = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
/** The bytes of letters, digits and `_`; behind ASCII what any letter begins with, and what one ends in. */
const WORD = [...span(0x30, 0x39), ...span(0x41, 0x5a), 0x5f, ...span(0x61, 0x7a)];
const LEADS = span(0xc2, 0xf4);
const WORD_STARTS = [...WORD, ...LEADS];
const WORD_ENDS = [...WORD, ...span(0x80, 0xbf)];

function read(pattern: string, options: Partial<PatternRequest> = {}): Pattern {
  const request: PatternRequest = {
    literal: false,
    word: false,
    case: "sensitive",
    multiline: false,
    dotAll: false,
    ...options,
    pattern,
  };
  return readPattern(request).pattern;
}

function grams(pattern: string, options?: Partial<PatternRequest>): Grams {
  return gramsOf(read(pattern, options));
}

/** `abc & (bcd | bce)`; a blank is `_`, and what is not ASCII its hexadecimal digits. */
function shown(query: GramQuery, outer = true): string {
  if (query.kind === "all" || query.kind === "none") return query.kind;
  if (query.kind === "gram") {
    return [query.gram >> 16, (query.gram >> 8) & 0xff, query.gram & 0xff].map(shownByte).join("");
  }
  const parts = query.parts.map((part) => shown(part, false)).join(query.kind === "and" ? " & " : " | ");
  return outer ? parts : `(${parts})`;
}

function shownByte(byte: number): string {
  if (byte === 0x20) return "_";
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, "0")}`;
}

function count(query: GramQuery): number {
  if (query.kind === "gram") return 1;
  return "parts" in query ? query.parts.reduce((sum, part) => sum + count(part), 0) : 0;
}

it("asks for nothing that a matching text may be without", () => {
  const seen = { ...NOTHING_SEEN };
  fc.assert(
    fc.property(anyCase, (chosen) => holdTrue(chosen, seen)),
    { numRuns: 2_000 },
  );
  expect(seen.asked).toBeGreaterThan(1_000);
  expect(seen.refused).toBeGreaterThan(2_000);
  expect(seen.across).toBeGreaterThan(100);
});

describe("what a pattern asks for", () => {
  it.each([
    ["foo", "foo"],
    ["fo", "all"],
    ["foobar", "foo & oob & oba & bar"],
    ["é1", String.raw`\c3\a91`],
    ["日本", String.raw`\e6\97\a5 & \97\a5\e6 & \a5\e6\9c & \e6\9c\ac`],
    ["[a-f]x", "all"],
    ["[a-c]xy", "axy | bxy | cxy"],
    ["[x-z]xyz", "(xxy | yxy | zxy) & xyz"],
    ["[ab]x[cd]y", "(axc | axd | bxc | bxd) & (xcy | xdy)"],
    ["20[0-2][0-9]", "(200 | 201 | 202) & ".concat(pairs("012", "0123456789"))],
    ["a[b&&c]d", "none"],
    ["foo|", "all"],
  ])("%s: %s", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toBe(expected);
  });

  it.each([
    ["(abc|abd)", "abc | abd"],
    ["foobar|bazqux", "(foo & oob & oba & bar) | (baz & azq & zqu & qux)"],
    ["(abc|abd)(ef|gh)", "(abc & bce & cef) | (abc & bcg & cgh) | (abd & bde & def) | (abd & bdg & dgh)"],
    ["foo(bar|baz)+", "foo & oob & oba & (bar | baz)"],
    ["(foo|bar|ba).*(?:x|yy|zzz)end", "end & (xen | (yye & yen) | (zzz & zze & zen))"],
    ["x(foo|b.*r)+y", "all"],
    ["(abcd.*|abce)fgh", "abc & (bcd | bce) & fgh"],
    ["(foo|foobar|fo+.*foo)", "foo"],
    ["PM_(ON|OFF)", "PM_ & M_O & (_ON | (_OF & OFF))"],
  ])("%s: %s", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toBe(expected);
  });

  it.each([
    ["colou?r", "col & olo & (lor | (lou & our))"],
    ["err(or)?s?", "err"],
    ["x{3}", "xxx"],
    ["x{400}", "xxx"],
    ["(ab){2}", "aba & bab"],
    ["(abc){9,}", "abc & bca & cab"],
    ["ab{2,5}c", "abb & bbc"],
    ["ab*c", "all"],
    ["xab+cy", "xab & (abc | (abb & bbc)) & bcy"],
    ["foo.*bar", "foo & bar"],
    ["((a{10}){10}){10}", "aaa"],
  ])("%s: %s", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toBe(expected);
  });

  it.each([
    [String.raw`\bfoo\b`, "foo"],
    [String.raw`struct\s*\w+\s*\{`, "str & tru & ruc & uct"],
    [String.raw`.+_lock\(`, "_lo & loc & ock & ck("],
    [String.raw`\w{2}:\w{2} UTC`, `(${anyByte("", WORD_ENDS, "_U")}) & _UT & UTC`],
    ["(?x) foo # [bar\n baz", "foo & oob & oba & baz"],
    ["(?-u:[ab])oo", "aoo | boo"],
    [String.raw`(?-u:\W)foo`, "all"],
    ["foo(?!bar)", "all"],
  ])("%s: %s", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toBe(expected);
  });
});

describe("a class beside a text", () => {
  it.each([
    [String.raw`\wAh`, anyByte("", WORD_ENDS, "Ah")],
    [String.raw`Ah\w`, anyByte("Ah", WORD_STARTS, "")],
    [String.raw`(?-u:\w)Ah`, anyByte("", WORD, "Ah")],
    [String.raw`(?-u)A(?u:h\w)`, anyByte("Ah", WORD_STARTS, "")],
    [String.raw`Ah[^\W]`, anyByte("Ah", WORD_STARTS, "")],
    [String.raw`Ah[\d.]`, anyByte("Ah", [0x2e, ...span(0x30, 0x39), ...LEADS], "")],
    ["0x[0-9a-f]{16}U", anyByte("0x", [...span(0x30, 0x39), ...span(0x61, 0x66)], "")],
    ["[a-f]UL", anyByte("", span(0x61, 0x66), "UL")],
  ])("%s is told by the byte next to it", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toBe(expected);
  });

  it("is told in either case", () => {
    expect(count(grams(String.raw`(?i)\wAh`).query)).toBe(4 * WORD_ENDS.length);
  });

  it.each([
    [
      String.raw`foo\s+bar`,
      [
        "foo",
        String.raw`(oo\09 | oo\0b | oo\0c | oo\0d | oo_ | o\c2\85 | o\c2\a0 | o\e1\9a | o\e2\80 | o\e2\81 | o\e3\80)`,
      ].join(" & "),
    ],
  ])("%s is told at both ends", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toContain(expected);
    expect(shown(grams(pattern).query)).toContain(String.raw`(\09ba | \0bba | \0cba | \0dba | _ba | `);
  });
});

describe("what is repeated between texts", () => {
  it.each([
    ["foo +bar", "foo & oo_ & (o_b | (o__ & __b)) & _ba & bar"],
    [String.raw`foo *\(`, "foo & (oo( | o_( | (o__ & __())"],
    [String.raw`foo( )*\b(\()`, "foo & (oo( | o_( | (o__ & __())"],
    ["foo {0,9}bar", "foo & ((oob & oba) | o_b | (o__ & __b)) & bar"],
    ["foo(ab)*bar", "foo & ((oob & oba) | (oab & abb) | (oab & aba & bab & abb)) & bar"],
  ])("%s is told by how often it is there", (pattern, expected) => {
    expect(shown(grams(pattern).query)).toContain(expected);
  });

  it("is there once, or more, or is a blank beyond ASCII", () => {
    const query = shown(grams(String.raw`foo\s*\(`).query);
    expect(query).toContain(String.raw`foo & (\0a\c2\85 | \0a\c2\a0 | \e1\9a\80 | \0a\e2\80 | `);
    expect(query).toContain(String.raw` | oo( | o\09( | o\0b( | o\0c( | o\0d( | o_( | (`);
    expect(query).toContain(String.raw`((o\09\09 | o\09\0b | `);
    expect(query).toContain(String.raw` & (\09\09( | \09\0b( | `);
  });

  it("has nothing put behind a beginning that was cut off", () => {
    const leads = [
      ...span(0xc3, 0xdf).map((lead) => (lead & 0x1f) << 6),
      ...span(0x1, 0xf).map((lead) => lead << 12),
    ];
    const letters = leads
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => !/\p{Surrogate}/u.test(letter));
    const [some, others] = [letters.slice(0, 25).join(""), letters.slice(25).join("")];
    const query = shown(grams(`foo *[abcd](?:[!-~]q|[${some}]r|[${others}]s)Y`).query);
    expect(query).toContain("ooa | oob | ooc | ood");
    expect(query).not.toContain("oaY");
  });

  it.each(["foo *", " *foo", String.raw`foo[\w-]*\(`, "foo[a-i]*x"])("tells nothing in %s", (pattern) => {
    expect(shown(grams(pattern).query)).toBe("foo");
  });
});

describe("a class of letters beyond ASCII", () => {
  it("is told by the first two bytes of its letters, behind a newline", () => {
    expect(shown(grams("[α-β]|[ж-з]").query)).toBe(String.raw`\0a\ce\b1 | \0a\ce\b2 | \0a\d0\b6 | \0a\d0\b7`);
    expect(shown(grams("[一-龥]").query)).toContain(String.raw`\0a\e4\b8 | \0a\e4\b9`);
    expect(shown(grams("é").query)).toBe(String.raw`\0a\c3\a9`);
    expect(shown(grams("[é]x*").query)).toBe(String.raw`\0a\c3\a9`);
  });

  it.each([
    [String.raw`\p{Greek}`, 128],
    [String.raw`(?i)\p{Greek}`, 130],
    [String.raw`\p{sc=Greek}`, 128],
    [String.raw`[\p{Greek}\p{Cyrillic}]`, 436],
  ])("%s is a script of %i pairs", (pattern, pairs) => {
    expect(count(grams(pattern).query)).toBe(pairs);
  });

  it.each([String.raw`\p{L}`, String.raw`\p{Greek}|x`, String.raw`\P{Greek}`, "[^a]", String.raw`\w`])(
    "tells nothing that holds ASCII as well: %s",
    (pattern) => {
      expect(shown(grams(pattern).query)).toBe("all");
    },
  );
});

describe("letters of either case", () => {
  it("are asked for three by three", () => {
    expect(shown(grams(String.raw`(?i)by \(c\) 20.\d`).query)).toBe(
      [
        "(BY_ | By_ | bY_ | by_)",
        "(Y_( | y_()",
        "(_(C | _(c)",
        "((C) | (c))",
        "(C)_ | c)_)",
        ")_2",
        "_20",
      ].join(" & "),
    );
    expect(shown(grams("copy", { case: "insensitive" }).query)).toBe(
      [
        "(COP | COp | CoP | Cop | cOP | cOp | coP | cop)",
        "(OPY | OPy | OpY | Opy | oPY | oPy | opY | opy)",
      ].join(" & "),
    );
  });

  it("are also the long s, the Kelvin sign and the capital sharp s", () => {
    expect(shown(grams("(?i)1s2").query)).toBe(String.raw`1S2 | 1s2 | (1\c5\bf & \c5\bf2)`);
    expect(shown(grams("(?i)1k2").query)).toBe(String.raw`1K2 | 1k2 | (1\e2\84 & \e2\84\aa & \84\aa2)`);
    expect(shown(grams("(?i)1ß").query)).toBe(String.raw`1\c3\9f | (1\e1\ba & \e1\ba\9e)`);
    expect(shown(grams("(?i)sks").query)).toBe(
      String.raw`SKS | SKs | K\c5\bf | SkS | Sks | k\c5\bf | \e2\84\aa | sKS | sKs | skS | sks | \c5\bfK | \c5\bfk | \c5\bf\e2`,
    );
  });

  it("are told by ripgrep's smart case", () => {
    expect(shown(grams("12x", { case: "smart" }).query)).toBe("12X | 12x");
    expect(shown(grams("12X", { case: "smart" }).query)).toBe("12X");
    expect(shown(grams(String.raw`12x\D`, { case: "smart" }).query)).toBe("12X | 12x");
    expect(shown(grams("12x", { case: "smart", literal: true, word: true }).query)).toBe("12X | 12x");
    expect(shown(grams("(?x) 12x # Y", { case: "smart" }).query)).toBe("all");
  });
});

describe("lines", () => {
  it("are crossed by a match that may hold a newline", () => {
    expect(grams(String.raw`foo\nbar`).acrossLines).toBe(true);
    expect(grams("foo\nbar", { literal: true }).acrossLines).toBe(true);
    expect(grams(String.raw`foo\s+bar`, { multiline: true }).acrossLines).toBe(true);
    expect(grams(String.raw`foo\W{9}bar`, { multiline: true }).acrossLines).toBe(true);
    expect(grams("foo.*bar", { multiline: true, dotAll: true }).acrossLines).toBe(true);
    expect(grams("(?=foo)", { multiline: true }).acrossLines).toBe(true);
  });

  it("are not crossed in a search by line, nor where no newline can match", () => {
    expect(grams(String.raw`foo\s+bar`).acrossLines).toBe(false);
    expect(grams("foo", { multiline: true }).acrossLines).toBe(false);
    expect(grams(String.raw`foo.*\w+\d[^\n]bar$`, { multiline: true }).acrossLines).toBe(false);
  });

  it("end every gram: none holds a newline", () => {
    expect(shown(grams(String.raw`foo\nbars`).query)).toBe("foo & bar & ars");
    expect(shown(grams("foo\nbar", { literal: true }).query)).toBe("foo & bar");
    expect(shown(grams(String.raw`(fo[o\n]|bar)`, { multiline: true }).query)).toBe("all");
    expect(shown(grams(String.raw`fo[o\n]`).query)).toBe("foo");
  });

  it("leave a newline that ripgrep refuses to ripgrep", () => {
    const refused = { ...read(String.raw`foo\nbar`), multiline: false };
    expect(gramsOf(refused)).toEqual({ query: { kind: "all" }, acrossLines: false });
    expect(gramsOf({ ...refused, text: "foo\nbar", syntax: "literal" }).query).toEqual({ kind: "all" });
  });
});

describe("a pattern of any size", () => {
  it.each([
    ["a long text", "Lorem ipsum dolor sit amet ".repeat(100), {}],
    [
      "a long text of either case",
      "abcdefghijklmnopqrst".repeat(100),
      { literal: true, case: "insensitive" },
    ],
    ["many classes", "[abc][def][ghi]".repeat(60), {}],
    ["words", Array.from({ length: 90 }, (_, index) => `w${index * 7919}x`).join("|"), {}],
    ["nested choices", "(?:ab|cd(?:ef|gh(?:ij|kl)mn)op)".repeat(20), {}],
    ["groups in one another", `${"(?:fgh|e".repeat(40)}abc${")+x".repeat(40)}`, {}],
    ["repetitions in one another", `${"(?:".repeat(6)}abc${"){3}x?".repeat(6)}`, {}],
  ] as const)("asks for few grams: %s", (_name, pattern, options) => {
    const { query } = grams(pattern, options);
    expect(count(query)).toBeGreaterThan(0);
    expect(count(query)).toBeLessThanOrEqual(GRAM_QUERY);
  });

  it("asks for nothing where it would take too many", () => {
    const words = Array.from({ length: 150 }, (_, index) => `${index}${"(?:a|b)".repeat(2)}`).join("|");
    expect(shown(grams(words).query)).toBe("all");
    expect(shown(grams("(?i)abcdefghij".repeat(400)).query)).toBe("all");
  });
});

/** A byte of these between two texts. */
function anyByte(before: string, bytes: readonly number[], after: string): string {
  return bytes.map((byte) => `${before}${shownByte(byte)}${after}`).join(" | ");
}

/** Digits one behind the other and behind a zero, as grams in their order. */
function pairs(first: string, second: string): string {
  const grams = Array.from(first, (a) => Array.from(second, (b) => `0${a}${b}`)).flat();
  return `(${grams.join(" | ")})`;
}
