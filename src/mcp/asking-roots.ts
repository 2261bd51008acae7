/**
 * The client is asked for its roots before its first call: in the older revisions by a request of ours, in the newest
 * one by an answer that lets the client make the same call again with them. Called by `server.ts`.
 */
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { MCP_ROOTS_WAIT } from "../model/limits.ts";
import type { ClientGround } from "./client-ground.ts";
import { CAPABILITIES_KEY, envelope } from "./envelope.ts";
import { type ClientRoot, namedRoots, type Root } from "./roots.ts";

/** What the client is answered instead of its call, or the roots of the call; null: those of the client. */
export type RootsOfCall =
  | { readonly answer: InputRequiredResult }
  | { readonly roots: readonly Root[] | null };

export async function rootsOfCall(
  server: Server,
  { roots }: ClientGround,
  { mcpReq }: ServerContext,
): Promise<RootsOfCall> {
  const newest = envelope(mcpReq);
  const answer = inputResponse(mcpReq.inputResponses, "roots");
  if (answer.kind === "roots") {
    return { roots: await roots.bring(namedRoots(answer) ?? []) };
  }
  if (!roots.areMissing) return THE_CLIENTS;
  const capabilities = newest === undefined ? server.getClientCapabilities() : newest[CAPABILITIES_KEY];
  if (capabilities?.roots === undefined) return THE_CLIENTS;
  if (newest !== undefined && answer.kind === "missing") {
    return { answer: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
  }
  // Whoever says that it has roots and then does not name them gets its answer without them.
  if (newest !== undefined) return THE_CLIENTS;
  const tellsChanges = capabilities.roots.listChanged === true;
  await roots.ask(async () => {
    if (mcpReq.signal.aborted) return "ended";
    const given = await listRoots(mcpReq);
    if (given !== null) return { roots: given, tellsChanges };
    return isEnded(mcpReq.signal) ? "ended" : null;
  });
  return THE_CLIENTS;
}

const THE_CLIENTS: RootsOfCall = { roots: null };

/** Looked at again after a wait. */
function isEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}

async function listRoots(mcpReq: ServerContext["mcpReq"]): Promise<readonly ClientRoot[] | null> {
  try {
    return await mcpReq.send({ method: "roots/list" }, ROOTS_ANSWER, { timeout: MCP_ROOTS_WAIT });
  } catch {
    return null;
  }
}

/** The SDK's own would refuse all roots for one whose URL is no file's. */
const ROOTS_ANSWER: StandardSchemaV1<unknown, readonly ClientRoot[]> = {
  "~standard": {
    version: 1,
    vendor: "quarry",
    validate: (value) => {
      const roots = namedRoots(value);
      return roots === null ? { issues: [{ message: "There is no list of roots" }] } : { value: roots };
    },
  },
};
