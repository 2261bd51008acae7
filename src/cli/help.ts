/**
 * The text of `--help`: examples first, because they teach; then every flag, from the table. Called by `run` and
 * by the commands.
 */
import { COMMANDS, type Command, type Flag, type FlagName, flagsOf, INDEX_COMMANDS } from "./flags.ts";
import { unknownCommand } from "./unknown.ts";

interface Page {
  readonly usage: string;
  readonly about: readonly string[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly notes: readonly string[];
}

const EXIT =
  "Exit code: 0 with results, 1 without, 2 on an error, or without when not all could be searched.";

const PAGES: Readonly<Record<Command, Page>> = {
  search: {
    usage: "quarry search PATTERN [PATH...]",
    about: [
      "Search the contents of files for a regular expression, exactly as ripgrep would.",
      "A PATH is a file, a folder or a glob; without one, the current folder is searched.",
    ],
    examples: [
      ["quarry search 'fn \\w+_init'", "a regular expression, in the current folder"],
      ["quarry search -F 'a[0]' src test", "plain text, in two folders"],
      ["quarry search -i todo '*.ts'", "either case, in TypeScript files at any depth"],
      ["quarry search -w -t py -C 2 parse", "whole words, Python files, 2 lines around"],
      ["quarry search -g '!test/**' -g '*.c' x", "C files, but none below test/"],
      ["quarry search --mode files deprecated", "only the names of the files"],
      ["quarry search -U 'foo\\(\\n\\s*bar'", "a match over two lines"],
      ["quarry search -e -verbose", "a pattern that starts with a dash"],
      ["quarry search --skip 20 import", "the second page"],
      ["quarry search --json import", "everything, for a program"],
    ],
    notes: [
      "Ignore files count as in ripgrep; hidden files are searched, .git and its like are not.",
      "In a pipe, stdout holds the results alone; what is said about them goes to stderr.",
      EXIT,
    ],
  },
  find: {
    usage: "quarry find [GLOB...]",
    about: [
      "List files and folders, newest first.",
      "A GLOB may be a path, too; without one, everything below the current folder is listed.",
    ],
    examples: [
      ["quarry find '*.ts'", "TypeScript files at any depth"],
      ["quarry find 'src/*.ts' docs", "those right in src/, and all of docs/"],
      ["quarry find --kind dir 'test*'", "folders whose names start with test"],
      ["quarry find -t rust --sort path", "Rust files by path"],
      ["quarry find -g '!*.min.js' '*.js'", "JavaScript, but none that is minified"],
      ["quarry find --no-ignore --all '*.log'", "ignored ones too, and all of them"],
      ["quarry find --json '*.md'", "for a program"],
    ],
    notes: ["Ignore files count as in ripgrep; a folder ends in /.", EXIT],
  },
  read: {
    usage: "quarry read PATH[:LINES]",
    about: [
      "Read a file, a folder, a member of an archive, a database or a URL, as an agent does.",
      "Lines are numbered under a tag, which quarry edit takes.",
    ],
    examples: [
      ["quarry read src/a.ts", "the file, or the outline of a long one"],
      ["quarry read src/a.ts:50-100,200-", "some lines, and a few around them"],
      ["quarry read server.log:-20", "the last lines of a file of any size"],
      ["quarry read src/a.ts:raw", "as it is, without numbers"],
      ["quarry read src/a.ts:conflicts", "unresolved merge conflicts"],
      ["quarry read src", "a folder, as a tree"],
      ["quarry read a.zip:src/b.ts", "a member of an archive"],
      ["quarry read 'app.db:users?limit=5&order=id:desc'", "rows of a SQLite database"],
      ["quarry read 'app.db?q=SELECT count(*) FROM users'", "a query that only reads"],
    ],
    notes: [
      "Everything that you may read can be read, unless --allow-dir says otherwise.",
      "Tags are kept in the session `shell`; --session NAME takes another.",
      "Exit code: 0 with an answer, 2 on an error.",
    ],
  },
  edit: {
    usage: "quarry edit [FILE]",
    about: [
      "Change files by a patch, from FILE or from stdin, against lines that quarry read has shown.",
      "All files of a patch are changed, or none.",
    ],
    examples: [
      ["quarry edit change.patch", "a patch from a file"],
      [`printf '¶a.ts#1F2A\\ndelete 4\\n' | quarry edit`, "one from stdin"],
    ],
    notes: [
      "A patch: ¶PATH#TAG, then replace N..M:, delete N..M, insert before N:, insert after N:,",
      "insert head:, insert tail:, replace block N:, delete block N, insert after block N:;",
      "the rows to put there begin with +. quarry read docs://tools has all of it.",
      "Exit code: 0 when it was done, 2 when it was refused; then nothing was changed.",
    ],
  },
  call: {
    usage: "quarry call TOOL JSON",
    about: [
      "Call a tool as an agent does, and see exactly what it gets: search, find, read, edit, write.",
      "JSON is the tool's input; - reads it from stdin.",
    ],
    examples: [
      [`quarry call search '{"pattern":"TODO"}'`, "the first page, with tags"],
      [`quarry call search '{"pattern":"x","paths":"a.ts:10-90"}'`, "some lines of one file"],
      [`quarry call find '{"paths":"*.ts"}' --details`, "the whole result, for a program"],
      [`quarry call search '{"pattern":"x"}' --deny '*.pem'`, "some files withheld"],
      [`quarry call search '{"pattern":"x"}' --session s1`, "tags that a later call knows"],
    ],
    notes: ["Exit code: 0 with an answer, 2 when the tool says it is an error."],
  },
  mcp: {
    usage: "quarry mcp [--workdir DIR]",
    about: [
      "Serve the tools to an MCP client: over stdio, as most clients start it, or over HTTP.",
      "Every flag has a twin in the environment: --allow-dir is QUARRY_ALLOW_DIR.",
    ],
    examples: [
      ["quarry mcp --workdir .", "over stdio, for a client's configuration"],
      ["quarry mcp --print-config claude-code", "that configuration"],
      ["quarry mcp --read-only --dialect claude", "Grep and Glob, nothing that changes files"],
      ["quarry mcp --transport http --port 8080", "http://127.0.0.1:8080/mcp"],
      ["quarry mcp --transport http --generate-token", "the same, and only with the token"],
    ],
    notes: [
      "Without --allow-dir the working folder is all that may be touched.",
      "quarry.json, or quarry in package.json, in the working folder may narrow that, never widen it.",
    ],
  },
  index: {
    usage: "quarry index status|build|verify|drop [DIR]",
    about: [
      "The saved index of a folder, with which a server answers in milliseconds what ripgrep would answer.",
      "Without DIR it is that of the current folder. Servers build and keep theirs by themselves.",
    ],
    examples: [
      ["quarry index status", "whether there is one, how large and how fresh it is"],
      ["quarry index build", "make it now, so that the next server has it from its start"],
      ["quarry index verify", "compare it with the disk and with ripgrep"],
      ["quarry index drop", "remove it"],
      ["quarry help index build", "the flags of one of them"],
    ],
    notes: ["quarry mcp --no-index, or QUARRY_INDEX=off, goes without one."],
  },
  "index status": {
    usage: "quarry index status [DIR]",
    about: [
      "Show what is saved of a folder's index, how far it is behind the files, and why ripgrep was asked",
      "instead in the last session. Nothing is built or changed.",
    ],
    examples: [
      ["quarry index status", "of the current folder"],
      ["quarry index status --all", "every saved index"],
      ["quarry index status --json ~/project", "for a program"],
    ],
    notes: ["Exit code: 0 with an index, 1 without, 2 on an error."],
  },
  "index build": {
    usage: "quarry index build [DIR]",
    about: [
      "Build the index of a folder, or bring the saved one up to date, and save it. What is damaged of it",
      "is built anew. Interrupted, it leaves what was saved before.",
    ],
    examples: [
      ["quarry index build", "of the current folder"],
      ["QUARRY_INDEX_MAX_FILES=2000000 quarry index build /srv/all", "of more files than usual"],
    ],
    notes: ["Exit code: 0 when it is built, 2 on an error, 130 when it was interrupted."],
  },
  "index verify": {
    usage: "quarry index verify [DIR]",
    about: [
      "Bring the saved index up to date and compare it: its files with those on the disk, its answers to",
      "random patterns, made from words of the files, with ripgrep's.",
    ],
    examples: [
      ["quarry index verify", "with 100 patterns"],
      ["quarry index verify --patterns 1000 --seed 7", "with others, and the same ones each time"],
    ],
    notes: ["Exit code: 0 without a difference, 1 with one, 2 on an error."],
  },
  "index drop": {
    usage: "quarry index drop [DIR]",
    about: ["Remove the saved index of a folder, which need not be there any more."],
    examples: [
      ["quarry index drop", "that of the current folder"],
      ["quarry index drop --all", "every saved index"],
    ],
    notes: ["Exit code: 0 when it is removed, 1 when there is none, 2 on an error."],
  },
  doctor: {
    usage: "quarry doctor",
    about: [
      "Show what quarry runs on: Node, ripgrep, the time limit, the index of the current folder; and what",
      "is wrong with it.",
    ],
    examples: [["quarry doctor --json", "the same, for a program or a bug report"]],
    notes: ["Exit code: 0 when all is well, 2 when something is not."],
  },
};

const OVERVIEW = `quarry: code search for coding agents, and for you

  quarry search PATTERN [PATH...]   search the contents of files
  quarry find [GLOB...]             list files and folders
  quarry read PATH[:LINES]          read a file, folder, archive or database
  quarry edit [FILE]                change files by a patch
  quarry call TOOL JSON             call a tool as an agent does
  quarry mcp                        serve the tools to an MCP client
  quarry index status|build|…       the index with which a server answers
  quarry doctor                     show what quarry runs on
  quarry help COMMAND               examples and every flag
  quarry --version

Try
  quarry search 'TODO|FIXME'
  quarry search -t ts -C 2 'async function'
  quarry find '*.md'
`;

/** The overview, or the page of one command. */
export function help(name: string | undefined): string {
  if (name === undefined) return OVERVIEW;
  const command = [...COMMANDS, ...INDEX_COMMANDS].find((one) => one === name);
  if (command === undefined) throw unknownCommand(name);
  return commandHelp(command);
}

export function commandHelp(command: Command): string {
  const { usage, about, examples, notes } = PAGES[command];
  const flags = flagsOf(command);
  const groups = [...new Set(flags.map(([, flag]) => flag.group))];
  return [
    `${usage} [FLAGS]`,
    "",
    ...about,
    "",
    "Examples",
    ...columns(examples),
    ...groups.map((group) => `\n${group}\n${flagLines(command, group, flags).join("\n")}`),
    "",
    ...notes,
    "",
  ].join("\n");
}

function flagLines(command: Command, group: Flag["group"], flags: readonly [FlagName, Flag][]): string[] {
  const rows = flags
    .filter(([, flag]) => flag.group === group)
    .map(([name, flag]): [string, string] => {
      const short = flag.short === undefined ? "    " : `-${flag.short}, `;
      const value = flag.type === "switch" ? "" : ` ${flag.value}`;
      return [
        `${short}--${name}${value}`,
        typeof flag.help === "string" ? flag.help : (flag.help[command] ?? ""),
      ];
    });
  return columns(rows, FLAG_COLUMN);
}

/** Wide enough for the longest flag, so that all groups line up. */
const FLAG_COLUMN = 28;

function columns(rows: readonly (readonly [string, string])[], width = 0): string[] {
  const left = Math.max(width, ...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(left)}  ${text}`);
}
