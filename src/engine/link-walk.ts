import { setImmediate } from "node:timers/promises";
import { FOLDERS_PER_TURN } from "../model/limits.ts";
import { listFolder, markLeftOut, wasLeftOut } from "./folder-memory.ts";
import { childOf, type LeftOut, placeOf, type Walked } from "./left-out.ts";

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
  /** The folders that it has not gone through. */
  readonly left: () => readonly Met[];
  /** Goes through those, but for what was left out. */
  readonly rest: (leftOut: LeftOut, isOver: () => boolean) => Promise<void>;
}

export function linkWalk(
  starts: readonly Walked[],
  skips: (path: string, name: string) => boolean,
): LinkWalk {
  let queue: Met[] = starts.map((start) => ({ ...start, walked: start }));
  let head = 0;
  let waiting: Met[] = [];
  const links: Met[] = [];

  const look = ({ path, real, walked }: Met, waits: (folder: Met) => boolean): void => {
    const { folders, links: found } = listFolder(real);
    const met = (name: string): Met[] => {
      const child = childOf(path, name);
      return skips(child, name) ? [] : [{ path: child, real: `${real}/${name}`, walked }];
    };
    for (const name of found) links.push(...met(name));
    for (const name of folders) {
      for (const folder of met(name)) (waits(folder) ? waiting : queue).push(folder);
    }
  };

  const go = async (waits: (folder: Met) => boolean, isOver: () => boolean): Promise<void> => {
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

  const left = (): Met[] => [...queue.slice(head), ...waiting];

  return {
    starts,
    links,
    left,
    ahead: (isOver) => go(({ real }) => wasLeftOut(real), isOver),
    rest: async (leftOut, isOver) => {
      const isLeftOut = ({ walked, path }: Met): boolean => leftOut.covers(walked, path);
      queue = left().filter((folder) => !isLeftOut(folder));
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
