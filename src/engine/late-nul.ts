import { constants, fstat, read } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import type { Query } from "../model/query.ts";
import { maxCount } from "../ripgrep/argv.ts";

/**
 * ripgrep stops reading a file at its limit on matches, and so may never come to the NUL byte that makes the
 * file binary. It looks at the first 64 KiB before its first match; what lies behind is looked at here, so that
 * a limit on what is shown does not change which files match.
 */

const LOOKED_AT = 64 * 1024;
const CHUNK = 256 * 1024;

const readAt = promisify(read);
const sizeOf = promisify(fstat);

/** Whether ripgrep stopped at its limit, given the matching lines that it found in a file. */
export function mayHideNul(query: Query, lines: number): boolean {
  const limit = maxCount(query);
  return query.binary === "ripgrep" && limit !== null && lines >= limit;
}

/** Most files are no larger than what ripgrep looks at; whoever knows the size need not have one opened. */
export async function holdsLateNul(path: string | Buffer, size: number): Promise<boolean> {
  if (size <= LOOKED_AT) return false;
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return false;
  try {
    return await descriptorHoldsLateNul(file.fd);
  } finally {
    await file.close();
  }
}

export async function descriptorHoldsLateNul(fd: number): Promise<boolean> {
  try {
    if ((await sizeOf(fd)).size <= LOOKED_AT) return false;
    const buffer = Buffer.allocUnsafe(CHUNK);
    await readAt(fd, buffer, 0, 2, 0);
    // UTF-16 by its byte order mark: its NUL bytes are halves of letters.
    const mark = buffer.readUInt16BE();
    if (mark === 0xfeff || mark === 0xfffe) return false;
    for (let at = LOOKED_AT; ; ) {
      const { bytesRead } = await readAt(fd, buffer, 0, CHUNK, at);
      if (bytesRead === 0) return false;
      if (buffer.subarray(0, bytesRead).includes(0)) return true;
      at += bytesRead;
    }
  } catch {
    return false;
  }
}
