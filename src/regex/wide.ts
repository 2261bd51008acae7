/**
 * `\w` is 796 ranges, and takes 0.4 ms and some memory for each time it stands in a pattern. What stands for it here, and
 * for `\d`, is a few: exact in ASCII, and beyond it wide enough to miss nothing. `gram-source.ts` parses it. `matcher.ts`
 * looks with it for `\w` first, and asks for all ranges only where a line beyond ASCII matches.
 */
import { WIDE_COPIES } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { isInsensitive } from "./smart-case.ts";
import { type Token, tokenize, unicodeIn } from "./tokens.ts";

const WIDER = new Map([
  [String.raw`\w`, String.raw`[^\x00-/:-@\[-\^\x60\{-\x7f]`],
  [String.raw`\d`, String.raw`(?:[0-9]|[^\x00-\x{65f}])`],
  [String.raw`\W`, "[^0-9A-Za-z_]"],
  [String.raw`\D`, "[^0-9]"],
]);
/** The part of each that is ASCII. */
const ASCII = new Map([
  [String.raw`\w`, "0-9A-Za-z_"],
  [String.raw`\d`, "0-9"],
  [String.raw`\W`, String.raw`\x00-/:-@\[-\^\x60\{-\x7f`],
  [String.raw`\D`, String.raw`\x00-/:-\x7f`],
]);
const BEYOND_ASCII = String.raw`[^\x00-\x7f]`;
const LARGE_IN_CLASS = /\\[wWdD]/;
/** A hyphen there is an error, and beside what stands for the class it might be a range. */
const IN_RANGE = /\\[wWdD]-(?!\]$)|(?<!^\[\^?)-\\[wWdD]/;
const IN_CLASS_OPERATORS = /&&|--|~~|.\[(?!:)/s;
const COMMENTS = /^\(\?[a-zA-Z]*x/;

/** The part of an escape that is ASCII, as it stands in a class; null: it is none of the large ones. */
export function asciiOf(escape: string): string | null {
  return ASCII.get(escape) ?? null;
}

export function widerEscape(escape: string): string {
  return WIDER.get(escape) ?? escape;
}

/**
 * Of the large classes in a class only what is ASCII is left. That widens a negated class; one that is not may match
 * anything else beyond ASCII. Null where it is not that simple.
 */
export function widerClass(text: string): string | null {
  if (!LARGE_IN_CLASS.test(text)) return text;
  if (IN_CLASS_OPERATORS.test(text) || IN_RANGE.test(text)) return null;
  const ascii = text.replace(/\\[^]/gu, (escape) => asciiOf(escape) ?? escape);
  return text.startsWith("[^") ? ascii : `(?:${ascii}|${BEYOND_ASCII})`;
}

/** Whether what looks like a token may be none. */
export function hasComments(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, text }) => (kind === "flags" || kind === "open") && COMMENTS.test(text));
}

/** Those that are worth it: building `\d` takes a fifth of the time. */
const LARGEST = /\\[wW]/;

/**
 * A pattern that matches the same in ASCII, and whatever it does beyond; null: it would be the pattern itself, or that is
 * so large that nobody knows whether it can be built.
 */
export function widerPattern(pattern: Pattern): Pattern | null {
  if (pattern.syntax !== "rust" || !LARGEST.test(pattern.text)) return null;
  const tokens = tokenize(pattern.text);
  if (hasComments(tokens) || copies(tokens) > WIDE_COPIES) return null;
  const unicode = unicodeIn(tokens);
  const text = tokens.map((token, at) => (unicode[at] === false ? token.text : wider(token))).join("");
  // Told by the letters that were typed.
  const letters = isInsensitive(pattern) ? "insensitive" : "sensitive";
  return text === pattern.text ? null : { ...pattern, text, case: letters };
}

function wider({ kind, text }: Token): string {
  if (kind === "escape") return LARGEST.test(text) ? widerEscape(text) : text;
  return kind === "class" && LARGEST.test(text) ? (widerClass(text) ?? text) : text;
}

const LARGE = /^\\[wWdDpP]|^\[/;
const COUNT = /^\{\s*(\d+)\s*,?\s*(\d*)\s*\}$/;

/** How often large classes are built: `(\w\w){9}` has eighteen. */
function copies(tokens: readonly Token[]): number {
  const outer: number[] = [];
  let sum = 0;
  let last = 0;
  for (const { kind, text } of tokens) {
    if (kind === "open") {
      outer.push(sum);
      sum = 0;
    } else if (kind === "close") {
      last = sum;
      sum += outer.pop() ?? 0;
    } else if (kind === "quantifier") {
      const [, least = "1", most = ""] = COUNT.exec(text) ?? [];
      const times = Math.max(1, Number(least), Number(most));
      sum += last * (times - 1);
      last *= times;
    } else {
      last = (kind === "escape" || kind === "class") && LARGE.test(text) ? 1 : 0;
      sum += last;
    }
  }
  return sum;
}
