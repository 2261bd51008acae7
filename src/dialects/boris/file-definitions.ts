/**
 * What a client is told of Boris's tools for single files: view, str_replace and create_file, or all three in
 * str_replace_editor where the client asks for the names that Anthropic's models know. A model pays for every word.
 * Light to load.
 */
import { define, type ToolDefinition } from "../definition.ts";
import type { InputOf } from "../fields.ts";

export const VIEW_FIELDS = {
  path: { type: "string", required: true, description: "File or folder" },
  view_range: { type: "numbers", description: "[start, end], lines from 1; end -1 is the last" },
} as const;

export const STR_REPLACE_FIELDS = {
  path: { type: "string", required: true, description: "File" },
  old_str: {
    type: "string",
    required: true,
    description: "Text to replace, exactly as it stands there, and only once in the file",
  },
  new_str: { type: "string", description: "What takes its place; default: nothing" },
} as const;

export const CREATE_FILE_FIELDS = {
  path: { type: "string", required: true, description: "File" },
  file_text: { type: "string", required: true, aliases: ["content"], description: "All of the file" },
} as const;

export const EDITOR_FIELDS = {
  command: {
    type: "choice",
    required: true,
    choices: ["view", "str_replace", "create"],
    description: "What to do",
  },
  path: { type: "string", required: true, description: "File, or a folder to view" },
  view_range: { type: "numbers", description: "view: [start, end], lines from 1; end -1 is the last" },
  old_str: {
    type: "string",
    description: "str_replace: text to replace, exactly as it stands there, and only once in the file",
  },
  new_str: { type: "string", description: "str_replace: what takes its place; default: nothing" },
  file_text: { type: "string", aliases: ["content"], description: "create: all of the file" },
} as const;

const READING_EDITOR_FIELDS = {
  command: { type: "choice", required: true, choices: ["view"], description: "What to do" },
  ...VIEW_FIELDS,
} as const;

const VIEW =
  "View a file's lines behind their numbers and a tab, 2,000 without a range, or a folder two levels deep. To find the lines first, use grep.";
const STR_REPLACE =
  "Replace a text that stands exactly once in a file: take in lines around it until it is unique. The numbers of view are no part of it.";
const CREATE_FILE =
  "Create a file, or replace a whole one. Folders are made. To change part of a file, use str_replace.";
const EDITOR =
  "view a file's lines behind their numbers, or a folder; str_replace a text that stands exactly once in a file; create a file or replace a whole one.";
const READING_EDITOR = "view a file's lines behind their numbers, or a folder.";

/** Each tool by itself. */
export const FILE_DEFINITIONS: readonly ToolDefinition[] = [
  define("view", "View", VIEW, VIEW_FIELDS, "reads"),
  define("str_replace", "Replace", STR_REPLACE, STR_REPLACE_FIELDS, "writes"),
  define("create_file", "Create", CREATE_FILE, CREATE_FILE_FIELDS, "writes"),
];

/** All of them in one; where nothing may be written it stays, and can view. */
export function editorDefinition(readOnly: boolean): ToolDefinition {
  return readOnly
    ? define("str_replace_editor", "Editor", READING_EDITOR, READING_EDITOR_FIELDS, "reads")
    : define("str_replace_editor", "Editor", EDITOR, EDITOR_FIELDS, "writes");
}

export type ViewInput = InputOf<typeof VIEW_FIELDS>;
export type StrReplaceInput = InputOf<typeof STR_REPLACE_FIELDS>;
export type CreateFileInput = InputOf<typeof CREATE_FILE_FIELDS>;
export type EditorInput = InputOf<typeof EDITOR_FIELDS>;
