/**
 * A folder in which files are made, linked and renamed: through its descriptor where the system allows that
 * (Linux), so that a folder that is swapped for a link meanwhile leads nowhere. Elsewhere by name; a swap between
 * the check and the call would go unseen there, as `workspace/open.ts` says. Used by everything in commit/.
 */
import { closeSync, constants, existsSync, fsync, lstatSync, openSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openFolder } from "../../workspace/open.ts";
import type { Policy } from "../../workspace/policy.ts";
import { codeOf } from "../../workspace/real-path.ts";

export interface Folder {
  /** null where a folder cannot be opened (Windows). */
  readonly fd: number | null;
  readonly realPath: string;
  readonly dev: string;
  readonly ino: string;
}

const sync = promisify(fsync);
const BY_DESCRIPTOR: boolean = process.platform === "linux" && existsSync("/proc/self/fd");
const FLAGS: number =
  constants.O_RDONLY |
  (constants.O_DIRECTORY ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** The path to use for an entry of a folder. */
export function at(folder: Folder, name: string): string {
  return BY_DESCRIPTOR && folder.fd !== null
    ? `/proc/self/fd/${folder.fd}/${name}`
    : join(folder.realPath, name);
}

/** A path that opens the very file behind a descriptor again, in another mode. null: there is none here. */
export function again(fd: number): string | null {
  return BY_DESCRIPTOR ? `/proc/self/fd/${fd}` : null;
}

/** A folder of the session's ground. */
export async function openAllowed(policy: Policy, path: string): Promise<Folder> {
  if (process.platform === "win32") return byName((await policy.check(path)).realPath);
  const { handle, realPath } = await openFolder(policy, path);
  try {
    // A FileHandle would close itself when it is collected; a number is ours alone.
    const fd = openSync(
      again(handle.fd) ?? realPath,
      FLAGS & ~(BY_DESCRIPTOR ? (constants.O_NOFOLLOW ?? 0) : 0),
    );
    return described(fd, realPath);
  } finally {
    await handle.close();
  }
}

/** A folder in a folder, never through a link. */
export function openBelow(folder: Folder, name: string): Folder {
  const realPath = join(folder.realPath, name);
  if (process.platform === "win32") return byName(realPath);
  return described(openSync(at(folder, name), FLAGS), realPath);
}

/** The folder that a journal names, if it is still that one: same path, device and inode. */
export function openSame(path: string, dev: string, ino: string): Folder | null {
  try {
    const folder = process.platform === "win32" ? byName(path) : described(openSync(path, FLAGS), path);
    const link = folder.fd === null ? null : again(folder.fd);
    const there = link === null ? path : readlinkSync(link);
    if (there === path && folder.dev === dev && folder.ino === ino) return folder;
    closeFolder(folder);
    return null;
  } catch {
    return null;
  }
}

function described(fd: number, realPath: string): Folder {
  try {
    const { dev, ino } = lstatSync(again(fd) === null ? realPath : `/proc/self/fd/${fd}/.`, { bigint: true });
    return { fd, realPath, dev: String(dev), ino: String(ino) };
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

function byName(realPath: string): Folder {
  const { dev, ino } = lstatSync(realPath, { bigint: true });
  return { fd: null, realPath, dev: String(dev), ino: String(ino) };
}

/** Makes what was renamed, linked or removed in it last through a power cut, where the system can. */
export async function syncFolder(folder: Folder): Promise<void> {
  if (folder.fd === null) return;
  try {
    await sync(folder.fd);
  } catch (cause) {
    // Some file systems cannot, and say so.
    if (!["EINVAL", "ENOTSUP", "EBADF", "EPERM", "EISDIR"].includes(codeOf(cause))) throw cause;
  }
}

export function closeFolder(folder: Folder): void {
  if (folder.fd !== null) closeSync(folder.fd);
}
