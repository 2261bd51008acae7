/**
 * One call of a tool for an MCP client: progress on the way, the text that a model reads, the details beside it. What
 * an agent can act on is a result that says so; nothing that goes wrong inside reaches the wire but its code.
 */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../dialects/updates.ts";
import { agentErrorText } from "../format/error-text.ts";
import { type ErrorCode, ToolError } from "../model/errors.ts";
import type { AnyTools, ToolResult, Workspace } from "../quarry.ts";
import type { ClientGround } from "./client-ground.ts";
import { isSearch } from "./alike-tools.ts";
import type { Log } from "./log.ts";
import type { Say } from "./log-messages.ts";
import { begin } from "./quiet.ts";
import type { Root } from "./roots.ts";

export interface CallGround {
  readonly context: ServerContext;
  readonly log: Log;
  readonly say: Say;
  /** Those that came with the call; null: those of the client. */
  readonly roots: readonly Root[] | null;
}

export async function callTool(
  ground: ClientGround,
  name: string,
  input: Readonly<Record<string, unknown>>,
  { context: { mcpReq }, log, say, roots }: CallGround,
): Promise<CallToolResult> {
  const started = performance.now();
  const end = begin();
  const result = await answer(ground, name, input, { mcpReq, log, say, roots }).finally(end);
  const ms = Math.round(performance.now() - started);
  log("debug", `${name} was called`, { ms, error: result.isError === true });
  say("debug", `${name} took ${ms} ms`);
  for (const warning of ground.news.takeWarnings()) say("warning", warning);
  // Of a call that was ended nobody reads the answer.
  const notices = mcpReq.signal.aborted ? [] : ground.news.takeNotices();
  return resultOf(result, ground.options.structured, notices);
}

async function answer(
  ground: ClientGround,
  name: string,
  input: Readonly<Record<string, unknown>>,
  { mcpReq, log, say, roots }: Pick<ServerContext, "mcpReq"> & Omit<CallGround, "context">,
): Promise<ToolResult> {
  try {
    const work = async ({ tools }: Workspace<AnyTools>): Promise<ToolResult> => {
      const tool = tools[name];
      if (tool === undefined) throw notOffered(name);
      return tool(input as never, { signal: mcpReq.signal, onUpdate: progress(mcpReq) });
    };
    return await ground.use(mcpReq.signal, work, { roots, isSearch: isSearch(name) });
  } catch (cause) {
    const known = cause instanceof ToolError ? cause : fault(cause);
    const { code, message, hint } = known;
    if (!EXPECTED.has(code)) {
      log("error", `${name} failed`, { code, why: String(cause) });
      say("error", `${name} failed: [${code}] ${message}`);
    }
    return {
      content: [{ type: "text", text: agentErrorText(known) }],
      details: { code, message, ...(hint === undefined ? {} : { hint }) },
      isError: true,
    };
  }
}

/** What happens where many ask for much: nobody has to look after it. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set(["ABORTED", "SERVER_BUSY"]);

/** It was listed before the client's roots were known. */
function notOffered(name: string): ToolError {
  return new ToolError("READ_ONLY", `${name} is not offered in this folder`, {
    hint: "The settings of the project, in quarry.json or package.json, leave it out",
  });
}

/** A fault of ours: where it happened is for the log. */
function fault(cause: unknown): ToolError {
  return new ToolError("INTERNAL", "The tool failed by a fault of its own", {
    hint: "Try the call once more, or another way; the server's log has the reason",
    cause,
  });
}

/** How far the call is, and how much there will be where that is known before it ends. */
function progress(mcpReq: ServerContext["mcpReq"]): ((update: ToolResult) => void) | undefined {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  let count = -1;
  return ({ content: [{ text }], details }) => {
    const { done, total } = details as Progress;
    // The protocol wants it to grow, whatever the call says.
    count = Math.max(count + 1, done);
    const [message = ""] = text.split("\n", 1);
    void mcpReq
      .notify({
        method: "notifications/progress",
        params: { progressToken: token, progress: count, ...(total === undefined ? {} : { total }), message },
      })
      .catch(() => {});
  };
}

/** Notices stand behind the answer and apart from it, which is the same with or without them. */
function resultOf(
  { content, details, isError }: ToolResult,
  structured: boolean,
  notices: readonly string[],
): CallToolResult {
  const texts = [...content.map(({ text }) => text), ...notices];
  const told = sent(details as Readonly<Record<string, unknown>>);
  return {
    _meta: { "quarry/details": told },
    content: texts.map((text) => ({ type: "text", text })),
    ...(structured ? { structuredContent: told } : {}),
    ...(isError === true ? { isError } : {}),
  };
}

/** All but what is the text once more, for a person's screen: it would be half of the message. */
function sent(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(details).filter((name) => name !== "displayContent");
  return Object.fromEntries(names.map((name) => [name, details[name]]));
}
