import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Pattern } from "../../src/model/query.ts";
import { parse } from "../../src/regex/compile.ts";
import { type Finder, regexFinder, textFinder } from "../../src/regex/finder.ts";
import { build } from "../../src/regex/instance.ts";
import { isPlain, plainTexts } from "../../src/regex/plain-texts.ts";

const pattern = (text: string, more: Partial<Pattern> = {}): Pattern => ({
  source: text,
  text,
  syntax: "rust",
  case: "sensitive",
  word: false,
  multiline: false,
  dotAll: false,
  ...more,
});

test("an identifier, a call with its bracket escaped and a few of them with bars between are texts", () => {
  expect(plainTexts(pattern("kmalloc"))).toEqual(["kmalloc"]);
  expect(plainTexts(pattern(String.raw`a->b\(\*c\)`))).toEqual(["a->b(*c)"]);
  expect(plainTexts(pattern(String.raw`one|t\|wo|größe`))).toEqual(["one", "t|wo", "größe"]);
  expect(plainTexts(pattern("a.b|c", { syntax: "literal" }))).toEqual(["a.b|c"]);
  expect(plainTexts(pattern("Upper", { case: "smart" }))).toEqual(["Upper"]);
});

test.each([
  ["a.b"],
  [String.raw`\bword\b`],
  [String.raw`\<word`],
  ["a|"],
  ["|a"],
  ["a||b"],
  ["(a)"],
  ["a\nb"],
  ["a\r"],
  [String.raw`a\n`],
  ["x{2}"],
  ["a]"],
  ["^a"],
  ["\ud83d"],
])("%j is not only texts", (text) => {
  expect(plainTexts(pattern(text))).toBeNull();
});

test("letters of either case, whole words and PCRE2 are not only texts", () => {
  expect(plainTexts(pattern("word", { case: "insensitive" }))).toBeNull();
  expect(plainTexts(pattern("word", { case: "smart" }))).toBeNull();
  expect(plainTexts(pattern("word", { word: true }))).toBeNull();
  expect(plainTexts(pattern("word", { syntax: "pcre2" }))).toBeNull();
  expect(plainTexts(pattern(Array.from({ length: 17 }, (_, at) => `w${at}`).join("|")))).toBeNull();
});

test("every character of ASCII, by itself and behind a backslash, is plain only where Rust's parser takes it so", () => {
  const characters = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1));
  const plain = characters.flatMap((one) => [one, `\\${one}`]).filter(isPlain);
  const wrong = plain.filter((text) => {
    const [only = ""] = plainTexts(pattern(text)) ?? [text];
    return parse(text).kind !== "valid" || (only !== "|" && !build(`^(?:${text})$`).isMatch(only));
  });
  expect(wrong).toEqual([]);
  expect(plain.length).toBeGreaterThan(120);
});

const letters = fc.constantFrom("a", "b", "ab", "\\.", "\\(", "\\-", "|", "é", "😀", " ", "#", "]", "x");
const texts = fc.array(fc.constantFrom("a", "b", ".", "(", "-", "é", "😀", " ", "#", "x", "\n"), {
  maxLength: 40,
});

test("texts are found where a regex finds them", () => {
  const law = fc.property(fc.array(letters, { minLength: 1, maxLength: 8 }), texts, (parts, given) => {
    const [text, sought] = [given.join(""), parts.join("")];
    const plain = plainTexts(pattern(sought));
    fc.pre(plain !== null);
    const told = (finder: Finder): unknown[] => [
      finder.all(text),
      finder.first(text),
      finder.isMatch(text),
      finder.isMatchIn(Buffer.from(text)),
    ];
    expect(told(textFinder(plain))).toEqual(told(regexFinder(build(sought))));
  });
  fc.assert(law, { numRuns: 500 });
});
