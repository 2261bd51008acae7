import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { INDEX_PAGE } from "../../model/limits.ts";

/**
 * A file whose bytes are checked whenever they are read. Behind the content stands the checksum of each of its pages,
 * and behind those a footer. Segments are written and read through it; whatever is not as it was written is Damaged,
 * and its reader builds anew.
 */

/** What is read is not what was written. `path`: of the file, as it was opened, where that is known. */
export class Damaged extends Error {
  readonly path: string;

  constructor(what: string, path = "") {
    super(`A file of the index is damaged: ${what}`);
    this.path = path;
  }
}

const MAGIC = 0x51_52_59_31;
/** Magic, length of the content as two words, checksum of the checksums, checksum of all before. */
const FOOTER = 20;
const WORD = 4;
const TWO_32 = 2 ** 32;

export interface PageWriter {
  /** Where the next byte will stand. */
  readonly length: () => number;
  readonly write: (bytes: Uint8Array) => void;
  /** Writes what stands behind the content. The caller syncs and closes. */
  readonly finish: () => void;
}

export function pageWriter(fd: number): PageWriter {
  const page = Buffer.allocUnsafe(INDEX_PAGE);
  const sums: number[] = [];
  let filled = 0;
  let written = 0;

  const flush = (): void => {
    const full = page.subarray(0, filled);
    sums.push(crc32(full));
    writeAll(fd, full);
    written += filled;
    filled = 0;
  };

  return {
    length: () => written + filled,
    write: (bytes) => {
      let from = 0;
      while (from < bytes.length) {
        const part = Math.min(bytes.length - from, INDEX_PAGE - filled);
        page.set(bytes.subarray(from, from + part), filled);
        filled += part;
        from += part;
        if (filled === INDEX_PAGE) flush();
      }
    },
    finish: () => {
      if (filled > 0) flush();
      const table = Buffer.allocUnsafe(sums.length * WORD);
      for (const [at, sum] of sums.entries()) table.writeUInt32LE(sum, at * WORD);
      const footer = Buffer.alloc(FOOTER);
      footer.writeUInt32LE(MAGIC, 0);
      footer.writeUInt32LE(written % TWO_32, 4);
      footer.writeUInt32LE(Math.floor(written / TWO_32), 8);
      footer.writeUInt32LE(crc32(table), 12);
      footer.writeUInt32LE(crc32(footer.subarray(0, 16)), 16);
      writeAll(fd, Buffer.concat([table, footer]));
    },
  };
}

export interface Pages {
  readonly length: number;
  readonly fd: number;
  /** Bytes of the content, checked. @throws Damaged */
  readonly read: (from: number, to: number) => Buffer;
  /** The same, until the next call. @throws Damaged */
  readonly peek: (from: number, to: number) => Buffer;
  /** The same, in memory of the caller's, which `room` has for so many bytes. @throws Damaged */
  readonly readInto: (from: number, to: number, room: (length: number) => Buffer) => Buffer;
  readonly close: () => void;
}

/** @throws Damaged */
export function openPages(path: string): Pages {
  const size = statSync(path).size;
  const fd = openSync(path, "r");
  try {
    return pagesOf(fd, size, path);
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

function pagesOf(fd: number, size: number, path: string): Pages {
  const footer =
    size < FOOTER ? Buffer.alloc(0) : readAll(fd, size - FOOTER, Buffer.allocUnsafe(FOOTER), path);
  if (footer.length === 0 || footer.readUInt32LE(16) !== crc32(footer.subarray(0, 16)))
    throw new Damaged("footer", path);
  if (footer.readUInt32LE(0) !== MAGIC) throw new Damaged("another format", path);
  const length = footer.readUInt32LE(4) + footer.readUInt32LE(8) * TWO_32;
  const count = Math.ceil(length / INDEX_PAGE);
  if (length + count * WORD + FOOTER !== size) throw new Damaged("size", path);
  const table = readAll(fd, length, Buffer.allocUnsafe(count * WORD), path);
  if (crc32(table) !== footer.readUInt32LE(12)) throw new Damaged("checksums", path);

  const checked = (from: number, to: number, room: (length: number) => Buffer): Buffer => {
    if (from < 0 || to < from || to > length) throw new Damaged("a place outside the file", path);
    if (from === to) return NOTHING;
    const first = Math.floor(from / INDEX_PAGE);
    const start = first * INDEX_PAGE;
    const end = Math.min(Math.ceil(to / INDEX_PAGE) * INDEX_PAGE, length);
    const bytes = readAll(fd, start, room(end - start), path);
    for (let at = 0, page = first; at < bytes.length; at += INDEX_PAGE, page++) {
      const sum = crc32(bytes.subarray(at, Math.min(at + INDEX_PAGE, bytes.length)));
      if (sum !== table.readUInt32LE(page * WORD)) throw new Damaged(`page ${page}`, path);
    }
    return bytes.subarray(from - start, to - start);
  };

  return {
    length,
    fd,
    read: (from, to) => checked(from, to, (length) => Buffer.allocUnsafe(length)),
    peek: (from, to) => checked(from, to, scratch),
    readInto: checked,
    close: () => closeSync(fd),
  };
}

const NOTHING = Buffer.alloc(0);

/** Memory that is used again and again, and made larger where that is needed. `least`: so that it seldom is. */
export function reused(take: (length: number) => Buffer, least = 0): (length: number) => Buffer {
  let room: Buffer = NOTHING;
  return (length) => {
    if (length > room.length) room = take(Math.max(length, least));
    return room.subarray(0, length);
  };
}

/** Kept, since every question reads some twenty lists: new memory for each has V8 collect its garbage all the time. */
const scratch = reused((length) => Buffer.allocUnsafeSlow(length));

function readAll(fd: number, from: number, bytes: Buffer, path: string): Buffer {
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(fd, bytes, at, bytes.length - at, from + at);
    if (read === 0) throw new Damaged("cut short", path);
    at += read;
  }
  return bytes;
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += writeSync(fd, bytes, at, bytes.length - at);
}
