/**
 * The server that the official conformance suite is run against: Quarry's own HTTP room, speaking for handlers whose
 * names the suite fixes. A process of its own; it says where it listens as `quarry mcp` does, on stderr.
 */
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type ServerNotifier,
} from "@modelcontextprotocol/server";
import { serveOverHttp } from "../../../src/mcp/http.ts";
import { logger } from "../../../src/mcp/log.ts";
import { ASKING_TOOLS, CODEC } from "./asking-tools.ts";
import { PROMPTS, promptOf } from "./prompts.ts";
import { contentOf, RESOURCES, TEMPLATES } from "./resources.ts";
import { type FixtureTool, TOOLS } from "./tools.ts";

const ALL: ReadonlyMap<string, FixtureTool> = new Map(Object.entries({ ...TOOLS, ...ASKING_TOOLS }));

function makeServer(notify: ServerNotifier): Server {
  const server = new Server(
    { name: "conformance-fixture", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: (state, context) => CODEC.verify(state, context) },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: [...ALL].map(([name, { inputSchema }]) => ({ name, description: `Tests ${name}`, inputSchema })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    callTool(params.name, params.arguments ?? {}, { server, notify, context }),
  );
  server.setRequestHandler("resources/list", () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const content = contentOf(uri);
    if (content === null) throw new ResourceNotFoundError(uri);
    return { contents: [content] };
  });
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("prompts/list", () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler("prompts/get", ({ params }, context) => {
    const prompt = promptOf(params.name, params.arguments ?? {}, context);
    if (prompt === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt");
    return prompt;
  });
  server.setRequestHandler("completion/complete", () => ({
    completion: { values: ["paris", "park", "party"], total: 3, hasMore: false },
  }));
  return server;
}

interface CallGround {
  readonly server: Server;
  readonly notify: ServerNotifier;
  readonly context: ServerContext;
}

async function callTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { server, notify, context }: CallGround,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = ALL.get(name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool");
  // The newest revision says with each request what the client can do, the older ones once.
  const envelope: { readonly [CAPABILITIES]?: ClientCapabilities } | undefined = context.mcpReq.envelope;
  const capabilities = envelope?.[CAPABILITIES] ?? server.getClientCapabilities() ?? {};
  return tool.run({ args, context, capabilities, notify });
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

const ending = new AbortController();
process.once("SIGTERM", () => ending.abort());
await serveOverHttp(
  {
    root: process.cwd(),
    allow: null,
    deny: [],
    dialect: "quarry",
    anthropicCompat: false,
    readOnly: true,
    disabledTools: [],
    maxFileSize: null,
    structured: false,
    env: process.env,
    version: "1.0.0",
  },
  { host: "127.0.0.1", port: 0, tokens: [], allowedHosts: [], allowedOrigins: [] },
  {
    log: logger({ level: "info", format: "text", write: (line) => void process.stderr.write(line) }),
    signal: ending.signal,
    makeServer: (_client, notify) => makeServer(notify),
  },
);
