/** What a client is told of the tools of Boris's dialect, with its own names or those that Claude was trained on. */
import { define, type ToolDefinition } from "../definition.ts";
import { editorDefinition, FILE_DEFINITIONS } from "./file-definitions.ts";
import { GLOB_COMPAT_FIELDS, GLOB_DESCRIPTION, GLOB_FIELDS } from "./glob-definition.ts";
import { GREP_COMPAT, GREP_DESCRIPTION, GREP_FIELDS } from "./grep-definition.ts";

export const BORIS_DEFINITIONS: readonly ToolDefinition[] = [
  define("grep", "Grep", GREP_DESCRIPTION, GREP_FIELDS, "reads"),
  define("glob", "Glob", GLOB_DESCRIPTION, GLOB_FIELDS, "reads"),
  ...FILE_DEFINITIONS,
];

export function borisCompatDefinitions(readOnly: boolean): readonly ToolDefinition[] {
  return [
    define("grep", "Grep", GREP_DESCRIPTION, GREP_FIELDS, "reads", GREP_COMPAT),
    define("glob", "Glob", GLOB_DESCRIPTION, GLOB_COMPAT_FIELDS, "reads"),
    editorDefinition(readOnly),
  ];
}
