/** What a client is told of Claude Code's `Grep`. A model pays for every word of it in every conversation. */
import { type InputOf } from "../fields.ts";

export const GREP_FIELDS = {
  pattern: { type: "string", required: true, description: "Regular expression (ripgrep's syntax)" },
  path: { type: "string", description: "File or folder to search. Default: the working folder" },
  glob: {
    type: "string",
    description: "Only files that match: *.js, *.{ts,tsx}; several by blanks or commas",
  },
  type: { type: "string", description: "Only files of this type: js, py, rust, go, java" },
  output_mode: {
    type: "choice",
    choices: ["content", "files_with_matches", "count"],
    description: "Matching lines, paths (default), or matching lines of each file",
  },
  "-B": { type: "number", description: "Lines before each match (content)" },
  "-A": { type: "number", description: "Lines after each match (content)" },
  "-C": { type: "number", description: "Lines before and after (content); wins over -A and -B" },
  context: { type: "number", description: "Same as -C" },
  "-n": { type: "boolean", description: "Line numbers (content). Default: true" },
  "-i": { type: "boolean", description: "Ignore case" },
  head_limit: { type: "number", description: "First N lines or files (250); 0: all, use sparingly" },
  offset: { type: "number", description: "Skip the first N lines or files: the next page" },
  multiline: { type: "boolean", description: "Matches may span lines, and . matches newlines" },
} as const;

export const GREP_DESCRIPTION =
  "Search file contents with ripgrep. Prefer it to grep or rg in a shell. To find files by name use Glob. Literal braces need escaping: interface\\{\\}.";

export type GrepInput = Partial<InputOf<typeof GREP_FIELDS>> & { readonly pattern: string };
