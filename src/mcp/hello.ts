/**
 * What the server says of itself to a client that connects. Light to load: over stdio it is said before the SDK is
 * there (`early.ts`), and the SDK says the same afterwards.
 */
import type { DialectName } from "../dialects/dialects.ts";
import { broadness } from "./broad-folder.ts";
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
export function instructions({ dialect, readOnly, anthropicCompat, root, env }: McpOptions): string {
  const words = WORDS[anthropicCompat ? "compat" : dialect];
  const broad = broadness(root, env);
  return [
    words.reading,
    ...(readOnly ? [] : words.writing),
    ...(broad === null
      ? []
      : [`Unless you have roots, paths begin in ${broad}: name the folders to look in.`]),
  ].join(" ");
}

/** For the log of a server that starts in a folder that nobody means as a whole. */
export function broadWarning({ root, env }: McpOptions): string | null {
  const broad = broadness(root, env);
  return broad === null ? null : `The working folder ${root} is ${broad}; name a project with --workdir`;
}

const SHELL = "Prefer these tools to grep, find, cat and sed in a shell";
const GREP = "grep lists files by default; output_mode content shows lines. glob finds names";

interface Words {
  readonly reading: string;
  /** What is said of the tools that change files. */
  readonly writing: readonly string[];
}

const WORDS: Readonly<Record<DialectName | "compat", Words>> = {
  quarry: {
    reading: `${SHELL}: answers are exact, bounded, and say what they left out. search finds text by regex (mode files or count for an overview), find finds names by glob, read shows files, folders, archives and databases; long code comes as an outline with the line ranges to read. A cut answer names the call that goes on.`,
    writing: [
      "search and read print lines under PATH#TAG; give that tag and those line numbers to edit, which never changes another line than the one shown and merges with changes made since. An edit's answer has the new tag, so the next edit needs no read. write is for whole files.",
    ],
  },
  claude: {
    reading:
      "Prefer Grep to grep or rg in a shell, and Glob to find or ls. Grep lists files by default; output_mode content shows lines, with -C for context. An answer that was cut says so; offset goes on.",
    writing: [],
  },
  boris: {
    reading: `${SHELL}. ${GREP}, view shows a file or a folder.`,
    writing: ["str_replace changes a text that stands exactly once, create_file writes a whole file."],
  },
  compat: {
    reading: `${SHELL}. ${GREP}, str_replace_editor views files and folders.`,
    writing: ["It also changes a text that stands exactly once, and writes whole files."],
  },
};
