import type { Query, Scope } from "../model/query.ts";

/**
 * ripgrep's arguments, built by pure functions from a fixed list of flags. Patterns and paths never stand
 * where a flag could: the pattern follows `-e`, the paths follow `--`. What the caller asked for is a
 * Query; what only concerns this run of the program is an
 * Invocation.
 */

export interface Invocation {
  /** Where to look, as ripgrep's operands, or the text that it is given on stdin. */
  readonly operands: readonly string[] | "stdin";
  /** Only files whose base names match one of these: a first sieve, the caller looks closer. */
  readonly nameGlobs: readonly string[];
  /** One thread, after the system refused more. */
  readonly singleThread: boolean;
  /** Have ripgrep say on stderr what it leaves out. */
  readonly explain: boolean;
  /** Not even which files are too large. @default false */
  readonly silent?: boolean | undefined;
  /** 1: only what lies in the operands themselves. @default all depths */
  readonly maxDepth?: number | undefined;
}

const CASE = {
  sensitive: "--case-sensitive",
  insensitive: "--ignore-case",
  smart: "--smart-case",
} as const;

export function searchArgv(query: Query, invocation: Invocation): string[] {
  const { pattern } = query;
  return [
    "--no-config",
    "--json",
    "--no-mmap",
    ...matching(pattern),
    ...flag(query.binary === "first-bytes", "--text"),
    // Only one of the two counts, the last.
    ...flag(query.reportBinary && query.binary === "ripgrep", "--binary"),
    ...flagged("--max-count", maxCount(query)),
    ...context(query),
    ...walk(query, invocation),
    "-e",
    pattern.text,
    "--",
    ...operands(invocation),
  ];
}

/** Of a text on stdin, `OFFSET:` and at most one letter of every matching line. */
export function offsetsArgv({ pattern }: Query, singleThread: boolean): string[] {
  return [
    "--no-config",
    "--no-heading",
    "--no-filename",
    "--no-line-number",
    "--byte-offset",
    "--max-columns=1",
    "--color=never",
    ...matching(pattern),
    ...flag(singleThread, "--threads=1"),
    "-e",
    pattern.text,
    "--",
    "-",
  ];
}

function matching(pattern: Query["pattern"]): string[] {
  return [
    CASE[pattern.case],
    ...flag(pattern.syntax === "literal", "--fixed-strings"),
    ...flag(pattern.syntax === "pcre2", "--pcre2"),
    ...flag(pattern.word, "--word-regexp"),
    ...flag(pattern.multiline, "--multiline"),
    ...flag(pattern.multiline && pattern.dotAll, "--multiline-dotall"),
  ];
}

export function listArgv(scope: Scope, invocation: Invocation): string[] {
  return [
    "--no-config",
    "--files",
    "--null",
    "--color=never",
    ...walk(scope, invocation),
    "--",
    ...operands(invocation),
  ];
}

export const typeListArgv: readonly string[] = ["--no-config", "--type-list"];
export const versionArgv: readonly string[] = ["--no-config", "--version"];

function walk(scope: Scope, invocation: Invocation): string[] {
  // There is nothing to walk, and nothing of this holds for stdin.
  if (invocation.operands === "stdin") return flag(invocation.singleThread, "--threads=1");
  return [
    ...flag(scope.ignore === "off", "--no-ignore"),
    ...flag(scope.ignore === "everywhere", "--no-require-git"),
    ...flag(scope.hidden, "--hidden"),
    ...flag(scope.links === "follow", "--follow"),
    ...flagged("--max-depth", invocation.maxDepth ?? null),
    ...flagged("--max-filesize", scope.maxFileSize),
    ...flag(invocation.explain || (scope.maxFileSize !== null && invocation.silent !== true), "--debug"),
    ...flag(invocation.singleThread, "--threads=1"),
    ...scope.types.map((type) => `--type=${type}`),
    ...typeOf([...scope.typeGlobs, ...invocation.nameGlobs]),
    ...scope.exclude.map((glob) => `--glob=!${guardBlanks(glob)}`),
  ];
}

/** A type of our own, by globs on base names. */
function typeOf(globs: readonly string[]): string[] {
  if (globs.length === 0) return [];
  return [...globs.map((glob) => `--type-add=quarry:${glob}`), "--type=quarry"];
}

/**
 * How many matching lines ripgrep looks for in a file. One more than is shown tells that something was cut. Not
 * across lines: ripgrep 15.0 panics in its JSON printer when the last line it may show holds the start of a match
 * that it may not.
 */
export function maxCount(query: Query): number | null {
  if (query.pattern.multiline) return null;
  if (query.mode === "files") return 1;
  if (query.mode === "content" && query.page.maxPerFile !== null) return query.page.maxPerFile + 1;
  return null;
}

function context(query: Query): string[] {
  if (query.mode !== "content") return [];
  return [
    ...(query.before > 0 ? [`--before-context=${query.before}`] : []),
    ...(query.after > 0 ? [`--after-context=${query.after}`] : []),
  ];
}

function operands({ operands }: Invocation): string[] {
  return operands === "stdin" ? ["-"] : operands.map(operand);
}

/** Even behind `--`, a lone dash is stdin to ripgrep. */
function operand(path: string): string {
  if (path === ".") return "./";
  return path === "-" ? "./-" : path;
}

/** ripgrep drops blanks of every kind at the end of a glob, as in an ignore file; in braces they stay. */
function guardBlanks(glob: string): string {
  return glob.replace(/(?<!\\)((?:\\\\)*)\\?([\s\u0085]+)$/u, "$1{$2}");
}

function flagged(name: string, value: number | null): string[] {
  return value === null ? [] : [`${name}=${value}`];
}

function flag(on: boolean, name: string): string[] {
  return on ? [name] : [];
}
