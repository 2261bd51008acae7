import { join } from "node:path";
import { type Hold, holdOf } from "./entry.ts";
import { joined, type KeyOrder } from "./key-order.ts";
import { type Take, takeTogether } from "./store/own-memory.ts";
import { openSegment } from "./store/segment.ts";

/**
 * Saved segments that are read before it is known what of them still holds: while the tree is listed there is nothing
 * else to do. Opened and taken by `segments.ts`.
 */
export interface SavedAhead {
  /** The files of all, in the order of the segments. */
  readonly order: KeyOrder;
  /** Where the file is that has this place in the order. */
  readonly at: (place: number) => { readonly hold: Hold; readonly doc: number } | null;
  /** One of them, from now on the caller's; null: it was not read, or taken before. */
  readonly take: (name: string) => Hold | null;
  /** Those that nobody took. */
  readonly left: () => readonly Hold[];
  readonly close: () => void;
}

export function openAhead(folder: string, names: readonly string[]): SavedAhead {
  const left = new Map<string, Hold>();
  const take = takeTogether();
  for (const name of names) {
    const hold = openHold(folder, name, take);
    if (hold !== null) left.set(name, hold);
  }
  const holds = [...left.values()];
  return {
    order: joined(holds.map(({ segment }) => segment.docs.order)),
    at: (place) => {
      let doc = place;
      for (const hold of holds) {
        if (doc < hold.segment.docs.length) return { hold, doc };
        doc -= hold.segment.docs.length;
      }
      return null;
    },
    take: (name) => {
      const hold = left.get(name) ?? null;
      left.delete(name);
      return hold;
    },
    left: () => [...left.values()],
    close: () => {
      for (const hold of left.values()) hold.segment.close();
      left.clear();
    },
  };
}

/** null: damaged, or gone. Its files are indexed anew. */
export function openHold(folder: string, name: string, take?: Take): Hold | null {
  try {
    return holdOf(name, openSegment(join(folder, name), take));
  } catch {
    return null;
  }
}
