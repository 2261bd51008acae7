/**
 * Internal URLs, `scheme://path`, through one router. A protocol is one file in `protocols/` that the session
 * registers. The tools ask the router before they take an input for a path. A path is taken as it stands,
 * without percent-decoding, so that a thing has one name.
 */
import { ToolError } from "../model/errors.ts";
import type { Policy } from "./policy.ts";

export interface Url {
  /** In lower case. */
  readonly protocol: string;
  /** What follows `://`. */
  readonly path: string;
}

export type Resource =
  /** Text that is no file. */
  | { readonly kind: "text"; readonly url: string; readonly text: string; readonly immutable: true }
  /** A file to be opened on a ground of its own, which need not be the session's. */
  | {
      readonly kind: "file";
      readonly url: string;
      readonly path: string;
      readonly immutable: boolean;
      readonly policy: Policy;
    }
  /** Several, each to be resolved by itself. */
  | { readonly kind: "many"; readonly url: string; readonly urls: readonly string[] };

/** Where something can be written. */
export interface Located {
  /** Its one name. */
  readonly url: string;
  readonly path: string;
  readonly policy: Policy;
}

export interface Protocol {
  readonly scheme: string;
  /** One line for whoever asks what there is. */
  readonly description: string;
  /** Throws a ToolError for what is not there. "" is the whole. */
  resolve(path: string): Promise<Resource>;
  /** Every URL there is. */
  list(): Promise<string[]>;
  /** URLs that begin so; without it, those of `list`. */
  complete?(prefix: string): Promise<string[]>;
  /** Where to write, whether it is there or not. Without it nothing can be written. */
  locate?(path: string): Promise<Located>;
}

export interface Router {
  readonly protocols: readonly Protocol[];
  /** Is it a URL, of a protocol known or not? */
  readonly handles: (text: string) => boolean;
  /** Throws URL_UNKNOWN, URL_GLOB, or what the protocol says. */
  readonly resolve: (text: string) => Promise<Resource>;
  /** Never throws. */
  readonly exists: (text: string) => Promise<boolean>;
  /** Throws URL_READ_ONLY too. */
  readonly locate: (text: string) => Promise<Located>;
  readonly complete: (prefix: string) => Promise<string[]>;
}

// Two letters at least: `C://x` is a drive. `file:` names a plain path, and `entries.ts` makes it one.
const URL = /^(?!file:)([a-z][a-z0-9+.-]+):\/\/(.*)$/is;
const GLOB = /[*?[{]/;

export function parseUrl(text: string): Url | null {
  const [, protocol, path] = URL.exec(text) ?? [];
  return protocol === undefined || path === undefined ? null : { protocol: protocol.toLowerCase(), path };
}

export function createRouter(protocols: readonly Protocol[]): Router {
  const known = new Map(protocols.map((protocol) => [protocol.scheme, protocol]));
  const route = (text: string): { protocol: Protocol; path: string } => {
    const url = parseUrl(text);
    const protocol = url === null ? undefined : known.get(url.protocol);
    if (url === null || protocol === undefined) throw unknown(text, url, protocols);
    if (GLOB.test(url.path)) {
      throw new ToolError("URL_GLOB", `A URL takes no glob: ${text}`, {
        hint: `Search ${protocol.scheme}:// as a whole, or name one of its parts`,
      });
    }
    return { protocol, path: url.path };
  };
  const resolve = async (text: string): Promise<Resource> => {
    const { protocol, path } = route(text);
    return protocol.resolve(path);
  };
  return {
    protocols,
    resolve,
    handles: (text) => parseUrl(text) !== null,
    exists: async (text) => {
      try {
        await resolve(text);
        return true;
      } catch {
        return false;
      }
    },
    locate: async (text) => {
      const { protocol, path } = route(text);
      if (protocol.locate !== undefined) return protocol.locate(path);
      throw new ToolError("URL_READ_ONLY", `${text} can be read and not written`, {
        hint: `What can be written: ${writable(protocols)}`,
      });
    },
    complete: async (prefix) => {
      const url = parseUrl(prefix);
      const protocol = url === null ? undefined : known.get(url.protocol);
      if (url === null || protocol === undefined) {
        return protocols.map(({ scheme }) => `${scheme}://`).filter((start) => start.startsWith(prefix));
      }
      if (protocol.complete !== undefined) return protocol.complete(url.path);
      return (await protocol.list()).filter((candidate) => candidate.startsWith(prefix));
    },
  };
}

function unknown(text: string, url: Url | null, protocols: readonly Protocol[]): ToolError {
  const known = protocols.map(({ scheme }) => `${scheme}://`).join(", ");
  if (url?.protocol === "http" || url?.protocol === "https") {
    return new ToolError("KIND_UNSUPPORTED", `${text} is a web page, which is not read here`, {
      hint: `Known are ${known}`,
    });
  }
  return new ToolError("URL_UNKNOWN", `The protocol of ${text} is not known`, {
    hint: `Known are ${known}; a file name with :// in it is written with ./ before it`,
  });
}

function writable(protocols: readonly Protocol[]): string {
  const open = protocols.filter((protocol) => protocol.locate !== undefined);
  return ["files", ...open.map(({ scheme }) => `${scheme}://`)].join(", ");
}
