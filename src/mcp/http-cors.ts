/**
 * What lets a page that a browser shows call the server: only pages of the origins that were named with
 * --allowed-origin, never any origin at all. A preflight is answered without a token, which a browser does not send with
 * it; the call that follows needs one. Called by `http.ts`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { MCP_PREFLIGHT_KEPT } from "../model/limits.ts";

const METHODS = "POST, GET, DELETE";

/** What clients of any revision send. */
const HEADERS = [
  "authorization",
  "content-type",
  "accept",
  "last-event-id",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
].join(", ");

/** On whatever is answered from here on, errors and streams too: the browser shows it to the page of this origin. */
export function grant(response: ServerResponse, origin: string): void {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", "Mcp-Session-Id");
  response.setHeader("vary", "Origin");
}

/** Whether a browser asks if it may call. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** To an origin that was granted. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": HEADERS,
    "access-control-max-age": String(MCP_PREFLIGHT_KEPT),
  });
  response.end();
}
