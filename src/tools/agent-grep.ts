import type { Ground } from "../engine/ground.ts";
import type { GrepPage } from "../model/grep-page.ts";
import { GREP_OUTPUT, GREP_ROWS } from "../model/limits.ts";
import type { BinaryTest, Mode, Order } from "../model/query.ts";
import { rowTaker, type RowRules } from "../shape/grep-rows.ts";
import { refuseNetworkPath } from "../workspace/raw-path.ts";
import type { Session } from "../workspace/session.ts";
import type { AgentScope } from "./agent-scope.ts";
import { throwIfAborted } from "./answer.ts";
import type { Candidates } from "./candidates.ts";
import { openArchives } from "./open-archives.ts";
import { openSearch } from "./open-search.ts";
import { takePage } from "./take-page.ts";

/**
 * The search of the dialects that hand out lines and names, as grep does: so many after so many, instead of files
 * with their first matches. What is found and how it is looked at is the same as in `agent-search.ts`.
 */

export interface AgentGrep {
  readonly pattern: string;
  readonly insensitive: boolean;
  readonly multiline: boolean;
  /** @default all that the session may see */
  readonly path: string | undefined;
  readonly scope: AgentScope;
  readonly mode: Mode;
  readonly order: Order;
  readonly binary: BinaryTest;
  readonly rows: Omit<RowRules, "mostBytes" | "mostRows">;
}

export async function agentGrep(session: Session, request: AgentGrep, ground: Ground): Promise<GrepPage> {
  const started = performance.now();
  throwIfAborted(ground.signal);
  // Models send "" for a path that they do not mean to give.
  const path = request.path?.trim() === "" ? undefined : request.path;
  if (path !== undefined) refuseNetworkPath(path);
  const archives = openArchives(session, ground.signal);
  const { offset, limit, around } = request.rows;
  // Each match is a row at least, so that no more of a file is ever needed.
  const cap = offset + Math.min(limit ?? GREP_ROWS, GREP_ROWS);
  try {
    const search = await openSearch(
      session,
      archives,
      {
        ...request,
        paths: path === undefined ? undefined : [path],
        literal: false,
        dotAll: true,
        around,
        tags: false,
        files: limit === null && request.mode !== "content" ? null : cap,
        cap: { ofOne: cap, ofMany: cap },
      },
      ground,
    );
    const { candidates } = search;
    const found =
      request.mode === "content"
        ? await takeRows(candidates, { ...request.rows, mostBytes: GREP_OUTPUT, mostRows: GREP_ROWS })
        : await takeFiles(candidates, { skip: offset, limit: limit ?? Number.POSITIVE_INFINITY });
    throwIfAborted(ground.signal);
    const { skipped, partial, notices } = candidates.account();
    const nothing = found.total === 0 && !partial;
    return {
      mode: request.mode,
      scope: search.places.map(({ label }) => label),
      skip: offset,
      rows: found.rows,
      files: found.files,
      totalFiles: partial ? null : found.total,
      more: found.more,
      missing: search.missing,
      notices: [...search.notices, ...notices, ...(nothing ? await search.whyNothing() : [])],
      skipped,
      partial,
      ...candidates.used(),
      elapsedMs: Math.round(performance.now() - started),
    };
  } finally {
    await archives.close();
  }
}

interface Taken extends Pick<GrepPage, "rows" | "files" | "more"> {
  /** Files that match; null when not all were looked at. */
  readonly total: number | null;
}

async function takeFiles(
  candidates: Candidates,
  part: { readonly skip: number; readonly limit: number },
): Promise<Taken> {
  const { taken, total, more } = await takePage(candidates, part, (view) => view, candidates.isOver);
  return { rows: [], files: taken.map(({ file, view: { lines } }) => ({ file, lines })), total, more };
}

async function takeRows(candidates: Candidates, rules: RowRules): Promise<Taken> {
  const taker = rowTaker(rules);
  let total = 0;
  for await (const candidate of candidates) {
    if (candidates.isOver()) return { rows: taker.rows, files: [], total: null, more: true };
    const view = await candidate.view();
    if (view === null) continue;
    total += 1;
    if (!taker.add(candidate.file, view)) return { rows: taker.rows, files: [], total: null, more: true };
  }
  return { rows: taker.rows, files: [], total, more: false };
}
