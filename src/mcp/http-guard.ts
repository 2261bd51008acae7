/**
 * Who may speak to the HTTP server: the Host and the Origin of a request are looked at before anything else, because a
 * page that somebody opens must not reach a server on their machine (DNS rebinding); then its token. Called by
 * `http.ts`.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type HttpOptions, isEveryAddress, isLoopback, plainHost } from "./http-options.ts";

export interface Guard {
  /** Which header is not allowed; null: both are. */
  readonly refusesPlace: (request: IncomingMessage) => "Host" | "Origin" | null;
  /** Whose token it has, as a name that does not give it away; null: no valid one. */
  readonly ownerOf: (request: IncomingMessage) => string | null;
}

/** The owner of everything where there are no tokens. */
const ANYBODY = "anybody";

export function guard({ host, tokens, allowedHosts, allowedOrigins }: HttpOptions): Guard {
  const hosts = new Set([...(isEveryAddress(host) ? [] : [host]), ...allowedHosts].map(plainHost));
  const originHosts = new Set(allowedOrigins.map(plainHost));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  const known = tokens.map(digest);
  return {
    refusesPlace: ({ headersDistinct }) => {
      const [name, ...others] = headersDistinct["host"] ?? [];
      if (name === undefined || others.length > 0 || !isHost(name, hosts)) return "Host";
      const [origin, ...more] = headersDistinct["origin"] ?? [];
      if (origin === undefined) return null;
      const fine = more.length === 0 && (origins.has(origin.toLowerCase()) || isOrigin(origin, originHosts));
      return fine ? null : "Origin";
    },
    ownerOf: ({ headersDistinct }) => {
      if (known.length === 0) return ANYBODY;
      const [header = "", ...others] = headersDistinct["authorization"] ?? [];
      const given = digest(/^Bearer +([^\s]+) *$/i.exec(header)?.[1] ?? "");
      // Each is compared, whichever it is: how long that takes tells nothing.
      const matching = known.filter((one) => timingSafeEqual(one, given));
      return others.length === 0 && matching.length > 0 ? given.toString("hex").slice(0, 16) : null;
    },
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** `name` or `name:port`; whatever else a URL could hold is no Host. */
function isHost(header: string, allowed: ReadonlySet<string>): boolean {
  const [, name] = /^(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?$/i.exec(header) ?? [];
  return name !== undefined && (isLoopback(name) || allowed.has(plainHost(name)));
}

/** A page's origin by its host; `null`, and what is no page's, is none. */
function isOrigin(header: string, allowed: ReadonlySet<string>): boolean {
  const [, name] = /^https?:\/\/(.+)$/i.exec(header) ?? [];
  return name !== undefined && isHost(name, allowed);
}
