/** The body of a POST as JSON, within its limits. Called by `http.ts`. */
import type { IncomingMessage } from "node:http";
import { MCP_BATCH, MCP_MESSAGE } from "../model/limits.ts";
import { CODES, type Refusal } from "./http-answers.ts";
import { hasWrongId, WRONG_ID } from "./message-id.ts";

export type Body = { readonly value: unknown } | { readonly refusal: Refusal };

/** @throws when the client goes away before it has sent everything */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const bytes = await readBytes(request);
  if (bytes === null) return { refusal: TOO_LARGE };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { refusal: { status: 400, code: CODES.parse, message: "This is no JSON" } };
  }
  if (Array.isArray(value) && value.length > MCP_BATCH) return { refusal: TOO_MANY };
  const messages: unknown[] = Array.isArray(value) ? value : [value];
  if (messages.some(hasWrongId)) return { refusal: ID };
  return { value };
}

const TOO_LARGE: Refusal = {
  status: 413,
  code: CODES.invalid,
  message: `A message has at most ${MCP_MESSAGE} bytes`,
};

const TOO_MANY: Refusal = {
  status: 400,
  code: CODES.invalid,
  message: `A batch has at most ${MCP_BATCH} messages`,
};

const ID: Refusal = { status: 400, code: CODES.invalid, message: WRONG_ID };

/** null: there are too many; the rest is not read. */
async function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers["content-length"] ?? 0) > MCP_MESSAGE) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MCP_MESSAGE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
