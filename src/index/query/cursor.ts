import { setImmediate } from "node:timers/promises";
import { INDEX_SLICE, INDEX_SOON, TURN } from "../../model/limits.ts";
import type { Ask, Hit, Page } from "../ask.ts";
import type { Entry, Hold } from "../entry.ts";
import type { FileTable } from "../file-table.ts";
import { pathOfKey } from "../path-key.ts";
import { type Bits, hasBit } from "./bits.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { whereOf } from "./look.ts";
import { type Looked, type Looking, lookedAt } from "./looking.ts";
import { type Patience, patienceOf, scanTime } from "./patience.ts";
import { prepared } from "./prepared.ts";
import { scopeFiles } from "./scope-files.ts";
import type { Second } from "./second.ts";
import { type Memory, memory } from "./told.ts";

/**
 * The answer to one question, page by page: what is known of it, then candidates in order, those of the scope, looked
 * at until the page is full. Opened by `keeper.ts` when the table is as the disk is.
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
  { before, add, keep }: Memory = memory(),
): Cursor {
  const { pattern, order, scope, wanted } = ask;
  const ranks = (): Bits | null => scopeFiles(scope, table)?.ranks ?? null;
  const { maxFileSize } = scope;
  const isTooLarge = ({ size }: Entry): boolean => maxFileSize !== null && size > maxFileSize;
  const tooLarge = (): number => {
    const among = ranks();
    return countOf(
      table.byPath(),
      (entry) => isTooLarge(entry) && (among === null || hasBit(among, entry.rank)),
    );
  };
  const open = (from: number): Search => {
    const candidates = candidatesOf(pattern, order, table, holds, ranks(), from);
    const fits = maxFileSize === null ? candidates : fitting(candidates, isTooLarge);
    const knowsText = prepared(pattern).grams.query.kind !== "all";
    const missing = wanted === null ? null : wanted - before.hits.length;
    return {
      patience: patienceOf(scanTime(scope, table, knowsText), candidates.count, missing),
      looked: lookedAt(root, pattern, fits[Symbol.iterator](), candidates.count, second),
    };
  };
  // Of those that only may match, some will be no match.
  const known = before.hits.filter(({ kind }) => kind === "sure").length;
  const isEnough = before.next === null || (wanted !== null && known >= wanted);
  const search = isEnough ? null : open(before.next);
  let given = 0;
  const state = { stopped: false };

  return {
    tooLarge: maxFileSize === null ? 0 : tooLarge(),
    stop: () => {
      state.stopped = true;
    },
    next: async (count, least = count) => {
      const hits: Hit[] = before.hits.slice(given, given + count);
      given += hits.length;
      if (hits.length === count) return { hits, end: "no" };
      // Behind what was wanted when it was asked, whoever asks all the same asks ripgrep.
      if (search === null) return { hits, end: before.next === null ? "yes" : "gave-up" };
      const { patience, looked } = search;
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
        if (one === null) {
          add(null, null);
          keep();
          return ended("yes");
        }
        const { entry } = one;
        const hit = hitOf(one);
        if (hit !== null) hits.push(hit);
        add(hit, (order === "mtime" ? entry.age : entry.rank) + 1);
        const now = performance.now();
        // Whoever asked may have no more time, and has to say so.
        if (now - began > INDEX_SLICE || (hits.length >= least && now - began > INDEX_SOON)) break;
        if (now - turn < TURN) continue;
        await setImmediate();
        turn = performance.now();
      }
      keep();
      return ended("no");
    },
  };
}

interface Search {
  readonly patience: Patience;
  readonly looked: Looking;
}

function hitOf({ entry, verdict, look }: Looked): Hit | null {
  if (verdict === "nothing") return null;
  const hit: Hit = { ...pathOfKey(entry.key), kind: KINDS[verdict] };
  const where = verdict === "matches" ? whereOf(look) : null;
  return where === null ? hit : { ...hit, where };
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
