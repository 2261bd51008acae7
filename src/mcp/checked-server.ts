/**
 * The SDK's server, but for what it says of parameters that a method does not take: there it calls them a fault of its
 * own, and sends a dump of its checks. The protocol has a code for them, and a sentence is enough. Made by `server.ts`.
 */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";

type Wrap = Server["_wrapHandler"];
type Handler = Parameters<Wrap>[1];

export class CheckedServer extends Server {
  /** A hook that the SDK offers to its subclasses. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
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
