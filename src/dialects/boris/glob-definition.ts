/** What a client is told of Boris's `glob`. Light to load: a program may list the tools before it opens a workspace. */
import type { InputOf } from "../fields.ts";

export const GLOB_FIELDS = {
  pattern: {
    type: "string",
    required: true,
    description: "Glob: *.ts is any depth, src/*.ts only there; may be absolute",
  },
  path: { type: "string", description: "Folder to look in. Default: the root" },
  type: { type: "choice", choices: ["file", "directory"], description: "Only these. Default: both" },
} as const;

/** What the schema tells of under `--anthropic-compat`; the other field is understood all the same. */
export const GLOB_COMPAT_FIELDS: Pick<typeof GLOB_FIELDS, "pattern" | "path"> = {
  pattern: GLOB_FIELDS.pattern,
  path: GLOB_FIELDS.path,
};

export const GLOB_DESCRIPTION =
  "Find files and directories by name, newest first; directories end in /. To find files by what they hold, use grep.";

export type GlobInput = Partial<InputOf<typeof GLOB_FIELDS>> & { readonly pattern: string };
