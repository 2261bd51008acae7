import { ORDER_SPLICED } from "../model/limits.ts";

/**
 * A long list in order, a few of whose items come, go and move between two looks: the rest is neither sorted nor
 * compared again. `file-table.ts` keeps its files by path and by age in two of these.
 */
export interface Ordered<T> {
  readonly add: (item: T) => void;
  readonly remove: (item: T) => void;
  /** Another that stands where one of the list stands: nothing moves, however many there are. */
  readonly replace: (item: T, other: T) => void;
  /** In order. Each item was told its place. What was handed out before stays as it is. */
  readonly list: () => readonly T[];
}

export interface Ordering<T> {
  readonly compare: (one: T, other: T) => number;
  readonly place: (item: T, at: number) => void;
  /** What it was told last; anything, where it was told nothing. */
  readonly placeOf: (item: T) => number;
  /** The same order for many at once. */
  readonly sortAll?: (items: T[]) => T[];
}

/** `first`: what is in it from the start, in any order. */
export function ordered<T>(ordering: Ordering<T>, first: Iterable<T> = []): Ordered<T> {
  const { compare, place, placeOf, sortAll = (all) => all.sort(compare) } = ordering;
  let items: T[] = sortAll([...first]);
  for (const [at, item] of items.entries()) place(item, at);
  /** Somebody may still read them. */
  let handedOut = true;
  const coming = new Set<T>();
  const leaving = new Set<T>();

  const settle = (): void => {
    const fresh = sortAll([...coming]);
    const few = coming.size + leaving.size <= ORDER_SPLICED;
    items = few ? spliced(items, fresh, leaving, ordering) : merged(items, fresh, leaving, compare);
    if (!few) for (const [at, item] of items.entries()) place(item, at);
    coming.clear();
    leaving.clear();
  };
  const add = (item: T): void => {
    coming.add(item);
  };
  // Also of one that came since: it may be in the list from before, at a place that no longer holds.
  const remove = (item: T): void => {
    coming.delete(item);
    leaving.add(item);
  };

  return {
    add,
    remove,
    replace: (item, other) => {
      const at = placeOf(item);
      if (items[at] !== item || coming.has(item) || leaving.has(item)) {
        remove(item);
        add(other);
        return;
      }
      if (handedOut) items = items.slice();
      handedOut = false;
      items[at] = other;
      place(other, at);
    },
    list: () => {
      if (coming.size > 0 || leaving.size > 0) settle();
      handedOut = true;
      return items;
    },
  };
}

function merged<T>(
  items: readonly T[],
  fresh: readonly T[],
  leaving: ReadonlySet<T>,
  compare: (one: T, other: T) => number,
): T[] {
  const all: T[] = [];
  let next = 0;
  for (const item of items) {
    if (leaving.has(item)) continue;
    for (let first = fresh[next]; first !== undefined && compare(first, item) < 0; first = fresh[next]) {
      all.push(first);
      next += 1;
    }
    all.push(item);
  }
  // One by one: there may be more than a call takes.
  for (const item of fresh.slice(next)) all.push(item);
  return all;
}

/** One by one, and only those are told their places that have another now. */
function spliced<T>(
  items: readonly T[],
  fresh: readonly T[],
  leaving: ReadonlySet<T>,
  { compare, place, placeOf }: Ordering<T>,
): T[] {
  const all = items.slice();
  const gone = [...leaving].filter((item) => items[placeOf(item)] === item).map(placeOf);
  for (const at of gone.sort((one, other) => other - one)) all.splice(at, 1);
  const come = fresh.map((item) => {
    const at = firstNotBefore(all, (other) => compare(other, item));
    all.splice(at, 0, item);
    return at;
  });
  const moved = [...gone, ...come];
  const from = Math.min(...moved);
  const to = gone.length === come.length ? Math.max(...moved) + 1 : all.length;
  for (let at = from; at < to; at += 1) place(all[at] as T, at);
  return all;
}

/** Where what is looked for is in a list in order, or would be; `compare` tells of an item whether it comes before. */
export function firstNotBefore<T>(items: readonly T[], compare: (item: T) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(items[middle] as T) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
