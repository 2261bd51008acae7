/** What is known of the parts of a pattern, and of parts one behind the other, for `grams.ts`. */
import { GRAM_BYTES, GRAM_PARTS, GRAM_STRINGS } from "../model/limits.ts";
import { allOf, type GramQuery } from "./gram-query.ts";
import { cross, EMPTY, ends, shortest, starts, type Strings, tell } from "./gram-strings.ts";

export type Known =
  /** It matches these and nothing else. */
  | { readonly kind: "exact"; readonly strings: Strings }
  /** Each match starts and ends with one of these, which may overlap, and holds what was told. */
  | {
      readonly kind: "edges";
      readonly start: Strings;
      readonly end: Strings;
      readonly told: readonly GramQuery[];
    };

export const UNKNOWN: Known = { kind: "edges", start: EMPTY, end: EMPTY, told: [] };

export function startOf(known: Known): Strings {
  return known.kind === "exact" ? known.strings : known.start;
}

export function endOf(known: Known): Strings {
  return known.kind === "exact" ? known.strings : known.end;
}

/** All that a text tells that holds a match. */
export function summary(known: Known): GramQuery {
  if (known.kind === "exact") return tell(known.strings);
  return allOf([tell(known.start), ...known.told, tell(known.end)]);
}

/** Of several strings before several others, these stay joined. */
const JOINED_BOTH = 4;
/** And of several before one. */
const JOINED = 16;
/** Strings shorter than a gram tell nothing by themselves. */
const GRAM = 3;

export function concatenation(parts: readonly Known[]): Known {
  let start: Strings | null = null;
  /** All there is so far; behind a start, how it ends. */
  let end: Strings = EMPTY;
  const told: GramQuery[] = [];
  const add = (strings: Strings): void => {
    if (told.length < GRAM_PARTS) told.push(tell(strings));
  };
  for (const part of parts) {
    const next = startOf(part);
    if (!staysJoined(end, next)) {
      add(end);
      start ??= starts(end);
      end = ends(end, Math.floor(GRAM_STRINGS / Math.max(1, next.size)));
    }
    const joined = cross(end, next);
    if (part.kind === "exact") {
      end = joined;
      continue;
    }
    if (start !== null) add(joined);
    start ??= joined;
    if (told.length < GRAM_PARTS) told.push(...part.told);
    end = part.end;
  }
  return start === null ? { kind: "exact", strings: end } : { kind: "edges", start, end, told };
}

/**
 * Joined strings say more, and take more grams to say it. What is too short to tell anything is joined as long as it
 * is few; letters of either case, told three by three, are AND over places of ORs of eight.
 */
function staysJoined(end: Strings, next: Strings): boolean {
  const size = end.size * next.size;
  if (size > GRAM_STRINGS || bytes(end) * next.size + bytes(next) * end.size > GRAM_BYTES) return false;
  if (shortest(end) < GRAM || end.size === 1) return true;
  return next.size === 1 ? end.size <= JOINED : size <= JOINED_BOTH;
}

function bytes(strings: Strings): number {
  let sum = 0;
  for (const { length } of strings) sum += length;
  return sum;
}
