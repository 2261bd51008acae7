/** Random patterns: pieces of Rust's syntax, well and badly put together. */
import * as fc from "fast-check";

const chars = (text: string): string[] => text.split("");

const QUANTIFIERS = ["*", "+", "?", "{2}", "{2,}", "{1,3}", "{0}", "{ 2 }"];
const ATOMS = [
  ...chars("aBé .^$|"),
  "foo",
  String.raw`\w`,
  String.raw`\s`,
  String.raw`\b`,
  String.raw`\.`,
  String.raw`\n`,
  String.raw`\x0a`,
  String.raw`\x{A}`,
  String.raw`\u{e9}`,
  String.raw`\pL`,
  String.raw`\p{Greek}`,
  String.raw`\b{start}`,
  String.raw`\{`,
  "[a-z]",
  "[^x]",
  "[]a]",
  "[{}]",
  "[^-a]",
  "[\\n]",
  "[\\s]",
  "[a\\n]",
  "[[:alpha:]{]",
  "[a[b]{2}]",
];
const GROUPS = ["(", "(?:", "(?i:", ")", ")", "(?i)", "(?s-m)"];
const BROKEN = [
  ...chars("{}[\\"),
  "{,2}",
  "{x}",
  "{3,1}",
  "{99999999999}",
  "[z-a]",
  "(?",
  "(?q)",
  "(?P<n>",
  "(?=",
  "(?<!",
  String.raw`\1`,
  String.raw`\q`,
  String.raw`\p{Nope}`,
  String.raw`\b{no}`,
  String.raw`(?-u)`,
  String.raw`\xff`,
];

/** Mostly valid ones, as good as never with a brace that is text. */
export const soundPattern: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...ATOMS, ...ATOMS, ...QUANTIFIERS, ...GROUPS), { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(""));

/** Half of them broken. */
export const anyPattern: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...ATOMS, ...ATOMS, ...QUANTIFIERS, ...GROUPS, ...BROKEN), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) => pieces.join(""));
