/**
 * One MCP server over one client's ground, for every revision of the protocol: the tools of its dialect, the resources
 * behind internal URLs, completion, log messages. It holds no state of its own, because the newest revision makes one
 * for each request. Called by `stdio.ts` and `http.ts`.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { ToolError } from "../model/errors.ts";
import type { Workspace } from "../quarry.ts";
import { rootsOfCall } from "./asking-roots.ts";
import { callTool } from "./call.ts";
import { CheckedServer } from "./checked-server.ts";
import type { ClientGround } from "./client-ground.ts";
import { envelope } from "./envelope.ts";
import { CAPABILITIES, instructions, serverInfo } from "./hello.ts";
import type { Log } from "./log.ts";
import { isSaid, LEVELS, type Say } from "./log-messages.ts";
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
  server.setCallHandler(async (params, context) => {
    if (!tools.some(({ name }) => name === params.name)) {
      const names = tools.map(({ name }) => name).join(", ");
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(params.name)}; there are ${names}`,
      );
    }
    const say = sayTo(ground, context);
    const own = await rootsOfCall(server, ground, context);
    if ("answer" in own) return own.answer;
    return callTool(ground, params.name, params.arguments ?? {}, { context, log, say, roots: own.roots });
  });

  // Only what may be long waits for its turn: no page of the documentation does, behind searches that take theirs.
  server.setRequestHandler("resources/list", (_, context) =>
    withoutFaults(
      ground.look(async ({ resources }) => ({ resources: await resourceList(resources) })),
      log,
      sayTo(ground, context),
    ),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    // An artifact is where the call was made that it was cut from; all else is the same everywhere.
    const own = uri.startsWith("artifact://") ? await rootsOfCall(server, ground, context) : null;
    if (own !== null && "answer" in own) return own.answer;
    const read = async ({ resources }: Pick<Workspace, "resources">): Promise<ReadResourceResult> => {
      const text = await resourceText(resources, uri);
      if (text === null) throw new ResourceNotFoundError(uri);
      return { contents: [text] };
    };
    const reading = own === null ? ground.look(read) : ground.use(context.mcpReq.signal, read, own);
    return withoutFaults(reading, log, sayTo(ground, context));
  });
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }, context) =>
    withoutFaults(
      ground.look(async ({ resources }) => ({
        completion: await completions(resources, ref, argument.value),
      })),
      log,
      sayTo(ground, context),
    ),
  );

  server.setRequestHandler("logging/setLevel", ({ params: { level } }) => {
    if (!LEVELS.includes(level)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no log level ${level}`);
    }
    ground.logLevel = level;
    return {};
  });
  server.setNotificationHandler("notifications/roots/list_changed", () => ground.roots.forget());
  return server;
}

/** What goes wrong inside is for the log: the SDK would send its words to the client. */
async function withoutFaults<T>(work: Promise<T>, log: Log, say: Say): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ProtocolError || cause instanceof ToolError) throw cause;
    log("error", "A request failed", { why: String(cause) });
    say("error", "A request failed by a fault of the server");
    throw new ProtocolError(ProtocolErrorCode.InternalError, "The server failed by a fault of its own");
  }
}

/** Log messages for the client, where it asked for them. */
function sayTo(ground: ClientGround, { mcpReq }: ServerContext): Say {
  return (level, message) => {
    // The newest revision asks with each request, which the SDK looks at; the older ones once.
    if (envelope(mcpReq) === undefined && !isSaid(level, ground.logLevel)) return;
    void mcpReq.log(level, message, "quarry").catch(() => {});
  };
}
