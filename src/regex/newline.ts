/**
 * Does a pattern hold a newline of its own, so that it can only match across lines? `read.ts` asks, to turn multiline
 * on. Decided as ripgrep does, on the parsed pattern: a literal newline counts, a class that holds one (`\s`, `[^a]`)
 * does not. What Rust's parser did not read is decided on its tokens.
 */
import type { Hir } from "rregex";
import { build } from "./instance.ts";
import { type Token, tokenize } from "./tokens.ts";

const NEWLINE = String.raw`\n|\\(?:n|x0[aA]|[xuU]\{0*[aA]\}|u000[aA]|U0000000[aA])`;
const SOMEWHERE = new RegExp(NEWLINE);
const NOTHING_ELSE = new RegExp(`^(?:${NEWLINE}|\\[(?:${NEWLINE})\\])$`);
const CLASS_ESCAPE = /^\\([wWdDsSpP])/;
const AT_MOST_ONCE = /^\{\s*0*[01]\s*(?:,\s*0*[01]\s*)?\}$/;

/** For a pattern that Rust's parser takes. */
export function parsedHoldsNewline(pattern: string): boolean {
  if (!SOMEWHERE.test(pattern)) return false;
  const tokens = tokenize(pattern);
  if (tokens.every(({ kind }) => kind === "text")) return true;
  try {
    const regex = build(tokens.map(cheaper).join(""));
    const holds = inLiteral(regex.syntax());
    regex.free();
    return holds;
  } catch {
    return tokens.some(isNewline);
  }
}

/** For any other. */
export function textHoldsNewline(pattern: string): boolean {
  return SOMEWHERE.test(pattern) && tokenize(pattern).some(isNewline);
}

function isNewline({ kind, text }: Token): boolean {
  return kind === "text" ? text.includes("\n") : NOTHING_ELSE.test(text);
}

/** The same pattern for this question, at a fraction of the cost: `\w` is 770 ranges, and `{100}` a hundred copies. */
function cheaper({ kind, text }: Token): string {
  const letter = kind === "escape" ? CLASS_ESCAPE.exec(text)?.[1] : undefined;
  if (letter !== undefined) return `[${letter}_]`;
  const counted = kind === "quantifier" && text.startsWith("{");
  return counted && !AT_MOST_ONCE.test(text) ? "+" : text;
}

function inLiteral({ kind }: Hir): boolean {
  switch (kind["@variant"]) {
    case "Literal":
      return kind["@values"][0]["@values"][0].includes(0x0a);
    case "Concat":
    case "Alternation":
      return kind["@values"][0].some(inLiteral);
    case "Repetition":
    case "Capture":
      return inLiteral(kind["@values"][0].sub);
    case "Empty":
    case "Class":
    case "Look":
    default:
      return false;
  }
}
