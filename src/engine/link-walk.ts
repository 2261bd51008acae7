import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { FOLDERS_PER_TURN } from "../model/limits.ts";
import { listFolder, markLeftOut, wasLeftOut } from "./folder-memory.ts";
import { type LeftOut, pathIn, placeOf, type Walked } from "./left-out.ts";

/**
 * Finds the links of a walk, which ripgrep does not name, while ripgrep walks. It goes ahead through all folders but
 * those that ripgrep left out the last time; when ripgrep has said what it left out this time, it goes through the
 * rest. So an ignored folder, however large, costs no more time than ripgrep takes. Called by `links.ts`.
 */

/** A folder or link below a walked folder: as ripgrep would show it, and where it is on the disk. */
export interface Met extends Walked {
  readonly walked: Walked;
}

export interface LinkWalk {
  readonly starts: readonly Walked[];
  /** Found so far, to files and to folders. */
  readonly links: readonly Met[];
  /** Goes through what need not wait, until it is over. */
  readonly ahead: (isOver: () => boolean) => Promise<void>;
  /** Whether it came to the end, but for what waits. */
  readonly isThrough: () => boolean;
  /** The folders that were left out the last time. */
  readonly waiting: () => readonly Met[];
  /** Goes through those too, and through what it did not come to, but for what is left out. */
  readonly rest: (leftOut: LeftOut, isOver: () => boolean) => Promise<void>;
}

/** In a queue of thousands, without what can be told from the rest. */
type Queued = Omit<Met, "path">;

export function linkWalk(starts: readonly Walked[], skips: (real: string) => boolean): LinkWalk {
  let queue: Queued[] = starts.map((start) => ({ real: start.real, walked: start }));
  let head = 0;
  let waiting: Queued[] = [];
  const links: Met[] = [];

  const look = ({ real, walked }: Queued, waits: (folder: Queued) => boolean): void => {
    const listing = listFolder(real);
    for (const link of listing.links) {
      if (!skips(link)) links.push(met({ real: link, walked }));
    }
    for (const child of listing.folders) {
      if (skips(child)) continue;
      const folder = { real: child, walked };
      if (waits(folder)) waiting.push(folder);
      else queue.push(folder);
    }
  };

  const go = async (waits: (folder: Queued) => boolean, isOver: () => boolean): Promise<void> => {
    for (let looked = 1; !isOver(); looked++) {
      const folder = queue[head];
      if (folder === undefined) return;
      head++;
      look(folder, waits);
      if (looked % FOLDERS_PER_TURN !== 0) continue;
      if (head > queue.length / 2) {
        queue = queue.slice(head);
        head = 0;
      }
      await setImmediate();
    }
  };

  return {
    starts,
    links,
    isThrough: () => head === queue.length,
    waiting: () => waiting.map(met),
    ahead: (isOver) => go(({ real }) => wasLeftOut(real), isOver),
    rest: async (leftOut, isOver) => {
      const isLeftOut = (folder: Queued): boolean => {
        const { walked, path } = met(folder);
        return leftOut.covers(walked, path) === true;
      };
      queue = [...queue.slice(head), ...waiting].filter((folder) => !isLeftOut(folder));
      head = 0;
      waiting = [];
      for (const { real } of queue) markLeftOut(real, false);
      for (const start of starts) {
        for (const path of leftOut.all ?? []) markLeftOut(placeOf(start, path) ?? "", true);
      }
      await go(isLeftOut, isOver);
    },
  };
}

/** Whether there are links to folders in a folder; also where that takes too long to know. */
export function holdsLinks(real: string, skips: (real: string) => boolean): boolean {
  const queue = [real];
  for (const folder of queue) {
    const { folders, links } = listFolder(folder);
    if (links.some((link) => !skips(link) && isFolder(link))) return true;
    queue.push(...folders.filter((child) => !skips(child)));
    if (queue.length > FOLDERS_PER_TURN) return true;
  }
  return false;
}

function isFolder(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function met({ real, walked }: Queued): Met {
  return { path: pathIn(walked, real) ?? real, real, walked };
}
