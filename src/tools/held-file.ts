import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { TAGGED_FILE } from "../model/limits.ts";
import type { Where } from "../model/found.ts";
import type { FilePath } from "../model/match.ts";
import { readNow, type ReadNow } from "../workspace/read-now.ts";
import type { Session } from "../workspace/session.ts";
import type { Snapshot } from "../workspace/snapshots.ts";
import { sameStamp, type Stamp } from "../workspace/stamp.ts";
import { onDisk } from "../workspace/targets.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";

/**
 * Files that an index told of, at once: as they were shown before, where they still look as they did, and read
 * otherwise. Agents look for one thing after the other in the same few files. Called by `walk-candidates.ts`.
 */

type Ground = Pick<Session, "root" | "policy" | "snapshots">;

/** A file whose bytes are at hand. */
export interface Held {
  readonly text: TextLines;
  /** What the file looked like that has these bytes; null: that is not known. */
  readonly stamp: Stamp | null;
  /** It is as it was when the walk came by. */
  readonly unchanged: boolean;
  /** Remembers what is shown of it; null for a name that is not UTF-8, which cannot be said in an edit. */
  readonly snapshot: () => Snapshot | null;
}

/** null: open it as any other. */
export function heldFile(session: Ground, file: FilePath): Held | null {
  const { root, snapshots } = session;
  const path = join(root, file.path);
  let seen: Stats | undefined;
  const looked = (): Stats | undefined => (seen = look(path));
  const shown = file.pathBytes === undefined ? snapshots.recall(path, looked) : null;
  if (shown !== null) {
    return { text: shown.lines, stamp: seen ?? null, unchanged: false, snapshot: () => shown };
  }
  const before = Date.now();
  const now = readFound(session, file, TAGGED_FILE);
  if (now === null) return null;
  const { bytes, realPath, stat } = now;
  const text = textLines(bytes);
  return {
    text,
    stamp: stat,
    unchanged: false,
    snapshot: () => {
      const recorded = snapshots.record(realPath, bytes, "text", text);
      snapshots.stamp(recorded, stat, before);
      return recorded;
    },
  };
}

/** Where an index says that it matches, if it speaks of these bytes; null: anywhere. */
export function partsOf({ stamp }: Pick<Held, "stamp">, where: Where | undefined): readonly number[] | null {
  return where !== undefined && stamp !== null && sameStamp(where, stamp) ? where.parts : null;
}

/** null: open it as any other. */
export function readFound(
  { root, policy }: Ground,
  { path, pathBytes }: FilePath,
  largest: number,
): ReadNow | null {
  return readNow(policy, onDisk(root, path, pathBytes), largest);
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
