import { randomBytes } from "node:crypto";
import { rename, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { indexHome, type SavedTree, savedTree, savedTrees } from "./places.ts";
import { indexCacheBytes } from "./settings.ts";

/**
 * Keeps the saved indexes of all trees within their bound: those of other formats go first, then those that were not
 * used for the longest time. One that a live process saves stays. Called by `open-indexes.ts`.
 */

/** Removes what is too much, but for the folders in use here. The folders that went. */
export async function boundIndexCache(
  env: NodeJS.ProcessEnv,
  inUse: ReadonlySet<string>,
): Promise<readonly string[]> {
  await sweepLeft(indexHome(env));
  const most = indexCacheBytes(env);
  const trees = savedTrees(env);
  let total = trees.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const tree of trees.sort(firstToGo)) {
    if (total <= most) break;
    if (inUse.has(tree.folder) || !(await removeUnused(tree))) continue;
    total -= tree.bytes;
    removed.push(tree.folder);
  }
  return removed;
}

function firstToGo(one: SavedTree, other: SavedTree): number {
  return Number(one.readable) - Number(other.readable) || one.usedMs - other.usedMs;
}

/** false: somebody saves it, or has begun to use it since it was looked at. */
async function removeUnused(tree: SavedTree): Promise<boolean> {
  const now = savedTree(tree.folder);
  if (now === null) return true;
  if (now.holder !== null || now.usedMs !== tree.usedMs) return false;
  return removeIndex(tree.folder);
}

/** What is left of a removal: a name that no tree has. */
const GONE = ".gone-";

/** At once for whoever looks; whoever has a file of it open keeps that. Whether it went. */
export async function removeIndex(folder: string): Promise<boolean> {
  const aside = join(dirname(folder), `${GONE}${randomBytes(8).toString("hex")}`);
  try {
    await rename(folder, aside);
    await rm(aside, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Removals that did not come to their end. */
async function sweepLeft(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  for (const name of names) {
    if (name.startsWith(GONE)) await rm(join(home, name), { recursive: true, force: true }).catch(() => {});
  }
}
