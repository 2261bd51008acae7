/**
 * Every flag of the command line, once: its names, what its value may be, and what it does. The parser
 * (`arguments.ts`), the help (`help.ts`) and the names suggested for a mistyped flag are derived from this table.
 */

export const COMMANDS = ["search", "find", "read", "edit", "call", "mcp", "index", "doctor"] as const;

/** What `quarry index` does, each with flags and a page of its own. */
export const INDEX_COMMANDS = ["index status", "index build", "index verify", "index drop"] as const;

export type Command = (typeof COMMANDS)[number] | (typeof INDEX_COMMANDS)[number];

interface FlagBase {
  readonly in: readonly Command[];
  readonly group: "Matching" | "Files" | "Workspace" | "Server" | "Answer" | "Output";
  readonly short?: string;
  /** What it does; `{search: …, find: …}` where the commands differ. */
  readonly help: string | Readonly<Partial<Record<Command, string>>>;
}

export type Flag = FlagBase &
  (
    | { readonly type: "switch" }
    | { readonly type: "text" | "list" | "bytes"; readonly value: string }
    | { readonly type: "integer" | "decimal"; readonly value: string; readonly min: number }
    | { readonly type: "choice"; readonly value: string; readonly choices: readonly string[] }
  );

export const FLAGS = {
  regexp: {
    in: ["search"],
    group: "Matching",
    type: "list",
    short: "e",
    value: "PATTERN",
    help: "The pattern, where it starts with a dash",
  },
  "ignore-case": {
    in: ["search"],
    group: "Matching",
    type: "switch",
    short: "i",
    help: "Letters match in either case",
  },
  "smart-case": {
    in: ["search"],
    group: "Matching",
    type: "switch",
    short: "S",
    help: "As -i, unless the pattern has an upper-case letter",
  },
  "fixed-strings": {
    in: ["search"],
    group: "Matching",
    type: "switch",
    short: "F",
    help: "Take the pattern as plain text",
  },
  "word-regexp": {
    in: ["search"],
    group: "Matching",
    type: "switch",
    short: "w",
    help: "Match whole words only",
  },
  multiline: {
    in: ["search"],
    group: "Matching",
    type: "switch",
    short: "U",
    help: "Let a match span lines",
  },
  "multiline-dotall": {
    in: ["search"],
    group: "Matching",
    type: "switch",
    help: "With -U, let . match a newline too",
  },
  type: {
    in: ["search", "find"],
    group: "Files",
    type: "list",
    short: "t",
    value: "TYPE",
    help: "Only files of this type (ts, py, rust…); repeatable",
  },
  glob: {
    in: ["search", "find"],
    group: "Files",
    type: "list",
    short: "g",
    value: "GLOB",
    help: "Only files that match; !GLOB leaves out; repeatable",
  },
  kind: {
    in: ["find"],
    group: "Files",
    type: "choice",
    value: "KIND",
    choices: ["file", "dir", "all"],
    help: "What to list: file, dir or all (the default)",
  },
  "no-ignore": {
    in: ["search", "find"],
    group: "Files",
    type: "switch",
    help: "Look at what .gitignore and its kin leave out",
  },
  "no-require-git": {
    in: ["search", "find"],
    group: "Files",
    type: "switch",
    help: "Obey .gitignore outside git repositories too",
  },
  "no-hidden": {
    in: ["search", "find"],
    group: "Files",
    type: "switch",
    help: "Leave out hidden files and folders",
  },
  follow: {
    in: ["search", "find"],
    group: "Files",
    type: "switch",
    short: "L",
    help: "Follow symbolic links",
  },
  "max-filesize": {
    in: ["search", "find"],
    group: "Files",
    type: "bytes",
    value: "SIZE",
    help: "Leave out larger files: 500, 64K, 10M, 1G",
  },
  binary: {
    in: ["search"],
    group: "Files",
    type: "switch",
    help: "Say which binary files hold the pattern (slower)",
  },
  workdir: {
    in: ["read", "edit", "call", "mcp"],
    group: "Workspace",
    type: "text",
    value: "DIR",
    help: "The folder that paths are relative to: the current one",
  },
  "allow-dir": {
    in: ["read", "edit", "call", "mcp"],
    group: "Workspace",
    type: "list",
    value: "DIR",
    help: "A folder that may be touched, and no other but these; repeatable",
  },
  deny: {
    in: ["read", "edit", "call", "mcp"],
    group: "Workspace",
    type: "list",
    value: "GLOB",
    help: "What may not be touched, wherever it is; repeatable",
  },
  session: {
    in: ["read", "edit", "call"],
    group: "Workspace",
    type: "text",
    value: "NAME",
    help: "Keep tags, artifacts and scratch files between calls",
  },
  "read-only": {
    in: ["call", "mcp"],
    group: "Workspace",
    type: "switch",
    help: "Without the tools that change files",
  },
  dialect: {
    in: ["call", "mcp"],
    group: "Workspace",
    type: "choice",
    value: "NAME",
    choices: ["quarry", "claude", "boris"],
    help: "quarry (default), claude (Grep, Glob) or boris (grep, view, …)",
  },
  "anthropic-compat": {
    in: ["call", "mcp"],
    group: "Workspace",
    type: "switch",
    help: "With --dialect boris: the names Claude was trained on",
  },
  "disable-tools": {
    in: ["mcp"],
    group: "Workspace",
    type: "list",
    value: "NAME",
    help: "A tool that is not offered; repeatable",
  },
  "max-file-size": {
    in: ["mcp"],
    group: "Workspace",
    type: "bytes",
    value: "SIZE",
    help: "Larger files are not searched: 500, 64K, 10M, 1G",
  },
  index: {
    in: ["mcp"],
    group: "Workspace",
    type: "choice",
    value: "WHEN",
    choices: ["auto", "now", "off"],
    help: "An index: auto (default, once a search met many files), now or off",
  },
  "no-index": {
    in: ["search", "find", "read", "edit", "call", "mcp"],
    group: "Workspace",
    type: "switch",
    help: "Leave everything to ripgrep: no index is asked or built",
  },
  structured: {
    in: ["mcp"],
    group: "Server",
    type: "switch",
    help: "Answers carry their details as structured content too, for programs",
  },
  transport: {
    in: ["mcp"],
    group: "Server",
    type: "choice",
    value: "NAME",
    choices: ["stdio", "http"],
    help: "stdio (default) or http",
  },
  host: {
    in: ["mcp"],
    group: "Server",
    type: "text",
    value: "HOST",
    help: "Where http listens: 127.0.0.1; any other but loopback needs a token",
  },
  port: {
    in: ["mcp"],
    group: "Server",
    type: "integer",
    value: "PORT",
    min: 0,
    help: "Its port: 8080; 0 takes any that is free",
  },
  token: {
    in: ["mcp"],
    group: "Server",
    type: "text",
    value: "TOKEN",
    help: "What a client must send as its bearer token; better in QUARRY_TOKEN",
  },
  "generate-token": {
    in: ["mcp"],
    group: "Server",
    type: "switch",
    help: "Make one up and say it on stderr",
  },
  "allowed-host": {
    in: ["mcp"],
    group: "Server",
    type: "list",
    value: "NAME",
    help: "A Host header that is taken besides loopback and --host; repeatable",
  },
  "allowed-origin": {
    in: ["mcp"],
    group: "Server",
    type: "list",
    value: "NAME",
    help: "A host or an origin whose pages may call, from browsers too; repeatable",
  },
  "log-level": {
    in: ["mcp"],
    group: "Server",
    type: "choice",
    value: "LEVEL",
    choices: ["debug", "info", "warn", "error"],
    help: "What goes to stderr: debug, info (default of http), warn (of stdio), error",
  },
  "log-format": {
    in: ["mcp"],
    group: "Server",
    type: "choice",
    value: "FORMAT",
    choices: ["text", "json"],
    help: "text (default) or json",
  },
  "print-config": {
    in: ["mcp"],
    group: "Server",
    type: "text",
    value: "CLIENT",
    help: "Print what a client's configuration needs, and end",
  },
  details: {
    in: ["read", "edit", "call"],
    group: "Output",
    type: "switch",
    help: "The whole result as JSON, instead of its text",
  },
  mode: {
    in: ["search"],
    group: "Answer",
    type: "choice",
    value: "MODE",
    choices: ["content", "files", "count"],
    help: "content, files (names only) or count (matching lines)",
  },
  "after-context": {
    in: ["search"],
    group: "Answer",
    type: "integer",
    short: "A",
    value: "N",
    min: 0,
    help: "Show N lines after each match",
  },
  "before-context": {
    in: ["search"],
    group: "Answer",
    type: "integer",
    short: "B",
    value: "N",
    min: 0,
    help: "Show N lines before each match",
  },
  context: {
    in: ["search"],
    group: "Answer",
    type: "integer",
    short: "C",
    value: "N",
    min: 0,
    help: "Show N lines before and after; -A and -B win over it",
  },
  sort: {
    in: ["search", "find"],
    group: "Answer",
    type: "choice",
    value: "ORDER",
    choices: ["path", "mtime", "none"],
    help: {
      search: "path (the default), mtime (newest first) or none (as found)",
      find: "mtime (newest first, the default), path or none (as found)",
    },
  },
  limit: {
    in: ["search", "find"],
    group: "Answer",
    type: "integer",
    value: "N",
    min: 1,
    help: {
      search: "Files on a page: 20, and no limit with --json",
      find: "Paths on a page: 200, and no limit with --json",
    },
  },
  skip: {
    in: ["search", "find"],
    group: "Answer",
    type: "integer",
    value: "N",
    min: 0,
    help: {
      search: "Pass over the first N files: the next page",
      find: "Pass over the first N paths: the next page",
    },
  },
  all: {
    in: ["search", "find", "index status", "index drop"],
    group: "Answer",
    type: "switch",
    help: {
      search: "Everything: no page, no caps, whole lines",
      find: "Everything: no page",
      "index status": "Every saved index, with its size and its last use",
      "index drop": "Every saved index",
    },
  },
  force: {
    in: ["index drop"],
    group: "Answer",
    type: "switch",
    help: "Also one that a running process saves",
  },
  patterns: {
    in: ["index verify"],
    group: "Answer",
    type: "integer",
    value: "N",
    min: 0,
    help: "Random patterns that are searched by both: 100",
  },
  seed: {
    in: ["index verify"],
    group: "Answer",
    type: "integer",
    value: "N",
    min: 0,
    help: "The same number makes the same patterns of the same tree",
  },
  engine: {
    in: ["search", "find"],
    group: "Answer",
    type: "choice",
    value: "ENGINE",
    choices: ["auto", "ripgrep"],
    help: "auto (the default), or ripgrep: never ask an index",
  },
  timeout: {
    in: ["search", "find"],
    group: "Answer",
    type: "decimal",
    value: "SECONDS",
    min: 0.001,
    help: {
      search: "Answer with what is found by then: 20, on WSL 60",
      find: "Answer with what is found by then: 5",
    },
  },
  json: {
    in: ["search", "find", "index status", "index build", "index verify", "doctor"],
    group: "Output",
    type: "switch",
    help: {
      search: "One JSON object a line, the last a summary",
      find: "One JSON object a line, the last a summary",
      "index status": "The same as JSON, an object for each index",
      "index build": "What was built, as one JSON object",
      "index verify": "What was compared and what differs, as one JSON object",
      doctor: "The same as one JSON object",
    },
  },
  stats: {
    in: ["search", "find"],
    group: "Output",
    type: "switch",
    help: "What was done: files considered, searched, skipped; time",
  },
  color: {
    in: ["search", "find", "index status", "index build", "index verify", "index drop", "doctor"],
    group: "Output",
    type: "choice",
    value: "WHEN",
    choices: ["auto", "always", "never"],
    help: "auto (on a terminal, unless NO_COLOR is set), always or never",
  },
  help: {
    in: [
      "search",
      "find",
      "read",
      "edit",
      "call",
      "mcp",
      "index",
      "index status",
      "index build",
      "index verify",
      "index drop",
      "doctor",
    ],
    group: "Output",
    type: "switch",
    short: "h",
    help: "This text",
  },
} as const;

export type FlagName = keyof typeof FLAGS;

/** The flags of one type, by name. */
export type NameOf<T extends Flag["type"]> = {
  [N in FlagName]: (typeof FLAGS)[N]["type"] extends T ? N : never;
}[FlagName];

/** What a choice may be. */
export type ChoiceOf<N extends NameOf<"choice">> = (typeof FLAGS)[N]["choices"][number];

/** The flags of a command, in the order of the table. */
export function flagsOf(command: Command): [FlagName, Flag][] {
  const all: [FlagName, Flag][] = FLAG_NAMES.map((name) => [name, FLAGS[name]]);
  return all.filter(([, flag]) => flag.in.includes(command));
}

export function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

const FLAG_NAMES: readonly FlagName[] = Object.keys(FLAGS).filter(isFlagName);
