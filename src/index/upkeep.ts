import { setImmediate } from "node:timers/promises";
import { INDEX_LOOK_AGAIN, INDEX_SEGMENTS, UNINDEXED_WORTH } from "../model/limits.ts";
import type { Segments } from "./segments.ts";
import type { Tree } from "./tree.ts";

/**
 * What is done behind the answers of an index: what changed is indexed, segments are merged and saved, and now and then
 * every file is looked at for changes that nobody told of. Called by `keeper.ts` when it is time.
 */

export interface UpkeepParts {
  /** One after the other with whatever else changes the table. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /** While there is an index that answers. */
  readonly isReady: () => boolean;
  /** Memory, when much was taken and is needed no more. */
  readonly giveBack: () => void;
}

export class Upkeep {
  readonly #parts: UpkeepParts;
  #asked = false;
  /** The segments after the last time. */
  #heldBefore = "";
  #lookedAt: number = performance.now();

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Somebody asks: what is not asked need not be looked at. */
  asked(): void {
    this.#asked = true;
  }

  async run(tree: Tree, segments: Segments): Promise<void> {
    const { exclusive, giveBack } = this.#parts;
    tree.table.prepare();
    tree.folders.names();
    if (!segments.saves) {
      await exclusive(async () => {
        await segments.takeLock();
        segments.takeSaved();
      });
    }
    if (tree.table.unindexed.size >= UNINDEXED_WORTH) await segments.indexRest();
    if (segments.holds.length > INDEX_SEGMENTS || segments.hasUnsaved) await segments.merge();
    if (performance.now() - this.#lookedAt >= INDEX_LOOK_AGAIN && this.#asked) await this.#lookAgain(tree);
    const held = segments.holds.map(({ name }) => name).join();
    if (held !== this.#heldBefore) giveBack();
    this.#heldBefore = held;
  }

  async #lookAgain(tree: Tree): Promise<void> {
    const { exclusive, isReady } = this.#parts;
    this.#lookedAt = performance.now();
    this.#asked = false;
    for (let from: number | null = 0; from !== null && isReady(); ) {
      const next: number = from;
      from = await exclusive(async () => tree.lookAgain(next));
      await setImmediate();
    }
  }
}
