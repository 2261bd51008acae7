/**
 * One member of a zip, to be written: its local record and its record in the directory. Called by `rewrite-zip.ts`.
 * In place of another it keeps that one's name, attributes and comment. Pure but for the clock.
 */
import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { crc32 } from "./crc32.ts";
import { DEFLATED, LOCAL_HEADER, LOCAL_SIGNATURE } from "./unzip.ts";

export const DIRECTORY_SIGNATURE = 0x02014b50;
/** The fixed part of a record in the directory; name, extra fields and comment follow. */
export const DIRECTORY_HEADER = 46;
const UTF8_NAME = 0x800;
/** Made on Unix, by the version that names folders and deflates. */
const MADE_BY = 0x0314;
const VERSION = 20;
const REGULAR_644 = 0o100644 * 0x10000;

const deflate = promisify<zlib.InputType, Buffer>(zlib.deflateRaw);

export interface ZipMember {
  readonly local: Buffer;
  /** The directory's record, for a local one that starts here. */
  at(start: number): Buffer;
}

/** `old` is the directory's record of the member that this one replaces. */
export async function zipMember(name: string, content: Buffer, old: Buffer | null): Promise<ZipMember> {
  const deflated = await deflate(content);
  const packed = deflated.length < content.length ? deflated : content;
  const nameBytes = Buffer.from(name, "utf8");
  // From "version needed" to the length of the name the two records are the same.
  const common = Buffer.alloc(24);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(UTF8_NAME, 2);
  common.writeUInt16LE(packed === content ? 0 : DEFLATED, 4);
  common.writeUInt32LE(dosTime(new Date()), 6);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(nameBytes.length, 22);
  const local = Buffer.alloc(LOCAL_HEADER);
  local.writeUInt32LE(LOCAL_SIGNATURE, 0);
  common.copy(local, 4);
  const comment = old === null ? Buffer.alloc(0) : commentOf(old);
  const header = Buffer.alloc(DIRECTORY_HEADER);
  header.writeUInt32LE(DIRECTORY_SIGNATURE, 0);
  header.writeUInt16LE(old?.readUInt16LE(4) ?? MADE_BY, 4);
  common.copy(header, 6);
  header.writeUInt16LE(comment.length, 32);
  header.writeUInt32LE(old?.readUInt32LE(38) ?? REGULAR_644, 38);
  return {
    local: Buffer.concat([local, nameBytes, packed]),
    at: (start) => {
      header.writeUInt32LE(start, 42);
      return Buffer.concat([header, nameBytes, comment]);
    },
  };
}

/** The comment is read as the name is: one that is no UTF-8 would become another. */
function commentOf(old: Buffer): Buffer {
  const length = old.readUInt16LE(32);
  const comment = old.subarray(old.length - length);
  return isUtf8(comment) ? comment : Buffer.alloc(0);
}

/** Local time in steps of two seconds, from 1980 to 2107. */
function dosTime(time: Date): number {
  const year = Math.min(Math.max(time.getFullYear() - 1980, 0), 127);
  const date = (year << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
  return date * 0x10000 + clock;
}
