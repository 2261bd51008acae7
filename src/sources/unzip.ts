/**
 * Records of a zip file: their local headers are stepped over, their data is inflated and checked. Called by
 * `zip.ts` with the bytes of some records. Never yields more bytes than the directory announced, and none that
 * fail the checksum; a fault is a sentence, for one damaged member does not spoil the others.
 */
import { promisify } from "node:util";
import zlib from "node:zlib";
import { crc32 } from "./crc32.ts";
import { READ_TOGETHER } from "./limits.ts";

/** What the central directory says about a member's data. */
export interface Packed {
  readonly packedSize: number;
  readonly size: number;
  readonly method: number;
  readonly crc32: number;
}

/** The fixed part of a local header; name and extra fields follow. */
export const LOCAL_HEADER = 30;
export const LOCAL_SIGNATURE = 0x04034b50;
export const DEFLATED = 8;

interface Data {
  readonly data: Buffer;
  readonly packed: Packed;
}

/** Of each record the member's bytes, or what is wrong with them. */
export async function unpackRecords(
  records: readonly { readonly bytes: Buffer; readonly packed: Packed }[],
): Promise<readonly (Buffer | string)[]> {
  const located = records.map(({ bytes, packed }) => locate(bytes, packed));
  const deflated = located.filter((found) => typeof found !== "string" && found.packed.method === DEFLATED);
  const together = deflated.length > 1 ? await inflateTogether(deflated as Data[]) : null;
  let next = 0;
  return Promise.all(
    located.map(async (found) => {
      if (typeof found === "string") return found;
      if (found.packed.method !== DEFLATED) return checked(found.data, found.packed);
      return together?.[next++] ?? inflateAlone(found);
    }),
  );
}

function locate(record: Buffer, packed: Packed): Data | string {
  if (record.length < LOCAL_HEADER || record.readUInt32LE(0) !== LOCAL_SIGNATURE)
    return "the directory points at something that is no member";
  const start = LOCAL_HEADER + record.readUInt16LE(26) + record.readUInt16LE(28);
  const data = record.subarray(start, start + packed.packedSize);
  return data.length < packed.packedSize ? "its data reaches into the next member" : { data, packed };
}

const GZIP_HEADER: Buffer = Buffer.from([0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 0xff]);
const gunzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

/**
 * Many small members with one call into the thread pool: dressed as gzip members one behind the other, which is
 * one gzip file. A call for each would cost half as much again, on the main thread. Null when any of them is
 * not what the directory says; then each is tried alone.
 */
async function inflateTogether(all: readonly Data[]): Promise<readonly Buffer[] | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for (const { data, packed } of all) {
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(packed.crc32, 0);
    trailer.writeUInt32LE(packed.size, 4);
    parts.push(GZIP_HEADER, data, trailer);
    size += packed.size;
  }
  const bytes = await gunzip(Buffer.concat(parts), sized(size)).catch(() => null);
  if (bytes?.length !== size) return null;
  const members: Buffer[] = [];
  let start = 0;
  for (const { packed } of all) {
    // Checked once more by the directory's sizes: a member could hold a gzip trailer of its own.
    const member = checked(bytes.subarray(start, start + packed.size), packed);
    if (typeof member === "string") return null;
    members.push(member);
    start += packed.size;
  }
  return members;
}

async function inflateAlone({ data, packed }: Data): Promise<Buffer | string> {
  try {
    return checked(await inflate(data, sized(packed.size)), packed);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ERR_BUFFER_TOO_LARGE" ? SIZE_FAULT : `its data is damaged (${message})`;
  }
}

/** One byte more than expected in a chunk: the output comes in one piece, and the end of the data is seen. */
function sized(size: number): zlib.ZlibOptions {
  return { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(64, Math.min(size, READ_TOGETHER) + 1) };
}

const SIZE_FAULT = "it does not unpack to the size that the directory announced";

function checked(bytes: Buffer, packed: Packed): Buffer | string {
  if (bytes.length !== packed.size) return SIZE_FAULT;
  return crc32(bytes) === packed.crc32 ? bytes : "its checksum is wrong";
}
