/**
 * Whether a database was written while it was read. No lock is taken, because Node has none to take, so what every
 * writer must touch is compared before and after: times, size and change counter of the database, and the beginning
 * of its log, which gets new salts when it is started over. A log that only grew hides nothing: what was appended
 * later is not looked at.
 */
import { fstatSync, readSync } from "node:fs";
import { HEADER_BYTES } from "./is-database.ts";

const WAL_HEADER_BYTES = 32;

export function stamp(main: number, wal: number | null): string {
  const { size, mtimeNs, ctimeNs } = fstatSync(main, { bigint: true });
  const log = wal === null ? "" : `${isGone(wal)} ${beginning(wal, WAL_HEADER_BYTES)}`;
  return [size, mtimeNs, ctimeNs, beginning(main, HEADER_BYTES), log].join(" ");
}

/** The same when the times will tell the next write: a kernel counts them in steps of some milliseconds. */
export function calmStamp(main: number, wal: number | null): string {
  if (Date.now() - fstatSync(main).mtimeMs < STEP)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP);
  return stamp(main, wal);
}

const STEP = 20;

/** Deleted since it was opened: the last writer has put all of it into the database, and it means nothing more. */
export function isGone(fd: number): boolean {
  return fstatSync(fd).nlink === 0;
}

function beginning(fd: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, 0)).toString("hex");
}
