/** A workspace's tools in the shapes of OpenAI's Chat Completions and Responses APIs, without its library. */
import type { CallOptions } from "../dialects/result.ts";
import { callByName, type Offer, readArguments } from "./offer.ts";

interface Schema {
  readonly [key: string]: unknown;
}

export interface OpenaiChatTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Schema };
}

export interface OpenaiChatCall {
  readonly id: string;
  readonly type: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

export interface OpenaiChatResult {
  role: "tool";
  tool_call_id: string;
  content: string;
}

export interface OpenaiResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Schema;
  readonly strict: false;
}

export interface OpenaiResponsesResult {
  type: "function_call_output";
  call_id: string;
  output: string;
}

export interface OpenaiAdapter {
  readonly chat: {
    /** For `tools` of a request. */
    readonly tools: OpenaiChatTool[];
    /** The messages that answer the calls of an assistant's message. */
    readonly run: (
      calls: readonly OpenaiChatCall[] | undefined,
      options?: CallOptions,
    ) => Promise<OpenaiChatResult[]>;
  };
  readonly responses: {
    readonly tools: OpenaiResponsesTool[];
    /** The items that answer the calls among the output of a response. */
    readonly run: (
      output: readonly { readonly type: string }[],
      options?: CallOptions,
    ) => Promise<OpenaiResponsesResult[]>;
  };
}

export function openaiTools(workspace: Offer): OpenaiAdapter {
  const call = async (name: string, args: string, options: CallOptions | undefined): Promise<string> =>
    (await callByName(workspace, name, readArguments(args), options)).text;
  return {
    chat: {
      tools: workspace.definitions.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: { ...inputSchema } },
      })),
      run: (calls = [], options) =>
        Promise.all(
          calls.flatMap(({ id, function: asked }) =>
            asked === undefined
              ? []
              : [
                  call(asked.name, asked.arguments, options).then(
                    (content): OpenaiChatResult => ({ role: "tool", tool_call_id: id, content }),
                  ),
                ],
          ),
        ),
    },
    responses: {
      tools: workspace.definitions.map(({ name, description, inputSchema }) => ({
        type: "function",
        name,
        description,
        parameters: { ...inputSchema },
        // Its strict mode demands every field, and ours may be left out.
        strict: false,
      })),
      run: (output, options) =>
        Promise.all(
          output.filter(isFunctionCall).map(async ({ call_id: id, name, arguments: args }) => ({
            type: "function_call_output",
            call_id: id,
            output: await call(name, args, options),
          })),
        ),
    },
  };
}

interface FunctionCall {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

function isFunctionCall(item: { readonly type: string }): item is FunctionCall {
  return item.type === "function_call";
}
