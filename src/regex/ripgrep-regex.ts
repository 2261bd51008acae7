/**
 * Writes a Pattern as the one regular expression that ripgrep compiles of it: flags, smart case, whole words, plain
 * text. `matcher.ts` builds it. For a search by line, no part of it matches a newline any more, as in ripgrep, so that
 * a block of lines can be searched at once.
 */
import type { Pattern } from "../model/query.ts";
import { isInsensitive } from "./smart-case.ts";
import { type Token, tokenize } from "./tokens.ts";

const META = /[\\.+*?()|[\]{}^$#&\-~]/g;
const NUL = /\\(?:x00|[xuU]\{0+\}|u0000|U00000000)/;
const CLASS = /^\\[wWdDsSpP]/;
const NEWLINE = /^\\(?:n|x0[aA]|[xuU]\{0*[aA]\}|u000[aA]|U0000000[aA])$/;
const BYTES = /\(\?[a-zA-Z]*-[a-zA-Z]*u/;
/** By bytes these hold between two bytes of a character, where ripgrep finds an empty match and rregex does not. */
const INTO = /\\B|-half\}/;
const FLAGS = /^\(\?([imsUuRx-]*)[:)]$/;

/** Why ripgrep's answer cannot be had here, or null. */
export function unsafe({ text, syntax, case: letters }: Pattern): string | null {
  if (syntax === "pcre2") return "PCRE2";
  if (syntax === "literal") return null;
  if (NUL.test(text)) return "a NUL character, which ripgrep refuses";
  const tokens = tokenize(text);
  const flags = tokens.map(flagsOf).join("");
  if (flags.includes("R")) return "line ends with a carriage return";
  if (flags.includes("x") && letters === "smart") return "smart case in a pattern with comments";
  if (BYTES.test(text) && INTO.test(text)) return "a look into the middle of a character";
  if (/-[^-]*m/.test(flags)) return "an anchor that ripgrep tests in its own buffer";
  const holds = (escape: string): boolean =>
    tokens.some(({ kind, text }) => kind === "escape" && text === escape);
  // Such a pattern is not rewritten, and in a block of lines there is one end only.
  if (flags.includes("x") && holds("\\z")) return "the end of a text in a pattern with comments";
  // ripgrep tests `\A` once in the line and once, for what is printed, in its own buffer.
  return holds("\\A") ? "an anchor that ripgrep tests in its own buffer" : null;
}

export function regexOf(pattern: Pattern, scope: "line" | "text"): string {
  const flags = `m${isInsensitive(pattern) ? "i" : ""}${pattern.multiline && pattern.dotAll ? "s" : ""}`;
  const body =
    pattern.syntax === "literal"
      ? pattern.text.replace(META, "\\$&")
      : scope === "line"
        ? withinLine(pattern.text)
        : pattern.text;
  return pattern.word ? `\\b{start-half}(?${flags}:(?:${body}))\\b{end-half}` : `(?${flags}:(?:${body}))`;
}

/** With comments in it, a pattern stays as it is: then a match in a block may cross lines, and the lines decide. */
function withinLine(text: string): string {
  const tokens = tokenize(text);
  return tokens.some((token) => flagsOf(token).includes("x")) ? text : tokens.map(withoutNewline).join("");
}

function withoutNewline({ kind, text }: Token): string {
  if (kind === "class" || (kind === "escape" && (CLASS.test(text) || NEWLINE.test(text)))) {
    // Not by what is no newline: without Unicode that is any byte, which is no text.
    return `[${text}--\\n]`;
  }
  if (kind === "escape") return text === "\\z" ? "$" : text;
  return kind === "text" ? text.replaceAll(".", "(?-s:.)") : text;
}

function flagsOf({ kind, text }: Token): string {
  return kind === "flags" || kind === "open" ? (FLAGS.exec(text)?.[1] ?? "") : "";
}
