import { realpathSync, statfsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../model/errors.ts";
import { cacheFolder, homeFolder } from "../workspace/cache.ts";
import { codeOf, pathBelow } from "../workspace/real-path.ts";
import { MOUNT_TABLE, unheardMounts } from "./feed/mounts.ts";

/** Which trees are left to ripgrep. Asked before an index is opened, and by the commands that show why there is none. */

/** File systems on other machines, by what statfs calls them: their changes are told to nobody here. */
const NETWORKS = new Set([
  0x69_69, 0x51_7b, 0xff_53_4d_42, 0xfe_53_4d_42, 0x6b_41_46_53, 0x01_02_19_97, 0x53_46_41_4f,
]);

/** What is asked of the system. Another one in tests. */
export interface System {
  readonly platform: NodeJS.Platform;
  /** What statfs calls the file system that a path lies on. */
  readonly fileSystem: (path: string) => number;
  /** A file like /proc/self/mountinfo. */
  readonly mounts: string;
}

const THIS_SYSTEM: System = {
  platform: process.platform,
  fileSystem: (path) => statfsSync(path).type,
  mounts: MOUNT_TABLE,
};

/** Why a tree, by its real path, is left to ripgrep, or null. Never throws. */
export function unfit(
  tree: string,
  env: NodeJS.ProcessEnv,
  { platform, fileSystem, mounts }: System = THIS_SYSTEM,
): string | null {
  if (platform !== "linux") return "changes are not told of reliably on this system";
  if (tree === "/") return "the root of the system is not indexed";
  if ([homeFolder(env), homedir()].some((home) => pathBelow(tree, nearestReal(home)) !== null))
    return "the home folder and what it lies in are not indexed";
  try {
    const cache = nearestReal(cacheFolder(env));
    if (pathBelow(tree, cache) !== null) return "a tree that the cache folder lies in is not indexed";
    if (pathBelow(cache, tree) !== null) return "the cache folder is not indexed";
    if (NETWORKS.has(fileSystem(tree))) return "a network file system is not indexed";
    const [unheard] = unheardMounts(tree, mounts);
    return unheard === undefined
      ? null
      : `changes of a file system are not told of reliably: ${unheard.type}`;
  } catch (cause) {
    return cause instanceof ToolError ? cause.message : `the tree cannot be looked at: ${codeOf(cause)}`;
  }
}

/** The real path; of what is not there, where it would be. */
function nearestReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(nearestReal(parent), basename(path));
  }
}
