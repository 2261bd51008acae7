/** A workspace's tools in the shapes of Anthropic's Messages API. Nothing of its library is needed. */
import type { CallOptions } from "../dialects/result.ts";
import { callByName, type Offer } from "./offer.ts";

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [key: string]: unknown };
}

/** A block of the model's answer. */
export interface AnthropicToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: { type: "text"; text: string }[];
  is_error?: boolean;
}

export interface AnthropicAdapter {
  /** For `tools` of a request. */
  readonly tools: AnthropicTool[];
  /** The results of all tool uses in an answer, in its order: the content of the next user message. */
  readonly run: (
    content: readonly { readonly type: string }[],
    options?: CallOptions,
  ) => Promise<AnthropicToolResult[]>;
}

export function anthropicTools(workspace: Offer): AnthropicAdapter {
  return {
    tools: workspace.definitions.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema },
    })),
    run: (content, options) =>
      Promise.all(
        content.filter(isToolUse).map(async ({ id, name, input }) => {
          const { text, isError } = await callByName(workspace, name, input, options);
          return {
            type: "tool_result",
            tool_use_id: id,
            content: [{ type: "text", text }],
            ...(isError ? { is_error: true } : {}),
          };
        }),
      ),
  };
}

function isToolUse(block: { readonly type: string }): block is AnthropicToolUse {
  return block.type === "tool_use";
}
