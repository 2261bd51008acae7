/**
 * Whether a folder can have an index, as far as that is known without opening one: what stands against every index of
 * it, and whether it is too large. Asked by `quarry index status` and `quarry doctor`, which build nothing.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { count, grouped } from "../format/count.ts";
import { inotifyLimit } from "../index/feed/queue.ts";
import { unfit } from "../index/fitness.ts";
import { listFiles } from "../index/listing.ts";
import type { PathKey } from "../index/path-key.ts";
import { indexFolders } from "../index/places.ts";
import { indexSettings } from "../index/settings.ts";
import { DOCTOR_TIME } from "../model/limits.ts";
import { DEFAULTS } from "../model/request.ts";
import { checkPrivateFolder } from "../workspace/cache.ts";

export interface Standing {
  /** Why ripgrep answers in its place, whatever is asked for; null: an index may. */
  readonly against: string | null;
  /** What ripgrep lists; null: not asked because something else is against it, or not listed to its end. */
  readonly listed: ReadonlySet<PathKey> | null;
  /** A tree of more files is not indexed. */
  readonly maxFiles: number;
  /** null: not counted. */
  readonly folders: number | null;
  /** Folders that the system watches for one user at most; null: it does not say. */
  readonly watches: number | null;
}

/** The tree by its real path. @throws INVALID_INPUT for a wrong setting, CACHE_UNSAFE for a cache that is refused */
export async function standingOf(
  tree: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Standing> {
  const { use, maxFiles } = indexSettings({}, env);
  for (const folder of indexFolders(tree, env)) await checkPrivateFolder(folder);
  const watches = inotifyLimit("max_user_watches");
  const against = unfit(tree, env);
  if (against !== null) return { against, listed: null, maxFiles, folders: null, watches };
  const listing = await listFiles(tree, "", { env, signal, timeoutMs });
  const size = { listed: listing?.files ?? null, maxFiles, folders: countFolders(tree), watches };
  return { ...size, against: use === "off" ? "QUARRY_INDEX is off" : outgrown(size) };
}

/** Why a tree is too large, or null where it is not, or not known to be. */
export function outgrown({ listed, maxFiles, folders, watches }: Omit<Standing, "against">): string | null {
  if (listed !== null && listed.size > maxFiles)
    return `it has ${count(listed.size, "file")}, at most ${grouped(maxFiles)} are indexed (QUARRY_INDEX_MAX_FILES)`;
  if (folders !== null && watches !== null && folders >= watches)
    return `it has ${count(folders, "folder")}, ${grouped(watches)} watches (inotify); raise fs.inotify.max_user_watches to have one`;
  return null;
}

/** The feed watches all but those of version control. */
function countFolders(root: string): number | null {
  const until = performance.now() + DOCTOR_TIME;
  const open = [root];
  let folders = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (performance.now() > until) return null;
    folders += 1;
    for (const name of foldersIn(at)) if (!DEFAULTS.vcsFolders.includes(name)) open.push(join(at, name));
  }
  return folders;
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
