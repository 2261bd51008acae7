/** The answers of the HTTP server that no session gives: refusals as JSON-RPC errors, which belong to no request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { MCP_REFUSED_TIME } from "../model/limits.ts";

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Codes of JSON-RPC, and those that MCP servers use for what HTTP refuses. */
export const CODES = {
  parse: -32_700,
  invalid: -32_600,
  internal: -32_603,
  refused: -32_000,
  noSession: -32_001,
} as const;

export function refusalResponse({ status, code, message, headers }: Refusal): Response {
  return Response.json(errorOf(code, message), { status, ...(headers === undefined ? {} : { headers }) });
}

/** Before the body was read: what is left of it is taken in for a while, or the client would not see the answer. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(errorOf(refusal.code, refusal.message));
  const unread = !request.complete;
  sendJson(response, refusal.status, text, {
    ...refusal.headers,
    ...(unread ? { connection: "close" } : {}),
  });
  if (!unread) {
    response.end();
    return;
  }
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => response.destroy(), MCP_REFUSED_TIME);
  request.once("end", end).once("close", end).once("error", end).resume();
}

/** Writes all of it, and leaves the end to the caller. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.write(text);
}

function errorOf(code: number, message: string): unknown {
  return { jsonrpc: "2.0", error: { code, message }, id: null };
}
