/**
 * The server over Streamable HTTP: `/mcp` for clients of every revision, `/health` for whoever watches it. A request
 * passes the guard, then the older revisions go to their session and the newest to a server of its own. Called by the
 * command line, and by tests with servers of their own.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isLegacyRequest, type Server, type ServerNotifier } from "@modelcontextprotocol/server";
import {
  MCP_CALLS,
  MCP_CALLS_KEPT,
  MCP_CALLS_SHARE,
  MCP_CALLS_WAITING,
  MCP_SESSION_IDLE,
  MCP_SESSIONS,
  MCP_SWEEP,
} from "../model/limits.ts";
import { ClientGround } from "./client-ground.ts";
import { CODES, type Refusal, refuse, sendJson } from "./http-answers.ts";
import { readBody } from "./http-body.ts";
import { answerPreflight, grant, isPreflight } from "./http-cors.ts";
import { sendResponse, webRequest } from "./http-exchange.ts";
import { ANYBODY, type Guard, guard } from "./http-guard.ts";
import { listen } from "./http-listen.ts";
import { checkHttpOptions, type HttpOptions } from "./http-options.ts";
import { broadWarning } from "./hello.ts";
import type { Log } from "./log.ts";
import type { McpOptions } from "./options.ts";
import { begin } from "./quiet.ts";
import { type RefusalLog, refusalLog } from "./refusal-log.ts";
import { createServer } from "./server.ts";
import { type Exchange, Sessions } from "./sessions.ts";
import { Stateless } from "./stateless.ts";
import { fairTurns } from "./turns.ts";

export interface HttpGround {
  readonly log: Log;
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** What a client speaks to. `notify` reaches subscribers of the newest revision. @default ours */
  readonly makeServer?: (client: ClientGround, notify: ServerNotifier) => Server;
  /** @default MCP_SESSIONS */
  readonly sessions?: number;
  /** How long nobody may use a session. @default MCP_SESSION_IDLE */
  readonly idle?: number;
}

/** Serves until the signal ends it; then nothing of it is left. @throws INVALID_INPUT, PORT_BUSY */
export async function serveOverHttp(
  options: McpOptions,
  http: HttpOptions,
  ground: HttpGround,
): Promise<void> {
  checkHttpOptions(http);
  const { log, signal, idle = MCP_SESSION_IDLE } = ground;
  const refusals = refusalLog(log);
  const service = serviceOf(options, ground, refusals);
  const answering = { service, door: guard(http), refusals, signal, version: options.version };
  const listening = await listen(http, (request, response) => {
    answer(request, response, answering).catch((cause: unknown) => {
      // A client that left in the middle is told nothing.
      if (response.closed || request.errored !== null) return;
      log("error", "A request failed", { why: String(cause) });
      refuse(request, response, REFUSALS.fault);
    });
  });
  const broad = broadWarning(options);
  if (broad !== null) log("warn", broad);
  log("info", `Serving at ${listening.url}/mcp`, { root: options.root, dialect: options.dialect });
  begin()();
  const sweep = setInterval(
    () => {
      service
        .endIdle(idle)
        .catch((cause: unknown) => log("error", "Idle clients stay", { why: String(cause) }));
    },
    Math.min(idle / 2, MCP_SWEEP),
  );
  await ended(signal);
  clearInterval(sweep);
  const closing = listening.close();
  await service.close();
  await closing;
  refusals.end();
  log("info", "The server has ended");
}

interface Service {
  readonly sessions: Sessions;
  readonly stateless: Stateless;
  readonly endIdle: (milliseconds: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

function serviceOf(
  options: McpOptions,
  { log, makeServer = (client) => createServer(client, log), sessions: most = MCP_SESSIONS }: HttpGround,
  refusals: RefusalLog,
): Service {
  // One bound for the process, whoever asks; another client may come at any time.
  const turns = fairTurns({
    count: MCP_CALLS,
    kept: MCP_CALLS_KEPT,
    share: MCP_CALLS_SHARE,
    waiting: MCP_CALLS_WAITING,
  });
  const makeGround = (owner: string): ClientGround =>
    new ClientGround(options, (text) => log("warn", text), {
      turns,
      owner: owner === ANYBODY ? null : owner,
    });
  const make = (client: ClientGround): Server => makeServer(client, stateless.handler.notify);
  const stateless = new Stateless({ makeGround, makeServer: make, log });
  const sessions = new Sessions({ makeGround, makeServer: make, log, onRefused: refusals.say, most });
  return {
    sessions,
    stateless,
    endIdle: async (milliseconds) => {
      await Promise.all([sessions.endIdle(milliseconds), stateless.endIdle(milliseconds)]);
    },
    close: async () => {
      await Promise.all([sessions.close(), stateless.close()]);
    },
  };
}

interface AnswerGround {
  readonly service: Service;
  readonly door: Guard;
  readonly refusals: RefusalLog;
  readonly signal: AbortSignal;
  readonly version: string;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { service, door, refusals, signal, version }: AnswerGround,
): Promise<void> {
  const { method = "", headers } = request;
  const wrong = door.refusesPlace(request);
  if (wrong !== null) {
    const value = String(headers[wrong === "Host" ? "host" : "origin"]).slice(0, 200);
    refusals.say(`A request was refused: its ${wrong} is not allowed`, { [wrong.toLowerCase()]: value });
    return refuse(request, response, REFUSALS[wrong]);
  }
  const origin = door.grantedOrigin(request);
  if (origin !== null) grant(response, origin);
  const [path] = (request.url ?? "").split("?", 1);
  if (path === "/health")
    return health(request, response, { ok: true, sessions: service.sessions.size, version });
  if (path !== "/mcp") return refuse(request, response, REFUSALS.path);
  if (origin !== null && isPreflight(request)) return answerPreflight(response);
  const owner = door.ownerOf(request);
  if (owner === null) {
    refusals.say("A request was refused: it has no valid token", { from: request.socket.remoteAddress });
    return refuse(request, response, REFUSALS.token);
  }
  if (!METHODS.has(method)) return refuse(request, response, REFUSALS.method);
  if (signal.aborted) return refuse(request, response, REFUSALS.ending);
  const body = method === "POST" ? await readBody(request) : { value: undefined };
  if ("refusal" in body) return refuse(request, response, body.refusal);
  const exchange: Exchange = {
    request: webRequest(request, response),
    body: body.value,
    owner,
    onClose: (then) => void (response.closed ? then() : response.once("close", then)),
  };
  const old = await isLegacyRequest(exchange.request, exchange.body);
  // Where the end began while the body came, nothing new may.
  if (isEnding(signal)) return refuse(request, response, REFUSALS.ending);
  const answered = await (old ? service.sessions : service.stateless).answer(exchange);
  await sendResponse(answered, response);
}

function health(request: IncomingMessage, response: ServerResponse, facts: object): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    refuse(request, response, { ...REFUSALS.method, headers: { allow: "GET, HEAD" } });
    return;
  }
  sendJson(response, 200, JSON.stringify(facts));
  response.end();
}

/** Looked at again after a wait. */
function isEnding(signal: AbortSignal): boolean {
  return signal.aborted;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

const METHODS: ReadonlySet<string> = new Set(["POST", "GET", "DELETE"]);

const REFUSALS = {
  Host: {
    status: 403,
    code: CODES.refused,
    message: "This Host is not allowed; the server's --allowed-host names more",
  },
  Origin: {
    status: 403,
    code: CODES.refused,
    message: "This Origin is not allowed; the server's --allowed-origin names more",
  },
  path: { status: 404, code: CODES.refused, message: "There is nothing here; the server is at /mcp" },
  token: {
    status: 401,
    code: CODES.refused,
    message: "A bearer token is needed, and this is none that is valid here",
    headers: { "www-authenticate": "Bearer" },
  },
  method: {
    status: 405,
    code: CODES.refused,
    message: "This method is not allowed here",
    headers: { allow: "POST, GET, DELETE" },
  },
  ending: {
    status: 503,
    code: CODES.refused,
    message: "The server is ending",
    headers: { connection: "close" },
  },
  fault: { status: 500, code: CODES.internal, message: "The server failed by a fault of its own" },
} as const satisfies Readonly<Record<string, Refusal>>;
