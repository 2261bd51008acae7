/**
 * What `grams.ts` parses for a pattern: one that matches whatever the pattern does, and takes far less time and memory
 * to build. Null where ripgrep's reading of the pattern is not known here, or takes too long to find out.
 */
import { GRAM_PATTERN, GRAM_QUERY } from "../model/limits.ts";
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

export function gramSource(pattern: Pattern): GramSource | null {
  if (unsafe(pattern) !== null) return null;
  const insensitive = isInsensitive(pattern);
  const literal = pattern.syntax === "literal" || !SYNTAX.test(pattern.text);
  if (literal) {
    // ripgrep refuses a newline in a search by line.
    if (!pattern.multiline && pattern.text.includes("\n")) return null;
    // The beginning of a long text tells enough.
    const text = Array.from(pattern.text).slice(0, GRAM_QUERY).join("");
    if (!insensitive) return { kind: "text", text };
    return {
      kind: "regex",
      text: regexOf({ ...pattern, syntax: "literal", text, case: "insensitive" }, "text"),
    };
  }
  if (pattern.text.length > GRAM_PATTERN) return null;
  const tokens = tokenize(pattern.text);
  // In a pattern with comments it may be a token's text that is none of it.
  const text = tokens.some(hasComments) ? pattern.text : tokens.map(wider).join("");
  return {
    kind: "regex",
    text: regexOf({ ...pattern, text, case: insensitive ? "insensitive" : "sensitive" }, "text"),
  };
}

const COMMENTS = /^\(\?[a-zA-Z]*x/;

function hasComments({ kind, text }: Token): boolean {
  return (kind === "flags" || kind === "open") && COMMENTS.test(text);
}

/** Any character, or any but a newline: `\w` is 796 ranges, all of which would be handed over. */
const WIDER = new Map([
  ["\\w", "[^\\n]"],
  ["\\d", "[^\\n]"],
  ["\\S", "[^\\n]"],
  ["\\W", "(?s:.)"],
  ["\\D", "(?s:.)"],
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
