import type { Entry, FilePath } from "../model/match.ts";
import type { Plan } from "../model/plan.ts";
import type { FindQuery, Target } from "../model/query.ts";
import { listRun } from "../ripgrep/list.ts";
import { pathFilter, type Wanted } from "./filter.ts";
import { folders } from "./folders.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { comparePaths, modificationTimes } from "./order.ts";
import type { Ground } from "./search.ts";

/**
 * Runs a planned find over ripgrep's walk: files as ripgrep lists them, then folders under the same rules,
 * lazily and in the order asked for. The ledger is complete when the iteration has ended.
 */

export interface Find extends AsyncIterable<Entry> {
  readonly ledger: Ledger;
}

type Bare = FilePath & Pick<Entry, "kind">;

export function findEntries(query: FindQuery, plan: Plan, ground: Ground): Find {
  const ledger = openLedger(plan.engine);
  const end = performance.now() + query.timeoutMs;
  const isOver = (): boolean => performance.now() >= end || (ground.signal?.aborted ?? false);
  // A folder has no type, so where files of a type are asked for there are no folders.
  const typed = query.types.length > 0 || query.typeGlobs.length > 0;
  const wantFolders = query.kinds !== "files" && !typed;

  async function* walk(targets: readonly Target[]): AsyncGenerator<Bare> {
    const wanted = pathFilter(query, targets);
    const run = listRun(query, {
      operands: targets.map((target) => (target.path === "." ? "./" : target.path)),
      // Folders are found by what ripgrep leaves out, and a sieve would make it leave out nearly everything.
      nameGlobs: wantFolders ? [] : plan.nameGlobs,
      explain: wantFolders,
      env: ground.env,
      timeoutMs: Math.max(1, end - performance.now()),
      signal: ground.signal,
    });
    for await (const file of run) {
      if (query.kinds !== "folders" && wanted(file.path, "file")) yield { ...file, kind: "file" };
    }
    ledger.record(run.report());
    if (wantFolders) yield* wantedFolders(targets, run.report().ignored, wanted);
  }

  async function* wantedFolders(
    targets: readonly Target[],
    ignored: Parameters<typeof folders>[2],
    wanted: Wanted,
  ): AsyncGenerator<Bare> {
    for await (const path of folders(query, targets, ignored, isOver)) {
      if (wanted(path, "folder")) yield { path, kind: "folder" };
    }
  }

  async function* entries(): AsyncGenerator<Bare> {
    const seen = new Set<string>();
    for (const batch of plan.batches) {
      for await (const entry of walk(batch)) {
        const key = entry.pathBytes ?? entry.path;
        if (seen.has(key)) continue;
        seen.add(key);
        ledger.found(1, null);
        yield entry;
      }
    }
    if (isOver()) ledger.timedOut();
    ledger.complete();
  }

  return {
    ledger,
    [Symbol.asyncIterator]: () =>
      query.order === "none" ? asFound(query, entries()) : inOrder(query, entries()),
  };
}

async function* asFound(
  query: FindQuery,
  entries: AsyncIterable<Bare> | Iterable<Bare>,
): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    const [mtimeMs = 0] = await modificationTimes(query.root, [entry]);
    yield { ...entry, mtimeMs };
  }
}

async function* inOrder(query: FindQuery, entries: AsyncIterable<Bare>): AsyncGenerator<Entry> {
  const all: Bare[] = [];
  for await (const entry of entries) all.push(entry);
  if (query.order === "path") {
    all.sort((one, other) => comparePaths(one.path, other.path));
    yield* asFound(query, all);
    return;
  }
  const times = await modificationTimes(query.root, all);
  const dated = all.map((entry, at) => ({ ...entry, mtimeMs: times[at] ?? 0 }));
  dated.sort((one, other) => other.mtimeMs - one.mtimeMs || comparePaths(one.path, other.path));
  yield* dated;
}
