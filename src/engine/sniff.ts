import { constants, read } from "node:fs";
import { open } from "node:fs/promises";
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

export async function isBinaryByFirstBytes(path: string | Buffer): Promise<boolean> {
  // Without blocking: a pipe that took the file's place must not hold us up.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return false;
  try {
    return await isBinaryDescriptor(file.fd);
  } finally {
    await file.close();
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
  return SIGNATURES.some(starts) || bytes.some(isBinaryByte);
}

/** Control bytes that text does not use; tab, newline, form feed, return and escape it does. */
function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}
