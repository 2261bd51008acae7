/**
 * What `grams.ts` parses for a pattern: one that matches whatever the pattern does, and takes far less time and memory
 * to build. Null where ripgrep's reading of the pattern is not known here, or takes too long to find out.
 */
import {
  GRAM_LARGE_CLASSES,
  GRAM_LETTERS,
  GRAM_PATTERN,
  GRAM_PATTERN_ANY_CASE,
  GRAM_PROPERTIES,
  GRAM_TEXT,
} from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { plainTexts } from "./plain-texts.ts";
import { regexOf, unsafe } from "./ripgrep-regex.ts";
import { isInsensitive } from "./smart-case.ts";
import { type Token, tokenize, unicodeIn } from "./tokens.ts";
import { asciiOf, hasComments, widerClass, widerEscape } from "./wide.ts";

export type GramSource =
  /** Texts that are matched as they are; of a long one, its beginning. */
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  /** A regular expression. */
  | { readonly kind: "regex"; readonly text: string };

const SYNTAX = /[\\.+*?()|[\]{}^$]/;
const EITHER_CASE = /\(\?[a-zA-Z]*i/;
/** Classes that are hundreds of ranges each. */
const LARGE = /\\[wWdDpP]/g;

export function gramSource(pattern: Pattern): GramSource | null {
  const plain = plainTexts(pattern);
  if (plain !== null) return { kind: "texts", texts: plain.map((text) => beginning(text, GRAM_TEXT)) };
  if (unsafe(pattern) !== null) return null;
  const insensitive = isInsensitive(pattern);
  const literal = pattern.syntax === "literal" || !SYNTAX.test(pattern.text);
  if (literal && !insensitive) return literally(pattern);
  const given = literal ? beginning(pattern.text, GRAM_LETTERS) : pattern.text;
  const most = insensitive || EITHER_CASE.test(given) ? GRAM_PATTERN_ANY_CASE : GRAM_PATTERN;
  if (given.length > most) return null;
  const text = literal ? given : widened(pattern);
  if ((text.match(LARGE)?.length ?? 0) > GRAM_LARGE_CLASSES) return null;
  const syntax = literal ? "literal" : pattern.syntax;
  const letters = insensitive ? "insensitive" : "sensitive";
  return { kind: "regex", text: regexOf({ ...pattern, syntax, text, case: letters }, "text") };
}

/** ripgrep refuses a newline in a search by line. */
function literally({ text, multiline }: Pattern): GramSource | null {
  return text.includes("\n") && !multiline ? null : { kind: "texts", texts: [beginning(text, GRAM_TEXT)] };
}

/** The beginning of a long text tells enough. */
function beginning(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join("");
}

/** In a pattern with comments, what looks like a token may be none. */
function widened({ text, multiline }: Pattern): string {
  const tokens = tokenize(text);
  if (hasComments(tokens)) return text;
  const unicode = unicodeIn(tokens);
  const properties = text.match(PROPERTY)?.length ?? 0;
  // Where no newline can match, it makes no difference whether a class holds it.
  const any = multiline ? null : ANY;
  return tokens
    .map((token, at) => {
      if (unicode[at] === false) return widerAscii(token);
      if (any !== null && isLarge(token, properties)) return any;
      return token.kind === "class" ? (widerClass(token.text) ?? any ?? token.text) : wider(token);
    })
    .join("");
}

const ANY = "(?s:.)";
const PROPERTY = /\\[pP](?:\{[^{}]*\})?/g;
const SCRIPT = /^\\p\{(?:(?:sc|script|Script)=)?(\w+)\}$/;

/** A class of letters that is not one script, or one of too many. */
function isLarge({ kind, text }: Token, properties: number): boolean {
  if (kind !== "escape" && kind !== "class") return false;
  const own = text.match(PROPERTY) ?? [];
  return own.length > 0 && (properties > GRAM_PROPERTIES || !own.every(isScript));
}

/** One that JavaScript knows as well; others are longer, but for some that are hardly ever asked for. */
function isScript(property: string): boolean {
  const [, name] = SCRIPT.exec(property) ?? [];
  try {
    return name !== undefined && new RegExp(`\\p{Script=${name}}`, "u").unicode;
  } catch {
    return false;
  }
}

/** Without Unicode these are small as they are; the others match bytes that are no text. */
const IN_ASCII = /^\\[wd]$/;

function widerAscii(token: Token): string {
  const { kind, text } = token;
  if (kind === "escape") return IN_ASCII.test(text) ? `[${asciiOf(text) ?? text}]` : text;
  return wider(token);
}

const COUNT = /^\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}$/;
/** `a{4}` tells the same as `a{400}`, which is built a hundred times as slowly. */
const TIMES = 4;

function wider({ kind, text }: Token): string {
  if (kind === "escape") return widerEscape(text);
  const [, least, comma, most] = (kind === "quantifier" ? COUNT.exec(text) : null) ?? [];
  if (least === undefined) return text;
  const upTo = comma === "" ? Number(least) : most === "" ? TIMES : Number(most);
  return upTo > TIMES ? `{${Math.min(Number(least), TIMES)},}` : text;
}
