/**
 * What Rust's regex crate says of a pattern: that it is valid, why it is not, or nothing. `read.ts` asks whether a
 * pattern parses, `glob.ts` builds matchers. Undecided means that ripgrep may know better: its limits are higher and
 * it matches bytes. A parser's error is the one ripgrep gives, for the pattern alone, with the caret under the place.
 */
import { PARSED_CLASSES, PARSED_LENGTH } from "../model/limits.ts";
import { build } from "./instance.ts";
import { tokenize } from "./tokens.ts";

export interface Invalid {
  readonly kind: "invalid";
  readonly error: string;
}
export type Parsed = { readonly kind: "valid" } | { readonly kind: "undecided" } | Invalid;
export type Compiled = Matcher | { readonly kind: "undecided" } | Invalid;

export interface Matcher {
  readonly kind: "matcher";
  isMatch(text: string): boolean;
}

const CLASS = /\[|\\[wWdDsSpP]/g;

/**
 * Repeated zero times, a pattern is parsed in full and compiled to nothing: 0.1 ms where `\w{100}` takes 50. The
 * newline ends a comment. A pattern that could gain by the wrapping, or that does not parse in it, is asked alone.
 */
export function parse(pattern: string): Parsed {
  if (pattern.length > PARSED_LENGTH) return { kind: "undecided" };
  if ((pattern.match(CLASS)?.length ?? 0) > PARSED_CLASSES) return { kind: "undecided" };
  const wrapped = compile(`(?:${pattern}\n){0}`);
  const decided = wrapped.kind === "matcher" && standsAlone(pattern) ? wrapped : compile(pattern);
  return decided.kind === "matcher" ? { kind: "valid" } : decided;
}

export function compile(pattern: string): Compiled {
  try {
    const regex = build(pattern);
    return { kind: "matcher", isMatch: (text) => regex.isMatch(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const syntax = message.startsWith("regex parse error") && !message.endsWith("can match invalid UTF-8");
    return syntax ? { kind: "invalid", error: message } : { kind: "undecided" };
  }
}

/** Closes no group that it did not open, and ends in no backslash. */
function standsAlone(pattern: string): boolean {
  const tokens = tokenize(pattern);
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === "open") depth += 1;
    if (kind === "close") depth -= 1;
    if (depth < 0) return false;
  }
  return tokens.at(-1)?.text !== "\\";
}
