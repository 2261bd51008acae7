/**
 * The records of a tar: one 512-byte header, and the key-value list of a pax header. Called by `tar.ts`.
 * Pure. A header whose checksum is wrong and a list that does not add up are null, never a guess.
 */
import { isUtf8 } from "node:buffer";

export const BLOCK = 512;

export interface TarHeader {
  readonly name: string;
  /** One character; a NUL of the oldest tars reads as "0". */
  readonly type: string;
  /** Bytes that follow; NaN when the field is no number. */
  readonly size: number;
  readonly mtimeMs: number | null;
  /** An old GNU sparse header goes on in another block. */
  readonly continues: boolean;
}

export function readHeader(block: Buffer): TarHeader | null {
  if (!checksumHolds(block)) return null;
  const posix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = posix ? textField(block, 345, 155) : "";
  const name = textField(block, 0, 100);
  const type = String.fromCharCode(block[156] ?? 0);
  const mtime = number(block, 136, 12);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    type: type === "\0" ? "0" : type,
    size: number(block, 124, 12),
    mtimeMs: Number.isFinite(mtime) ? mtime * 1000 : null,
    continues: block[482] !== 0,
  };
}

export function isEndMark(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}

/** Does another block of an old GNU sparse map follow this one? */
export function sparseContinues(block: Buffer): boolean {
  return block[504] !== 0;
}

/** UTF-8, or else Latin-1, which at least tells two names apart. */
function text(bytes: Buffer, start: number, end: number): string {
  const read = bytes.toString("utf8", start, end);
  return !read.includes("\ufffd") || isUtf8(bytes.subarray(start, end))
    ? read
    : bytes.toString("latin1", start, end);
}

/** The text up to the first NUL, or to the end of the field. */
export function textField(bytes: Buffer, start: number, length: number): string {
  const nul = bytes.indexOf(0, start);
  return text(bytes, start, nul === -1 ? start + length : Math.min(nul, start + length));
}

/** Octal digits, or base 256 when the first bit is set (sizes from 8 GiB on, times before 1970). */
function number(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first >= 0x80) {
    let value = first === 0xff ? -1 : first & 0x7f;
    for (let at = start + 1; at < start + length; at++) value = value * 256 + (block[at] ?? 0);
    return value;
  }
  let value = 0;
  let ended = false;
  for (let at = start; at < start + length; at++) {
    const byte = block[at] ?? 0;
    if (byte === 0) break;
    if (byte === 0x20) ended ||= value > 0;
    else if (ended || byte < 0x30 || byte > 0x37) return Number.NaN;
    else value = value * 8 + byte - 0x30;
  }
  return value;
}

/** The sum of all bytes with the field itself as blanks; some old tars added them as signed. */
function checksumHolds(block: Buffer): boolean {
  let unsigned = 8 * 0x20;
  let high = 0;
  for (let at = 0; at < BLOCK; at++) {
    const byte = at >= 148 && at < 156 ? 0 : (block[at] as number);
    unsigned += byte;
    high += byte >> 7;
  }
  const stated = number(block, 148, 8);
  return stated === unsigned || stated === unsigned - 256 * high;
}

export interface PaxRecord {
  readonly key: string;
  readonly value: string;
  /** The record as it is written: a value may be no text. */
  readonly raw: Buffer;
}

/** Records `LENGTH KEY=VALUE\n`, where the length counts all of the record; a value may hold anything. */
export function readPax(bytes: Buffer): PaxRecord[] | null {
  const records: PaxRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const digits = blank === -1 ? "" : bytes.toString("latin1", at, Math.min(blank, at + 20));
    if (!/^[0-9]+$/.test(digits)) return null;
    const end = at + Number(digits);
    const equals = bytes.indexOf(0x3d, blank);
    if (end > bytes.length || equals === -1 || equals >= end || bytes[end - 1] !== 0x0a) return null;
    records.push({
      key: bytes.toString("utf8", blank + 1, equals),
      value: text(bytes, equals + 1, end - 1),
      raw: bytes.subarray(at, end),
    });
    at = end;
  }
  return records;
}
