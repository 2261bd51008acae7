/**
 * What a part tells that is repeated, from what stands before it and behind: between the texts of `task_struct\s*\{`
 * stands nothing, one blank, or two and more, and each of these has grams of its own. For `gram-concat.ts`.
 */
import { GRAM_CLASS } from "../model/limits.ts";
import { allOf, anyOf, type GramQuery } from "./gram-query.ts";
import { cross, ends, starts, type Strings, tell } from "./gram-strings.ts";

export interface Run {
  /** What is repeated. */
  readonly strings: Strings;
  /** It may be missing. */
  readonly optional: boolean;
}

/** What is told of more strings takes more grams than it is worth: of eight, two of them are 64. */
const MOST = 8;
/** Of what stands before and behind. */
export const BESIDE = 4;
const NOT_ASCII = /[\x80-\xff]/;

/** null: it is too many to tell anything. */
export function runOf(strings: Strings, optional: boolean): Run | null {
  return strings.size <= GRAM_CLASS && plainOf(strings).size <= MOST ? { strings, optional } : null;
}

/** What a text tells that holds one of `before`, the run, and one of `behind`, beside what those tell by themselves. */
export function tellRun(before: Strings, { strings, optional }: Run, behind: Strings): GramQuery {
  const head = ends(before, BESIDE, 1);
  const tail = starts(behind, BESIDE, 1);
  // Those that are rare and long are told by being there: blanks beyond ASCII are in hardly any text.
  const others = new Set(Array.from(strings).filter((string) => NOT_ASCII.test(string)));
  const once = plainOf(strings);
  const twice = cross(once, once);
  return anyOf([
    ...(others.size === 0 ? [] : [tell(others)]),
    ...(optional ? [tell(cross(ends(before, BESIDE), starts(behind, BESIDE)))] : []),
    tell(cross(cross(head, once), tail)),
    allOf([tell(cross(head, twice)), tell(cross(twice, tail))]),
  ]);
}

function plainOf(strings: Strings): Strings {
  return new Set(Array.from(strings).filter((string) => !NOT_ASCII.test(string)));
}
