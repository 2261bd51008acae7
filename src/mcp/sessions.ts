/**
 * The sessions of clients that speak a revision up to 2025-11-25: each has its own server, transport, store of events
 * and workspace, so that nothing of one can reach another (T22), and belongs to the token that made it. Clients seldom
 * say when they leave: whatever is idle for long is ended. Called by `http.ts`.
 */
import { randomUUID } from "node:crypto";
import { isInitializeRequest, type Server } from "@modelcontextprotocol/server";
import { MCP_RETRY, MCP_SESSION_SAFE } from "../model/limits.ts";
import type { ClientGround } from "./client-ground.ts";
import { RecentEvents } from "./events.ts";
import { CODES, type Refusal, refusalResponse } from "./http-answers.ts";
import type { Log } from "./log.ts";
import type { RefusalLog } from "./refusal-log.ts";
import { SessionTransport } from "./session-transport.ts";
import { Use } from "./use.ts";

export interface SessionsGround {
  readonly makeGround: (owner: string) => ClientGround;
  readonly makeServer: (ground: ClientGround) => Server;
  readonly log: Log;
  /** Says that one was refused. */
  readonly onRefused: RefusalLog["say"];
  readonly most: number;
}

/** One request of HTTP, its body read and its token checked. */
export interface Exchange {
  readonly request: Request;
  /** undefined: it has none. */
  readonly body: unknown;
  readonly owner: string;
  /** Called when the connection is done with it. */
  readonly onClose: (then: () => void) => void;
}

interface Session {
  readonly owner: string;
  readonly transport: SessionTransport;
  readonly server: Server;
  readonly ground: ClientGround;
  readonly use: Use;
  /** A tool of it was called: somebody works with it. */
  isWorked: boolean;
}

export class Sessions {
  readonly #ground: SessionsGround;
  /** Those that are being made, too. */
  readonly #all = new Set<Session>();
  readonly #byId = new Map<string, Session>();

  constructor(ground: SessionsGround) {
    this.#ground = ground;
  }

  get size(): number {
    return this.#byId.size;
  }

  async answer(exchange: Exchange): Promise<Response> {
    const { request, body, owner } = exchange;
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(exchange);
    const session = this.#byId.get(id);
    if (session === undefined || session.owner !== owner) return refusalResponse(NOT_FOUND);
    exchange.onClose(session.use.enter());
    if (callsTool(body)) session.isWorked = true;
    return request.method === "POST"
      ? session.transport.answer(request, body)
      : session.transport.handleRequest(request);
  }

  /** Ends those that nobody used for so long. */
  async endIdle(milliseconds: number): Promise<void> {
    const idle = this.#resting().filter(({ use }) => use.isIdle(milliseconds));
    await Promise.all(idle.map((session) => session.server.close()));
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#all].map(async ({ server, ground }) => {
        await server.close();
        await ground.close();
      }),
    );
  }

  async #begin(exchange: Exchange): Promise<Response> {
    const { request, body } = exchange;
    if (!isInitializeRequest(body)) return refusalResponse(NO_SESSION);
    if (this.#all.size >= this.#ground.most && !this.#makePlace()) {
      this.#ground.onRefused("A session was refused: all there may be are in use", {
        sessions: this.#all.size,
      });
      return refusalResponse(TOO_MANY);
    }
    const session = this.#make(exchange.owner);
    this.#all.add(session);
    exchange.onClose(session.use.enter());
    try {
      await session.server.connect(session.transport);
      return await session.transport.answer(request, body);
    } finally {
      // Refused, or failed: nobody knows of it.
      if (session.transport.sessionId === undefined) await this.#end(session);
    }
  }

  /** Nothing runs in them, and nobody listens. */
  #resting(): readonly Session[] {
    return [...this.#byId.values()].filter(({ use, transport }) => !transport.isWorking && use.isIdle(0));
  }

  /**
   * Whoever comes counts more than whoever went without a word: the one that rested longest ends. Greetings cost
   * nothing: those that only greeted go first, and no number of them ends one that somebody worked with just now.
   */
  #makePlace(): boolean {
    const [longest] = this.#resting()
      .filter(({ isWorked, use }) => !isWorked || use.isIdle(MCP_SESSION_SAFE))
      .toSorted(
        (one, other) => Number(one.isWorked) - Number(other.isWorked) || other.use.idleFor - one.use.idleFor,
      );
    if (longest === undefined) return false;
    this.#ground.log("info", "A session was ended for a new one: it was idle the longest", {
      seconds: Math.round(longest.use.idleFor / 1000),
    });
    // At once for whoever counts them; the rest of its end need not be waited for.
    this.#forget(longest);
    longest.server.close().catch((cause: unknown) => {
      this.#ground.log("error", "A session did not end well", { why: String(cause) });
    });
    return true;
  }

  #forget(session: Session): void {
    this.#all.delete(session);
    if (session.transport.sessionId !== undefined) this.#byId.delete(session.transport.sessionId);
  }

  async #end(session: Session): Promise<void> {
    await session.server.close();
    // A server that was never connected does not say that it is closed.
    this.#all.delete(session);
  }

  #make(owner: string): Session {
    const ground = this.#ground.makeGround(owner);
    const server = this.#ground.makeServer(ground);
    const transport = new SessionTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: new RecentEvents(),
      retryInterval: MCP_RETRY,
      onsessioninitialized: (id) => void this.#byId.set(id, session),
    });
    const session: Session = { owner, transport, server, ground, use: new Use(), isWorked: false };
    const before = server.onclose;
    server.onclose = () => {
      before?.();
      this.#forget(session);
      void ground.close();
    };
    return session;
  }
}

/** Whether it is a call of a tool, or holds one where a revision has batches. */
function callsTool(body: unknown): boolean {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.some((one) => (one as { readonly method?: unknown } | null)?.method === "tools/call");
}

const NOT_FOUND: Refusal = {
  status: 404,
  code: CODES.noSession,
  message: "There is no such session; begin a new one with initialize",
};

const NO_SESSION: Refusal = {
  status: 400,
  code: CODES.refused,
  message: "The Mcp-Session-Id header is missing, and this is no initialize request",
};

const TOO_MANY: Refusal = {
  status: 503,
  code: CODES.refused,
  message: "There are too many sessions, all in use; end one with DELETE, or try again later",
  headers: { "retry-after": "60" },
};
