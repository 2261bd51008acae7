/**
 * The families of agents that the tools are offered to, by name: what a client is told of them. Light to load; the
 * tools themselves are opened by `open.ts`.
 */
import { ToolError } from "../model/errors.ts";
import { BORIS_DEFINITIONS, borisCompatDefinitions } from "./boris/definitions.ts";
import { CLAUDE_DEFINITIONS } from "./claude/definitions.ts";
import type { ToolDefinition } from "./definition.ts";
import { QUARRY_DEFINITIONS } from "./quarry/definitions.ts";

export const DIALECTS = ["quarry", "claude", "boris"] as const;

export type DialectName = (typeof DIALECTS)[number];

export interface DialectOptions {
  /** Tools that change files are left out. @default false */
  readonly readOnly?: boolean | undefined;
  /** Boris: the names of fields and tools that Claude was trained on. @default false */
  readonly anthropicCompat?: boolean | undefined;
}

/** What a client is told of the tools of a dialect. @throws INVALID_INPUT for one that there is not */
export function toolDefinitions(
  dialect: DialectName = "quarry",
  { readOnly = false, anthropicCompat = false }: DialectOptions = {},
): readonly ToolDefinition[] {
  if (!DIALECTS.includes(dialect)) {
    throw new ToolError("INVALID_INPUT", `There is no dialect ${JSON.stringify(dialect)}`, {
      hint: `The dialects are ${DIALECTS.join(", ")}`,
    });
  }
  if (anthropicCompat && dialect !== "boris") {
    throw new ToolError("INVALID_INPUT", `anthropicCompat is for boris, not for ${dialect}`, {
      hint: "Leave it out; claude has these names anyway",
    });
  }
  const all =
    dialect === "boris" && anthropicCompat ? borisCompatDefinitions(readOnly) : DEFINITIONS[dialect];
  return readOnly ? all.filter((tool) => tool.readOnly) : all;
}

const DEFINITIONS: Readonly<Record<DialectName, readonly ToolDefinition[]>> = {
  quarry: QUARRY_DEFINITIONS,
  claude: CLAUDE_DEFINITIONS,
  boris: BORIS_DEFINITIONS,
};
