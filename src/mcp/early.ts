/**
 * Answers `initialize` before the SDK is loaded, which takes longer than everything else together. The SDK then gets
 * the same bytes, and its own answer to that one request is dropped. Anything else waits for it, where it came from. Called by `stdio.ts`.
 */
import type { Readable, Writable } from "node:stream";
import { CAPABILITIES, instructions, LEGACY_REVISIONS, serverInfo } from "./hello.ts";
import type { McpOptions } from "./options.ts";

export interface Early {
  /** All that comes, from its beginning, for whoever answers from now on. */
  readonly rest: () => Readable;
  /** Whether an answer to this id was given here; asked once. */
  readonly answered: (id: unknown) => boolean;
  /** Whether a greeting was answered here. Only the older revisions have one, and who begins with it stays with them. */
  readonly greeted: () => boolean;
}

const NEWLINE = 0x0a;
/** A longer first line is no greeting. */
const LONGEST = 64 * 1024;

export function answerEarly(stdin: Readable, stdout: Writable, options: McpOptions): Early {
  const seen: Buffer[] = [];
  let answered: string | number | null = null;
  let greeted = false;
  const look = (chunk: Buffer): void => {
    seen.push(chunk);
    const greeting = Buffer.concat(seen);
    const end = greeting.indexOf(NEWLINE);
    if (end === -1 && greeting.length < LONGEST) return;
    stop();
    const asked = end === -1 ? null : readInitialize(greeting.toString("utf8", 0, end));
    if (asked === null) return;
    answered = asked.id;
    greeted = true;
    const result = {
      protocolVersion:
        LEGACY_REVISIONS.find((revision) => revision === asked.revision) ?? LEGACY_REVISIONS[0],
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(options),
      instructions: instructions(options),
    };
    stdout.write(`${JSON.stringify({ result, jsonrpc: "2.0", id: asked.id })}\n`);
  };
  /** What is behind the greeting waits where it is. */
  const stop = (): void => {
    stdin.off("data", look);
    stdin.pause();
  };
  stdin.on("data", look);
  return {
    rest: () => {
      stop();
      const whole = Buffer.concat(seen.splice(0));
      // Behind its end nobody would be answered.
      if (whole.length > 0 && !stdin.readableEnded) stdin.unshift(whole);
      return stdin;
    },
    answered: (id) => {
      if (answered === null || id !== answered) return false;
      answered = null;
      return true;
    },
    greeted: () => greeted,
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
