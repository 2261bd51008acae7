/** The tools as a client lists them, in the order of their dialect. */
import type { Tool } from "@modelcontextprotocol/server";
import { outputSchemas } from "../dialects/outputs.ts";
import { type ToolDefinition, toolDefinitions } from "../quarry.ts";
import { isDisabled } from "./alike-tools.ts";
import type { McpOptions } from "./options.ts";

export function toolList(options: McpOptions): readonly Tool[] {
  const outputs = options.structured ? outputSchemas(options.dialect, options) : null;
  return offered(options).map((definition) => ({
    name: definition.name,
    title: definition.title,
    description: definition.description,
    inputSchema: inputSchema(definition),
    annotations: {
      title: definition.title,
      readOnlyHint: definition.readOnly,
      destructiveHint: !definition.readOnly,
      idempotentHint: definition.readOnly,
      openWorldHint: false,
    },
    ...(outputs === null ? {} : { outputSchema: outputSchema(definition, outputs) }),
  }));
}

/** Without those that were disabled. */
function offered({
  dialect,
  readOnly,
  anthropicCompat,
  disabledTools,
}: McpOptions): readonly ToolDefinition[] {
  return toolDefinitions(dialect, { readOnly, anthropicCompat }).filter(
    ({ name }) => !isDisabled(name, disabledTools),
  );
}

/** A schema of ours is one of theirs; only the type is narrower. */
function inputSchema(definition: ToolDefinition): Tool["inputSchema"] {
  return definition.inputSchema as unknown as Tool["inputSchema"];
}

function outputSchema(
  { name }: ToolDefinition,
  outputs: ReturnType<typeof outputSchemas>,
): Tool["outputSchema"] {
  return outputs.get(name) as unknown as Tool["outputSchema"];
}
