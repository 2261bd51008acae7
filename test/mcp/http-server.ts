/** What the tests of the HTTP server share: servers in this process, and raw requests. */
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { type HttpGround, serveOverHttp } from "../../src/mcp/http.ts";
import type { HttpOptions } from "../../src/mcp/http-options.ts";
import type { McpOptions } from "../../src/mcp/options.ts";

export interface Served {
  readonly port: number;
  readonly log: () => string;
  /** Resolves when nothing of it is left. */
  readonly end: () => Promise<void>;
}

interface Given {
  readonly options?: Partial<McpOptions>;
  readonly http?: Partial<HttpOptions>;
  readonly ground?: Partial<HttpGround>;
}

/** A server in this process, until the end of the test. */
export async function serve(root: string, given: Given = {}): Promise<Served> {
  const served = await begin(root, given);
  onTestFinished(served.end);
  return served;
}

/** The same until somebody ends it. */
export async function begin(root: string, given: Given = {}): Promise<Served> {
  const ending = new AbortController();
  let log = "";
  let ended: Promise<void> = Promise.resolve();
  const port = new Promise<number>((resolve, reject) => {
    ended = serveOverHttp(
      { ...OPTIONS, root, ...given.options },
      { ...HTTP, ...given.http },
      {
        log: (level, message, facts) => {
          log += `${level} ${message} ${JSON.stringify(facts)}\n`;
          const [, number] = /^Serving at .+:(\d+)\/mcp$/.exec(message) ?? [];
          if (number !== undefined) resolve(Number(number));
        },
        signal: ending.signal,
        ...given.ground,
      },
    );
    ended.catch(reject);
  });
  const end = async (): Promise<void> => {
    ending.abort();
    await ended.catch(() => {});
  };
  return { port: await port, log: () => log, end };
}

export const OPTIONS: Omit<McpOptions, "root"> = {
  allow: null,
  deny: [],
  dialect: "quarry",
  anthropicCompat: false,
  readOnly: false,
  disabledTools: [],
  maxFileSize: null,
  structured: false,
  env: process.env,
  version: "0.0.0",
};

export const HTTP: HttpOptions = {
  host: "127.0.0.1",
  port: 0,
  tokens: [],
  allowedHosts: [],
  allowedOrigins: [],
};

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Keeps connections for the next request. */
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const USUAL: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** One request with exactly these headers beside the usual ones; null leaves one of those out. */
export async function send(port: number, sent: Sent = {}): Promise<Answer> {
  const { status, headers, chunks } = await open(port, sent);
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return { status, headers, text };
}

export interface Opened {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: AsyncIterable<string>;
  readonly drop: () => void;
}

/** The same as soon as it is answered, before the end of the answer. */
export function open(port: number, sent: Sent): Promise<Opened> {
  const { method = "POST", path = "/mcp", headers = {}, body, signal, agent } = sent;
  const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
  const length = text === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
  const connection = agent === undefined ? "close" : "keep-alive";
  const all = { host: `127.0.0.1:${port}`, connection, ...USUAL, ...length, ...headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent: agent ?? false,
        // A flat list is sent as it is, whatever Node thinks of it.
        headers: Object.entries(all).flatMap(([name, value]) =>
          value === null ? [] : [value].flat().flatMap((one) => [name, one]),
        ),
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          chunks: response.setEncoding("utf8") as AsyncIterable<string>,
          drop: () => void request.destroy(),
        });
      },
    );
    request.once("error", reject);
    request.end(text);
  });
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
} as const;

/** A session's headers. */
export async function initialize(
  port: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const answer = await send(port, { headers, body: INITIALIZE });
  if (answer.status !== 200) throw new Error(`No session: ${answer.status} ${answer.text}`);
  return {
    ...headers,
    "mcp-session-id": String(answer.headers["mcp-session-id"]),
    "mcp-protocol-version": "2025-11-25",
  };
}

export function call(id: number | string, name: string, input: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}

/** The messages of an answer, be it a stream of events or one JSON text. */
export function messages(text: string): Message[] {
  if (text.startsWith("{")) return [JSON.parse(text) as Message];
  return [...text.matchAll(/^data: (\{.+)$/gm)].map(([, json = ""]) => JSON.parse(json) as Message);
}

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The text of the one answer to a call. */
export function textOf(answer: Answer): string {
  const last = messages(answer.text).at(-1);
  return last?.result?.content?.[0]?.text ?? JSON.stringify(last ?? answer.text);
}

/** A call of the revision without sessions: its headers and its body. */
export function newest(
  id: number | string,
  name: string,
  input: object,
): Required<Pick<Sent, "headers" | "body">> {
  return {
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
    body: {
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: {
        name,
        arguments: input,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
  };
}
