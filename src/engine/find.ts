import type { Entry, FilePath } from "../model/match.ts";
import type { Plan } from "../model/plan.ts";
import type { FindQuery, Target } from "../model/query.ts";
import type { EngineUsed } from "../model/summary.ts";
import { listRun } from "../ripgrep/list.ts";
import { fileKey } from "../workspace/targets.ts";
import { pathFilter, type Wanted } from "../index/path-filter.ts";
import { folders } from "./folders.ts";
import { countDenied, explains, guarded } from "./guard.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { linksOf } from "./links.ts";
import { compareFiles, modificationTimes } from "./order.ts";
import type { Ground } from "./ground.ts";
import { withoutLargeFiles } from "./size.ts";

/**
 * Runs a planned find over ripgrep's walk: files as ripgrep lists them, then folders under the same rules,
 * lazily and in the order asked for. The ledger is complete when the iteration has ended.
 */

export interface Find extends AsyncIterable<Entry> {
  readonly ledger: Ledger;
  readonly used: () => EngineUsed;
}

type Bare = FilePath & Pick<Entry, "kind">;

export function findEntries(asked: FindQuery, plan: Plan, ground: Ground, given?: Ledger): Find {
  const { guard } = ground;
  const query = guarded(asked, guard);
  const ledger = given ?? openLedger();
  const end = performance.now() + query.timeoutMs;
  const isOver = (): boolean => performance.now() >= end || (ground.signal?.aborted ?? false);
  // A folder has no type, so where files of a type are asked for there are no folders.
  const typed = query.types.length > 0 || query.typeGlobs.length > 0;
  const wantFolders = query.kinds !== "files" && !typed;

  // Folders are found by what ripgrep leaves out, and a sieve would make it leave out nearly everything.
  const nameGlobs = wantFolders ? [] : plan.nameGlobs;
  const sieved = typed || nameGlobs.length > 0;
  const links = linksOf(query, ground, ledger);
  const left = (): number => Math.max(1, end - performance.now());

  async function* walk(targets: readonly Target[], filter: Wanted): AsyncGenerator<Bare[]> {
    const wanted = (entry: Bare): boolean => {
      if (!filter(entry.path, entry.kind)) return false;
      const withheld = guard?.withholds(entry, entry.kind) ?? false;
      if (withheld) ledger.denied(1);
      return !withheld;
    };
    const explain = wantFolders || explains(guard) || (query.links === "once" && !sieved);
    const begun = links.begin(targets, explain && !sieved ? "explains" : "silent", left());
    const run = listRun(query, {
      operands: [...new Set(targets.map((target) => target.path))],
      nameGlobs,
      explain,
      env: ground.env,
      timeoutMs: left(),
      signal: ground.signal,
    });
    for await (const files of run) {
      if (query.kinds !== "folders") yield files.map(asFile).filter(wanted);
    }
    const report = run.report();
    ledger.record(report, () => true);
    ledger.denied(
      countDenied(guard, report.ignored, (path) => filter(path, "file") || filter(path, "folder")),
    );
    await begun.end(report.ignored, left());
    if (!wantFolders) return;
    for await (const found of folders(query, targets, report.ignored, isOver)) {
      yield found.map(asFolder).filter(wanted);
    }
  }

  /** The runs of the plan, then those of the links that are followed. */
  async function* walks(): AsyncGenerator<Bare[]> {
    for (const batch of plan.batches) {
      if (isOver()) return;
      const targets = await withoutLargeFiles(query, batch, ledger);
      if (targets.length > 0) yield* walk(targets, pathFilter(query, targets));
    }
    const filter = pathFilter(query, query.targets);
    for (let next = await links.next(left()); next !== null; next = await links.next(left())) {
      const { targets, isNew } = next;
      // To whoever looks at the walk the link is a folder.
      if (wantFolders)
        yield targets.filter(({ path }) => filter(path, "folder")).map(({ path }) => asFolder({ path }));
      yield* walk(targets, (path, kind) => isNew(path) && filter(path, kind));
    }
  }

  /** Every entry once, whichever target it was found through; a handful at a time, since there may be many. */
  async function* entries(): AsyncGenerator<Bare[]> {
    const seen = new Set<string>();
    try {
      for await (const handful of walks()) {
        const fresh = handful.filter((entry) => {
          const size = seen.size;
          return seen.add(fileKey(entry)).size > size;
        });
        ledger.foundEntries(fresh.length);
        for (const entry of fresh) ground.onFound?.(entry, entry.kind);
        yield fresh;
      }
    } finally {
      links.stop();
    }
    if (isOver()) ledger.timedOut();
    ledger.complete();
  }

  return {
    ledger,
    used: () => ({ engine: "ripgrep", engineWhy: plan.why }),
    [Symbol.asyncIterator]: () =>
      query.order === "none" ? asFound(query, entries()) : inOrder(query, entries()),
  };
}

async function* asFound(query: FindQuery, entries: AsyncIterable<Bare[]>): AsyncGenerator<Entry> {
  for await (const handful of entries) yield* await dated(query, handful);
}

async function* inOrder(query: FindQuery, entries: AsyncIterable<Bare[]>): AsyncGenerator<Entry> {
  const all: Bare[] = [];
  // One by one: a folder may hold more than a call takes arguments.
  for await (const handful of entries) for (const entry of handful) all.push(entry);
  if (query.order === "path") {
    all.sort((one, other) => compareFiles(one, other));
    // Only what is pulled is looked at on disk.
    for (const entry of all) yield* await dated(query, [entry]);
    return;
  }
  const newest = await dated(query, all);
  yield* newest.sort((one, other) => other.mtimeMs - one.mtimeMs || compareFiles(one, other));
}

async function dated(query: FindQuery, entries: readonly Bare[]): Promise<Entry[]> {
  const times = await modificationTimes(query.root, entries);
  return entries.map((entry, at) => ({ ...entry, mtimeMs: times[at] ?? 0 }));
}

function asFile(file: FilePath): Bare {
  return { ...file, kind: "file" };
}

function asFolder(folder: FilePath): Bare {
  return { ...folder, kind: "folder" };
}
