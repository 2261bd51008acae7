import { planScope } from "../engine/plan.ts";
import type { LedgerEntries } from "../engine/ledger.ts";
import { searchFiles } from "../engine/search.ts";
import type { CountHit, FileHit, Match } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { Plan } from "../model/plan.ts";
import type { Mode, Query } from "../model/query.ts";
import type { SearchRequest } from "../model/request.ts";
import type { SearchSummary } from "../model/summary.ts";
import { type PageTally, page } from "../shape/page.ts";
import { normaliseSearch } from "./normalise.ts";
import { answer, type Answer } from "./answer.ts";

/** `search()`: file contents by regular expression, exactly as ripgrep would find them. */

export type Hit<M extends Mode> = M extends "content" ? Match : M extends "files" ? FileHit : CountHit;

/** A lazy stream of matches, files or counts; nothing runs before it is iterated, and it can be iterated once. */
export type SearchResult<T> = Answer<T, SearchSummary>;

export function search<M extends Mode = "content">(
  request: SearchRequest & { readonly mode?: M | undefined },
): SearchResult<Hit<M>> {
  const env = process.env;
  return answer<Hit<M>, SearchSummary>(request, async (started) => {
    const { query, notices } = await normaliseSearch(request, env);
    const plan = planScope(query);
    const found = searchFiles(query, plan, { env, signal: request.signal });
    const tally: PageTally = { files: 0, matches: 0, more: false };
    return {
      hits: page(found, query.page, query.mode, tally) as AsyncIterable<Hit<M>>,
      summary: () => summarise(query, plan, found.ledger.read(), tally, notices, started),
    };
  });
}

function summarise(
  query: Query,
  plan: Plan,
  ledger: LedgerEntries,
  tally: PageTally,
  notices: readonly Notice[],
  started: number,
): SearchSummary {
  const { skipped } = ledger;
  const opened = ledger.complete && plan.exact ? ledger.searched : null;
  return {
    files: tally.files,
    matches: tally.matches,
    engine: plan.engine,
    engineWhy: plan.why,
    partial: ledger.partial,
    more: tally.more,
    totalFiles: ledger.complete ? ledger.files : null,
    totalLines: ledger.complete && !ledger.cut && query.mode !== "files" ? ledger.lines : null,
    searched: opened === null ? null : Math.max(0, opened - skipped.binary),
    considered: opened === null ? null : opened + skipped.tooLarge + skipped.unreadable,
    skipped,
    notices: [...notices, ...ledger.notices],
    elapsedMs: Math.round(performance.now() - started),
  };
}
