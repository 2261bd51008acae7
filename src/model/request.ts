import type { BinaryTest, Case, IgnoreRules, Mode, Order } from "./query.ts";

/**
 * What was typed: the input of `search()` and `find()`, as a caller gives it.
 * What is left out is filled in from `DEFAULTS`.
 */

interface ScopeRequest {
  /** The folder that paths are relative to. @default process.cwd() */
  readonly root?: string | undefined;
  /**
   * Files, folders and globs, relative to the root or absolute. A path that exists is a path, whatever
   * characters it has; otherwise `*.ts` means any depth and `src/*.ts` only there. @default the root
   */
  readonly paths?: string | readonly string[] | undefined;
  /** Only files that match one of these globs, of those that the ignore rules left. */
  readonly include?: string | readonly string[] | undefined;
  /** No files or folders that match one of these globs. */
  readonly exclude?: string | readonly string[] | undefined;
  /** Match include and exclude globs against base names alone. @default false */
  readonly globsMatchNames?: boolean | undefined;
  /** Only files of these types, by ripgrep's names. */
  readonly types?: string | readonly string[] | undefined;
  /** Only files whose names match one of these globs: a type that ripgrep does not know. */
  readonly typeGlobs?: string | readonly string[] | undefined;
  /** Names of folders not to enter. */
  readonly skipFolders?: string | readonly string[] | undefined;
  /** Ignore files: ripgrep's rules, those outside git repositories too, or none. @default "on" */
  readonly ignore?: IgnoreRules | undefined;
  /** Look at hidden files and folders. @default true */
  readonly hidden?: boolean | undefined;
  /** Follow symbolic links; loops are cut. @default false */
  readonly follow?: boolean | undefined;
  /** Leave out files over this many bytes. @default no limit */
  readonly maxFileSize?: number | undefined;
  /** How long it may take, in milliseconds; what was found by then is the answer. */
  readonly timeoutMs?: number | undefined;
  /** Ends the work and rejects. */
  readonly signal?: AbortSignal | undefined;
  /** `ripgrep` never asks an index. @default "auto" */
  readonly engine?: "auto" | "ripgrep" | undefined;
}

export interface SearchRequest extends ScopeRequest {
  /** A regular expression in Rust's syntax; look-around and back-references are handed to PCRE2. */
  readonly pattern: string;
  /** Take the pattern as plain text. @default false */
  readonly literal?: boolean | undefined;
  /** Match whole words only. @default false */
  readonly word?: boolean | undefined;
  /** `smart` is insensitive unless the pattern has an upper-case letter. @default "sensitive" */
  readonly case?: Case | undefined;
  /** Let a match span lines; on by itself when the pattern holds a newline. @default false */
  readonly multiline?: boolean | undefined;
  /** With multiline, let `.` match a newline. @default false */
  readonly dotAll?: boolean | undefined;
  /** Lines of context before and after each match. @default 0 */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** Matches, names of files with matches, or matching lines per file. @default "content" */
  readonly mode?: Mode | undefined;
  /** By path; by modification time, newest first; or as found, streamed at once. @default "path" */
  readonly order?: Order | undefined;
  /** Hand out this many files, after the first `skipFiles`. @default all */
  readonly maxFiles?: number | undefined;
  readonly skipFiles?: number | undefined;
  /** Hand out this many matches in all, and of one file. @default all */
  readonly maxMatches?: number | undefined;
  readonly maxPerFile?: number | undefined;
  /** How binary files are told. @default "ripgrep" */
  readonly binary?: BinaryTest | undefined;
  /** Read binary files to the end and say how many hold the pattern. @default false */
  readonly reportBinary?: boolean | undefined;
}

export interface FindRequest extends ScopeRequest {
  /** Files, folders or both. @default "all" */
  readonly kinds?: "all" | "files" | "folders" | undefined;
  /** By modification time, newest first; by path; or as found, streamed at once. @default "mtime" */
  readonly order?: Order | undefined;
  /** Hand out this many entries, after the first `skip`. @default all */
  readonly limit?: number | undefined;
  readonly skip?: number | undefined;
}

type Filled<T, K extends keyof T> = { readonly [P in K]-?: Exclude<T[P], undefined> };

/** Every default of a request, in one place. What is not here has none, and means no limit. */
export const DEFAULTS: Readonly<{
  scope: Filled<ScopeRequest, "paths" | "globsMatchNames" | "ignore" | "hidden" | "follow" | "engine">;
  search: Filled<
    SearchRequest,
    | "literal"
    | "word"
    | "case"
    | "multiline"
    | "dotAll"
    | "before"
    | "after"
    | "mode"
    | "order"
    | "skipFiles"
    | "binary"
    | "reportBinary"
  >;
  find: Filled<FindRequest, "kinds" | "order" | "skip">;
  /** Folders of version control, never entered unless a path names them. */
  vcsFolders: readonly string[];
}> = {
  scope: {
    paths: ["."],
    globsMatchNames: false,
    ignore: "on",
    hidden: true,
    follow: false,
    engine: "auto",
  },
  search: {
    literal: false,
    word: false,
    case: "sensitive",
    multiline: false,
    dotAll: false,
    before: 0,
    after: 0,
    mode: "content",
    order: "path",
    skipFiles: 0,
    binary: "ripgrep",
    reportBinary: false,
  },
  find: { kinds: "all", order: "mtime", skip: 0 },
  vcsFolders: [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"],
};
