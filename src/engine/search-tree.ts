import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Hit, Page } from "../index/ask.ts";
import type { Asked, TreeIndex } from "../index/tree-index.ts";
import type { Found } from "../model/found.ts";
import { INDEX_HITS } from "../model/limits.ts";
import type { Plan } from "../model/plan.ts";
import type { Query, Scope } from "../model/query.ts";
import type { EngineUsed } from "../model/summary.ts";
import { aborted } from "../ripgrep/child.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { below, fileKey, onDisk } from "../workspace/targets.ts";
import { askedScope, UNKNOWN_TYPE } from "./asked-scope.ts";
import { readExclusions } from "./exclusions.ts";
import { inTime, knownLeftOut } from "./in-time.ts";
import { type Ground, timeLeft } from "./ground.ts";
import { explains, guarded, withholdsAny } from "./guard.ts";
import { whyNotIndexed } from "./indexable.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { type Search, searchFiles } from "./search.ts";
import { type TextSearcher, textSearcher } from "./search-text.ts";

/**
 * Which files of a tree match: by the index where there is one that can tell, by ripgrep otherwise, and the same files
 * in the same order from either. The index finds them as they are asked for.
 */
export function searchTree(asked: Query, plan: Plan, ground: Ground): Search {
  const why = whyNotIndexed(asked, ground);
  const index = ground.index?.current();
  if (index === undefined || why !== null) {
    if (why !== null) ground.index?.fellBack(why);
    return noted(searchFiles(asked, { ...plan, why: why ?? plan.why }, ground), ground);
  }
  const query = guarded(asked, ground.guard);
  const ledger = openLedger();
  let used: EngineUsed = { engine: "index", engineWhy: "" };
  let walk: Search | null = null;

  /** What the index could not tell, or would take too long to, without what it has told. */
  async function* byRipgrep(reason: string, told: ReadonlySet<string>): AsyncGenerator<Found> {
    used = { engine: told.size === 0 ? "ripgrep" : "mixed", engineWhy: reason };
    ground.index?.fellBack(reason);
    walk = searchFiles(asked, { ...plan, why: reason }, withoutTold(ground, told), ledger);
    for await (const found of walk) if (!told.has(fileKey(found.file))) yield found;
  }

  async function* files(index: TreeIndex): AsyncGenerator<Found> {
    const answer = await inTime(askIndex(query, index, ground), ground);
    if (answer.kind === "unable") {
      yield* byRipgrep(answer.why, new Set());
      return;
    }
    used = { engine: "index", engineWhy: "the index is up to date", generation: answer.generation };
    ledger.tooLarge(answer.tooLarge);
    ledger.denied(answer.denied);
    ledger.faults(answer.faults, (path) => isBelow(query, path));
    const told = new Set<string>();
    const ended = yield* indexed(query, answer, told, { ground, ledger });
    if (ended === "done") return;
    ledger.startOver();
    yield* byRipgrep("ripgrep is quicker for this pattern", told);
  }

  return {
    ledger,
    used: () => used,
    excluded: async () => {
      if (walk !== null) return walk.excluded();
      const ignored = await knownLeftOut(index, ground);
      const { guard } = ground;
      // ripgrep is given these by name, and opens whatever has one.
      const isOpen = ({ path }: Ignored): boolean =>
        isBelow(query, path) && (guard === undefined || !withholdsAny(guard, path));
      return ignored === null ? null : readExclusions(ignored.filter(isOpen));
    },
    [Symbol.asyncIterator]: () => files(index),
  };
}

/** Nobody is told of a file twice. */
function withoutTold(ground: Ground, told: ReadonlySet<string>): Ground {
  const { onFound } = ground;
  if (onFound === undefined || told.size === 0) return ground;
  return { ...ground, onFound: (file, kind) => (told.has(fileKey(file)) ? undefined : onFound(file, kind)) };
}

/** Tells how many files were walked, which may be reason for an index. */
function noted(search: Search, { index }: Ground): Search {
  if (index === undefined) return search;
  return {
    ...search,
    async *[Symbol.asyncIterator]() {
      yield* search;
      index.walked(search.ledger.read().searched ?? 0);
    },
  };
}

export function isBelow({ targets }: Pick<Scope, "targets">, path: string): boolean {
  return targets.some((target) => below(target, path) !== null);
}

async function askIndex(query: Query, index: TreeIndex, { env, guard }: Ground): Promise<Asked> {
  const scope = await askedScope(query, env, explains(guard) ? guard?.terms : undefined);
  if (scope === null) return UNKNOWN_TYPE;
  return index.ask({ pattern: query.pattern, order: query.order, scope, wanted: wantedOf(query) });
}

/** One more tells that there are more. */
function wantedOf({ page: { maxFiles, skipFiles } }: Query): number | null {
  return maxFiles === null ? null : skipFiles + maxFiles + 1;
}

interface Circumstances {
  readonly ground: Ground;
  readonly ledger: Ledger;
}

/** The next hits are looked for while those before are looked at, as far as it is known that they are needed. */
async function* indexed(
  query: Query,
  answer: Extract<Asked, { kind: "able" }>,
  known: Set<string>,
  { ground, ledger }: Circumstances,
): AsyncGenerator<Found, "done" | "gave-up"> {
  const searcher = textSearcher({ ...query, mode: "files" }, ground);
  const wanted = wantedOf(query) ?? Number.POSITIVE_INFINITY;
  let pending: Promise<Page> | null = Promise.resolve(answer.first);
  let told = 0;
  try {
    for (;;) {
      const { hits, end } = await (pending ?? answer.next(INDEX_HITS));
      pending = null;
      if (isOverdue(query, ground, ledger)) return "done";
      told += hits.length;
      if (end === "no" && told < wanted) pending = awaited(answer.next(Math.min(INDEX_HITS, wanted - told)));
      for (const hit of hits) {
        if (isOverdue(query, ground, ledger)) return "done";
        // Where nothing below the root is withheld, whoever opens the file judges where it is.
        if (ground.guard?.open === false && ground.guard.withholds(hit, "file")) continue;
        if (!(await isMatch(query, hit, searcher, ledger))) continue;
        const { kind: _, where, ...file } = hit;
        known.add(fileKey(file));
        ledger.found(1, null);
        ground.onFound?.(file, "file");
        yield { file, lines: 1, indexed: true, where, chunks: () => nothing };
      }
      if (end === "gave-up") return "gave-up";
      if (end === "yes") {
        ledger.complete();
        return "done";
      }
    }
  } finally {
    if (pending !== null) answer.drop();
  }
}

function isOverdue(query: Query, ground: Ground, ledger: Ledger): boolean {
  if (ground.signal?.aborted === true) throw aborted(ground.signal);
  if (timeLeft(query.timeoutMs, ground) > 0) return false;
  ledger.timedOut();
  return true;
}

/** Perhaps nobody comes for it. */
function awaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

const nothing: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

async function isMatch(query: Query, hit: Hit, searcher: TextSearcher, ledger: Ledger): Promise<boolean> {
  if (hit.kind === "sure") return true;
  if (hit.kind === "binary") {
    ledger.binary(hit.path, false);
    return false;
  }
  let handle: FileHandle | null = null;
  try {
    handle = await open(onDisk(query.root, hit.path, hit.pathBytes), READ);
    if (!(await handle.stat()).isFile()) return false;
    const { lines, binary, report } = await searcher.count({ kind: "descriptor", fd: handle.fd }, hit);
    ledger.record(report, () => true);
    if (binary) ledger.binary(hit.path, false);
    return lines > 0 && !binary;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return false;
    ledger.notice({ code: "UNREADABLE", path: hit.path, message: `cannot be read: ${code}` });
    ledger.unreadable(1);
    return false;
  } finally {
    await handle?.close();
  }
}
