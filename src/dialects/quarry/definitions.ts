/**
 * What a client is told of the tools of Quarry's own dialect: names, descriptions, fields. A model pays for every
 * word of it in every conversation. Light to load: a program may list the tools before it opens a workspace.
 */
import { define, type ToolDefinition } from "../definition.ts";
import type { InputOf } from "../fields.ts";

export const SEARCH_FIELDS = {
  pattern: { type: "string", required: true, description: "Rust regex" },
  paths: {
    type: "strings",
    description:
      "Files, folders, globs, archive members (a.zip:src/b.ts) or URLs (docs://, artifact://1, local://); a file may end in lines: a.ts:50-100,200-. Default: everything",
  },
  i: { type: "boolean", description: "Ignore case" },
  literal: { type: "boolean", description: "Pattern is plain text" },
  multiline: { type: "boolean", description: "Matches may span lines (on by itself for \\n)" },
  type: { type: "strings", description: "File types, such as ts or py" },
  mode: {
    type: "choice",
    choices: ["content", "files", "count"],
    description: "Matches (default), names of files, or matching lines of each",
  },
  context: { type: "number", description: "Lines around a match" },
  gitignore: { type: "boolean", description: "false: also what ignore files leave out" },
  limit: { type: "number", description: "Files on a page (20)" },
  skip: { type: "number", description: "Files to pass over: the next page" },
} as const;

const SEARCH =
  "Search file contents. Matches are *LINE:text, context  LINE:text, under # PATH#TAG; the tag and the lines are what edit takes.";

export type SearchInput = Partial<InputOf<typeof SEARCH_FIELDS>> & { readonly pattern: string };

export const FIND_FIELDS = {
  paths: {
    type: "strings",
    description: "Globs, files or folders: *.ts is any depth, src/*.ts only there. Default: everything",
  },
  hidden: { type: "boolean", description: "false: no hidden files" },
  gitignore: { type: "boolean", description: "false: also what ignore files leave out" },
  limit: { type: "number", description: "Paths on a page (200)" },
  skip: { type: "number", description: "Paths to pass over: the next page" },
  timeout: { type: "number", description: "Seconds (5)" },
} as const;

const FIND = "Find files and folders by glob, newest first, grouped by folder.";

export type FindInput = Partial<InputOf<typeof FIND_FIELDS>>;

export const READ_FIELDS = {
  path: {
    type: "string",
    required: true,
    description:
      "File, folder, archive member (a.zip:src/b.ts), database (a.db:table?limit=9, a.db?q=SELECT …) or URL; lines behind it: :50-100, :50-, :-20, :5-9,40-60, :raw, :conflicts",
  },
} as const;

const READ =
  "Read a file as ¶PATH#TAG and LINE:text rows, which edit takes. Long code without a line range is shown as its outline, with the ranges to read. Folders are trees.";

export type ReadInput = InputOf<typeof READ_FIELDS>;

export const EDIT_FIELDS = {
  input: { type: "string", required: true, description: "The patch" },
} as const;

const EDIT = `Change files by lines that search, read, write or edit showed: copy the header ¶PATH#TAG; numbers are those under it.
¶src/a.ts#0A3B
replace 4..5:
+const on = true;
delete 9..9
Also insert before N:, insert after N:, insert head:, insert tail:, and for a whole block by its first line replace block N:, delete block N, insert after block N:. Body rows are +TEXT, + alone a blank line; no - or context rows. A body holds only what shall stand there: do not end it with the line after the range, nor repeat a block. Span both braces of a pair or neither. Prefer a small insert to a wide replace. Several files in one call. The answer has the new tag.`;

export type EditInput = InputOf<typeof EDIT_FIELDS>;

export const WRITE_FIELDS = {
  path: {
    type: "string",
    required: true,
    description:
      "File to create or replace, local://NAME, archive entry (a.zip:b.txt), database row (a.db:table to insert, a.db:table:key to update or, with empty content, delete), or conflict://N",
  },
  content: {
    type: "string",
    required: true,
    description: "All of it; a row as JSON5; @ours, @theirs or @both for a conflict",
  },
} as const;

const WRITE = "Write a whole file. To change parts of one, use edit.";

export type WriteInput = InputOf<typeof WRITE_FIELDS>;

export const QUARRY_DEFINITIONS: readonly ToolDefinition[] = [
  define("search", "Search", SEARCH, SEARCH_FIELDS, "reads"),
  define("find", "Find", FIND, FIND_FIELDS, "reads"),
  define("read", "Read", READ, READ_FIELDS, "reads"),
  define("edit", "Edit", EDIT, EDIT_FIELDS, "writes"),
  define("write", "Write", WRITE, WRITE_FIELDS, "writes"),
];
