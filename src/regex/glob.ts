/**
 * Sets of globs with ripgrep's meaning, matched in process. `engine/` and `tools/` use them where ripgrep is not asked
 * or knows no such question. A set is one Rust regex, so matching is linear whatever the globs are; the plain ones
 * that most are need none (`glob-quick.ts`).
 * `!` and `#` mean themselves here and blanks are kept: they are syntax of ripgrep's command line, not of a glob.
 */
import { ToolError } from "../model/errors.ts";
import { GLOB_SET_LENGTH } from "../model/limits.ts";
import { compile, type Matcher } from "./compile.ts";
import { quickTest } from "./glob-quick.ts";
import { globRegex, type ReadGlob, toBytes } from "./glob-regex.ts";

export { escapeGlob, nameGlob } from "./glob-name.ts";

export interface GlobSet {
  /** Does any of the globs match? The path has `/` and is relative to where the globs are anchored. */
  matches(path: string, kind: "file" | "folder"): boolean;
  /** The same of a path with one character for each byte. */
  matchesBytes(path: string, kind: "file" | "folder"): boolean;
}

/** What a session denies by, in its own thread and in an index's alike. */
export function pathMatcher(globs: readonly string[]): (path: string, kind: "file" | "folder") => boolean {
  const set = compileGlobs(globs, "path");
  return (path, kind) => set.matches(path, kind);
}

/** Against `name`, only the last segment of a path is looked at. */
export function compileGlobs(globs: readonly string[], against: "path" | "name"): GlobSet {
  const read = globs.map((glob) => ({ glob, ...globRegex(glob) }));
  const ofKind = (only: boolean): ((bytes: string) => boolean) => {
    const globs = read.filter(({ foldersOnly }) => foldersOnly === only);
    return quickTest(globs, () => sureTest(globs)) ?? sureTest(globs);
  };
  const anyKind = ofKind(false);
  const folders = ofKind(true);
  const matchesBytes: GlobSet["matchesBytes"] = (path, kind) => {
    const bytes = against === "name" ? path.slice(path.lastIndexOf("/") + 1) : path;
    return anyKind(bytes) || (kind === "folder" && folders(bytes));
  };
  return { matchesBytes, matches: (path, kind) => matchesBytes(toBytes(path), kind) };
}

function sureTest(globs: readonly ReadGlob[]): (bytes: string) => boolean {
  const matchers = compileAll(globs);
  return (bytes) => matchers.some((matcher) => matcher.isMatch(bytes));
}

/** One matcher for all, or several where one would be too large. */
function compileAll(globs: readonly ReadGlob[]): Matcher[] {
  const [first] = globs;
  if (first === undefined) return [];
  const regex = `(?s)^(?:${globs.map(({ regex }) => regex).join("|")})$`;
  const single = globs.length === 1;
  const compiled = single || regex.length <= GLOB_SET_LENGTH ? compile(regex) : null;
  if (compiled?.kind === "matcher") return [compiled];
  if (single) {
    throw new ToolError("INVALID_GLOB", `The glob \`${first.glob}\` is too large to match`, {
      hint: "Split it into several globs",
    });
  }
  const half = Math.ceil(globs.length / 2);
  return [...compileAll(globs.slice(0, half)), ...compileAll(globs.slice(half))];
}
