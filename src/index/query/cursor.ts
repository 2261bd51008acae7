import { setImmediate } from "node:timers/promises";
import { INDEX_SLICE, INDEX_SOON, TURN } from "../../model/limits.ts";
import type { Ask, Hit, Page } from "../ask.ts";
import type { Entry, Hold } from "../entry.ts";
import type { FileTable } from "../file-table.ts";
import { pathOfKey } from "../path-key.ts";
import { hasBit } from "./bits.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { lookedAt } from "./looking.ts";
import { patienceOf, scanTime } from "./patience.ts";
import { prepared } from "./prepared.ts";
import { scopeFiles } from "./scope-files.ts";
import type { Second } from "./second.ts";

/**
 * The answer to one question, page by page: candidates in order, those of the scope, looked at until the page is
 * full. Opened by `keeper.ts` when the table is as the disk is.
 */

export interface Cursor {
  /** So many; no fewer than `least`, where a few are told sooner than all of them. */
  readonly next: (count: number, least?: number) => Promise<Page>;
  /** Ends what is going on. */
  readonly stop: () => void;
  /** Files of the scope that are larger than asked for. */
  readonly tooLarge: number;
}

/** `second`: helps where there is much to look at. */
export function openCursor(
  root: string,
  ask: Ask,
  table: FileTable,
  holds: readonly Hold[],
  second: Second,
): Cursor {
  const ranks = scopeFiles(ask.scope, table)?.ranks ?? null;
  const candidates = candidatesOf(ask.pattern, ask.order, table, holds, ranks);
  const { maxFileSize } = ask.scope;
  const isTooLarge = ({ size }: Entry): boolean => maxFileSize !== null && size > maxFileSize;
  const knowsText = prepared(ask.pattern).grams.query.kind !== "all";
  const patience = patienceOf(scanTime(ask.scope, table, knowsText), candidates.count, ask.wanted);
  const looked = lookedAt(root, ask.pattern, fitting(candidates, isTooLarge), candidates.count, second);
  const state = { stopped: false };

  return {
    tooLarge:
      maxFileSize === null
        ? 0
        : countOf(
            table.byPath(),
            (entry) => isTooLarge(entry) && (ranks === null || hasBit(ranks, entry.rank)),
          ),
    stop: () => {
      state.stopped = true;
    },
    next: async (count, least = count) => {
      const hits: Hit[] = [];
      const began = performance.now();
      const ended = (end: Page["end"]): Page => {
        const { count: all, hits: found } = looked.tally();
        patience.spend(performance.now() - began, all, found);
        return { hits, end: end === "no" && patience.isOver() ? "gave-up" : end };
      };
      let turn = began;
      while (hits.length < count && !state.stopped) {
        const next = looked.next(count - hits.length);
        const one = next instanceof Promise ? await next : next;
        if (one === null) return ended("yes");
        const { entry, verdict } = one;
        if (verdict !== "nothing") hits.push({ ...pathOfKey(entry.key), kind: KINDS[verdict] });
        const now = performance.now();
        // Whoever asked may have no more time, and has to say so.
        if (now - began > INDEX_SLICE || (hits.length >= least && now - began > INDEX_SOON)) break;
        if (now - turn < TURN) continue;
        await setImmediate();
        turn = performance.now();
      }
      return ended("no");
    },
  };
}

const KINDS = { matches: "sure", possible: "possible", binary: "binary" } as const;

function* fitting(
  candidates: Iterable<Candidate>,
  isTooLarge: (entry: Entry) => boolean,
): Generator<Candidate> {
  for (const candidate of candidates) if (!isTooLarge(candidate.entry)) yield candidate;
}

function countOf<T>(items: Iterable<T>, wanted: (item: T) => boolean): number {
  let count = 0;
  for (const item of items) if (wanted(item)) count += 1;
  return count;
}
