/**
 * What `grams.ts` parses for a pattern: one that matches whatever the pattern does, and takes far less time and memory
 * to build. Null where ripgrep's reading of the pattern is not known here, or takes too long to find out.
 */
import {
  GRAM_LARGE_CLASSES,
  GRAM_LETTERS,
  GRAM_PATTERN,
  GRAM_PATTERN_ANY_CASE,
  GRAM_QUERY,
} from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { regexOf, unsafe } from "./ripgrep-regex.ts";
import { isInsensitive } from "./smart-case.ts";
import { type Token, tokenize } from "./tokens.ts";

export interface GramSource {
  /** Text that is matched as it is, or a regular expression. */
  readonly kind: "text" | "regex";
  readonly text: string;
}

const SYNTAX = /[\\.+*?()|[\]{}^$]/;
const EITHER_CASE = /\(\?[a-zA-Z]*i/;
/** Classes that are hundreds of ranges each. */
const LARGE = /\\[wWdDpP]/g;

export function gramSource(pattern: Pattern): GramSource | null {
  if (unsafe(pattern) !== null) return null;
  const insensitive = isInsensitive(pattern);
  const literal = pattern.syntax === "literal" || !SYNTAX.test(pattern.text);
  if (literal && !insensitive) return plain(pattern);
  const text = literal ? beginning(pattern.text, GRAM_LETTERS) : widened(pattern);
  const most = insensitive || EITHER_CASE.test(text) ? GRAM_PATTERN_ANY_CASE : GRAM_PATTERN;
  if (text.length > most || (text.match(LARGE)?.length ?? 0) > GRAM_LARGE_CLASSES) return null;
  const syntax = literal ? "literal" : pattern.syntax;
  const letters = insensitive ? "insensitive" : "sensitive";
  return { kind: "regex", text: regexOf({ ...pattern, syntax, text, case: letters }, "text") };
}

/** ripgrep refuses a newline in a search by line. */
function plain({ text, multiline }: Pattern): GramSource | null {
  return text.includes("\n") && !multiline ? null : { kind: "text", text: beginning(text, GRAM_QUERY) };
}

/** The beginning of a long text tells enough. */
function beginning(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join("");
}

/** In a pattern with comments, what looks like a token may be none. */
function widened({ text, multiline }: Pattern): string {
  const tokens = tokenize(text);
  if (tokens.some(hasComments)) return text;
  return tokens.map((token) => (multiline ? wider(token) : widerByLine(token))).join("");
}

const COMMENTS = /^\(\?[a-zA-Z]*x/;

function hasComments({ kind, text }: Token): boolean {
  return (kind === "flags" || kind === "open") && COMMENTS.test(text);
}

const ANY = "(?s:.)";
const LARGE_CLASS = /^\[\^|\\[wWdDsSpP]|\[:/;
const PROPERTY = /^\\[pP]/;

/** Where no newline can match, it makes no difference whether a class holds it. */
function widerByLine(token: Token): string {
  const { kind, text } = token;
  if (kind === "class" && LARGE_CLASS.test(text) && !/&&|--/.test(text)) return ANY;
  return kind === "escape" && PROPERTY.test(text) ? ANY : wider(token);
}

/** Any character, or any but a newline: `\w` is 796 ranges, all of which would be handed over. */
const WIDER = new Map([
  [String.raw`\w`, String.raw`[^\n]`],
  [String.raw`\d`, String.raw`[^\n]`],
  [String.raw`\S`, String.raw`[^\n]`],
  [String.raw`\W`, ANY],
  [String.raw`\D`, ANY],
]);
const COUNT = /^\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}$/;
/** `a{4}` tells the same as `a{400}`, which is built a hundred times as slowly. */
const TIMES = 4;

function wider({ kind, text }: Token): string {
  if (kind === "escape") return WIDER.get(text) ?? text;
  const [, least, comma, most] = (kind === "quantifier" ? COUNT.exec(text) : null) ?? [];
  if (least === undefined) return text;
  const upTo = comma === "" ? Number(least) : most === "" ? TIMES : Number(most);
  return upTo > TIMES ? `{${Math.min(Number(least), TIMES)},}` : text;
}
