/**
 * Where the HTTP server listens and whom it serves, and what of that is refused before it starts: beyond loopback
 * nobody is served without a token. Called by `http.ts`.
 */
import { isIPv4, isIPv6 } from "node:net";
import { ToolError } from "../model/errors.ts";
import { MCP_TOKEN_LENGTH } from "../model/limits.ts";

export interface HttpOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** What clients must show one of; none: whoever reaches the server is served. */
  readonly tokens: readonly string[];
  /** Host headers that are taken besides loopback and `host`. */
  readonly allowedHosts: readonly string[];
  /** Whose pages may call, besides loopback: hosts, or whole origins. */
  readonly allowedOrigins: readonly string[];
}

const LAST_PORT = 65_535;

/** @throws INVALID_INPUT */
export function checkHttpOptions({ host, port, tokens, allowedOrigins }: HttpOptions): void {
  for (const origin of allowedOrigins) plainOrigin(origin);
  if (port > LAST_PORT) {
    throw new ToolError("INVALID_INPUT", `--port must be at most ${LAST_PORT}, not ${port}`);
  }
  // What a token is must not be told, not even a wrong one.
  for (const token of tokens) {
    if (token.length < MCP_TOKEN_LENGTH) {
      throw new ToolError("INVALID_INPUT", `The token is shorter than ${MCP_TOKEN_LENGTH} characters`, {
        hint: "Use --generate-token, or a longer one",
      });
    }
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new ToolError("INVALID_INPUT", "The token has characters that no header can carry", {
        hint: "Use letters, digits and - . _ ~ + /",
      });
    }
  }
  if (tokens.length === 0 && !isLoopback(host)) throw tokenNeeded(host);
}

export function tokenNeeded(host: string): ToolError {
  return new ToolError("INVALID_INPUT", `--host ${host} can be reached from elsewhere, and no token is set`, {
    hint: "Add --generate-token or set QUARRY_TOKEN, or listen on 127.0.0.1",
  });
}

/** A name or an address, with or without brackets, that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const name = plainHost(host);
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/** Listens on every address: no name that a client could use. */
export function isEveryAddress(host: string): boolean {
  const name = plainHost(host);
  return name === "0.0.0.0" || name === "::";
}

/** In small letters, without brackets, an IPv6 address in its shortest form. */
export function plainHost(host: string): string {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return isIPv6(name) && !name.includes("%") ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name;
}

/**
 * A host as it is compared, or an origin as a browser sends it: in small letters, without the port that is usual.
 * @throws INVALID_INPUT for what is neither: it would let in nobody, or seem to let in everybody
 */
export function plainOrigin(given: string): string {
  const isHost = isIPv6(plainHost(given)) || /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(given);
  if (isHost && given.toLowerCase() !== "null") return plainHost(given);
  const isOrigin = /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^/?#@*\\\s]+\/?$/i.test(given) && URL.canParse(given);
  // Of schemes that the web does not know, as an editor's pages have, URL tells no origin.
  if (isOrigin)
    return /^https?:/i.test(given) ? new URL(given).origin : given.toLowerCase().replace(/\/$/, "");
  throw new ToolError(
    "INVALID_INPUT",
    `--allowed-origin must be a host or an origin, not ${JSON.stringify(given)}`,
    { hint: "Name each of them, as app.example or https://app.example:8443" },
  );
}

/** As it stands in a URL. */
export function urlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
