import { SCAN_SPEED, SCAN_SPEED_BLIND, SCAN_START } from "../../model/limits.ts";
import type { AskedScope } from "../ask.ts";
import type { FileTable } from "../file-table.ts";
import { keyOfPath } from "../path-key.ts";

/**
 * When looking at one candidate after the other takes longer than ripgrep's scan with all its threads would: where the
 * grams rule out little and few of the rest match. Asked by `cursor.ts`.
 */

export interface Patience {
  /** So long it took until so many were looked at in all, of which so many may match. */
  readonly spend: (ms: number, looked: number, found: number) => void;
  readonly isOver: () => boolean;
}

/**
 * What may be spent before ripgrep is asked after all: of what it takes, and in any case, in milliseconds. Before that
 * nobody knows what a file takes: in a new process the first hundred take ten times as long as the next.
 */
const LOST = 0.15;
const LOST_LEAST = 100;
/** How much longer it must take: ripgrep has to walk and to sort as well, and most estimates are too high. */
const LONGER = 1.5;

/** `wanted`: files that will be asked for, null for all. */
export function patienceOf(scan: number, candidates: number, wanted: number | null): Patience {
  let spent = 0;
  let looked = 0;
  let found = 0;
  /** What one takes. */
  let each = Number.POSITIVE_INFINITY;
  return {
    spend: (ms, lookedNow, foundNow) => {
      spent += ms;
      // The first ones of a process, or of a pattern, take several times as long as those that follow.
      if (lookedNow > looked) each = Math.min(spent / lookedNow, ms / (lookedNow - looked));
      looked = lookedNow;
      found = foundNow;
    },
    isOver: () => {
      if (spent < Math.max(scan * LOST, LOST_LEAST)) return false;
      const left = candidates - looked;
      const enough = wanted === null ? left : Math.max(0, wanted - found) * (looked / Math.max(found, 0.5));
      return Math.min(left, enough) * each > scan * LONGER;
    },
  };
}

/** What ripgrep takes for the scope, about: where it knows no text to look for, several times as long. */
export function scanTime({ targets }: AskedScope, table: FileTable, knowsText: boolean): number {
  const files = targets.reduce((sum, { path }) => sum + table.below(keyOfPath({ path })), 0);
  const speed = knowsText ? SCAN_SPEED : SCAN_SPEED_BLIND;
  return SCAN_START + (table.bytes * Math.min(1, files / Math.max(1, table.size))) / speed;
}
