import { createHash } from "node:crypto";
import { realpathSync, statfsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { INDEX_FROM_FILES, INDEX_MOST_FILES } from "../model/limits.ts";
import { cacheFolder, prepareCache } from "../workspace/cache.ts";
import { openTreeIndex, type TreeIndex } from "./tree-index.ts";

/**
 * The indexes of this process: one for each tree, whoever asks, opened when a walk has shown that the tree is worth
 * one. `createWorkspace` takes a source for its session and lets it go at its end.
 */

/** `auto`: once a walk has met many files. `now`: at once. `off`: never. */
export type IndexUse = "auto" | "now" | "off";

export interface IndexSource {
  /** The index, if it is there by now. */
  readonly current: () => TreeIndex | undefined;
  /** Why it is not. */
  readonly why: () => string;
  /** So many files were walked without it. */
  readonly walked: (files: number) => void;
  /** The last to let it go closes the index. */
  readonly release: () => Promise<void>;
}

interface Shared {
  readonly index: Promise<TreeIndex>;
  users: number;
}

const shared = new Map<string, Shared>();

export function indexSource(root: string, use: IndexUse, env: NodeJS.ProcessEnv): IndexSource {
  const tree = realpathSync(root);
  let held: Shared | null = null;
  let current: TreeIndex | undefined;
  let why = use === "off" ? "there is no index" : (unfit(tree) ?? "there is no index yet");
  const fit = use !== "off" && unfit(tree) === null;

  const take = (): void => {
    if (held !== null || !fit) return;
    held = shared.get(tree) ?? { index: open(tree, env), users: 0 };
    shared.set(tree, held);
    held.users += 1;
    void adopt(held.index);
  };

  const adopt = async (opening: Promise<TreeIndex>): Promise<void> => {
    try {
      const index = await opening;
      if (held !== null) current = index;
    } catch (cause) {
      why = cause instanceof Error ? cause.message : String(cause);
    }
  };

  if (use === "now") take();
  else if (shared.has(tree)) take();

  return {
    current: () => current,
    why: () => why,
    walked: (files) => {
      if (files >= INDEX_FROM_FILES) take();
    },
    release: async () => {
      const own = held;
      held = null;
      current = undefined;
      why = "the workspace is closed";
      if (own === null) return;
      own.users -= 1;
      if (own.users > 0) return;
      if (shared.get(tree) === own) shared.delete(tree);
      const index = await own.index.catch(() => null);
      await index?.close();
    },
  };
}

async function open(root: string, env: NodeJS.ProcessEnv): Promise<TreeIndex> {
  const cache = cacheFolder(env);
  const folder = join(cache, "index", createHash("sha256").update(root).digest("hex").slice(0, 32));
  await prepareCache(folder, root, env);
  return openTreeIndex({ root, folder, env, maxFiles: INDEX_MOST_FILES });
}

/** File systems on other machines, by what statfs calls them: their changes are told to nobody here. */
const NETWORKS = new Set([
  0x69_69, 0x51_7b, 0xff_53_4d_42, 0xfe_53_4d_42, 0x6b_41_46_53, 0x01_02_19_97, 0x5346414f,
]);

/** Why a tree is left to ripgrep, or null. */
function unfit(tree: string): string | null {
  if (process.platform !== "linux") return "changes are not told of reliably on this system";
  if (tree === "/" || tree === homedir()) return "the home folder and the root of the system are not indexed";
  return NETWORKS.has(statfsSync(tree).type) ? "a network file system is not indexed" : null;
}
