import { type PathKey, splitKey } from "./path-key.ts";

/**
 * How many files are below each folder, "" for the root. Those that come one behind the other mostly lie in one folder,
 * so that what is above it is counted once for all of them. Kept by `file-table.ts`.
 */
export class FolderCounts {
  readonly #below = new Map<PathKey, number>();
  /** The folder of those that came last, and how many are not counted yet. */
  #last: PathKey = "";
  #uncounted = 0;

  below(folder: PathKey): number {
    this.#count();
    return this.#below.get(folder) ?? 0;
  }

  came(key: PathKey): void {
    const length = Math.max(0, key.lastIndexOf("/"));
    if (length !== this.#last.length || !key.startsWith(this.#last)) {
      this.#count();
      this.#last = key.slice(0, length);
    }
    this.#uncounted += 1;
  }

  went(key: PathKey): void {
    this.#count();
    this.#add(splitKey(key).folder, -1);
  }

  #count(): void {
    if (this.#uncounted > 0) this.#add(this.#last, this.#uncounted);
    this.#uncounted = 0;
  }

  #add(folder: PathKey, more: number): void {
    for (let above = folder; ; above = splitKey(above).folder) {
      const count = (this.#below.get(above) ?? 0) + more;
      if (count === 0) this.#below.delete(above);
      else this.#below.set(above, count);
      if (above === "") return;
    }
  }
}
