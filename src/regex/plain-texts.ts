/**
 * Patterns that are texts and nothing else: an identifier, a call with its bracket escaped, a few of them with bars
 * between. Agents mostly send such, and for those no regex has to be built, nor the engine of them loaded. Asked by
 * whoever would parse or build a pattern. In doubt it is a regex.
 */
import { PARSED_LENGTH, PLAIN_TEXTS } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { isInsensitive } from "./smart-case.ts";

/** Of which the first that fits is matched; null: the pattern is more than that, or may be. */
export function plainTexts(pattern: Pattern): readonly string[] | null {
  const { text, syntax, word } = pattern;
  if (syntax === "pcre2" || word || isInsensitive(pattern)) return null;
  const texts = syntax === "literal" ? [text] : textsIn(text);
  return texts !== null && texts.length <= PLAIN_TEXTS && texts.every(isOfOneLine) ? texts : null;
}

/** Whether a pattern in Rust's syntax is nothing but texts: it parses, whatever else is asked of it. */
export function isPlain(text: string): boolean {
  return text.length <= PARSED_LENGTH && PLAIN.test(text);
}

function textsIn(text: string): readonly string[] | null {
  return isPlain(text) ? unescaped(text) : null;
}

/** Punctuation that means itself behind a backslash; `\<` and `\>` do not. */
const ESCAPED = String.raw`\\[!"#$%&'()*+,\-./:;=?@[\\\]^_${"`"}{|}~]`;
const PLAIN = new RegExp(String.raw`^(?:[^\\.+*?()|[\]{}^$]|\||${ESCAPED})+$`);
const PARTS = new RegExp(String.raw`\||${ESCAPED}|[^\\|]+`, "g");

function unescaped(pattern: string): string[] {
  const texts = [""];
  for (const [part] of pattern.matchAll(PARTS)) {
    if (part === "|") texts.push("");
    else texts.push(`${texts.pop()}${part.startsWith("\\") ? part.slice(1) : part}`);
  }
  return texts;
}

/** Something, without a line's end and without half a character. */
function isOfOneLine(text: string): boolean {
  return text !== "" && !/[\r\n\0]|\p{Surrogate}/u.test(text);
}
