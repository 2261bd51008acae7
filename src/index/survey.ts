import { lstatSync, type Stats } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { FILES_PER_TURN } from "../model/limits.ts";
import type { Stamp } from "../workspace/stamp.ts";
import { type KeyOrder, keysOf, NO_ORDER } from "./key-order.ts";
import { type Listed, listFiles, type ListOptions } from "./listing.ts";
import { keyOnDisk, type PathKey } from "./path-key.ts";

/**
 * A tree as it is on disk: its files listed, then each looked at. Here for most trees; where that takes long, in a
 * thread of its own (`survey-in-thread.ts`). Taken by `tree.ts`.
 */

/** What a look at a file tells. */
export interface Seen extends Stamp {
  readonly nlink: number;
  readonly isFile: () => boolean;
}

export interface Survey extends Pick<Listed, "ignored" | "faults"> {
  readonly count: number;
  /** Every file that was listed, as it looks now; those that have a place in the order first, as it has them. */
  readonly look: (tell: TellSeen, order?: KeyOrder) => Promise<void>;
}

/** `undefined`: it is gone. `place`: in the order; -1 for none. */
export type TellSeen = (key: PathKey, seen: Seen | undefined, place: number) => void;

export interface Surveyor {
  /** null: ripgrep could not look everywhere. */
  readonly list: () => Promise<Survey | null>;
  /** Ends what is going on. */
  readonly close: () => void;
}

export function surveyHere(root: string, options: ListOptions): Surveyor {
  return {
    close: () => {},
    list: async () => {
      const listed = await listFiles(root, "", options);
      if (listed === null) return null;
      const { files, ignored, faults } = listed;
      return {
        ignored,
        faults,
        count: files.size,
        look: async (tell, order = NO_ORDER) => {
          let looked = 0;
          for (const [key, place] of inOrder(files, order)) {
            tell(key, lookAt(root, key), place);
            looked += 1;
            if (looked % FILES_PER_TURN === 0) await setImmediate();
          }
        },
      };
    },
  };
}

/** Each once. */
function* inOrder(files: ReadonlySet<PathKey>, order: KeyOrder): Generator<[key: PathKey, place: number]> {
  const left = new Set(files);
  let place = 0;
  for (const key of keysOf(order)) {
    if (left.delete(key)) yield [key, place];
    place += 1;
  }
  for (const key of left) yield [key, -1];
}

/** Nothing where a folder on the way is gone or is none; throws for what nobody may look at. */
export function lookAt(root: string, key: PathKey): Stats | undefined {
  try {
    return lstatSync(keyOnDisk(root, key), { throwIfNoEntry: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}
