/**
 * A question to the index: which trigrams a text must hold. `grams.ts` makes one of a pattern. Built by `allOf` and
 * `anyOf` only, which leave nothing in it twice, nothing that follows from the rest, and parts in the order they came.
 */

export type GramQuery =
  /** Nothing can be told. */
  | { readonly kind: "all" }
  /** Nothing can match. */
  | { readonly kind: "none" }
  /** Three bytes, the first in the highest place; behind a newline, the first two of a character beyond ASCII. */
  | { readonly kind: "gram"; readonly gram: number }
  | Joined;

interface Joined {
  readonly kind: "and" | "or";
  readonly parts: readonly GramQuery[];
}

export const ALL: GramQuery = { kind: "all" };
export const NONE: GramQuery = { kind: "none" };

export function allOf(parts: Iterable<GramQuery>): GramQuery {
  return join("and", parts);
}

/** What every part asks for is asked once: `a & x | b & x` is `x & (a | b)`. */
export function anyOf(parts: Iterable<GramQuery>): GramQuery {
  const joined = join("or", parts);
  if (joined.kind !== "or") return joined;
  const asked = joined.parts.map((part) => byKey(partsOf("and", part)));
  const common = Array.from(asked[0] ?? []).filter(([key]) => asked.every((part) => part.has(key)));
  if (common.length === 0) return joined;
  const rest = asked.map((part) => {
    for (const [key] of common) part.delete(key);
    return allOf(part.values());
  });
  return allOf([...common.map(([, part]) => part), anyOf(rest)]);
}

function join(kind: Joined["kind"], given: Iterable<GramQuery>): GramQuery {
  const [nothing, everything] = kind === "and" ? [ALL, NONE] : [NONE, ALL];
  const parts = new Map<Key, GramQuery>();
  for (const one of given) {
    for (const part of partsOf(kind, one)) {
      if (part.kind === everything.kind) return everything;
      if (part.kind !== nothing.kind) parts.set(keyOf(part), part);
    }
  }
  const needed = Array.from(parts.values()).filter((part) => !follows(kind, part, parts));
  const [first] = needed;
  if (first === undefined) return nothing;
  return needed.length === 1 ? first : { kind, parts: needed };
}

/** In an AND, an OR of which one part is there anyway; and the other way about. */
function follows(kind: Joined["kind"], part: GramQuery, parts: ReadonlyMap<Key, GramQuery>): boolean {
  const other = kind === "and" ? "or" : "and";
  if (part.kind !== other) return false;
  return part.parts.some((one) => partsOf(kind, one).every((inner) => parts.has(keyOf(inner))));
}

function partsOf(kind: Joined["kind"], query: GramQuery): readonly GramQuery[] {
  return query.kind === kind ? query.parts : [query];
}

function byKey(parts: readonly GramQuery[]): Map<Key, GramQuery> {
  return new Map(parts.map((part) => [keyOf(part), part]));
}

/** Kept, since a query is asked for its key at every level above it. */
const keys = new WeakMap<Joined, Key>();

type Key = number | string;

/** The same for what asks the same, in whatever order. */
function keyOf(query: GramQuery): Key {
  if (query.kind === "gram") return query.gram;
  if (query.kind === "all" || query.kind === "none") return query.kind;
  let key = keys.get(query);
  if (key === undefined) {
    key = `(${query.kind} ${query.parts.map(keyOf).map(String).toSorted().join(" ")})`;
    keys.set(query, key);
  }
  return key;
}

/** Grams that it asks for. */
export function sizeOf(query: GramQuery): number {
  if (query.kind === "gram") return 1;
  if (query.kind === "all" || query.kind === "none") return 0;
  return query.parts.reduce((sum, part) => sum + sizeOf(part), 0);
}

/**
 * The same question, or a weaker one, of no more grams than these. Of an AND the parts of few alternatives stay:
 * they tell most for a gram. Each part of an OR gets the same share, and where there is none, nothing can be told.
 */
export function atMost(query: GramQuery, grams: number): GramQuery {
  if (sizeOf(query) <= grams) return query;
  if (query.kind === "or") {
    return anyOf(shares(query.parts, grams).map(({ part, share }) => atMost(part, share)));
  }
  return query.kind === "and" ? allOf(fewest(query.parts, grams)) : ALL;
}

/** What a small part does not need, the larger ones share. */
function shares(parts: readonly GramQuery[], grams: number): { part: GramQuery; share: number }[] {
  const bySize = parts.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  let left = grams;
  const given = new Map<GramQuery, number>();
  bySize.forEach((part, index) => {
    const share = Math.min(sizeOf(part), Math.floor(left / (bySize.length - index)));
    given.set(part, share);
    left -= share;
  });
  return parts.map((part) => ({ part, share: given.get(part) ?? 0 }));
}

function fewest(parts: readonly GramQuery[], grams: number): GramQuery[] {
  const single = parts.filter(({ kind }) => kind === "gram");
  if (single.length > grams) return spread(single, grams);
  const kept = new Map<GramQuery, GramQuery>();
  let left = grams;
  for (const part of parts.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const weaker = left > 0 ? atMost(part, left) : ALL;
    kept.set(part, weaker);
    left -= sizeOf(weaker);
  }
  return parts.map((part) => kept.get(part) ?? ALL);
}

/** Neighbours share two bytes of three: those far apart tell more. */
function spread<Part>(parts: readonly Part[], count: number): Part[] {
  return parts.filter((_, at) => {
    const before = Math.floor((at * count) / parts.length);
    return Math.floor(((at + 1) * count) / parts.length) > before;
  });
}
