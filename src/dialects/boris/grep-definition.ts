/** What a client is told of Boris's `grep`, in both spellings of its fields. */
import type { InputOf } from "../fields.ts";

export const GREP_FIELDS = {
  pattern: { type: "string", required: true, description: "Regular expression" },
  path: { type: "string", description: "File or folder to search. Default: the working folder" },
  include: {
    type: "string",
    description: "Only files whose base name matches: *.py, *.{ts,tsx}",
    aliases: ["glob"],
  },
  type: {
    type: "string",
    description:
      "Only files of this type: c, cpp, css, go, html, java, js, json, markdown, py, rust, ts, yaml",
  },
  output_mode: {
    type: "choice",
    choices: ["content", "files_with_matches", "count"],
    description: "Matching lines, paths newest first (default), or matching lines of each file",
  },
  context_before: { type: "number", description: "Lines before each match (content)", aliases: ["-B"] },
  context_after: { type: "number", description: "Lines after each match (content)", aliases: ["-A"] },
  context: { type: "number", description: "Lines before and after each match (content)", aliases: ["-C"] },
  line_numbers: { type: "boolean", description: "Line numbers (content). Default: true", aliases: ["-n"] },
  case_insensitive: { type: "boolean", description: "Ignore case", aliases: ["-i"] },
  multiline: { type: "boolean", description: "Matches may span lines, and . matches newlines" },
  head_limit: { type: "number", description: "First N matching lines or files; 0 (default): all" },
  offset: { type: "number", description: "Skip the first N: the next page" },
} as const;

/** What the fields are called under `--anthropic-compat`. */
export const GREP_COMPAT = {
  include: "glob",
  context_before: "-B",
  context_after: "-A",
  context: "-C",
  line_numbers: "-n",
  case_insensitive: "-i",
} as const;

export const GREP_DESCRIPTION =
  "Search file contents by regular expression. Prefer it to grep in a shell. To find files by name use glob.";

export type GrepInput = Partial<InputOf<typeof GREP_FIELDS>> & { readonly pattern: string };
