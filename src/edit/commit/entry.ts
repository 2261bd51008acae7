/** A file by its name in a folder, opened without following a link and without waiting. Used by undo and redo. */
import { type BigIntStats, closeSync, constants, fstatSync, openSync, rmSync } from "node:fs";
import { codeOf } from "../../workspace/real-path.ts";
import { readAll, sha256 } from "./bytes.ts";
import { at, type Folder } from "./folder.ts";

export interface Entry {
  readonly fd: number;
  readonly stat: BigIntStats;
}

const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ELOOP", "ENXIO", "ENOTDIR", "ENAMETOOLONG"]);

/** null: no regular file of that name. */
export function openEntry(folder: Folder, name: string, flags: number = constants.O_RDONLY): Entry | null {
  try {
    const fd = openSync(at(folder, name), flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd, { bigint: true });
    if (stat.isFile()) return { fd, stat };
    closeSync(fd);
    return null;
  } catch (cause) {
    if (NOT_THERE.has(codeOf(cause))) return null;
    throw cause;
  }
}

/** What a regular file of that name holds. */
export async function bytesOf(folder: Folder, name: string): Promise<Buffer | null> {
  const entry = openEntry(folder, name);
  if (entry === null) return null;
  try {
    return await readAll(entry.fd, Number(entry.stat.size));
  } finally {
    closeSync(entry.fd);
  }
}

export async function entryHash(folder: Folder, name: string): Promise<string | null> {
  const bytes = await bytesOf(folder, name);
  return bytes === null ? null : sha256(bytes);
}

export function removeEntry(folder: Folder, name: string): void {
  rmSync(at(folder, name), { force: true });
}
