/** Random patterns with texts that they often match, and the law of grams over them. */
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Pattern } from "../../src/model/query.ts";
import type { GramQuery } from "../../src/regex/gram-query.ts";
import { gramsOf } from "../../src/regex/grams.ts";
import { build } from "../../src/regex/instance.ts";
import { regexOf } from "../../src/regex/ripgrep-regex.ts";

/** A part of a pattern, and texts that it is likely to match. */
interface Part {
  readonly source: string;
  readonly samples: readonly string[];
}

const LETTERS = Array.from("abcdxyskSKſ\u212aßẞİıiIΣσςθΘжЖéÉåÅ日😀_ -#<(20\t");
const SHORT = Array.from("abcsk");

const escaped = (text: string): string =>
  text
    .replace(/[\\.+*?()|[\]{}^$#&\-~]/g, String.raw`\$&`)
    .replaceAll(" ", String.raw`\x20`)
    .replaceAll("\t", "\\t");

const word = fc
  .oneof(
    fc.array(fc.constantFrom(...SHORT), { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 5 }),
  )
  .map((letters) => letters.join(""));
const literal: fc.Arbitrary<Part> = word.map((text) => ({ source: escaped(text), samples: [text] }));

const part = (source: string, samples: string): Part => ({ source, samples: Array.from(samples) });
const CLASSES: readonly Part[] = [
  part("[abc]", "acb"),
  part("[a-f]", "af"),
  part("[sk]", "ks"),
  part("[ßσ-]", "ßσ-"),
  part("[^a]", "bé日\n"),
  part("[0-9a-fA-F]", "0Ff"),
  part("[a-z]", "qz"),
  part(".", "x日 "),
  part("(?s:.)", "x\n"),
  part(String.raw`\d`, "07٣"),
  part(String.raw`\w`, "a_éſ"),
  part(String.raw`[\w-]`, "a-K"),
  part(String.raw`\W`, " -\n"),
  part(String.raw`\D`, "x\n"),
  part(String.raw`\S`, "xK"),
  part(String.raw`\s`, " \t\n\u00a0"),
  part(String.raw`[a\n]`, "a\n"),
  part(String.raw`[^\S\n]`, " \t"),
  part(String.raw`\n`, "\n"),
  part("[[:alpha:]]", "aZ"),
  part(String.raw`\p{Greek}`, "θς"),
  part("(?-u:[a-c])", "ab"),
  part(String.raw`(?-u:\w)`, "a_"),
  part(String.raw`(?-u:[\d.-])`, "7.-"),
  part(String.raw`(?-u:\s)`, " \t\n"),
  part("(?i-u:k)", "kK"),
  part("(?-u:é)", "é"),
  part(String.raw`[\d.]`, "0.٣𝟗"),
  part(String.raw`[\D]`, "xſ日"),
  part(String.raw`[\W\d]`, "-0日"),
  part(String.raw`[^\w.]`, " -→😀"),
  part(String.raw`[^\W_]`, "aé日\u212a"),
  part(String.raw`[^\D]`, "0٣"),
  part(String.raw`[\p{Greek}x]`, "xθἀ"),
  part(String.raw`[^\p{Greek}]`, "xé\n"),
  part(String.raw`\P{Greek}`, "xé\n"),
  part(String.raw`\p{Cyrillic}`, "жЖҐᲀ"),
  part(String.raw`\p{sc=Han}`, "日𠀀〇"),
  part(String.raw`\p{L}`, "aé日"),
  part("[^[:ascii:]]", "é日😀"),
  part("[[:^alpha:]]", "-日\n"),
  part(String.raw`[a-z&&[^\d]]`, "aq"),
  part(String.raw`[\w--a]`, "bé"),
  part("[α-ω]", "αω"),
];

/** Where characters begin to take one byte more, where there are none, and where the last is. */
const BORDERS = [
  0x0a, 0x41, 0x7a, 0x80, 0xc0, 0x3c0, 0x8_00, 0x10_00, 0xd7_ff, 0xe0_00, 0x1_00_00, 0x4_00_00,
];
const LAST = 0x10_ff_ff;
const written = (code: number): string => `\\x{${code.toString(16)}}`;

/** Classes of any length, from and to any of the borders and beside them. */
const range: fc.Arbitrary<Part> = fc
  .tuple(
    fc.constantFrom(...BORDERS, LAST - 3),
    fc.integer({ min: -3, max: 3 }),
    fc.oneof(fc.nat(3), fc.nat(200), fc.nat(LAST)),
    fc.nat(),
  )
  .map(([border, beside, length, seed]) => {
    const first = scalar(border + beside, 0xe0_00);
    const last = scalar(Math.max(first, Math.min(first + length, LAST)), 0xd7_ff);
    const among = scalar(first + (seed % (last - first + 1)), last);
    return {
      source: `[${written(first)}-${written(last)}]`,
      samples: [first, last, among].map((code) => String.fromCodePoint(code)),
    };
  })
  .filter(({ samples: [first = "", last = ""] }) => first <= last);

/** A code point that a text may hold, which half a pair is not. */
function scalar(code: number, instead: number): number {
  return code >= 0xd8_00 && code < 0xe0_00 ? instead : code;
}
const LOOKS: readonly Part[] = ["^", "$", String.raw`\b`, String.raw`\B`, String.raw`\b{start}`, ""].map(
  (source) => ({ source, samples: [""] }),
);

const QUANTIFIERS: readonly (readonly [source: string, ...times: number[]])[] = [
  ["?", 1, 0],
  ["*", 2, 0, 5],
  ["+", 1, 3],
  ["+?", 2, 1],
  ["{2}", 2],
  ["{3}", 3],
  ["{6}", 6],
  ["{2,4}", 2, 3],
  ["{2,9}", 2, 9],
  ["{ 5 , }", 5, 7],
  ["{0,2}", 0, 2],
  ["{0}", 0],
];

const GROUPS: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["(?:", ")"],
  ["(?i:", ")"],
  ["(?i:", ")"],
  ["(?-i:", ")"],
  ["(?s:", ")"],
  ["(?-u:", ")"],
  ["(?u:", ")"],
  ["(?:(?i-u)", ")"],
  ["(?x: ", " # [ a comment (\n )"],
];

const FOLDED = ["sSſ", "kK\u212a", "ßẞ", "σΣς", "åÅ\u212b", "θΘϑϴ", "μΜ\u00b5"];

/** Each letter in another of its cases, here and there. */
function flipped(text: string, seed: number): string {
  return Array.from(text, (char, at) => {
    if (((seed >> (at % 16)) & 1) === 0) return char;
    const forms = Array.from(FOLDED.find((forms) => forms.includes(char)) ?? "");
    const turned = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
    return forms[(forms.indexOf(char) + 1 + (seed % 2)) % forms.length] ?? turned;
  }).join("");
}

const at = <Item>(items: readonly Item[], index: number, none: Item): Item =>
  items[index % items.length] ?? none;

/** Words with blanks between them, as they are asked for most. */
const BLANKS = ["", " ", "\t", "  ", " \t", "\t\t\t", "\u00a0", " \u2003 ", "\u3000\t", "\n"];
/** What begins in many ways, or in one that goes on in many. */
const TAILS: readonly Part[] = [
  { source: "b+c", samples: ["bc", "bbc"] },
  { source: "[a-z][a-z]X", samples: ["aqX", "zzX"] },
  { source: "[ab][!-~][!-~]Y", samples: ["a!~Y", "bbbY"] },
  { source: "-?x", samples: ["-x", "x"] },
  { source: "(?:x|yz)?w", samples: ["w", "xw", "yzw"] },
  { source: "a?b?c?d", samples: ["d", "cd", "abcd", "abd"] },
];
const spaced: fc.Arbitrary<Part> = fc
  .tuple(
    word,
    fc.constantFrom(String.raw`\s`, String.raw`(?-u:\s)`, String.raw`[ \t]`, String.raw`\x20`, "(?: |-)"),
    fc.constantFrom("*", "+", "{0,2}", "*?", "{2,}"),
    fc.constantFrom("", String.raw`\b`, "()"),
    fc.oneof(literal, fc.constantFrom(...TAILS)),
    fc.shuffledSubarray(BLANKS, { minLength: 3 }),
  )
  .map(([before, blank, times, look, { source, samples }, blanks]) => ({
    source: `${escaped(before)}${blank}${times}${look}${source}`,
    samples: blanks.map((between, turn) => `${before}${between}${at(samples, turn, "")}`),
  }));

const { pattern: anyPart } = fc.letrec<{ pattern: Part }>((tie) => {
  const inner = tie("pattern");
  const atom = fc.oneof(
    { weight: 5, arbitrary: literal },
    { weight: 3, arbitrary: fc.constantFrom(...CLASSES) },
    { weight: 1, arbitrary: range },
    { weight: 1, arbitrary: fc.constantFrom(...LOOKS) },
  );
  const sequence = fc.array(inner, { minLength: 2, maxLength: 4 }).map((parts) => ({
    source: parts.map(({ source }) => source).join(""),
    samples: [0, 1, 2].map((turn) =>
      parts.map(({ samples }, place) => at(samples, turn + place, "")).join(""),
    ),
  }));
  const choice = fc.array(inner, { minLength: 2, maxLength: 4 }).map((parts) => ({
    source: `(?:${parts.map(({ source }) => source).join("|")})`,
    samples: parts.map(({ samples }, place) => at(samples, place, "")),
  }));
  const group = fc.tuple(fc.constantFrom(...GROUPS), inner, fc.nat()).map(([[open, close], part, seed]) => ({
    source: `${open}${part.source}${close}`,
    samples: open.includes("?i") ? part.samples.map((sample) => flipped(sample, seed)) : part.samples,
  }));
  const repeated = fc.tuple(fc.constantFrom(...QUANTIFIERS), inner).map(([[source, ...times], part]) => ({
    source: `(?:${part.source})${source}`,
    samples: times.map((count) =>
      Array.from({ length: count }, (_, turn) => at(part.samples, turn, ""))
        .join("")
        .slice(0, 200),
    ),
  }));
  return {
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: atom },
      { weight: 2, arbitrary: spaced },
      { weight: 4, arbitrary: sequence },
      { weight: 1, arbitrary: choice },
      { weight: 2, arbitrary: group },
      { weight: 2, arbitrary: repeated },
    ),
  };
});

const options = fc.record({
  word: fc.constantFrom(false, false, false, true),
  case: fc.constantFrom("sensitive" as const, "insensitive" as const, "smart" as const),
  multiline: fc.boolean(),
  dotAll: fc.boolean(),
});

const junk = fc.constantFrom(
  "",
  "",
  " ",
  "x",
  "\n",
  "ab\n",
  "sk ",
  "é",
  "cab ",
  "日\n",
  "Ω",
  "\u{10ffff}",
  "ſ\n",
);

export interface Case {
  readonly pattern: Pattern;
  readonly texts: readonly string[];
}

export const anyCase: fc.Arbitrary<Case> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: anyPart.map((part) => ({ ...part, literal: false })) },
      { weight: 1, arbitrary: word.map((text) => ({ source: text, samples: [text], literal: true })) },
    ),
    options,
    fc.array(fc.tuple(junk, junk, fc.nat()), { minLength: 3, maxLength: 3 }),
  )
  .map(([{ source, samples, literal }, options, around]) => {
    const pattern: Pattern = { ...options, source, text: source, syntax: literal ? "literal" : "rust" };
    const texts = around.flatMap(([before, after, seed], turn) => {
      const sample = at(samples, turn, "");
      const turned = pattern.case === "sensitive" ? sample : flipped(sample, seed);
      return [`${before}${turned}${after}`, `${before}${damaged(turned, seed)}${after}`];
    });
    return { pattern, texts };
  });

/** With a character left out, or doubled. */
function damaged(text: string, seed: number): string {
  const chars = Array.from(text);
  const place = chars.length === 0 ? 0 : seed % chars.length;
  const times = seed % 3 === 0 ? 0 : 2;
  return chars.map((char, index) => (index === place ? char.repeat(times) : char)).join("");
}

export interface Seen {
  /** Texts that matched where the query asked for something. */
  asked: number;
  /** Texts that matched and of which nothing was asked. */
  unasked: number;
  /** Texts that the query turned away. */
  refused: number;
  unmatched: number;
  unread: number;
  across: number;
}

export const NOTHING_SEEN: Seen = { asked: 0, unasked: 0, refused: 0, unmatched: 0, unread: 0, across: 0 };

/** Whatever matches, holds what the query asks for: the line of a match, or where it may cross lines the text. */
export function holdTrue({ pattern, texts }: Case, seen: Seen): void {
  const regex = built(pattern);
  if (regex === null) {
    seen.unread += 1;
    return;
  }
  const { query, acrossLines } = gramsOf(pattern);
  if (acrossLines) seen.across += 1;
  for (const text of texts) {
    const wholes = pattern.multiline ? [text] : text.split("\n");
    for (const whole of wholes) {
      const bytes = Buffer.from(whole);
      const found = regex.findAll(whole);
      if (found.length === 0) seen[satisfies(gramsIn(bytes), query) ? "unmatched" : "refused"] += 1;
      else seen[query.kind === "all" ? "unasked" : "asked"] += 1;
      const missing = found
        .map(({ start, end }) => (acrossLines ? bytes : lineOf(bytes, start, end)))
        .filter((held) => !satisfies(gramsIn(held), query));
      expect(missing.map(String)).toEqual([]);
    }
  }
  regex.free();
}

function built(pattern: Pattern): ReturnType<typeof build> | null {
  try {
    return build(regexOf(pattern, "text"));
  } catch {
    return null;
  }
}

/** The whole line of a match; of one that holds a newline, nothing. */
function lineOf(bytes: Buffer, start: number, end: number): Buffer {
  if (bytes.subarray(start, end).includes(0x0a)) return bytes.subarray(0, 0);
  const from = start === 0 ? 0 : bytes.lastIndexOf(0x0a, start - 1) + 1;
  const to = bytes.indexOf(0x0a, start);
  return bytes.subarray(from, to === -1 ? bytes.length : to);
}

/** As the index stores them: none with a newline in it, but for the first two bytes of characters beyond ASCII. */
export function gramsIn(bytes: Uint8Array): Set<number> {
  const grams = new Set<number>();
  for (let at = 0; at + 3 <= bytes.length; at += 1) {
    const three = bytes.subarray(at, at + 3);
    if (!three.includes(0x0a)) grams.add(three.reduce((gram, byte) => (gram << 8) | byte, 0));
  }
  for (let at = 0; at + 2 <= bytes.length; at += 1) {
    const [lead = 0, behind = 0] = bytes.subarray(at, at + 2);
    if (lead >= 0xc2 && lead <= 0xf4 && behind >= 0x80 && behind <= 0xbf) {
      grams.add((0x0a << 16) | (lead << 8) | behind);
    }
  }
  return grams;
}

export function satisfies(grams: ReadonlySet<number>, query: GramQuery): boolean {
  switch (query.kind) {
    case "all":
      return true;
    case "gram":
      return grams.has(query.gram);
    case "and":
      return query.parts.every((part) => satisfies(grams, part));
    case "or":
      return query.parts.some((part) => satisfies(grams, part));
    case "none":
    default:
      return false;
  }
}
