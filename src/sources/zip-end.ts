/**
 * The end of a zip: how many records its directory has, where it lies, and all of that written anew for another
 * directory. Called by `rewrite-zip.ts` after yauzl has read the same bytes, so only what it does not check is
 * checked. Comments, and whatever else stands behind the directory, are kept.
 */
import { type ArchiveFile, invalid } from "./archive-file.ts";

const END_RECORD = 22;
const END_SIGNATURE = 0x06054b50;
const END_64_SIGNATURE = 0x06064b50;
const END_64 = 56;
const LOCATOR_SIGNATURE = 0x07064b50;
const LOCATOR = 20;
/** Values that stand for "see the 64-bit record". */
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;

export interface ZipEnd {
  readonly at: number;
  /** Where the 64-bit record is, when there is one; its locator stands right before the end record. */
  readonly at64: number | null;
  readonly directoryStart: number;
}

export function readZipEnd(archive: ArchiveFile, bytes: Buffer): ZipEnd {
  let at = bytes.length - END_RECORD;
  while (at >= 0 && bytes.readUInt32LE(at) !== END_SIGNATURE) at--;
  if (at < 0) throw invalid(archive, "it has no end record");
  const locator = at - LOCATOR;
  if (locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR_SIGNATURE)
    return { at, at64: null, directoryStart: bytes.readUInt32LE(at + 16) };
  const at64 = Number(bytes.readBigUInt64LE(locator + 8));
  if (at64 + END_64 > locator) throw invalid(archive, "its end records reach into each other");
  return { at, at64, directoryStart: Number(bytes.readBigUInt64LE(at64 + 48)) };
}

/** Another directory: where it begins, and how much longer it is than the old one, in records and in bytes. */
export interface Moved {
  readonly directoryStart: number;
  readonly moreRecords: number;
  readonly moreBytes: number;
}

/** All that stands behind the old directory, made to fit the new one. */
export function movedEnd(bytes: Buffer, end: ZipEnd, directoryEnd: number, moved: Moved): Buffer {
  const tail = Buffer.from(bytes.subarray(directoryEnd));
  const at = end.at - directoryEnd;
  const shift = moved.directoryStart - end.directoryStart + moved.moreBytes;
  const count = tail.readUInt16LE(at + 10) + moved.moreRecords;
  for (const field of [at + 8, at + 10])
    if (tail.readUInt16LE(field) !== FULL_16 || end.at64 === null)
      tail.writeUInt16LE(Math.min(tail.readUInt16LE(field) + moved.moreRecords, FULL_16), field);
  for (const [field, more] of [
    [at + 12, moved.moreBytes],
    [at + 16, moved.directoryStart - end.directoryStart],
  ] as const)
    if (tail.readUInt32LE(field) !== FULL_32) tail.writeUInt32LE(tail.readUInt32LE(field) + more, field);
  if (end.at64 !== null) {
    const at64 = end.at64 - directoryEnd;
    for (const field of [at64 + 24, at64 + 32]) add64(tail, field, moved.moreRecords);
    add64(tail, at64 + 40, moved.moreBytes);
    tail.writeBigUInt64LE(BigInt(moved.directoryStart), at64 + 48);
    add64(tail, at - LOCATOR + 8, shift);
    return tail;
  }
  if (count < FULL_16) return tail;
  const size = tail.readUInt32LE(at + 12);
  const record = end64(count, size, moved.directoryStart, end.at + shift);
  return Buffer.concat([tail.subarray(0, at), record, tail.subarray(at)]);
}

function add64(bytes: Buffer, at: number, more: number): void {
  bytes.writeBigUInt64LE(BigInt.asUintN(64, bytes.readBigUInt64LE(at) + BigInt(more)), at);
}

/** The 64-bit record and its locator, for more records than 16 bits count. */
function end64(count: number, size: number, directoryStart: number, at: number): Buffer {
  const record = Buffer.alloc(END_64 + LOCATOR);
  record.writeUInt32LE(END_64_SIGNATURE, 0);
  record.writeBigUInt64LE(BigInt(END_64 - 12), 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(directoryStart), 48);
  record.writeUInt32LE(LOCATOR_SIGNATURE, END_64);
  record.writeBigUInt64LE(BigInt(at), END_64 + 8);
  record.writeUInt32LE(1, END_64 + 16);
  return record;
}

/** The end of a new zip. */
export function newEnd(count: number, directoryStart: number, directorySize: number): Buffer {
  const end = Buffer.alloc(END_RECORD);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(directoryStart, 16);
  return end;
}
