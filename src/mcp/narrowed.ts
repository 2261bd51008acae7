/**
 * What is left of a server's options when a project has narrowed them. Never more than before: sizes become smaller,
 * lists of what is denied or disabled longer. Called for the working folder and for a client's roots.
 */
import { BORIS_FILE } from "../model/limits.ts";
import type { Narrowing } from "./narrowing.ts";
import type { McpOptions } from "./options.ts";

/** @throws INVALID_INPUT where nothing is left of what is allowed */
export async function narrowedBy(options: McpOptions, own: Narrowing): Promise<McpOptions> {
  return {
    ...options,
    allow: await own.allow(options.allow),
    deny: [...options.deny, ...own.deny],
    readOnly: options.readOnly || own.readOnly,
    disabledTools: [...options.disabledTools, ...own.disabledTools],
    maxFileSize: smaller(options, own.maxFileSize),
    index: own.index ? options.index : "off",
  };
}

/** A project may ask for less than was typed, or than a dialect allows where nothing was. */
function smaller({ maxFileSize, dialect }: McpOptions, project: number | null): number | null {
  if (project === null) return maxFileSize;
  return Math.min(project, maxFileSize ?? (dialect === "boris" ? BORIS_FILE : project));
}
