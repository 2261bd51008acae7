import { SCAN_SPEED, SCAN_START } from "../../model/limits.ts";
import type { AskedScope } from "../ask.ts";
import type { FileTable } from "../file-table.ts";
import { keyOfPath } from "../path-key.ts";

/**
 * When looking at one candidate after the other takes longer than ripgrep's scan with all its threads would: where the
 * grams rule out little and few of the rest match. Asked by `cursor.ts`.
 */

export interface Patience {
  /** A candidate was taken. */
  readonly look: () => void;
  readonly spend: (ms: number, hits: number) => void;
  readonly isOver: () => boolean;
}

/** What may be spent before ripgrep is asked after all: of what it takes, and in any case, in milliseconds. */
const LOST = 0.07;
const LOST_LEAST = 50;

/** `wanted`: files that will be asked for, null for all. */
export function patienceOf(scan: number, candidates: number, wanted: number | null): Patience {
  let looked = 0;
  let spent = 0;
  let found = 0;
  return {
    look: () => {
      looked += 1;
    },
    spend: (ms, hits) => {
      spent += ms;
      found += hits;
    },
    isOver: () => {
      if (spent < Math.max(scan * LOST, LOST_LEAST)) return false;
      const left = candidates - looked;
      const enough = wanted === null ? left : Math.max(0, wanted - found) * (looked / Math.max(found, 0.5));
      return Math.min(left, enough) * (spent / Math.max(looked, 1)) > scan;
    },
  };
}

/** What ripgrep takes for the scope, about. */
export function scanTime({ targets }: AskedScope, table: FileTable): number {
  const files = targets.reduce((sum, { path }) => sum + table.below(keyOfPath({ path })), 0);
  return SCAN_START + (table.bytes * Math.min(1, files / Math.max(1, table.size))) / SCAN_SPEED;
}
