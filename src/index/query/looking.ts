import { SECOND_LEAST, SECOND_MOST } from "../../model/limits.ts";
import type { Pattern } from "../../model/query.ts";
import { isLineLocal } from "../../regex/line-local.ts";
import type { Entry } from "../entry.ts";
import type { Candidate } from "./candidates.ts";
import { type Look, lookOf } from "./look.ts";
import type { Second } from "./second.ts";
import { type Verdict, verifier } from "./verify.ts";

/**
 * Looks at candidates one after the other, and when it turns out that there are many to look at, leaves half of them to
 * another thread. What it tells comes in their order. Called by `cursor.ts`.
 */

/** Whoever shares out has that to do as well. */
const OWN_SHARE = 0.45;

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

  const alone = (entry: Entry, look: Look): Looked => {
    const began = performance.now();
    const verdict = verify(look);
    spent += performance.now() - began;
    own += 1;
    count += 1;
    if (verdict !== "nothing") hits += 1;
    return { entry, verdict, look };
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
    const theirs = some.splice(some.length * OWN_SHARE);
    // Said now: while it is waited for, a file may come into another segment, with other blocks.
    const looks = theirs.map((candidate) => lookOf(candidate, local));
    const told = second.look(pattern, looks);
    for (const candidate of some) ahead.push(aloneAt(candidate));
    const verdicts = await told;
    for (const [at, { entry }] of theirs.entries()) {
      const [look, verdict] = [looks[at] as Look, verdicts?.[at]];
      if (verdict === undefined) {
        ahead.push(alone(entry, look));
        continue;
      }
      count += 1;
      if (verdict !== "nothing") hits += 1;
      ahead.push({ entry, verdict, look });
    }
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
