import { KNOWN_MATCHERS } from "../../model/limits.ts";
import type { Pattern } from "../../model/query.ts";
import { type Grams, gramsOf } from "../../regex/grams.ts";
import { textMatcher } from "../../regex/matcher.ts";
import { type Needles, needlesOf } from "../../regex/needles.ts";
import { remember } from "../../regex/recent.ts";

/**
 * What an index makes of a pattern, which takes milliseconds where it holds classes. Whoever will ask says so first, so
 * that it is made while the asker makes its own; of the last few patterns it is kept. Called by the cursors.
 */
export interface Prepared {
  readonly grams: Grams;
  readonly needles: Needles;
}

const known = new Map<string, Prepared>();

export function prepared(pattern: Pattern): Prepared {
  const key = JSON.stringify(pattern);
  const made = known.get(key) ?? { grams: gramsOf(pattern), needles: needlesOf(pattern) };
  remember(known, key, made, KNOWN_MATCHERS);
  return made;
}

/** Makes all that `prepared` and the verifier will need. */
export function prepare(pattern: Pattern): void {
  prepared(pattern);
  textMatcher(pattern);
}
