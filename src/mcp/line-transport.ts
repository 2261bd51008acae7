/**
 * Messages of one line each over a pair of streams. What is no message gets the protocol's error and the connection
 * lives on: bad JSON, a line of any length, an id that is still in use. Called by `stdio.ts`.
 */
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Readable, Writable } from "node:stream";
import { MCP_MESSAGE } from "../model/limits.ts";
import { hasWrongId, type Id, idOf, WRONG_ID } from "./message-id.ts";
import { isPlainRequest } from "./plain-request.ts";

const NEWLINE = 0x0a;

export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #answered: (message: JSONRPCMessage) => boolean;
  /** The line that is being read, unless it is too long to be one. */
  #parts: Buffer[] = [];
  #size = 0;
  #closed = false;
  readonly #open = new Set<Id>();

  /** `answered`: a message that was sent before this transport was there, and is not sent again. */
  constructor(
    input: Readable,
    output: Writable,
    answered: (message: JSONRPCMessage) => boolean = () => false,
  ) {
    this.#input = input;
    this.#output = output;
    this.#answered = answered;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#feed);
    for (const event of ["end", "close"]) this.#input.on(event, () => void this.close());
    this.#input.on("error", (error: Error) => this.onerror?.(error));
    this.#output.on("error", () => void this.close());
    this.#input.resume();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#open.delete(message.id);
    if (!this.#answered(message)) await this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off("data", this.#feed);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #feed = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    this.#take(chunk.subarray(from));
  };

  #take(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > MCP_MESSAGE) this.#parts = [];
    else if (piece.length > 0) this.#parts.push(piece);
  }

  #line(): void {
    const [parts, size] = [this.#parts, this.#size];
    [this.#parts, this.#size] = [[], 0];
    if (size > MCP_MESSAGE) {
      this.#refuse(null, ProtocolErrorCode.InvalidRequest, `A message has at most ${MCP_MESSAGE} bytes`);
      return;
    }
    const text = Buffer.concat(parts).toString("utf8").trim();
    if (text === "") return;
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, "This is no JSON");
      return;
    }
    this.#receive(raw);
  }

  #receive(raw: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = isPlainRequest(raw) ? raw : parseJSONRPCMessage(raw);
    } catch {
      this.#refuse(idOf(raw), ...faultOf(raw));
      return;
    }
    if ("method" in message && "id" in message) {
      if (this.#open.has(message.id)) {
        this.#refuse(message.id, ProtocolErrorCode.InvalidRequest, "This id is still in use");
        return;
      }
      this.#open.add(message.id);
    } else if (hasWrongId(raw)) {
      this.#refuse(null, ProtocolErrorCode.InvalidRequest, WRONG_ID);
      return;
    } else if ("method" in message && message.method === "notifications/cancelled") {
      // It will not be answered.
      this.#open.delete((message.params as { readonly requestId?: Id } | undefined)?.requestId ?? "");
    }
    try {
      this.onmessage?.(message);
    } catch (cause) {
      // Such as an answer to nothing, nested too deep to be written into a log.
      this.onerror?.(cause instanceof Error ? cause : new Error(String(cause)));
      if (!("method" in message && "id" in message)) return;
      this.#open.delete(message.id);
      this.#refuse(message.id, ProtocolErrorCode.InternalError, "This could not be handled");
    }
  }

  #refuse(id: Id | null, code: number, message: string): void {
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } }).catch(() => {});
  }

  #write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** What is wrong with what is no message. */
function faultOf(raw: unknown): readonly [code: number, message: string] {
  if (Array.isArray(raw)) return [ProtocolErrorCode.InvalidRequest, "Batches are not supported"];
  // All else about the parameters is for the method to say.
  if (isRequestBut(raw, "_meta")) {
    return [
      ProtocolErrorCode.InvalidParams,
      "_meta of the parameters is wrong; a progressToken is a string or a whole number",
    ];
  }
  return [ProtocolErrorCode.InvalidRequest, "This is no JSON-RPC 2.0 message"];
}

/** Whether it is a request without this parameter. */
function isRequestBut(raw: unknown, parameter: string): boolean {
  const { params } = (raw ?? {}) as { readonly params?: unknown };
  if (typeof params !== "object" || params === null) return false;
  const rest = { ...(raw as object), params: { ...params, [parameter]: undefined } };
  return !Array.isArray(params) && isJSONRPCRequest(rest);
}
