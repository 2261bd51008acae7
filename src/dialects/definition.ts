/** What a client is told of a tool, in any dialect. Light to load: a program may list the tools before it uses them. */
import { type Fields, type JsonSchema, jsonSchema } from "./fields.ts";

export interface ToolDefinition {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** It changes nothing. */
  readonly readOnly: boolean;
}

/** `spelled`: fields that this definition calls by one of their aliases. */
export function define(
  name: string,
  title: string,
  description: string,
  fields: Fields,
  does: "reads" | "writes",
  spelled: Readonly<Record<string, string>> = {},
): ToolDefinition {
  return { name, title, description, inputSchema: jsonSchema(fields, spelled), readOnly: does === "reads" };
}
