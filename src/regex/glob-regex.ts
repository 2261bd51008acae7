/**
 * One glob as ripgrep's `-g` reads it, turned into the Rust regex it stands for. `glob.ts` compiles the result.
 * ripgrep matches globs byte by byte (`?` is one byte, `é` two), so the regex is over bytes, each written as the
 * character of that number; `toBytes` brings a path into the same form. Throws INVALID_GLOB where ripgrep refuses.
 */
import { ToolError } from "../model/errors.ts";
import { type CharClass, classAt } from "./glob-class.ts";

export interface GlobRegex {
  /** Without anchors. `.` is to match a newline. */
  readonly regex: string;
  readonly foldersOnly: boolean;
}

/** A glob and what it is read as. */
export interface ReadGlob extends GlobRegex {
  readonly glob: string;
}

// What `*` stands for, and `**` with the slashes around it: first, last, and in the middle.
const STAR = "[^/]*";
export const FOLDERS_BEFORE = "(?:/?|.*/)";
const ALL_BELOW = "/.*";
const FOLDERS_BETWEEN = "(?:/|/.*/)";

const ASCII = /^[\0-\x7f]*$/;

export function toBytes(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** As a line of an ignore file: without a slash before its end it matches at any depth, one at its end asks for a folder. */
export function globRegex(glob: string): GlobRegex {
  if (glob === "") throw invalid(glob, 0, "it is empty");
  if (glob.includes("\0")) throw invalid(glob, Array.from(glob).indexOf("\0"), "no name has a NUL character");
  const rooted = glob.startsWith("/");
  let body = rooted ? glob.slice(1) : glob;
  const foldersOnly = body.endsWith("/");
  if (foldersOnly) body = body.slice(0, body.endsWith("\\/") ? -2 : -1);
  const anywhere = !rooted && !body.includes("/");
  if (anywhere) body = `**/${body}`;
  const shift = (rooted ? 1 : 0) - (anywhere ? 3 : 0);
  const regex = translate(Array.from(body), (at, why) => invalid(glob, at + shift, why));
  return { regex, foldersOnly };
}

function invalid(glob: string, at: number, why: string): ToolError {
  return new ToolError(
    "INVALID_GLOB",
    `The glob \`${glob}\` does not parse: ${why}, at character ${at + 1}.`,
    {
      hint: "Put a backslash before a `[`, `{`, `}` or `\\` that is part of a name",
    },
  );
}

type Fail = (at: number, why: string) => ToolError;

/** From globset's grammar, its corners included: the property test holds them against ripgrep. */
function translate(chars: readonly string[], fail: Fail): string {
  const alternates: { at: number; outer: string[]; branches: string[][] }[] = [];
  let tokens: string[] = [];
  let at = 0;
  while (at < chars.length) {
    const char = chars[at] ?? "";
    const inner = alternates.at(-1);
    if (char === "*") {
      at = star(chars, at, tokens, inner !== undefined);
      continue;
    }
    if (char === "[") {
      const found = classAt(chars, at);
      if (found === null) throw fail(at, "`[` is not closed");
      if (found.backward !== null) throw fail(at, `\`${found.backward}\` is no range`);
      tokens.push(classRegex(found));
      at = found.end;
    } else if (char === "\\") {
      at += 1;
      const escaped = chars[at];
      if (escaped === undefined) throw fail(at - 1, "nothing follows the `\\`");
      tokens.push(bytesRegex(escaped));
    } else if (char === "{") {
      alternates.push({ at, outer: tokens, branches: [] });
      tokens = [];
    } else if (char === "," && inner !== undefined) {
      inner.branches.push(tokens);
      tokens = [];
    } else if (char === "}") {
      if (inner === undefined) throw fail(at, "`}` has no `{` before it");
      alternates.pop();
      inner.outer.push(anyOf([...inner.branches, tokens]));
      tokens = inner.outer;
    } else {
      tokens.push(char === "?" ? "[^/]" : bytesRegex(char));
    }
    at += 1;
  }
  const unclosed = alternates.at(-1);
  if (unclosed !== undefined) throw fail(unclosed.at, "`{` is not closed");
  return tokens.length === 1 && tokens[0] === FOLDERS_BEFORE ? ".*" : tokens.join("");
}

/** ripgrep leaves empty branches out: `a{,b}` is `ab` alone. */
function anyOf(branches: readonly string[][]): string {
  const filled = branches.map((tokens) => tokens.join("")).filter((regex) => regex !== "");
  return filled.length === 0 ? "" : `(?:${filled.join("|")})`;
}

/** Reads the stars at `at` and returns where they end. `**` goes through folders only when alone between slashes. */
function star(chars: readonly string[], at: number, tokens: string[], inBraces: boolean): number {
  const after = at + 2;
  const next = chars[after];
  const before = chars[at - 1];
  if (chars[at + 1] !== "*") {
    tokens.push(STAR);
    return at + 1;
  }
  const first = tokens.length === 0;
  const alone = first || before === "/" || (inBraces && (before === "," || before === "{"));
  const last = next === undefined || (inBraces && !first && (next === "," || next === "}"));
  if (!alone || (!last && next !== "/")) {
    tokens.push(STAR);
  } else if (first) {
    tokens.push(FOLDERS_BEFORE);
  } else {
    // The slash before the stars is part of what they stand for.
    const slash = tokens.pop();
    const merged = slash === FOLDERS_BEFORE || slash === ALL_BELOW;
    tokens.push(merged ? slash : last ? ALL_BELOW : FOLDERS_BETWEEN);
  }
  return alone && next === "/" ? after + 1 : after;
}

function classRegex({ negated, ranges }: CharClass): string {
  const inner = ranges.map(([from, to]) =>
    from === to ? bytesRegex(from) : `${bytesRegex(from)}-${bytesRegex(to)}`,
  );
  return `[${negated ? "^" : ""}${inner.join("")}]`;
}

/** Several bytes in a class are several members of it, as in ripgrep: `[é]` matches either byte of `é`, never both. */
function bytesRegex(text: string): string {
  return toBytes(text).replace(
    /[^0-9A-Za-z]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
