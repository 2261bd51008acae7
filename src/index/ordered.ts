/**
 * A long list in order, a few of whose items come, go and move between two looks: the rest is never sorted again.
 * `file-table.ts` keeps its files by path and by age in two of these.
 */
export interface Ordered<T> {
  readonly add: (item: T) => void;
  readonly remove: (item: T) => void;
  /** In order. Each item was told its place. */
  readonly list: () => readonly T[];
}

/** `sortAll`: the same order for many at once. */
export function ordered<T>(
  compare: (one: T, other: T) => number,
  place: (item: T, at: number) => void,
  sortAll: (items: T[]) => T[] = (items) => items.sort(compare),
): Ordered<T> {
  let items: T[] = [];
  const coming = new Set<T>();
  const leaving = new Set<T>();

  const settle = (): void => {
    const fresh = sortAll([...coming]);
    const merged: T[] = [];
    let next = 0;
    const put = (item: T): void => {
      place(item, merged.length);
      merged.push(item);
    };
    for (const item of items) {
      if (leaving.has(item)) continue;
      for (let first = fresh[next]; first !== undefined && compare(first, item) < 0; first = fresh[next]) {
        put(first);
        next += 1;
      }
      put(item);
    }
    for (const item of fresh.slice(next)) put(item);
    items = merged;
    coming.clear();
    leaving.clear();
  };

  return {
    add: (item) => {
      coming.add(item);
    },
    // Also of one that came since: it may be in the list from before, at a place that no longer holds.
    remove: (item) => {
      coming.delete(item);
      leaving.add(item);
    },
    list: () => {
      if (coming.size > 0 || leaving.size > 0) settle();
      return items;
    },
  };
}
