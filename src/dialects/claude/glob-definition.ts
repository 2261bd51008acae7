/** What a client is told of Claude's `Glob`. Light to load: a program may list the tools before it opens a workspace. */
import type { InputOf } from "../fields.ts";

export const GLOB_FIELDS = {
  pattern: {
    type: "string",
    required: true,
    description: "Glob: *.ts is any depth, src/*.ts only there, !*.ts all others; may be absolute",
  },
  path: { type: "string", description: "Folder to look in. Default: the root" },
} as const;

export const GLOB_DESCRIPTION =
  "Find files by name, newest first, at most 100, ignored and hidden ones too. To find them by what they hold, use Grep.";

export type GlobInput = Partial<InputOf<typeof GLOB_FIELDS>> & { readonly pattern: string };
