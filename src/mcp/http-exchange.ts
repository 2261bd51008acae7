/** Between Node's requests and those of the web, which the SDK speaks. Called by `http.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** The request without its body, which is read apart. Its signal fires when the client goes away unanswered. */
export function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.closed) leave();
  else response.once("close", leave);
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // Whose name it is was looked at before; nobody asks for it here.
  const url = new URL(request.url ?? "/", "http://localhost");
  return new Request(url, { method: request.method ?? "GET", headers, signal: gone.signal });
}

/** Sends it as fast as the client takes it. Where the client goes away, whoever writes is told. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  if (response.closed) {
    await answer.body?.cancel();
    return;
  }
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "x-content-type-options": "nosniff",
  });
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  // A client that goes away is no fault.
  await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response).catch(() => {});
}
