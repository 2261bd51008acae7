import { TOLD_HITS, TOLD_QUESTIONS } from "../../model/limits.ts";
import type { Ask, Hit } from "../ask.ts";
import { remember } from "../../regex/recent.ts";

/**
 * What was found for the last questions, as long as nothing in the tree changes: whoever goes on to the next page, or
 * asks the same in another mode, need not wait until the files before are looked at again. Kept by `keeper.ts`; its
 * cursors begin with it.
 */

export interface Told {
  /** The first hits, in the order asked for. */
  readonly hits: readonly Hit[];
  /** Where to look on, by that order; null: there is nothing more. */
  readonly next: number | null;
}

const NOTHING: Told = { hits: [], next: 0 };

export class ToldBefore {
  #generation = -1;
  #known = new Map<string, Told>();

  /** Of one question: what is known of it, and what comes to be known. */
  of(ask: Ask, generation: number): Memory {
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#known = new Map();
    }
    // How many are wanted makes no difference.
    const key = JSON.stringify([ask.pattern, ask.order, ask.scope]);
    return memory(this.#known.get(key) ?? NOTHING, (told) => {
      // Of a tree that has changed since, nothing is kept.
      if (generation === this.#generation) remember(this.#known, key, told, TOLD_QUESTIONS);
    });
  }
}

export interface Memory {
  readonly before: Told;
  /** This was found, if anything was, and what is next is looked at from there; null: that was all. */
  readonly add: (hit: Hit | null, next: number | null) => void;
  /** Whatever was added will be known. */
  readonly keep: () => void;
}

export function memory(before: Told = NOTHING, keep: (told: Told) => void = () => {}): Memory {
  const hits = [...before.hits];
  let { next } = before;
  return {
    before,
    add: (hit, behind) => {
      // What is behind too many is not kept.
      if (hits.length > TOLD_HITS) return;
      if (hit !== null) hits.push(hit);
      next = behind;
    },
    keep: () => {
      if (hits.length <= TOLD_HITS) keep({ hits: [...hits], next });
    },
  };
}
