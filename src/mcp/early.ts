/**
 * Answers `initialize` before the SDK is loaded, which takes longer than everything else together. The SDK then gets
 * the same bytes, and its own answer to that one request is dropped. Anything else waits for it. Called by `stdio.ts`.
 */
import { PassThrough, type Readable, type Writable } from "node:stream";
import { CAPABILITIES, instructions, LEGACY_REVISIONS, serverInfo } from "./hello.ts";
import type { McpOptions } from "./options.ts";

export interface Early {
  /** All that came, for whoever answers the rest. */
  readonly input: Readable;
  /** Whether an answer to this id was given here; asked once. */
  readonly answered: (id: unknown) => boolean;
}

const NEWLINE = 0x0a;
/** A longer first line is no greeting. */
const LONGEST = 64 * 1024;

export function answerEarly(stdin: Readable, stdout: Writable, options: McpOptions): Early {
  const input = new PassThrough();
  let greeting: Buffer | null = Buffer.alloc(0);
  let answered: string | number | null = null;
  const look = (chunk: Buffer): void => {
    if (greeting === null) return;
    greeting = Buffer.concat([greeting, chunk]);
    const end = greeting.indexOf(NEWLINE);
    if (end === -1 && greeting.length < LONGEST) return;
    const asked = end === -1 ? null : readInitialize(greeting.toString("utf8", 0, end));
    greeting = null;
    if (asked === null) return;
    answered = asked.id;
    const result = {
      protocolVersion:
        LEGACY_REVISIONS.find((revision) => revision === asked.revision) ?? LEGACY_REVISIONS[0],
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(options),
      instructions: instructions(options),
    };
    stdout.write(`${JSON.stringify({ result, jsonrpc: "2.0", id: asked.id })}\n`);
  };
  stdin.on("data", look);
  stdin.pipe(input);
  return {
    input,
    answered: (id) => {
      if (answered === null || id !== answered) return false;
      answered = null;
      return true;
    },
  };
}

/** null: it is something else, or not quite right, which the SDK knows to say. */
function readInitialize(line: string): { readonly id: string | number; readonly revision: string } | null {
  let message: Message;
  try {
    message = JSON.parse(line) as Message;
  } catch {
    return null;
  }
  const { jsonrpc, method, id, params } = message ?? {};
  if (jsonrpc !== "2.0" || method !== "initialize") return null;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return null;
  const { protocolVersion, capabilities, clientInfo, _meta } = params ?? {};
  const known =
    typeof protocolVersion === "string" &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    isObject(clientInfo) &&
    typeof clientInfo["name"] === "string" &&
    typeof clientInfo["version"] === "string" &&
    _meta === undefined;
  return known ? { id: id as string | number, revision: protocolVersion } : null;
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: Readonly<Record<string, unknown>> | null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
