/**
 * What was meant. A Query has every default filled in, every path looked at and the pattern read;
 * nothing behind `normalise` asks whether something was given.
 */

export type Case = "sensitive" | "insensitive" | "smart";
export type Mode = "content" | "files" | "count";
export type Order = "path" | "mtime" | "none";

/**
 * `on`: ripgrep's own rules, where `.gitignore` counts inside git repositories only;
 * `everywhere`: `.gitignore` counts outside them too; `off`: no ignore rules at all.
 */
export type IgnoreRules = "on" | "everywhere" | "off";

/** How a binary file is told: as ripgrep does, by a NUL byte, or by its first 512 bytes. */
export type BinaryTest = "ripgrep" | "first-bytes";

/**
 * What is done with symbolic links met in a walk. `skip`: nothing; `follow`: as `rg --follow` does, to files too and as
 * often as they lead somewhere; `once`: links to folders that the session may see, each folder once.
 */
export type Links = "skip" | "follow" | "once";

export type PatternSyntax = "rust" | "pcre2" | "literal";

/** The pattern as it will be matched. */
export interface Pattern {
  /** As it was given. */
  readonly source: string;
  /** As it is read, after repairs. */
  readonly text: string;
  readonly syntax: PatternSyntax;
  readonly case: Case;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** One place to look: a file, or a folder with an optional glob for what lies below it. */
export interface Target {
  /** Relative to the root with `/`, `.` for the root itself, absolute when outside it. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Matched against paths relative to `path`; null means everything. */
  readonly glob: string | null;
}

/** Which files a search or a find looks at. */
export interface Scope {
  /** The absolute folder that paths are relative to, and ripgrep's working folder. */
  readonly root: string;
  readonly targets: readonly Target[];
  /** A file must match one of these, if there are any. Applied to what the ignore rules left. */
  readonly include: readonly string[];
  /** Match include globs against the base name alone. */
  readonly includeNames: boolean;
  /** What is left out, version control and folders to skip among it, unless a target names it. */
  readonly exclude: readonly string[];
  /** ripgrep's type names; a file must be of one of them, or match one of `typeGlobs`, if there are any. */
  readonly types: readonly string[];
  readonly typeGlobs: readonly string[];
  readonly ignore: IgnoreRules;
  readonly hidden: boolean;
  readonly links: Links;
  /** Larger files are skipped. */
  readonly maxFileSize: number | null;
  /** `ripgrep`: no index is asked. */
  readonly engine: "auto" | "ripgrep";
}

export interface Query extends Scope {
  readonly pattern: Pattern;
  readonly mode: Mode;
  readonly before: number;
  readonly after: number;
  readonly order: Order;
  readonly binary: BinaryTest;
  /** Read binary files to the end, to say which of them hold the pattern. */
  readonly reportBinary: boolean;
  readonly page: Page;
  readonly timeoutMs: number;
}

export interface FindQuery extends Scope {
  readonly kinds: "all" | "files" | "folders";
  readonly order: Order;
  readonly limit: number | null;
  readonly skip: number;
  readonly timeoutMs: number;
}

/** Display limits: what is handed out of what was found. */
export interface Page {
  readonly skipFiles: number;
  readonly maxFiles: number | null;
  readonly maxMatches: number | null;
  readonly maxPerFile: number | null;
}
