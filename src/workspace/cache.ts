/**
 * The user's cache folder: where it is, and that it is ours alone. What lies in it is trusted (tags, artifacts,
 * later an index), so it is never taken from a repository, from another owner, or from where others may write.
 */
import { constants, type Stats } from "node:fs";
import { access, chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { ToolError } from "../model/errors.ts";
import { codeOf, pathBelow, resolveReal } from "./real-path.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's home, for `~` and for the cache. */
export function homeFolder(env: Environment): string {
  return env["HOME"] || env["USERPROFILE"] || homedir();
}

/** QUARRY_CACHE_DIR, else XDG_CACHE_HOME/quarry, else ~/.cache/quarry. A relative one would depend on where we run. */
export function cacheFolder(env: Environment): string {
  const own = env["QUARRY_CACHE_DIR"];
  if (own !== undefined && own !== "") {
    if (isAbsolute(own)) return own;
    throw unsafe(`QUARRY_CACHE_DIR is ${own}, which is not absolute`);
  }
  const shared = env["XDG_CACHE_HOME"];
  if (shared !== undefined && isAbsolute(shared)) return join(shared, "quarry");
  return join(homeFolder(env), ".cache", "quarry");
}

/** Makes the cache folder, or throws CACHE_UNSAFE. It may lie in the root only if the whole home folder does. */
export async function prepareCache(folder: string, root: string, env: Environment): Promise<void> {
  const [cache, ground, home] = await Promise.all(
    [folder, root, homeFolder(env)].map(async (path) => (await resolveReal(path)).path),
  );
  const inside = pathBelow(ground ?? "", cache ?? "") !== null;
  if (inside && pathBelow(ground ?? "", home ?? "") === null) {
    throw unsafe(`The cache folder ${folder} lies in the repository`);
  }
  await preparePrivateFolder(folder);
}

/** A folder with its parents that is a folder, ours, and closed to others. */
export async function preparePrivateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw cannotBeMade(folder, cause);
  }
  const info = await stat(folder);
  refuseOthers(folder, info);
  if (process.getuid !== undefined && (info.mode & 0o055) !== 0) await chmod(folder, 0o700);
}

/** Throws what `preparePrivateFolder` would, and makes nothing: for whoever only tells how things are. */
export async function checkPrivateFolder(folder: string): Promise<void> {
  try {
    refuseOthers(folder, await stat(folder));
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    if (codeOf(cause) !== "ENOENT") throw cannotBeMade(folder, cause);
    await access(await nearestFolder(folder), constants.W_OK | constants.X_OK).catch((why: unknown) => {
      throw cannotBeMade(folder, why);
    });
  }
}

function refuseOthers(folder: string, info: Stats): void {
  if (!info.isDirectory()) throw unsafe(`${folder} is no folder`);
  const user = process.getuid?.();
  if (user === undefined) return;
  if (info.uid !== user) throw unsafe(`The cache folder ${folder} belongs to another user`);
  if ((info.mode & 0o022) !== 0) throw unsafe(`Others may write to the cache folder ${folder}`);
}

/** Of the folders that a path names, the last that is there. */
async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  const isThere = await stat(above).then(
    () => true,
    () => false,
  );
  return isThere || above === path ? above : nearestFolder(above);
}

function cannotBeMade(folder: string, cause: unknown): ToolError {
  return unsafe(`The cache folder ${folder} cannot be made: ${codeOf(cause)}`, cause);
}

/** A file for its owner alone, whole or not at all. */
export async function writePrivateFile(path: string, content: string | Buffer): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await rm(draft, { force: true });
    await writeFile(draft, content, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    throw cause;
  }
}

function unsafe(message: string, cause?: unknown): ToolError {
  return new ToolError("CACHE_UNSAFE", message, {
    hint: "Set QUARRY_CACHE_DIR to a folder of your own, outside the repository, with mode 0700",
    cause,
  });
}
