import { statSync } from "node:fs";
import type { FilePath, Match } from "../model/match.ts";
import type { Plan } from "../model/plan.ts";
import type { Query, Target } from "../model/query.ts";
import type { EngineUsed } from "../model/summary.ts";
import { matchDecoder } from "../ripgrep/decode.ts";
import type { Piece } from "../ripgrep/pieces.ts";
import { type SearchRun, searchRun } from "../ripgrep/search.ts";
import { fileKey, onDisk } from "../workspace/targets.ts";
import { type Exclusion, leftOut, readExclusions } from "./exclusions.ts";
import { pathFilter, type Wanted } from "../index/path-filter.ts";
import { type Ground, timeLeft } from "./ground.ts";
import { countDenied, explains, guarded } from "./guard.ts";
import type { Found } from "../model/found.ts";
import { holdsLateNul, mayHideNul } from "./late-nul.ts";
import { largeFiles } from "./large-files.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { linksOf } from "./links.ts";
import { statOf } from "./order.ts";
import { type Dated, inOrder } from "./shelf.ts";
import { withoutLargeFiles } from "./size.ts";
import { lookAtBeginning } from "./sniff.ts";

/**
 * Runs a planned query over ripgrep: batch by batch, files lazily and in the order asked for. What there
 * is to say about the run is written into a ledger, which is complete when the iteration has ended.
 */

export interface Search extends AsyncIterable<Found> {
  readonly ledger: Ledger;
  /** What the ignore rules left out, if the ground asks for it; complete when the iteration has ended. null: ask a walk. */
  readonly excluded: () => Promise<readonly Exclusion[] | null>;
  /** Who answers; known once the iteration has begun. */
  readonly used: () => EngineUsed;
}

export function searchFiles(asked: Query, plan: Plan, ground: Ground, ledger: Ledger = openLedger()): Search {
  const { guard } = ground;
  const query = guarded(asked, guard);
  const excluded: Exclusion[] = [];
  // Asked to explain itself, ripgrep has a word for every file that a sieve leaves out.
  const sieved = plan.nameGlobs.length > 0 || query.types.length > 0 || query.typeGlobs.length > 0;
  const asksLarge = sieved && query.maxFileSize !== null;
  const links = linksOf(query, ground, ledger);
  let left = timeLeft(query.timeoutMs, ground);

  const start = (targets: readonly Target[], wanted: (file: FilePath) => boolean): SearchRun =>
    searchRun(query, {
      operands: [...new Set(targets.map((target) => target.path))],
      nameGlobs: plan.nameGlobs,
      explain: !sieved && (explains(guard) || ground.explain === true || query.links === "once"),
      silent: asksLarge,
      env: ground.env,
      timeoutMs: Math.max(1, left),
      signal: ground.signal,
      wanted,
    });

  const seen = new Set<string>();

  async function* walk(targets: readonly Target[], filter: Wanted): AsyncGenerator<Piece> {
    const begun = links.begin(targets, sieved && !explains(guard) ? "silent" : "explains", left);
    const run = start(targets, (file) => {
      if (seen.has(fileKey(file)) || !filter(file.path, "file")) return false;
      // Not counted here: only files that match come by, and a count would tell that one does.
      return !(guard?.withholds(file, "file") ?? false);
    });
    for await (const piece of run) {
      // Found for the second time, through another target or by a run done again, before the first was read.
      if (seen.has(fileKey(piece.file))) continue;
      if (piece.last) {
        seen.add(fileKey(piece.file));
        ground.onFound?.(piece.file, "file");
      }
      yield piece;
    }
    const report = run.report();
    left -= report.spentMs;
    ledger.searched(run.searched());
    // Of a folder that could not be read nobody knows what is in it.
    const concerns = (path: string): boolean => filter(path, "file") || mayBeFolder(onDisk(query.root, path));
    ledger.record(report, concerns);
    if (asksLarge && left > 0) {
      const trust = seen.size === 0 ? "afresh" : "believed";
      const large = await timed(largeFiles(query, targets, ground, left, trust));
      ledger.tooLarge(large.filter(concerns).length);
    }
    const ignored = sieved && explains(guard) ? await leftOut(query, targets, ground, left) : report.ignored;
    ledger.denied(countDenied(guard, ignored, concerns));
    if (ground.explain === true) excluded.push(...readExclusions(report.ignored));
    await timed(begun.end(ignored, left));
  }

  /** Its time counts. */
  async function timed<T>(work: Promise<T>): Promise<T> {
    const started = performance.now();
    const done = await work;
    left -= performance.now() - started;
    return done;
  }

  /** Every file once, whichever target or link it was found through. */
  async function* scan(): AsyncGenerator<Piece> {
    try {
      for (const batch of plan.batches) {
        if (left <= 0) {
          ledger.timedOut();
          return;
        }
        const targets = await withoutLargeFiles(query, batch, ledger);
        if (targets.length > 0) yield* walk(targets, pathFilter(query, targets));
      }
      const filter = pathFilter(query, query.targets);
      for (let next = await timed(links.next(left)); next !== null; next = await timed(links.next(left))) {
        const { targets, isNew } = next;
        yield* walk(targets, (path, kind) => isNew(path) && filter(path, kind));
      }
      ledger.complete();
    } finally {
      links.stop();
    }
  }

  async function* refetch(names: readonly string[]): AsyncGenerator<Piece> {
    const again = { ...query, maxFileSize: null, types: [], typeGlobs: [] };
    const run = searchRun(again, {
      operands: names,
      nameGlobs: [],
      explain: false,
      env: ground.env,
      // The reader may have taken any time to come this far.
      timeoutMs: query.timeoutMs,
      signal: ground.signal,
      wanted: () => true,
    });
    yield* run;
    ledger.record(run.report(), () => true);
  }

  return {
    ledger,
    used: () => ({ engine: "ripgrep", engineWhy: plan.why }),
    // Asked with a sieve, ripgrep has too much to say about what it leaves out, and is not asked.
    excluded: async () => (sieved ? null : excluded),
    [Symbol.asyncIterator]: () => {
      const pieces = textOnly(query, scan(), ledger);
      return query.order === "none" ? asFound(query, pieces) : inOrder(query, pieces, refetch);
    },
  };
}

/** Files that ripgrep or their first bytes call binary are counted and left out. */
async function* textOnly(query: Query, pieces: AsyncIterable<Piece>, ledger: Ledger): AsyncGenerator<Dated> {
  const passedOn = new Set<string>();
  for await (const piece of pieces) {
    const { file } = piece;
    if (piece.elided) {
      const message = "has a line too long to hold, shown without its text";
      ledger.notice({ code: "TEXT_ELIDED", message, path: file.path });
    }
    const { binary, mtime } = await lookAt(query, piece);
    if (binary && query.binary === "first-bytes") {
      if (piece.last) ledger.binary(file.path, query.reportBinary);
      continue;
    }
    if (binary) {
      ledger.binary(file.path, query.reportBinary);
      if (passedOn.has(fileKey(file))) {
        ledger.notice({
          code: "LATE_BINARY",
          message: "is binary; matches before its first NUL byte were passed on",
          path: file.path,
        });
        yield { ...piece, records: Buffer.alloc(0), lines: 0, mtime };
      }
      continue;
    }
    // Asked for context, ripgrep names files for an empty match behind their last line, which it does not show.
    if (piece.last && piece.lines === 0 && !passedOn.has(fileKey(file))) continue;
    if (!piece.last) passedOn.add(fileKey(file));
    else ledger.found(piece.lines, query.page.maxPerFile);
    yield { ...piece, mtime };
  }
}

/** Whether a file is binary, and its time where it had to be looked at for that: one look need be enough. */
async function lookAt(query: Query, piece: Piece): Promise<Pick<Required<Dated>, "binary" | "mtime">> {
  const path = onDisk(query.root, piece.file.path, piece.file.pathBytes);
  if (query.binary === "first-bytes") return lookAtBeginning(path);
  if (piece.binary || !piece.last || !mayHideNul(query, piece.lines))
    return { binary: piece.binary, mtime: null };
  // ripgrep would have called it binary, had it not stopped at the limit on what is shown of it.
  const info = statOf(path);
  return { binary: await holdsLateNul(path, info?.size ?? 0), mtime: info?.mtimeMs ?? null };
}

/** Files as they are found; the pieces of a large one are pulled while its matches are read. */
async function* asFound(query: Query, pieces: AsyncIterable<Piece>): AsyncGenerator<Found> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await source.next();
      if (next.done) return;
      let piece = next.value;
      const { decode } = matchDecoder(piece.file, query.after);
      const advance = async (): Promise<boolean> => {
        if (piece.last) return false;
        const more = await source.next();
        if (more.done) return false;
        piece = more.value;
        return true;
      };
      yield {
        file: piece.file,
        lines: piece.lines,
        chunks: async function* (): AsyncGenerator<readonly Match[]> {
          do yield decode(piece.records, piece.last);
          while (await advance());
          // Cut off by the clock: the last match waits for context that will not come.
          if (!piece.last) yield decode(Buffer.alloc(0), true);
        },
      };
      // What of it was not read is read over.
      while (await advance()) continue;
    }
  } finally {
    await source.return?.();
  }
}

function mayBeFolder(path: string | Buffer): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true;
  }
}
