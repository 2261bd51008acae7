/**
 * Cuts a pattern in Rust's syntax, valid or not, into tokens. `repair.ts`, `newline.ts`, `compile.ts` and `read.ts`
 * walk them where the parser cannot be asked: it does not read broken patterns, nor those that are PCRE2's.
 * The tokens joined are the pattern. Linear in its length.
 */

export interface Token {
  readonly kind:
    | "text"
    /** A backslash and what belongs to it: `\n`, `\x0A`, `\p{Greek}`, `\pL`, `\b{start}`. */
    | "escape"
    /** From `[` to its `]`. */
    | "class"
    /** A directive without a body: `(?i)`, `(?s-m)`. */
    | "flags"
    /** `(` with what makes it special: `(?:`, `(?P<name>`, `(?=`. */
    | "open"
    | "close"
    | "bar"
    /** `*`, `+`, `?`, and `{2}`, `{2,}`, `{2,4}` behind something that can be repeated. */
    | "quantifier"
    /** A brace that belongs to none of these. */
    | "brace";
  readonly text: string;
}

const TEXT = /[^\\[(){}|*+?$]+/y;
const ESCAPE =
  /\\(?:[pPxuU]\{[^{}\\]*\}|[pP][A-Za-z]|b\{(?:start|end)(?:-half)?\}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[^])?/uy;
const FLAGS = /\(\?(?=[^)])[imsUuRx]*(?:-[imsUuRx]+)?\)/y;
const OPEN = /\((?:\?(?:P?<[\p{L}\p{N}_.[\]]+>|[imsUuRx-]*:|<?[=!]|P=|>))?/uy;
const COUNT = /\{\s*(\d+)\s*(,\s*(?:(\d+)\s*)?)?\}/y;
const POSIX = /\[:\^?[a-z]+:\]/y;
const CLASS_START = /\[\^?(?:-+|\]?)/y;

const GIVEN_FLAGS = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?[:)]$/;

/** A count is an unsigned integer of 32 bits. */
const MAX_COUNT = 2 ** 32 - 1;

export function tokenize(pattern: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const token = next(pattern, at, tokens.at(-1));
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

/** For each token, whether `(?-u)` leaves Unicode on there. A directive counts up to the end of its group. */
export function unicodeIn(tokens: readonly Token[]): boolean[] {
  const outer: boolean[] = [];
  let unicode = true;
  return tokens.map(({ kind, text }) => {
    const before = unicode;
    if (kind === "open") outer.push(unicode);
    if (kind === "close") unicode = outer.pop() ?? unicode;
    const [, on = "", off = ""] = (kind === "open" || kind === "flags" ? GIVEN_FLAGS.exec(text) : null) ?? [];
    if (on.includes("u")) unicode = true;
    if (off.includes("u")) unicode = false;
    return before;
  });
}

function next(pattern: string, at: number, before: Token | undefined): Token {
  const char = pattern.charAt(at);
  switch (char) {
    case "\\":
      return { kind: "escape", text: matchAt(ESCAPE, pattern, at) ?? char };
    case "[":
      return { kind: "class", text: pattern.slice(at, classEnd(pattern, at)) };
    case "(": {
      const flags = matchAt(FLAGS, pattern, at);
      if (flags !== null) return { kind: "flags", text: flags };
      return { kind: "open", text: matchAt(OPEN, pattern, at) ?? char };
    }
    case ")":
      return { kind: "close", text: char };
    case "|":
      return { kind: "bar", text: char };
    case "*":
    case "+":
    case "?":
      return { kind: "quantifier", text: char };
    case "{": {
      const count = repeatable(before) ? countAt(pattern, at) : null;
      return count === null ? { kind: "brace", text: char } : { kind: "quantifier", text: count };
    }
    case "}":
      return { kind: "brace", text: char };
    default:
      return { kind: "text", text: matchAt(TEXT, pattern, at) ?? char };
  }
}

function matchAt(expression: RegExp, text: string, at: number): string | null {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? null;
}

/** An opening brace that is no quantifier is none to repeat either: `{{2}}` is text. */
function repeatable(before: Token | undefined): boolean {
  if (before === undefined || before.text === "{") return false;
  return before.kind !== "open" && before.kind !== "bar" && before.kind !== "flags";
}

function countAt(pattern: string, at: number): string | null {
  COUNT.lastIndex = at;
  const match = COUNT.exec(pattern);
  if (match === null) return null;
  const least = Number(match[1]);
  const most = Number(match[3] ?? least);
  return least <= most && most <= MAX_COUNT ? match[0] : null;
}

/** Where the class that opens at `start` ends; the end of the pattern when nothing closes it. */
function classEnd(pattern: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if (char === "\\") {
      at += 2;
    } else if (char === "[") {
      const posix = depth === 0 ? null : matchAt(POSIX, pattern, at);
      if (posix === null) depth += 1;
      at += (posix ?? matchAt(CLASS_START, pattern, at) ?? char).length;
    } else {
      at += 1;
      if (char === "]") depth -= 1;
      if (depth === 0) return at;
    }
  }
  return pattern.length;
}
