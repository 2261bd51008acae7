import type { ListedAnswer } from "../index/ask.ts";
import type { TreeIndex } from "../index/tree-index.ts";
import type { Entry } from "../model/match.ts";
import type { Plan } from "../model/plan.ts";
import type { FindQuery } from "../model/query.ts";
import type { EngineUsed } from "../model/summary.ts";
import { askedScope, UNKNOWN_TYPE } from "./asked-scope.ts";
import { type Find, findEntries } from "./find.ts";
import type { Ground } from "./ground.ts";
import { guarded } from "./guard.ts";
import { inTime } from "./in-time.ts";
import { whyNotListed } from "./indexable.ts";
import { openLedger } from "./ledger.ts";
import { isBelow } from "./search-tree.ts";

/** As many at once as there are: hundreds, one by one, would take longer to hand over than to find. */
export interface TreeFind extends AsyncIterable<readonly Entry[]> {
  readonly ledger: Find["ledger"];
  readonly used: Find["used"];
}

/**
 * The files and folders of a tree by name: by the index where there is one that can tell, by ripgrep's walk otherwise.
 * Of an index no more is asked than the query's limit; how many there are says the ledger.
 */
export function findTree(query: FindQuery, plan: Plan, ground: Ground): TreeFind {
  const why = whyNotListed(query, ground);
  const index = ground.index?.current();
  if (index === undefined || why !== null) {
    if (why !== null) ground.index?.fellBack(why);
    const walk = findEntries(query, { ...plan, why: why ?? plan.why }, ground);
    return { ...walk, [Symbol.asyncIterator]: () => oneByOne(walk) };
  }
  const ledger = openLedger();
  let used: EngineUsed = { engine: "index", engineWhy: "" };

  async function* entries(index: TreeIndex): AsyncGenerator<readonly Entry[]> {
    const answer = await inTime(listOf(query, index, ground), ground);
    if (answer.kind === "unable") {
      const walk = findEntries(query, { ...plan, why: answer.why }, ground, ledger);
      used = walk.used();
      ground.index?.fellBack(answer.why);
      yield* oneByOne(walk);
      return;
    }
    used = { engine: "index", engineWhy: "the index is up to date", generation: answer.generation };
    ledger.faults(answer.faults, (path) => isBelow(query, path));
    const { guard } = ground;
    // A folder may have become a link meanwhile, and whoever looks at the disk has the last word.
    const isSeen = ({ kind, ...file }: Entry): boolean =>
      guard?.open !== false || !guard.withholds(file, kind);
    const seen = answer.entries.filter(isSeen);
    const swapped = answer.entries.length - seen.length;
    ledger.denied(answer.denied + swapped);
    ledger.foundEntries(answer.total - swapped);
    // Nobody who waits need be told what is here at once.
    yield seen;
    ledger.complete();
  }

  return { ledger, used: () => used, [Symbol.asyncIterator]: () => entries(index) };
}

async function* oneByOne(walk: Find): AsyncGenerator<readonly Entry[]> {
  for await (const entry of walk) yield [entry];
}

async function listOf(asked: FindQuery, index: TreeIndex, { env, guard }: Ground): Promise<ListedAnswer> {
  const query = guarded(asked, guard);
  const scope = await askedScope(query, env, guard?.open === false ? guard.terms : undefined);
  if (scope === null) return UNKNOWN_TYPE;
  // A folder has no type, so where files of a type are asked for there are no folders.
  const kinds = scope.names.length > 0 ? "files" : query.kinds;
  const order = query.order === "none" ? "path" : query.order;
  return index.list({ scope, kinds, order, limit: query.limit });
}
