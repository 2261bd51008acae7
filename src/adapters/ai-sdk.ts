/** A workspace's tools in the shape of the Vercel AI SDK's tool set, without its library. */
import type { JsonSchema } from "../dialects/fields.ts";
import { callByName, type Offer } from "./offer.ts";

/** How the AI SDK knows a schema that is JSON and no object of a validation library. */
const SCHEMA: unique symbol = Symbol.for("vercel.ai.schema") as never;

export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: {
    readonly [SCHEMA]: true;
    readonly jsonSchema: JsonSchema;
    /** What a model sends is checked by the tool itself, which is more lenient than a schema. */
    readonly validate: undefined;
  };
  readonly execute: (input: unknown, options?: { readonly abortSignal?: AbortSignal }) => Promise<string>;
}

/** For `tools` of `generateText`, `streamText` and agents. What the agent caused is told to it as text. */
export function aiSdkTools(workspace: Offer): Record<string, AiSdkTool> {
  return Object.fromEntries(
    workspace.definitions.map(({ name, description, inputSchema }): [string, AiSdkTool] => [
      name,
      {
        description,
        inputSchema: { [SCHEMA]: true, jsonSchema: inputSchema, validate: undefined },
        execute: async (input, { abortSignal } = {}) =>
          (await callByName(workspace, name, input, { signal: abortSignal })).text,
      },
    ]),
  );
}
