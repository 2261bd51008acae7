/** What a client is told of the tools of Claude Code's dialect: two, and both are `Search` to people. */
import { define, type ToolDefinition } from "../definition.ts";
import { GLOB_DESCRIPTION, GLOB_FIELDS } from "./glob-definition.ts";
import { GREP_DESCRIPTION, GREP_FIELDS } from "./grep-definition.ts";

export const CLAUDE_DEFINITIONS: readonly ToolDefinition[] = [
  define("Grep", "Search", GREP_DESCRIPTION, GREP_FIELDS, "reads"),
  define("Glob", "Search", GLOB_DESCRIPTION, GLOB_FIELDS, "reads"),
];
