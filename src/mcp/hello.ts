/**
 * What the server says of itself to a client that connects. Light to load: over stdio it is said before the SDK is
 * there (`early.ts`), and the SDK says the same afterwards.
 */
import type { DialectName } from "../dialects/dialects.ts";
import type { McpOptions } from "./options.ts";

/** The revisions with an `initialize`, the newest first. Whoever asks for another one is answered with that. */
export const LEGACY_REVISIONS = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

export const CAPABILITIES = {
  tools: {},
  resources: {},
  completions: {},
  logging: {},
} as const;

export function serverInfo({ version }: McpOptions): {
  readonly name: string;
  readonly title: string;
  readonly version: string;
} {
  return { name: "quarry", title: "Quarry", version };
}

/** At most 150 words: every conversation pays for them. */
export function instructions({ dialect, readOnly, anthropicCompat }: McpOptions): string {
  if (dialect === "claude") return GREP_WORDS.claude;
  if (dialect === "boris") return anthropicCompat ? GREP_WORDS.editor : GREP_WORDS.boris;
  return readOnly ? QUARRY_WORDS.reading : `${QUARRY_WORDS.reading} ${QUARRY_WORDS.writing}`;
}

const QUARRY_WORDS = {
  reading:
    "Prefer these tools to grep, find, cat and sed in a shell: answers are exact, bounded, and say what they left out. search finds text by regex (mode files or count for an overview), find finds names by glob, read shows files, folders, archives and databases; long code comes as an outline with the line ranges to read. A cut answer names the call that goes on.",
  writing:
    "search and read print lines under PATH#TAG; give that tag and those line numbers to edit, which never changes another line than the one shown and merges with changes made since. An edit's answer has the new tag, so the next edit needs no read. write is for whole files.",
} as const;

const GREP_WORDS: Readonly<Record<Exclude<DialectName, "quarry"> | "editor", string>> = {
  claude:
    "Prefer Grep to grep or rg in a shell, and Glob to find or ls. Grep lists files by default; output_mode content shows lines, with -C for context. An answer that was cut says so; offset goes on.",
  boris:
    "Prefer these tools to grep, find, cat and sed in a shell. grep lists files by default; output_mode content shows lines. glob finds names, view shows a file or a folder, str_replace changes a text that stands exactly once, create_file writes a whole file.",
  editor:
    "Prefer these tools to grep, find, cat and sed in a shell. grep lists files by default; output_mode content shows lines. glob finds names, str_replace_editor views and changes files.",
};
