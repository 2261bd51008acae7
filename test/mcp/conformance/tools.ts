/** The tools that the conformance suite calls by name: each answers with what its scenario expects. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallToolResult,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  type RequestId,
  type ServerContext,
  type ServerNotifier,
  type Tool,
} from "@modelcontextprotocol/server";
import { PNG, WAV } from "./media.ts";

export interface FixtureTool {
  readonly inputSchema: Tool["inputSchema"];
  readonly run: (call: FixtureCall) => Answer | Promise<Answer>;
}

export interface FixtureCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ServerContext;
  readonly capabilities: ClientCapabilities;
  /** Reaches subscribers of the newest revision. */
  readonly notify: ServerNotifier;
}

type Answer = CallToolResult | InputRequiredResult;

export function text(said: string): CallToolResult {
  return { content: [{ type: "text", text: said }] };
}

const MIXED: CallToolResult["content"] = [
  { type: "text", text: "Multiple content types test:" },
  { type: "image", data: PNG, mimeType: "image/png" },
  {
    type: "resource",
    resource: {
      uri: "test://mixed-content-resource",
      mimeType: "application/json",
      text: '{"test":"data","value":123}',
    },
  },
];

const EMBEDDED: CallToolResult["content"] = [
  {
    type: "resource",
    resource: {
      uri: "test://embedded-resource",
      mimeType: "text/plain",
      text: "This is an embedded resource content.",
    },
  },
];

export const TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: plain(() => text("This is a simple text response for testing.")),
  test_image_content: plain(() => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] })),
  test_audio_content: plain(() => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] })),
  test_embedded_resource: plain(() => ({ content: EMBEDDED })),
  test_multiple_content_types: plain(() => ({ content: MIXED })),
  test_error_handling: plain(() => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  })),
  test_tool_with_logging: plain(async ({ context }) => {
    for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await context.mcpReq.log("info", said);
      await sleep(50);
    }
    return text("Three messages were logged");
  }),
  test_logging_tool: plain(async ({ context }) => {
    await context.mcpReq.log("info", "A message for whoever asked");
    return text("One message was logged");
  }),
  test_tool_with_progress: plain(async ({ context: { mcpReq } }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken ?? "", progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
      await sleep(50);
    }
    return text("Done");
  }),
  // The stream is closed under the client's feet: it comes back for the answer.
  test_reconnection: plain(async ({ context }) => {
    context.http?.closeSSE?.();
    await sleep(100);
    return text("The answer after the reconnection");
  }),
  test_missing_capability: plain(({ capabilities }) => {
    if (capabilities.sampling !== undefined) return text("There is sampling");
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  test_trigger_tool_change: plain(({ notify }) => {
    notify.toolsChanged();
    return text("The tools changed");
  }),
  test_trigger_prompt_change: plain(({ notify }) => {
    notify.promptsChanged();
    return text("The prompts changed");
  }),
  test_sampling: {
    inputSchema: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    run: async ({ args, context }) => {
      const { content } = await context.mcpReq.requestSampling(
        {
          messages: [{ role: "user", content: { type: "text", text: String(args["prompt"]) } }],
          maxTokens: 100,
        },
        onItsStream(context),
      );
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    run: async ({ args, context }) =>
      elicited(context, String(args["message"]), {
        type: "object",
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      }),
  },
  test_elicitation_sep1034_defaults: plain(({ context }) =>
    elicited(context, "Please look at the defaults", {
      type: "object",
      properties: {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      },
    }),
  ),
  test_elicitation_sep1330_enums: plain(({ context }) =>
    elicited(context, "Please choose", {
      type: "object",
      properties: {
        untitledSingle: { type: "string", enum: OPTIONS },
        titledSingle: { type: "string", oneOf: TITLED },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
        titledMulti: { type: "array", items: { anyOf: TITLED } },
      },
    }),
  ),
  // Its schema must reach the client as it stands, with the keywords that nobody looks at.
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    run: () => text("The schema is what counts"),
  },
};

const OPTIONS = ["option1", "option2", "option3"];

const TITLED = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];

/** A tool without arguments. */
export function plain(run: FixtureTool["run"]): FixtureTool {
  return { inputSchema: { type: "object", properties: {} }, run };
}

/** What the person behind the client answers, as the older revisions ask: in the middle of the call. */
async function elicited(
  context: ServerContext,
  message: string,
  requestedSchema: ElicitRequestFormParams["requestedSchema"],
): Promise<CallToolResult> {
  const { action, content } = await context.mcpReq.elicitInput(
    { message, requestedSchema },
    onItsStream(context),
  );
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

/**
 * The SDK asks on the stream that belongs to no call, unless told otherwise, and what it says there is lost as long as
 * the client has not opened it.
 */
function onItsStream({ mcpReq }: ServerContext): { readonly relatedRequestId: RequestId } {
  return { relatedRequestId: mcpReq.id };
}
