/**
 * What a tool gives back: the text for the model, the details for the program around it. What the agent caused is a
 * result that says so, with its code and the way out; an abort and broken infrastructure are thrown.
 */
import { type ErrorCode, ToolError } from "../model/errors.ts";
import { agentErrorText } from "../format/error-text.ts";

export interface ToolResult<D = unknown> {
  readonly content: readonly [{ readonly type: "text"; readonly text: string }];
  readonly details: D;
  readonly isError?: true;
}

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told how far a long call is, at most every 200 ms. */
  readonly onUpdate?: ((update: ToolResult) => void) | undefined;
}

export type Tool<I, D> = (input: I, options?: CallOptions) => Promise<ToolResult<D | Failure>>;

export function textResult<D>(text: string, details: D): ToolResult<D> {
  return { content: [{ type: "text", text }], details };
}

/** Nothing that an agent sends can cause these. */
const THROWN: ReadonlySet<ErrorCode> = new Set([
  "ABORTED",
  "CACHE_UNSAFE",
  "SESSION_BUSY",
  "RIPGREP_MISSING",
  "RIPGREP_NOT_EXECUTABLE",
  "RIPGREP_FAILED",
]);

export async function answering<D>(call: () => Promise<ToolResult<D>>): Promise<ToolResult<D | Failure>> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof ToolError) || THROWN.has(cause.code)) throw cause;
    const { code, message, hint } = cause;
    const details: Failure = hint === undefined ? { code, message } : { code, message, hint };
    return { ...textResult(agentErrorText(cause), details), isError: true };
  }
}
