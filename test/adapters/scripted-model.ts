/** A model that says what a test tells it, behind a real HTTP server on loopback, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface ScriptedModel {
  readonly url: string;
  readonly asked: Record<string, unknown>[];
}

export async function scriptedModel(answers: readonly object[]): Promise<ScriptedModel> {
  const asked: Record<string, unknown>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(JSON.parse(await text(request)) as Record<string, unknown>);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[asked.length - 1] ?? {}));
  };
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
