import { lstatSync, readdirSync, type Stats } from "node:fs";
import { sep } from "node:path";
import { FOLDER_DISTRUSTED, FOLDER_FORGOTTEN, FOLDERS_REMEMBERED } from "../model/limits.ts";

/**
 * The subfolders and links of a folder, remembered as long as the folder is the same: reading one takes seven times as
 * long as asking for its times. A folder is the same only by device, inode and both times, and is asked for in every
 * walk. Called by `link-walk.ts` and `left-out.ts`; what is remembered is names on the disk, whoever may see them.
 */

/** Real paths: made once, they need not be put together in every walk. */
export interface Listing {
  readonly folders: readonly string[];
  readonly links: readonly string[];
  /** Whether there is anything else in it. */
  readonly holdsFiles: boolean;
}

interface Remembered extends Listing {
  readonly stat: Pick<Stats, "dev" | "ino" | "mtimeMs" | "ctimeMs">;
  /** ripgrep left it out the last time. */
  leftOut: boolean;
  usedAt: number;
}

const memory = new Map<string, Remembered>();

const NOTHING: readonly string[] = [];
const EMPTY: Listing = { folders: NOTHING, links: NOTHING, holdsFiles: false };

/** Of a real path; empty for what is no folder or cannot be read. A link in its place is not followed. */
export function listFolder(path: string): Listing {
  const stat = statOf(path);
  if (stat === null) {
    memory.delete(path);
    return EMPTY;
  }
  const known = memory.get(path);
  if (known !== undefined && isSame(known.stat, stat)) {
    known.usedAt = Date.now();
    return known;
  }
  memory.delete(path);
  const listing = read(path);
  if (listing === null) return EMPTY;
  if (!isYoung(stat)) {
    const { dev, ino, mtimeMs, ctimeMs } = stat;
    remember(path, { ...listing, stat: { dev, ino, mtimeMs, ctimeMs }, leftOut: false, usedAt: Date.now() });
  }
  return listing;
}

/** A hint for the next walk, of a folder that is remembered. */
export function markLeftOut(path: string, leftOut: boolean): void {
  const known = memory.get(path);
  if (known !== undefined) known.leftOut = leftOut;
}

export function wasLeftOut(path: string): boolean {
  const known = memory.get(path);
  if (known?.leftOut !== true) return false;
  known.usedAt = Date.now();
  return true;
}

/**
 * Where the memory is full of what was used lately, the newcomer is not kept: a walk of more folders than it holds
 * would otherwise push each one out before it comes by again.
 */
function remember(path: string, entry: Remembered): void {
  if (memory.size >= FOLDERS_REMEMBERED && !forgetOne(entry.usedAt)) return;
  memory.set(path, entry);
}

/** One of those that came first and were not used lately; the others have another turn. */
function forgetOne(now: number): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    const [first] = memory;
    if (first === undefined) return true;
    const [path, entry] = first;
    memory.delete(path);
    if (now - entry.usedAt >= FOLDER_FORGOTTEN) return true;
    memory.set(path, entry);
  }
  return false;
}

const TRIES = 4;

function statOf(path: string): Stats | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() === true ? stat : null;
  } catch {
    return null;
  }
}

function read(path: string): Listing | null {
  const folders: string[] = [];
  const links: string[] = [];
  let holdsFiles = false;
  try {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(path + sep + entry.name);
      else if (entry.isSymbolicLink()) links.push(path + sep + entry.name);
      else holdsFiles = true;
    }
  } catch {
    return null;
  }
  return {
    folders: folders.length === 0 ? NOTHING : folders,
    links: links.length === 0 ? NOTHING : links,
    holdsFiles,
  };
}

function isSame(one: Remembered["stat"], other: Stats): boolean {
  return (
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  );
}

/** A folder that was just changed may be changed once more within the same tick of its clock. */
function isYoung({ mtimeMs, ctimeMs }: Stats): boolean {
  return Date.now() - Math.max(mtimeMs, ctimeMs) < FOLDER_DISTRUSTED;
}
