/**
 * The SDK's server, but for what it says of parameters that a method does not take: there it calls them a fault of its
 * own, and sends a dump of its checks. The protocol has a code for them, and a sentence is enough. And a call in the form
 * that nearly all have is not put to the SDK's schemas, which would be asked again and again about each. Made by `server.ts`.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { envelope } from "./envelope.ts";
import { isPlainCall, isPlainRequest } from "./plain-request.ts";

type Wrap = Server["_wrapHandler"];
type Handler = Parameters<Wrap>[1];

export type CallHandler = (
  params: CallToolRequest["params"],
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;

export class CheckedServer extends Server {
  #call: CallHandler | null = null;

  /** Its results are as the protocol wants them: those of plain calls are sent unseen. */
  setCallHandler(handler: CallHandler): void {
    this.#call = handler;
    this.setRequestHandler("tools/call", ({ params }, context) => handler(params, context));
  }

  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const dispatch = transport.onmessage;
    // The SDK asks first whether a message is one of two kinds of answers, which takes longer than any other question. What
    // it does with a request then is private to it, and no transport of ours had a listener before.
    transport.onmessage = (message, extra) =>
      isPlainRequest(message) ? this["_onrequest"](message, extra) : dispatch?.(message, extra);
  }

  /** A hook that the SDK offers to its subclasses. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        const { mcpReq } = context;
        // What the newest revision says beside a call is the SDK's to read.
        const isOlder = envelope(mcpReq) === undefined && mcpReq.requestState() === undefined;
        const call = method === "tools/call" && isOlder ? this.#call : null;
        if (call !== null && isPlainCall(request.params)) return await call(request.params, context);
        return await wrapped(request, context);
      } catch (cause) {
        const dump = dumpOf(cause);
        throw dump === null ? cause : invalidParams(method, dump);
      }
    };
  }
}

/** What the SDK's checks found, as they say it; null: it is another error. Our handlers throw none that are plain. */
function dumpOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  if (cause.constructor === Error) return cause.message;
  const [, dump] = /^Invalid tools\/call request: (.*)$/s.exec(cause.message) ?? [];
  return cause instanceof ProtocolError && dump !== undefined ? dump : null;
}

function invalidParams(method: string, dump: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The parameters of ${method} are wrong${issuesText(dump)}`,
  );
}

interface Issue {
  readonly path?: readonly (string | number)[];
  readonly message?: string;
}

/** Where and what, of the first few. */
function issuesText(dump: string): string {
  let issues: readonly Issue[];
  try {
    issues = JSON.parse(dump) as readonly Issue[];
  } catch {
    return "";
  }
  return issues
    .slice(0, 3)
    .map(({ path = [], message = "" }, at) => `${at === 0 ? ": " : "; "}${path.join(".")}: ${message}`)
    .join("");
}
