/** Lines that are messages: what is read without the SDK's schema is what the schema would have made of it. */
import { PassThrough } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import {
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  record,
  string,
} from "fast-check";
import { expect, test } from "vitest";
import { LineTransport } from "../../src/mcp/line-transport.ts";

const params = oneof(
  dictionary(string(), jsonValue()),
  record({ _meta: oneof(jsonValue(), record({ progressToken: oneof(integer(), jsonValue()) })) }),
  jsonValue(),
);
/** Mostly requests, each part of which may be wrong or missing. */
const raw = record(
  {
    jsonrpc: oneof({ weight: 9, arbitrary: constantFrom("2.0") }, jsonValue()),
    id: oneof({ weight: 9, arbitrary: oneof(string(), integer()) }, jsonValue()),
    method: oneof({ weight: 9, arbitrary: string() }, jsonValue()),
    params,
    more: jsonValue(),
  },
  { requiredKeys: ["jsonrpc", "id", "method"] },
);

function parsed(value: unknown): JSONRPCMessage[] {
  try {
    return [parseJSONRPCMessage(value)];
  } catch {
    return [];
  }
}

/** What it hands on of one line. */
async function received(line: string): Promise<JSONRPCMessage[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  const transport = new LineTransport(input, output);
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message) => messages.push(message);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  input.end(`${line}\n`);
  await closed;
  return messages;
}

test("a request is handed on as the SDK reads it, or not at all", async () => {
  let handedOn = 0;
  await assert(
    asyncProperty(raw, async (given) => {
      const line = JSON.stringify(given);
      const messages = await received(line);
      handedOn += messages.length;
      expect(messages).toEqual(parsed(JSON.parse(line)).filter((message) => "id" in message));
    }),
    { numRuns: 500 },
  );
  expect(handedOn).toBeGreaterThan(20);
});
