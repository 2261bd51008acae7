import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { INDEX_FROM_FILES, INDEXES_OPEN } from "../model/limits.ts";
import { prepareCache } from "../workspace/cache.ts";
import { pathBelow } from "../workspace/real-path.ts";
import { onWritten } from "../workspace/written.ts";
import { boundIndexCache } from "./cache-bound.ts";
import { type Fallbacks, openFallbacks, saveFallbacks } from "./fallbacks.ts";
import { unfit } from "./fitness.ts";
import { keyOfPath } from "./path-key.ts";
import { indexFolder, indexFolders, markUsed } from "./places.ts";
import type { IndexSettings, IndexUse } from "./settings.ts";
import type { Fallback } from "./status.ts";
import { giveBackBehind } from "./give-back.ts";
import { openTreeIndex, type TreeIndex } from "./tree-index.ts";

/**
 * The indexes of this process: one for each tree, whoever asks, opened when a walk has shown that the tree is worth
 * one or one of it is saved. `createWorkspace` takes a source for its session and lets it go at its end.
 */

export interface IndexSource {
  /** The index, if it is there by now. */
  readonly current: () => TreeIndex | undefined;
  /** Why it is not. */
  readonly why: () => string;
  /** So many files were walked without it. */
  readonly walked: (files: number) => void;
  /** ripgrep answered in its place. */
  readonly fellBack: (why: string) => void;
  /** Those of every session on the tree, since the index was opened. */
  readonly fallbacks: () => readonly Fallback[];
  /** The last to let it go closes the index. */
  readonly release: () => Promise<void>;
}

/** The index of one tree, open for so many sessions. */
interface Shared {
  readonly index: Promise<TreeIndex>;
  readonly folder: string;
  readonly fallbacks: Fallbacks;
  users: number;
}

const shared = new Map<string, Shared>();
/** Two of one tree would be in each other's way: the next is opened when this one has ended. */
const closing = new Map<string, Promise<void>>();

/** Never throws: what stands against an index is said by `why`. */
export function indexSource(
  root: string,
  { use, maxFiles }: IndexSettings,
  env: NodeJS.ProcessEnv,
): IndexSource {
  if (use === "off") return noIndex("there is no index");
  const tree = realRoot(root);
  const against = tree === null ? "the tree is not there" : unfit(tree, env);
  if (tree === null || against !== null) return noIndex(against ?? "");
  return sourceOf(tree, use, { maxFiles, env });
}

/** What decides which files a tree has: the user's ignore rules lie where the environment says. */
function keyOf(tree: string, env: NodeJS.ProcessEnv): string {
  return JSON.stringify([tree, indexFolder(tree, env), env["HOME"], env["XDG_CONFIG_HOME"]]);
}

/** How the first to open an index of a tree wants it. */
interface Opening {
  readonly maxFiles: number;
  readonly env: NodeJS.ProcessEnv;
}

export interface OpenedIndex {
  readonly index: TreeIndex;
  readonly source: IndexSource;
}

/** For who needs an index and waits for it: `quarry index`. @throws CACHE_UNSAFE. The tree is one that is fit. */
export async function openIndex(
  tree: string,
  { maxFiles }: IndexSettings,
  env: NodeJS.ProcessEnv,
): Promise<OpenedIndex> {
  const source = sourceOf(tree, "now", { maxFiles, env });
  const index = await shared.get(keyOf(tree, env))?.index;
  if (index === undefined) throw new Error("The index was let go");
  return { index, source };
}

function sourceOf(tree: string, use: IndexUse, opening: Opening): IndexSource {
  const folder = indexFolder(tree, opening.env);
  const key = keyOf(tree, opening.env);
  /** Of before there is an index. */
  const early = openFallbacks();
  let held: Shared | null = null;
  let current: TreeIndex | undefined;
  let why = "there is no index yet";
  let released = false;

  const take = (): void => {
    if (held !== null || released) return;
    if (!shared.has(key) && shared.size >= INDEXES_OPEN) {
      why = "as many indexes as may be are open";
      return;
    }
    held = shared.get(key) ?? begin(key, tree, folder, opening);
    held.users += 1;
    for (const { why: reason, count } of early.list()) held.fallbacks.add(reason, count);
    void adopt(held);
  };

  const adopt = async (taken: Shared): Promise<void> => {
    try {
      const index = await taken.index;
      if (held === taken) current = index;
    } catch (cause) {
      if (!released) why = cause instanceof Error ? cause.message : String(cause);
    }
  };

  // One that was worth saving is worth taking up.
  if (use === "now" || shared.has(key) || existsSync(join(folder, "manifest"))) take();

  return {
    current: () => current,
    why: () => why,
    walked: (files) => {
      if (files >= INDEX_FROM_FILES) take();
    },
    fellBack: (reason) => (held?.fallbacks ?? early).add(reason),
    fallbacks: () => (held?.fallbacks ?? early).list(),
    release: async () => {
      released = true;
      const own = held;
      held = null;
      current = undefined;
      why = "the workspace is closed";
      if (own !== null) await letGo(key, tree, own, opening.env);
    },
  };
}

function begin(key: string, tree: string, folder: string, opening: Opening): Shared {
  const before = closing.get(key) ?? Promise.resolve();
  const index = before.then(() => open(tree, folder, opening));
  const begun: Shared = { index, folder, fallbacks: openFallbacks(), users: 0 };
  shared.set(key, begun);
  // What stood in its way may be gone for the next session.
  index.catch(() => forget(key, begun));
  return begun;
}

function forget(key: string, one: Shared): void {
  if (shared.get(key) === one) shared.delete(key);
}

async function open(tree: string, folder: string, { maxFiles, env }: Opening): Promise<TreeIndex> {
  for (const own of indexFolders(tree, env)) await prepareCache(own, tree, env);
  await markUsed(folder, tree);
  void bound(env);
  const index = openTreeIndex({ root: tree, folder, env, maxFiles });
  giveBackBehind(index.started);
  return hearing(index);
}

/** Told at once of what the tools of this process write. */
function hearing(index: TreeIndex): TreeIndex {
  const end = onWritten((paths) => {
    const keys = paths.flatMap((path) => {
      const below = pathBelow(index.root, path);
      return below === null ? [] : [keyOfPath({ path: below })];
    });
    if (keys.length > 0) index.wrote(keys);
  });
  return {
    ...index,
    close: () => {
      end();
      return index.close();
    },
  };
}

async function letGo(key: string, tree: string, own: Shared, env: NodeJS.ProcessEnv): Promise<void> {
  own.users -= 1;
  if (own.users > 0) return;
  forget(key, own);
  const ended = end(tree, own, env);
  closing.set(key, ended);
  await ended;
  if (closing.get(key) === ended) closing.delete(key);
}

async function end(
  tree: string,
  { index, folder, fallbacks }: Shared,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const opened = await index.catch(() => null);
  if (opened === null) return;
  await opened.close();
  // A full disk, or a cache folder that somebody removed, is no reason not to end.
  await saveFallbacks(folder, fallbacks.list()).catch(() => {});
  await markUsed(folder, tree).catch(() => {});
  await bound(env);
}

/** Not those that are open here. */
async function bound(env: NodeJS.ProcessEnv): Promise<void> {
  const inUse = new Set(Array.from(shared.values(), ({ folder }) => folder));
  await boundIndexCache(env, inUse).catch(() => {});
}

function noIndex(why: string): IndexSource {
  return {
    current: () => undefined,
    why: () => why,
    walked: () => {},
    fellBack: () => {},
    fallbacks: () => [],
    release: async () => {},
  };
}

function realRoot(root: string): string | null {
  try {
    return realpathSync(root);
  } catch {
    return null;
  }
}
