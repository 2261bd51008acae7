import { closeSync, constants, fstatSync, openSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { SNIFF } from "../model/limits.ts";

/** Tells a binary file by its first 512 bytes, as web browsers do: by signatures, then by control bytes. */

const SIGNATURES = ["%PDF-", "%!PS-Adobe-"].map((text) => Buffer.from(text));
const MARKS = [
  [0xef, 0xbb, 0xbf],
  [0xfe, 0xff],
  [0xff, 0xfe],
].map((bytes) => Buffer.from(bytes));

const readAt = promisify(read);

const begin = Buffer.alloc(SNIFF);

/**
 * Of a file that matches, of which there may be thousands: in one turn of the loop, where handles and promises would
 * take several times as long. `mtime` is null where it cannot be opened.
 */
export function lookAtBeginning(path: string | Buffer): {
  readonly binary: boolean;
  readonly mtime: number | null;
} {
  let fd: number | null = null;
  try {
    // Without blocking: a pipe that took the file's place must not hold us up.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const mtime = fstatSync(fd).mtimeMs;
    return { binary: looksBinary(begin.subarray(0, readSync(fd, begin, 0, SNIFF, 0))), mtime };
  } catch {
    return { binary: false, mtime: null };
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

export async function isBinaryDescriptor(fd: number): Promise<boolean> {
  try {
    const { buffer, bytesRead } = await readAt(fd, Buffer.alloc(SNIFF), 0, SNIFF, 0);
    return looksBinary(buffer.subarray(0, bytesRead));
  } catch {
    return false;
  }
}

export function looksBinary(bytes: Buffer): boolean {
  const starts = (mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark);
  if (MARKS.some(starts)) return false;
  if (SIGNATURES.some(starts)) return true;
  for (const byte of bytes) if (isBinaryByte(byte)) return true;
  return false;
}

/** Control bytes that text does not use; tab, newline, form feed, return and escape it does. */
function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}
