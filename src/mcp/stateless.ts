/**
 * Clients of the revision 2026-07-28, which has no sessions: the SDK makes a server for each request, and what must
 * last hangs on the client's token, and on the roots that come with a call. Several clients may have one token: none
 * of them works in the roots of another. A client that goes away cancels its call. Called by `http.ts`.
 */
import { createHash } from "node:crypto";
import { createMcpHandler, type McpHttpHandler, type Server } from "@modelcontextprotocol/server";
import { MCP_MESSAGE, MCP_SESSIONS } from "../model/limits.ts";
import type { ClientGround } from "./client-ground.ts";
import type { Log } from "./log.ts";
import { namedRoots } from "./roots.ts";
import type { Exchange } from "./sessions.ts";
import { Use } from "./use.ts";

export interface StatelessGround {
  readonly makeGround: (owner: string) => ClientGround;
  readonly makeServer: (ground: ClientGround) => Server;
  readonly log: Log;
}

interface Kept {
  readonly ground: ClientGround;
  readonly use: Use;
}

export class Stateless {
  readonly handler: McpHttpHandler;
  readonly #ground: StatelessGround;
  /** By their owners and roots, those that were used last at the end. */
  readonly #kept = new Map<string, Kept>();

  constructor(ground: StatelessGround) {
    this.#ground = ground;
    this.handler = createMcpHandler(
      ({ authInfo }) => ground.makeServer(this.#of(authInfo?.clientId ?? "").ground),
      {
        legacy: "reject",
        maxRequestBodySize: MCP_MESSAGE,
        maxSubscriptions: MCP_SESSIONS,
        onerror: (error) => ground.log("debug", "The protocol was not followed", { why: error.message }),
      },
    );
  }

  async answer({ request, body, owner, onClose }: Exchange): Promise<Response> {
    const clientId = `${owner} ${rootsKey(body)}`;
    onClose(this.#of(clientId).use.enter());
    // The token itself is nobody's business from here on.
    const authInfo = { token: "", clientId, scopes: [] };
    return this.handler.fetch(request, { parsedBody: body, authInfo });
  }

  /** Ends what nobody used for so long. */
  async endIdle(milliseconds: number): Promise<void> {
    const idle = [...this.#kept].filter(([, { use }]) => use.isIdle(milliseconds));
    for (const [owner] of idle) this.#kept.delete(owner);
    await Promise.all(idle.map(([, { ground }]) => ground.close()));
  }

  async close(): Promise<void> {
    await this.handler.close();
    await Promise.all([...this.#kept.values()].map(({ ground }) => ground.close()));
  }

  #of(clientId: string): Kept {
    const [owner = ""] = clientId.split(" ", 1);
    const kept = this.#kept.get(clientId) ?? { ground: this.#ground.makeGround(owner), use: new Use() };
    this.#kept.delete(clientId);
    this.#kept.set(clientId, kept);
    if (this.#kept.size > MCP_SESSIONS) this.#endOldest();
    return kept;
  }

  /** Whoever names other roots with each call must not fill the memory. */
  #endOldest(): void {
    const oldest = [...this.#kept].find(([, { use }]) => use.isIdle(0));
    if (oldest === undefined) return;
    const [clientId, { ground }] = oldest;
    this.#kept.delete(clientId);
    void ground.close();
  }
}

/** The roots that a call brings along, as a short name; "" for none. */
function rootsKey(body: unknown): string {
  const { params } = (body ?? {}) as {
    readonly params?: { readonly inputResponses?: { readonly roots?: unknown } };
  };
  const roots = namedRoots(params?.inputResponses?.roots);
  return roots === null ? "" : createHash("sha256").update(JSON.stringify(roots)).digest("hex");
}
