import { INDEX_CURSORS, INDEX_FIRST_HITS, INDEX_HITS, INDEX_MOST_HITS } from "../../model/limits.ts";
import type { Page } from "../ask.ts";
import type { Cursor } from "./cursor.ts";

/** The answers of an index that are not told to their end, by number. Kept by `keeper.ts`. */
export class Cursors {
  readonly #open = new Map<number, Cursor>();
  #last = 0;

  add(cursor: Cursor): number {
    this.#last += 1;
    this.#open.set(this.#last, cursor);
    // Nobody says that nothing more will be asked of one that has told enough.
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= INDEX_CURSORS) break;
      this.drop(oldest);
    }
    return this.#last;
  }

  /** All that is wanted, where that is a page and quickly found. */
  first(id: number, wanted: number | null): Promise<Page> {
    return this.page(id, Math.min(wanted ?? INDEX_HITS, INDEX_MOST_HITS), INDEX_FIRST_HITS);
  }

  async page(id: number, count: number, least: number = count): Promise<Page> {
    const cursor = this.#open.get(id);
    if (cursor === undefined) return { hits: [], end: "gave-up" };
    const page = await cursor.next(count, least);
    if (page.end !== "no") this.#open.delete(id);
    return page;
  }

  drop(id: number): void {
    this.#open.get(id)?.stop();
    this.#open.delete(id);
  }
}
