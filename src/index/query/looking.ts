import { setImmediate } from "node:timers/promises";
import { SECOND_LEAST, SECOND_MOST, TURN } from "../../model/limits.ts";
import type { Pattern } from "../../model/query.ts";
import { isLineLocal } from "../../regex/line-local.ts";
import type { Entry } from "../entry.ts";
import type { Candidate } from "./candidates.ts";
import { type Look, lookOf } from "./look.ts";
import type { Second } from "./second.ts";
import { newShares, takeParts } from "./shares.ts";
import { type Verdict, verifier } from "./verify.ts";

/**
 * Looks at candidates one after the other, and when it turns out that there are many to look at, shares them with
 * another thread. What it tells comes in their order. Called by `cursor.ts`.
 */

export interface Looked {
  readonly entry: Entry;
  readonly verdict: Verdict;
  readonly look: Look;
}

export interface Looking {
  /** The next one; null: there is none. `missing`: how many more hits are wanted. */
  readonly next: (missing: number) => Looked | null | Promise<Looked | null>;
  /** Of all that were looked at. */
  readonly tally: () => { readonly count: number; readonly hits: number };
}

/** `total`: how many candidates there are, at most. */
export function lookedAt(
  root: string,
  pattern: Pattern,
  candidates: Iterator<Candidate>,
  total: number,
  second: Second,
): Looking {
  const verify = verifier(root, pattern);
  const local = isLineLocal(pattern);
  const ahead: Looked[] = [];
  let count = 0;
  let hits = 0;
  /** Those that were looked at here, and how long that took. */
  let own = 0;
  let spent = 0;

  const counted = (looked: Looked): Looked => {
    count += 1;
    if (looked.verdict !== "nothing") hits += 1;
    return looked;
  };
  const alone = (entry: Entry, look: Look): Looked => {
    const began = performance.now();
    const verdict = verify(look);
    spent += performance.now() - began;
    own += 1;
    return counted({ entry, verdict, look });
  };
  const aloneAt = (candidate: Candidate): Looked => alone(candidate.entry, lookOf(candidate, local));
  const taken = (most: number): Candidate[] => {
    const some: Candidate[] = [];
    while (some.length < most) {
      const next = candidates.next();
      if (next.done === true) break;
      some.push(next.value);
    }
    return some;
  };
  /** As many as will be needed, as far as those before tell. */
  const needed = (missing: number): number =>
    Math.min(total - count, (missing * count) / Math.max(hits, 0.5));
  /** No more than were looked at so far: where they matched rarely, those behind them may match often. */
  const together = async (missing: number): Promise<Looked | null> => {
    const most = Math.min(needed(missing), count, SECOND_MOST);
    const some = taken(Math.max(most, SECOND_LEAST));
    if (some.length === 0) return null;
    // Said now: while it is waited for, a file may come into another segment, with other blocks.
    const looks = some.map((candidate) => lookOf(candidate, local));
    const shares = newShares();
    const told = second.look(pattern, looks, shares);
    const lookAt = (from: number, to: number, verdicts: readonly Verdict[] | null): void => {
      for (let at = from; at < to; at += 1) {
        const [{ entry }, look] = [some[at] as Candidate, looks[at] as Look];
        const verdict = verdicts?.[at - from];
        ahead.push(verdict === undefined ? alone(entry, look) : counted({ entry, verdict, look }));
      }
    };
    let turn = performance.now();
    for (const [from, to] of takeParts(shares, some.length, "front")) {
      lookAt(from, to, null);
      if (performance.now() - turn < TURN) continue;
      await setImmediate();
      turn = performance.now();
    }
    const first = ahead.length;
    if (first < some.length) lookAt(first, some.length, await told);
    // Taken from its end.
    ahead.reverse();
    return ahead.pop() ?? null;
  };

  return {
    tally: () => ({ count, hits }),
    next: (missing) => {
      const known = ahead.pop();
      if (known !== undefined) return known;
      if (second.isWorth(count, (needed(missing) * spent) / own)) return together(missing);
      const next = candidates.next();
      return next.done === true ? null : aloneAt(next.value);
    },
  };
}
