/** What is known of the parts of a pattern, and of parts one behind the other, for `grams.ts`. */
import { GRAM_BYTES, GRAM_PARTS, GRAM_STRINGS } from "../model/limits.ts";
import { allOf, type GramQuery } from "./gram-query.ts";
import { BESIDE, type Run, tellRun } from "./gram-run.ts";
import { cross, EDGE, EMPTY, ends, shortest, starts, type Strings, tell } from "./gram-strings.ts";

export type Known =
  /** It matches these and nothing else. */
  | { readonly kind: "exact"; readonly strings: Strings }
  /** Each match starts and ends with one of these, which may overlap, and holds what was told. */
  | {
      readonly kind: "edges";
      readonly start: Strings;
      readonly end: Strings;
      readonly told: readonly GramQuery[];
      /** What it is a repetition of, where that says more between what stands beside it. */
      readonly run?: Run;
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
/** Of two sets that both are larger, the strings together are too many to ask for: digits before digits are not. */
const LARGE = 10;
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
  for (const [at, part] of parts.entries()) {
    if (part.kind === "edges" && part.run !== undefined && told.length < GRAM_PARTS) {
      const between = tellRun(end, part.run, startBehind(parts, at));
      if (between.kind !== "all") told.push(between);
    }
    const next = startOf(part);
    if (part.kind === "exact" && end.size > JOINED_BOTH && next.size === 1 && shortest(next) > EDGE) {
      // A text behind many strings is told once, and not behind each of them.
      const joined = cross(end, starts(next));
      add(joined);
      start ??= starts(joined);
      end = next;
      continue;
    }
    if (!staysJoined(end, next)) {
      add(end);
      start ??= starts(end);
      end = ends(end, mostBefore(next));
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
 * What begins behind one of the parts, as far as a gram that ends there needs it. Once some of it is cut off nothing is
 * put behind it any more: of `[abcd][a-z]X` no text begins with `aX`.
 */
function startBehind(parts: readonly Known[], at: number): Strings {
  let heads = EMPTY;
  for (let next = at + 1; next < parts.length; next += 1) {
    const part = parts[next] as Known;
    heads = extended(heads, startOf(part));
    if (heads.size > BESIDE) return starts(heads, BESIDE);
    if (part.kind === "edges" || shortest(heads) >= EDGE) break;
  }
  return heads;
}

/** With what stands behind those that are short. */
function extended(heads: Strings, tails: Strings): Strings {
  const longer = new Set<string>();
  for (const head of heads) {
    if (head.length >= EDGE) longer.add(head);
    else for (const tail of tails) longer.add((head + tail).slice(0, EDGE));
  }
  return longer;
}

/**
 * Joined strings say more, and take more grams to say it. What is too short to tell anything is joined as long as it
 * is few; letters of either case, told three by three, are AND over places of ORs of eight.
 */
function staysJoined(end: Strings, next: Strings): boolean {
  const size = end.size * next.size;
  if (Math.min(end.size, next.size) > LARGE) return false;
  if (size > GRAM_STRINGS || bytes(end) * next.size + bytes(next) * end.size > GRAM_BYTES) return false;
  if (shortest(end) < GRAM) return true;
  if (end.size === 1) return next.size <= JOINED_BOTH;
  return next.size === 1 ? end.size <= JOINED : size <= JOINED_BOTH;
}

/** Strings that may stand before these. */
function mostBefore(next: Strings): number {
  const most = Math.floor(GRAM_STRINGS / Math.max(1, next.size));
  return next.size > LARGE ? Math.min(most, LARGE) : most;
}

function bytes(strings: Strings): number {
  let sum = 0;
  for (const { length } of strings) sum += length;
  return sum;
}
