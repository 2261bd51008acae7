import { findEntries } from "../engine/find.ts";
import { planScope } from "../engine/plan.ts";
import type { Entry } from "../model/match.ts";
import type { FindRequest } from "../model/request.ts";
import type { FindSummary } from "../model/summary.ts";
import { type SliceTally, slice } from "../shape/slice.ts";
import { type Answer, answer } from "./answer.ts";
import { normaliseFind } from "./normalise.ts";

/** `find()`: files and folders by glob, over the same walk as `search()`. */

export type FindResult = Answer<Entry, FindSummary>;

export function find(request: FindRequest): FindResult {
  return answer<Entry, FindSummary>(request, async (started) => {
    const { query, notices } = await normaliseFind(request);
    const plan = planScope(query);
    const found = findEntries(query, plan, { env: process.env, signal: request.signal });
    const tally: SliceTally = { count: 0, more: false };
    return {
      hits: slice(found, query, tally),
      summary: () => {
        const ledger = found.ledger.read();
        return {
          entries: tally.count,
          totalEntries: ledger.complete ? ledger.files : null,
          engine: plan.engine,
          engineWhy: plan.why,
          partial: ledger.partial,
          more: tally.more,
          skipped: ledger.skipped,
          notices: [...notices, ...ledger.notices],
          elapsedMs: Math.round(performance.now() - started),
        };
      },
    };
  });
}
