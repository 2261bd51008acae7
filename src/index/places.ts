import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, type Environment, writePrivateFile } from "../workspace/cache.ts";
import { lockOwner } from "../workspace/lock.ts";
import { SEGMENT_FORMAT } from "./store/segment-writer.ts";

/**
 * Where the indexes of trees are saved, and what can be told of one without opening it. A folder's name has the format
 * in front, so that another version of this program neither reads nor removes what it does not understand.
 */

/** The folder of all of them. @throws CACHE_UNSAFE when the environment names none that can be */
export function indexHome(env: Environment): string {
  return join(cacheFolder(env), "index");
}

/** The folder of one tree's. */
export function indexFolder(tree: string, env: Environment): string {
  const name = createHash("sha256").update(tree).digest("hex").slice(0, 32);
  return join(indexHome(env), `${OWN_FORMAT}${name}`);
}

/** Those that it lies in, from above, and itself: whoever may write to one could put another in the place of the next. */
export function indexFolders(tree: string, env: Environment): readonly string[] {
  return [cacheFolder(env), indexHome(env), indexFolder(tree, env)];
}

const OWN_FORMAT = `v${SEGMENT_FORMAT}-`;
/** Holds the tree's path; its time is that of the last use. */
const USED = "used";

/** Notes that the index of a tree is opened or let go. */
export function markUsed(folder: string, tree: string): Promise<void> {
  return writePrivateFile(join(folder, USED), tree);
}

export interface SavedTree {
  readonly folder: string;
  /** null: nobody noted it. */
  readonly tree: string | null;
  /** Of this program's format. */
  readonly readable: boolean;
  readonly bytes: number;
  /** When it was opened or let go for the last time. */
  readonly usedMs: number;
  /** The live process that saves it. */
  readonly holder: number | null;
}

/** Every saved index, whoever saved it. */
export function savedTrees(env: Environment): SavedTree[] {
  const home = indexHome(env);
  return names(home)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => savedTree(join(home, name), name.startsWith(OWN_FORMAT)) ?? []);
}

/** null: there is no such folder. */
export function savedTree(folder: string, readable: boolean = true): SavedTree | null {
  const info = statSync(folder, { throwIfNoEntry: false });
  if (info?.isDirectory() !== true) return null;
  const used = statSync(join(folder, USED), { throwIfNoEntry: false });
  return {
    folder,
    tree: textOf(join(folder, USED)),
    readable,
    bytes: bytesIn(folder),
    usedMs: (used ?? info).mtimeMs,
    holder: lockOwner(folder),
  };
}

/** What lies right in a folder: segments and small files. */
function bytesIn(folder: string): number {
  return names(folder)
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, info) => sum + (info?.isFile() === true ? info.size : 0), 0);
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
