/**
 * What is left of a server's options when a project has narrowed them. Never more than before: sizes become smaller,
 * lists of what is denied or disabled longer. Called for the working folder and for a client's roots.
 */
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";
import { BORIS_FILE } from "../model/limits.ts";
import type { Narrowing } from "./narrowing.ts";
import type { McpOptions } from "./options.ts";

/** @throws INVALID_INPUT for a tool that there is not, and where nothing is left of what is allowed */
export async function narrowedBy(options: McpOptions, own: Narrowing): Promise<McpOptions> {
  const disabled = await knownTools("disableTools of the project", own.disabledTools);
  return {
    ...options,
    allow: await own.allow(options.allow),
    deny: [...options.deny, ...own.deny],
    readOnly: options.readOnly || own.readOnly,
    disabledTools: [...options.disabledTools, ...disabled],
    maxFileSize: smaller(options, own.maxFileSize),
    index: own.index ? options.index : "off",
  };
}

/** Of any dialect: a project may be served in each of them. A mistyped one would stay offered. */
export async function knownTools(where: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return names;
  const { DIALECTS, toolDefinitions } = await import("../dialects/dialects.ts");
  const all = new Set(
    [...DIALECTS.map((one) => toolDefinitions(one)), toolDefinitions("boris", { anthropicCompat: true })]
      .flat()
      .map(({ name }) => name),
  );
  const unknown = names.find((name) => !all.has(name));
  if (unknown === undefined) return names;
  const near = nearest(unknown, [...all]);
  throw new ToolError("INVALID_INPUT", `${where} names no tool: ${JSON.stringify(unknown)}`, {
    hint: near === null ? `The tools are ${[...all].join(", ")}` : `Did you mean ${near}?`,
  });
}

/** A project may ask for less than was typed, or than a dialect allows where nothing was. */
function smaller({ maxFileSize, dialect }: McpOptions, project: number | null): number | null {
  if (project === null) return maxFileSize;
  return Math.min(project, maxFileSize ?? (dialect === "boris" ? BORIS_FILE : project));
}
