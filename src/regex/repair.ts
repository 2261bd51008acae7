/**
 * Readings of a pattern that does not parse: what cannot be syntax is taken as text. `read.ts` tries them, one after
 * the other, and says so. Pure; what is syntax stays as it is.
 */
import { type Token, tokenize } from "./tokens.ts";

/**
 * `interface{}` becomes `interface\{\}`. A `$` before such a brace is text too, as in `${name}`: an end of line with
 * more of the line behind it matches nothing.
 */
export function escapeBraces(pattern: string): string {
  return tokenize(pattern)
    .map((token, index, all) =>
      isBrace(token) || (token.text === "$" && isBrace(all[index + 1])) ? `\\${token.text}` : token.text,
    )
    .join("");
}

/** `call(` becomes `call\(`, and `(?:` becomes `\(\?:`. A directive such as `(?i)` has no body and stays. */
export function escapeParentheses(pattern: string): string {
  return tokenize(pattern)
    .map(({ kind, text }) => {
      if (kind === "close") return `\\${text}`;
      return kind === "open" ? text.replace("(", "\\(").replace("?", "\\?") : text;
    })
    .join("");
}

function isBrace(token: Token | undefined): boolean {
  return token?.kind === "brace";
}
