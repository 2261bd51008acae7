import type { Stamp } from "../workspace/stamp.ts";
import type { PathKey } from "./path-key.ts";
import type { Segment } from "./store/segment.ts";

/** A file of the tree, and a segment in use that holds such files. Kept by `file-table.ts`. */

/** Which of its files still are what they were. */
export interface Hold {
  readonly name: string;
  readonly segment: Segment;
  /** The first block of each file, and behind the last. */
  readonly starts: Uint32Array;
  /** The file of each block. */
  readonly docOf: Uint32Array;
  /** By number of file; null: it is gone, or changed since. */
  readonly entries: (Entry | null)[];
  /** The places of these by path, side by side: thousands of files are marked by one search. `NO_RANK` for none. */
  readonly ranks: Uint32Array;
  /** Files that are not indexed, and those that are to their first NUL byte. */
  readonly opaque: Set<Entry>;
  readonly binary: Set<Entry>;
}

export const NO_RANK = 0xff_ff_ff_ff;

export function holdOf(name: string, segment: Segment): Hold {
  const { docs } = segment;
  const { starts } = docs;
  const docOf = new Uint32Array(segment.blocks);
  for (let doc = 0; doc < docs.length; doc++) docOf.fill(doc, starts[doc], starts[doc + 1]);
  return {
    name,
    segment,
    starts,
    docOf,
    entries: Array.from({ length: docs.length }, () => null),
    ranks: new Uint32Array(docs.length).fill(NO_RANK),
    opaque: new Set<Entry>(),
    binary: new Set<Entry>(),
  };
}

/** When files were seen, by the clock: one for all of a moment. */
export interface Sight {
  readonly at: number;
}

/** There are as many of these as files. As long as a segment holds the same, it alone keeps what the file looks like. */
export class Entry implements Stamp {
  readonly key: PathKey;
  /** A write through another name is not told of. */
  readonly linked: boolean;
  /** Its places by path and by age. */
  rank = -1;
  age = -1;
  readonly #sight: Sight;
  #own: Stamp | null;
  #hold: Hold | null = null;
  #doc = -1;

  constructor(key: PathKey, { size, mtimeMs, ctimeMs, ino }: Stamp, linked: boolean, sight: Sight) {
    this.key = key;
    this.linked = linked;
    this.#sight = sight;
    this.#own = { size, mtimeMs, ctimeMs, ino };
  }

  get hold(): Hold | null {
    return this.#hold;
  }

  get doc(): number {
    return this.#doc;
  }

  /** When it was seen like this, by the clock. What was read before says nothing of it. */
  get seenAt(): number {
    return this.#sight.at;
  }

  /** All that follows at once: it is read from the segment. */
  get stamp(): Stamp {
    return this.#own ?? this.#hold?.segment.docs.stampAt(this.#doc) ?? NO_STAMP;
  }

  get size(): number {
    return this.stamp.size;
  }

  get mtimeMs(): number {
    return this.#own?.mtimeMs ?? this.#hold?.segment.docs.mtimeAt(this.#doc) ?? 0;
  }

  get ctimeMs(): number {
    return this.stamp.ctimeMs;
  }

  get ino(): number {
    return this.stamp.ino;
  }

  /** A file of a segment that looks the same. */
  holdBy(hold: Hold, doc: number): void {
    this.#hold = hold;
    this.#doc = doc;
    this.#own = null;
  }

  release(): void {
    this.#own = this.stamp;
    this.#hold = null;
    this.#doc = -1;
  }
}

const NO_STAMP: Stamp = { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 };
