/**
 * Reads a pattern as it was typed into the Pattern that will be matched. `tools/` calls it once a search. It refuses
 * what cannot be read, with the parser's own words; it repairs what can only have been meant as text, hands to PCRE2
 * what only PCRE2 knows, and says both in a notice. What it cannot decide it leaves to ripgrep.
 */
import { ToolError } from "../model/errors.ts";
import type { Notice } from "../model/notice.ts";
import type { Case, Pattern } from "../model/query.ts";
import { type Invalid, type Parsed, parse } from "./compile.ts";
import { parsedHoldsNewline, textHoldsNewline } from "./newline.ts";
import { isPlain } from "./plain-texts.ts";
import { escapeBraces, escapeParentheses } from "./repair.ts";
import { tokenize } from "./tokens.ts";

export interface PatternRequest {
  readonly pattern: string;
  readonly literal: boolean;
  readonly word: boolean;
  readonly case: Case;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

interface Reading {
  readonly text: string;
  readonly syntax: Pattern["syntax"];
  readonly notices: readonly Notice[];
  readonly holdsNewline: (text: string) => boolean;
}

/** Nothing in it that can be wrong. */
const ALWAYS_PARSES = /^[^\\*+?()[\]{}]*$/;

/** Which error each repair answers to. Each is tried once. */
const REPAIRS: readonly { readonly answers: RegExp; readonly apply: (pattern: string) => string }[] = [
  { answers: /repetition|decimal|word boundary/, apply: escapeBraces },
  { answers: /unclosed group|unopened group/, apply: escapeParentheses },
];

export function readPattern(request: PatternRequest): { pattern: Pattern; notices: Notice[] } {
  const { pattern: source, word, dotAll } = request;
  refuseUnsearchable(source);
  const { text, syntax, holdsNewline, notices } = request.literal ? literally(source) : read(source);
  // Letters that match in either case are classes, and so `(a|\n)`, one class by itself, no longer is one.
  const newline =
    !request.multiline &&
    (holdsNewline(text) ||
      (request.case !== "sensitive" && syntax === "rust" && holdsNewline(`(?i)${text}`)));
  const spans: Notice[] = newline
    ? [{ code: "MULTILINE_USED", message: "The pattern holds a newline, so it is matched across lines" }]
    : [];
  const multiline = request.multiline || newline;
  return {
    pattern: { source, text, syntax, case: request.case, word, multiline, dotAll },
    notices: [...notices, ...spans],
  };
}

function refuseUnsearchable(pattern: string): void {
  // Blanks that cannot be seen, such as a non-breaking one, are searched for because they cannot be seen.
  if (/^[ \t\r\n]*$/.test(pattern)) {
    throw new ToolError("INVALID_PATTERN", "The pattern is empty", {
      hint: "Give the text or the regular expression to search for; `\\s` finds blanks",
    });
  }
  if (pattern.includes("\0")) {
    throw new ToolError("INVALID_PATTERN", "The pattern holds a NUL character, which no text file has", {
      hint: "Search for the text around it",
    });
  }
}

function literally(text: string): Reading {
  return { text, syntax: "literal", notices: [], holdsNewline: (text) => text.includes("\n") };
}

function read(source: string): Reading {
  // What always parses needs nothing to be loaded.
  const parsed: Parsed = ALWAYS_PARSES.test(source) || isPlain(source) ? { kind: "valid" } : parse(source);
  return parsed.kind === "invalid" ? readBroken(source, parsed) : rust(source, parsed, []);
}

function readBroken(source: string, given: Invalid): Reading {
  let text = source;
  let parsed: Parsed = given;
  const untried = new Set(REPAIRS);
  while (parsed.kind === "invalid") {
    const why = reason(parsed);
    const feature = onlyInPcre2(text, why);
    if (feature !== null) return pcre2(text, feature, repaired(source, text, given));
    const repair = REPAIRS.find((repair) => untried.has(repair) && repair.answers.test(why));
    if (repair === undefined) throw unreadable(given);
    untried.delete(repair);
    text = repair.apply(text);
    parsed = parse(text);
  }
  return rust(text, parsed, repaired(source, text, given));
}

function rust(text: string, parsed: Parsed, notices: readonly Notice[]): Reading {
  const holdsNewline = parsed.kind === "valid" ? parsedHoldsNewline : textHoldsNewline;
  return { text, syntax: "rust", notices, holdsNewline };
}

function pcre2(text: string, feature: string, notices: readonly Notice[]): Reading {
  const used: Notice = {
    code: "PCRE2_USED",
    message: `The pattern uses ${feature}, so it is matched by PCRE2`,
  };
  return { text, syntax: "pcre2", notices: [...notices, used], holdsNewline: textHoldsNewline };
}

/** The last line of a parser's error says what is wrong. */
function reason({ error }: Invalid): string {
  return error.slice(error.lastIndexOf("\n") + 1).replace("error: ", "");
}

/** Rust's parser names look-around and numbered back-references; PCRE2's other forms are unknown letters to it. */
function onlyInPcre2(text: string, why: string): string | null {
  if (why.startsWith("look-around")) return "look-around";
  if (why.startsWith("backreferences")) return "a back-reference";
  if (why !== "unrecognized escape sequence" && why !== "unrecognized flag") return null;
  const tokens = tokenize(text);
  const named = tokens.some(
    (token, index) =>
      token.text === "(?P=" ||
      (/^\\[kg]$/.test(token.text) && /^[<{'\d]/.test(tokens[index + 1]?.text ?? "")),
  );
  if (named) return "a back-reference";
  return tokens.some((token) => token.text === "(?>") ? "an atomic group" : null;
}

function repaired(source: string, text: string, given: Invalid): Notice[] {
  if (text === source) return [];
  const message = `The pattern does not parse as given (${reason(given)}); it was read as: ${text}`;
  return [{ code: "PATTERN_REPAIRED", message }];
}

function unreadable({ error }: Invalid): ToolError {
  return new ToolError("INVALID_PATTERN", `The pattern does not parse. ${error}`, {
    hint: "Put a backslash before the character that is meant as text, or search for the whole pattern as literal text",
  });
}
