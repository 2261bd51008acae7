/**
 * One MCP server over one client's ground, for every revision of the protocol: the tools of its dialect, the resources
 * behind internal URLs, completion, log messages. It holds no state of its own, because the newest revision makes one
 * for each request. Called by `stdio.ts` and `http.ts`.
 */
import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { ToolError } from "../model/errors.ts";
import { MCP_ROOTS_WAIT } from "../model/limits.ts";
import { callTool, type Say } from "./call.ts";
import { CheckedServer } from "./checked-server.ts";
import type { ClientGround } from "./client-ground.ts";
import { CAPABILITIES, instructions, serverInfo } from "./hello.ts";
import type { Log } from "./log.ts";
import { isSaid, LEVELS } from "./log-messages.ts";
import { type ClientRoot, namedRoots } from "./roots.ts";
import { completions, RESOURCE_TEMPLATES, resourceList, resourceText } from "./resources.ts";
import { toolList } from "./tool-list.ts";

export function createServer(ground: ClientGround, log: Log): Server {
  const { options } = ground;
  const server = new CheckedServer(serverInfo(options), {
    capabilities: CAPABILITIES,
    instructions: instructions(options),
  });
  server.onerror = (error) => log("debug", "The protocol was not followed", { why: error.message });

  const tools = toolList(options);
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    if (!tools.some(({ name }) => name === params.name)) {
      const names = tools.map(({ name }) => name).join(", ");
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name)}; there are ${names}`,
      );
    }
    const say = sayTo(ground, context);
    return (
      (await missingRoots(server, ground, context, say)) ??
      callTool(ground, params.name, params.arguments ?? {}, { context, log, say })
    );
  });

  const use: ClientGround["use"] = (signal, work) => withoutFaults(ground.use(signal, work), log);
  server.setRequestHandler("resources/list", (_, { mcpReq: { signal } }) =>
    use(signal, async ({ resources }) => ({ resources: await resourceList(resources) })),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    // An artifact is where the call was made that it was cut from; all else is the same everywhere.
    const own = uri.startsWith("artifact://");
    const missing = own ? await missingRoots(server, ground, context, sayTo(ground, context)) : null;
    if (missing !== null) return missing;
    return use(context.mcpReq.signal, async ({ resources }) => {
      const text = await resourceText(resources, uri);
      if (text === null) throw new ResourceNotFoundError(uri);
      return { contents: [text] };
    });
  });
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }, { mcpReq: { signal } }) =>
    use(signal, async ({ resources }) => ({
      completion: await completions(resources, ref, argument.value),
    })),
  );

  server.setRequestHandler("logging/setLevel", ({ params: { level } }) => {
    if (!LEVELS.includes(level)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no log level ${level}`);
    }
    ground.logLevel = level;
    return {};
  });
  server.setNotificationHandler("notifications/roots/list_changed", () => ground.forgetRoots());
  return server;
}

/** What goes wrong inside is for the log: the SDK would send its words to the client. */
async function withoutFaults<T>(work: Promise<T>, log: Log): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ProtocolError || cause instanceof ToolError) throw cause;
    log("error", "A request failed", { why: String(cause) });
    throw new ProtocolError(ProtocolErrorCode.InternalError, "The server failed by a fault of its own");
  }
}

/**
 * The client is asked for its roots before its first call: in the older revisions by a request of ours, in the newest
 * one by an answer that lets the client make the same call again with them.
 */
async function missingRoots(
  server: Server,
  ground: ClientGround,
  { mcpReq }: ServerContext,
  say: Say,
): Promise<InputRequiredResult | null> {
  const newest = envelope(mcpReq);
  const take = async (given: readonly ClientRoot[], tellsChanges: boolean): Promise<void> => {
    for (const warning of await ground.takeRoots(given, tellsChanges)) say("warning", warning);
  };
  const answer = inputResponse(mcpReq.inputResponses, "roots");
  if (answer.kind === "roots") {
    await take(namedRoots(answer) ?? [], false);
    return null;
  }
  if (!ground.needsRoots) return null;
  const capabilities = newest === undefined ? server.getClientCapabilities() : newest[CAPABILITIES_KEY];
  if (capabilities?.roots === undefined) return null;
  if (newest !== undefined && answer.kind === "missing") {
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  }
  // Whoever says that it has roots and then does not name them gets its answer without them.
  if (newest !== undefined) return null;
  const asked = await askRoots(mcpReq);
  if (asked === null) ground.goWithoutRoots();
  else await take(asked, capabilities.roots.listChanged === true);
  return null;
}

async function askRoots(mcpReq: ServerContext["mcpReq"]): Promise<readonly ClientRoot[] | null> {
  try {
    return await mcpReq.send({ method: "roots/list" }, ROOTS_ANSWER, { timeout: MCP_ROOTS_WAIT });
  } catch {
    return null;
  }
}

/** The SDK's own would refuse all roots for one whose URL is no file's. */
const ROOTS_ANSWER: StandardSchemaV1<unknown, readonly ClientRoot[]> = {
  "~standard": {
    version: 1,
    vendor: "quarry",
    validate: (value) => {
      const roots = namedRoots(value);
      return roots === null ? { issues: [{ message: "There is no list of roots" }] } : { value: roots };
    },
  },
};

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** What a request of the newest revision says of its client; undefined in the older ones. */
function envelope({
  envelope: given,
}: ServerContext["mcpReq"]): { readonly [CAPABILITIES_KEY]?: ClientCapabilities } | undefined {
  return given;
}

/** Log messages for the client, where it asked for them. */
function sayTo(ground: ClientGround, { mcpReq }: ServerContext): Say {
  return (level, message) => {
    // The newest revision asks with each request, which the SDK looks at; the older ones once.
    if (envelope(mcpReq) === undefined && !isSaid(level, ground.logLevel)) return;
    void mcpReq.log(level, message, "quarry").catch(() => {});
  };
}
