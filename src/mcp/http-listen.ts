/** Opens the port and closes it again, with everything that is connected. Called by `http.ts`. */
import { lookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ToolError } from "../model/errors.ts";
import {
  MCP_CONNECTIONS,
  MCP_END_TIME,
  MCP_HEADERS_TIME,
  MCP_KEPT_TIME,
  MCP_REQUEST_TIME,
  MCP_STUCK_TIME,
} from "../model/limits.ts";
import { type HttpOptions, isLoopback, plainHost, tokenNeeded, urlHost } from "./http-options.ts";

export interface Listening {
  readonly url: string;
  /** Takes no more connections; those that are open have a moment to end. */
  readonly close: () => Promise<void>;
}

/** @throws PORT_BUSY, INVALID_INPUT */
export async function listen(http: HttpOptions, listener: RequestListener): Promise<Listening> {
  const { host, port, tokens } = http;
  const address = await addressOf(host);
  // The name is loopback's; where it leads is for the system to say.
  if (tokens.length === 0 && !isLoopback(address)) throw tokenNeeded(host);
  const server = createServer(
    {
      headersTimeout: MCP_HEADERS_TIME,
      keepAliveTimeout: MCP_KEPT_TIME,
      requestTimeout: MCP_REQUEST_TIME,
      connectionsCheckingInterval: MCP_HEADERS_TIME / 2,
    },
    listener,
  );
  server.maxConnections = MCP_CONNECTIONS;
  server.timeout = MCP_STUCK_TIME;
  await opened(server, address, http);
  const { port: real } = server.address() as AddressInfo;
  return { url: `http://${urlHost(plainHost(host))}:${real || port}`, close: () => closed(server) };
}

async function addressOf(host: string): Promise<string> {
  try {
    // Where a name has both, clients reach the older kind.
    return (await lookup(plainHost(host), { verbatim: false })).address;
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `--host ${host} is no name that leads anywhere`, { cause });
  }
}

function opened(server: Server, address: string, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(explained(cause, host, port)));
    server.listen({ host: address, port }, () => {
      // From now on a fault concerns one connection, and the others go on.
      server.removeAllListeners("error").on("error", () => {});
      resolve();
    });
  });
}

function explained(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (cause.code) {
    case "EADDRINUSE":
      return new ToolError("PORT_BUSY", `Port ${port} of ${host} is in use by another program`, {
        hint: "Choose another with --port; 0 takes any that is free",
        cause,
      });
    case "EADDRNOTAVAIL":
      return new ToolError("INVALID_INPUT", `--host ${host} is no address of this machine`, { cause });
    case "EACCES":
      return new ToolError("INVALID_INPUT", `Port ${port} may not be used by this user`, {
        hint: "Choose one above 1023 with --port",
        cause,
      });
    default:
      return cause;
  }
}

async function closed(server: Server): Promise<void> {
  const all = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), MCP_END_TIME);
  await all;
  clearTimeout(timer);
}
