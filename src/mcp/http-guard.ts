/**
 * Who may speak to the HTTP server: the Host and the Origin of a request are looked at before anything else, because a
 * page that somebody opens must not reach a server on their machine (DNS rebinding); then its token. Called by
 * `http.ts`.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type HttpOptions, isEveryAddress, isLoopback, plainHost, plainOrigin } from "./http-options.ts";

export interface Guard {
  /** Which header is not allowed; null: both are. */
  readonly refusesPlace: (request: IncomingMessage) => "Host" | "Origin" | null;
  /** The origin whose pages may read the answer, as it was sent: one that was named; null: none. */
  readonly grantedOrigin: (request: IncomingMessage) => string | null;
  /** Whose token it has, as a name that does not give it away; null: no valid one. */
  readonly ownerOf: (request: IncomingMessage) => string | null;
}

/** The owner of everything where there are no tokens. */
export const ANYBODY = "anybody";

export function guard({ host, tokens, allowedHosts, allowedOrigins }: HttpOptions): Guard {
  const hosts = new Set([...(isEveryAddress(host) ? [] : [host]), ...allowedHosts].map(plainHost));
  // Hosts and whole origins: neither can be taken for the other.
  const origins = new Set(allowedOrigins.map(plainOrigin));
  const known = tokens.map(digest);
  const isNamed = (origin: string): boolean => {
    const name = originHost(origin);
    return origins.has(origin.toLowerCase()) || (name !== null && origins.has(name));
  };
  return {
    refusesPlace: ({ headersDistinct }) => {
      const [name, ...others] = headersDistinct["host"] ?? [];
      if (name === undefined || others.length > 0 || !isHost(name, hosts)) return "Host";
      const [origin, ...more] = headersDistinct["origin"] ?? [];
      if (origin === undefined) return null;
      const fine = more.length === 0 && (isNamed(origin) || isLoopback(originHost(origin) ?? ""));
      return fine ? null : "Origin";
    },
    grantedOrigin: ({ headersDistinct }) => {
      const [origin, ...more] = headersDistinct["origin"] ?? [];
      // Pages of this machine may call where they need not ask; to read the answers they must be named, too.
      if (origin === undefined || more.length > 0 || !isNamed(origin)) return null;
      // No page's own: whoever has none says `null`.
      return origin === "" || origin.toLowerCase() === "null" ? null : origin;
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

/** `name` or `name:port`, as a plain name; null: whatever else a URL could hold is no Host. */
function hostName(header: string): string | null {
  const [, name] = /^(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?$/i.exec(header) ?? [];
  return name === undefined ? null : plainHost(name);
}

function isHost(header: string, allowed: ReadonlySet<string>): boolean {
  const name = hostName(header);
  return name !== null && (isLoopback(name) || allowed.has(name));
}

/** The host of a page's origin; null: `null`, and what is no page's. */
function originHost(header: string): string | null {
  const [, name] = /^https?:\/\/(.+)$/i.exec(header) ?? [];
  return name === undefined ? null : hostName(name);
}
