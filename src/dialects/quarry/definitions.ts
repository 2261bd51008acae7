/**
 * What a client is told of the tools of Quarry's own dialect: names, descriptions, fields. A model pays for every
 * word of it in every conversation. Light to load: a program may list the tools before it opens a workspace.
 */
import { type InputOf, type JsonSchema, jsonSchema } from "../fields.ts";

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

/** What a client is told of a tool. */
export interface ToolDefinition {
  readonly name: "search" | "find";
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export const QUARRY_DEFINITIONS: readonly ToolDefinition[] = [
  { name: "search", description: SEARCH, inputSchema: jsonSchema(SEARCH_FIELDS) },
  { name: "find", description: FIND, inputSchema: jsonSchema(FIND_FIELDS) },
];
