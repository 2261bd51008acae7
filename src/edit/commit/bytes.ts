/**
 * Bytes to and from a descriptor. Large writes go in pieces: one write of megabytes took six times as long here as
 * the same bytes in pieces of 256 KiB. Used by everything in commit/.
 */
import { createHash } from "node:crypto";
import { fdatasync, fsync, read, write } from "node:fs";
import { promisify } from "node:util";
import { WRITTEN_AT_ONCE } from "../../model/limits.ts";

const readAt = promisify(read);
const writeAt = promisify(write);
export const syncAll: (fd: number) => Promise<void> = promisify(fsync);
export const syncData: (fd: number) => Promise<void> = promisify(fdatasync);

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** From `position` on; a descriptor opened for appending takes no position (null). */
export async function writeAll(fd: number, bytes: Buffer, position: number | null): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(WRITTEN_AT_ONCE, bytes.length - done);
    const place = position === null ? null : position + done;
    const { bytesWritten } = await writeAt(fd, bytes, done, length, place);
    done += bytesWritten;
  }
}

/** The hash of all that a descriptor holds, without holding it. */
export async function hashOf(fd: number, size: number): Promise<string> {
  const hash = createHash("sha256");
  // Two buffers: the next piece is read while this one is hashed.
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(READ_AT_ONCE, size + 1)));
  let position = 0;
  let turn = 0;
  let pending = readPiece(fd, buffers[0] as Buffer, 0);
  for (;;) {
    const count = await pending;
    if (count === 0) return hash.digest("hex");
    const full = (buffers[turn] as Buffer).subarray(0, count);
    position += count;
    turn = 1 - turn;
    pending = readPiece(fd, buffers[turn] as Buffer, position);
    hash.update(full);
  }
}

const READ_AT_ONCE: number = 4 * WRITTEN_AT_ONCE;

async function readPiece(fd: number, buffer: Buffer, position: number): Promise<number> {
  return (await readAt(fd, buffer, 0, buffer.length, position)).bytesRead;
}

/** All that a descriptor holds. */
export async function readAll(fd: number, size: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let position = 0;
  for (let length = size + 1; ; length = READ_AT_ONCE) {
    const piece = Buffer.allocUnsafeSlow(length);
    const count = await readPiece(fd, piece, position);
    if (count === 0) return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
    position += count;
  }
}
