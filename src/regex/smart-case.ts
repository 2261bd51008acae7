/**
 * Does a pattern match letters of either case? `ripgrep-regex.ts` asks. Smart case is decided as ripgrep does, on the
 * literals of the pattern, escaped or in a class: there are some, and none is upper-case. `\W`, `\pL` and `[:upper:]`
 * are no literals, `\x41` is one.
 */
import type { Pattern } from "../model/query.ts";
import { tokenize } from "./tokens.ts";

const UPPER_CASE = /\p{Uppercase}/u;
const CODE_POINT = /^\\(?:[xuU]\{([\dA-Fa-f]+)\}|x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))$/;
const NO_LITERAL = /^\\(?:[wWdDsSpPAzBb<>]|$)/;
/** The start of a class, with the hyphens or the bracket that are literals there. */
const CLASS_START = /^\[\^?(-+|\]?)/;
const CLASS_PART =
  /\[:\^?[a-z]+:\]|\\(?:[pPxuU]\{[^{}\\]*\}|[pP][A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[^])|&&|--|~~|[^]/gu;

export function isInsensitive({ text, syntax, case: letters }: Pattern): boolean {
  if (letters !== "smart") return letters === "insensitive";
  const found = syntax === "literal" ? text : literals(text);
  return found !== "" && !UPPER_CASE.test(found);
}

function literals(pattern: string): string {
  return tokenize(pattern)
    .map(({ kind, text }) => {
      if (kind === "text") return text.replace(/[.^$]/g, "");
      if (kind === "escape") return ofEscape(text);
      if (kind === "class") return ofClass(text);
      return kind === "brace" ? text : "";
    })
    .join("");
}

function ofEscape(text: string): string {
  const code = CODE_POINT.exec(text)
    ?.slice(1)
    .find((digits) => digits !== undefined);
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  // Of an escaped letter that is left, `\n` or `\t`, only that there is one counts.
  return NO_LITERAL.test(text) ? "" : text.slice(1);
}

/** A hyphen between two literals adds nothing to what they say. */
function ofClass(text: string): string {
  const start = CLASS_START.exec(text);
  const first = start?.[1] ?? "";
  const rest = text.slice(start?.[0].length ?? 0);
  const parts = Array.from(rest.matchAll(CLASS_PART), ([part]) => part);
  return first + parts.map(ofPart).join("");
}

function ofPart(part: string): string {
  if (part.startsWith("\\")) return ofEscape(part);
  // `[^` of a class within the class is read as two parts; neither has a case.
  return /^(?:\[:.*|&&|--|~~|[[\]^])$/.test(part) ? "" : part;
}
