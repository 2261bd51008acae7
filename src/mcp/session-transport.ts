/**
 * One session's transport: the SDK's, with an eye on the ids that are in use. The SDK loses the first answer when the
 * same id comes a second time, and keeps the stream of a cancelled call open for ever.
 */
import {
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { CODES, refusalResponse } from "./http-answers.ts";

export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #open = new Set<RequestId>();

  /** Whether calls are running, with or without a connection that waits for them. */
  get isWorking(): boolean {
    return this.#open.size > 0;
  }

  /** A POST, its body read. */
  async answer(request: Request, body: unknown): Promise<Response> {
    const messages: unknown[] = Array.isArray(body) ? body : [body];
    const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
    if (ids.some((id) => this.#open.has(id)) || new Set(ids).size < ids.length) {
      return refusalResponse({ status: 400, code: CODES.invalid, message: "This id is still in use" });
    }
    for (const id of ids) this.#open.add(id);
    const response = await this.handleRequest(request, { parsedBody: body });
    // It was refused as a whole: no answers will come.
    if (!response.ok) for (const id of ids) this.#open.delete(id);
    else await this.#endCancelled(messages);
    return response;
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    try {
      await super.send(message, options);
    } finally {
      if (!("method" in message) && message.id !== undefined) this.#open.delete(message.id);
    }
  }

  /** A cancelled call gets no answer: its stream ends, and who asks for the rest of it finds that it was cancelled. */
  async #endCancelled(messages: readonly unknown[]): Promise<void> {
    for (const message of messages) {
      if (!isSpecType.CancelledNotification(message)) continue;
      const id = message.params.requestId;
      if (id === undefined || !this.#open.has(id)) continue;
      this.closeSSEStream(id);
      const error = { code: ProtocolErrorCode.InvalidRequest, message: "The request was cancelled" };
      await this.send({ jsonrpc: "2.0", id, error }).catch(() => {});
    }
  }
}
