/** What the adapters need of a workspace, and one call of a tool by its name, as a model asks for it. */
import type { ToolDefinition } from "../dialects/definition.ts";
import type { AnyTools } from "../dialects/open.ts";
import type { CallOptions, ToolResult } from "../dialects/result.ts";
import { agentErrorText } from "../format/error-text.ts";
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";

/** A workspace of any dialect. */
export interface Offer {
  readonly tools: object;
  readonly definitions: readonly ToolDefinition[];
}

export interface Answered {
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
}

/** A tool that there is not is an answer too: the model can choose another. An abort and broken parts are thrown. */
export async function callByName(
  { tools, definitions }: Offer,
  name: string,
  input: unknown,
  options: CallOptions = {},
): Promise<Answered> {
  const tool = definitions.some((definition) => definition.name === name)
    ? (tools as AnyTools)[name]
    : undefined;
  if (tool === undefined) return unknownTool(definitions, name);
  const { content, details, isError }: ToolResult = await tool(input as never, options);
  return { text: content[0].text, isError: isError === true, details };
}

function unknownTool(definitions: readonly ToolDefinition[], name: string): Answered {
  const names = definitions.map((definition) => definition.name);
  const near = nearest(name, names);
  const error = new ToolError("INVALID_INPUT", `There is no tool ${JSON.stringify(name)}`, {
    hint: near === null ? `The tools are ${names.join(", ")}` : `Did you mean ${near}?`,
  });
  return {
    text: agentErrorText(error),
    isError: true,
    details: { code: error.code, message: error.message },
  };
}

/** Arguments that come as JSON text. null: they are no JSON. */
export function readArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
