/**
 * A gzipped tar unpacked into memory, and packed again under the header it had. Called by `rewrite-archive.ts`.
 * Unpacking stops at the limits: a bomb costs what they allow and no more.
 */
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { ArchiveFile } from "./archive-file.ts";
import { gunzipReader } from "./byte-reader.ts";
import { crc32 } from "./crc32.ts";
import { WINDOW } from "./limits.ts";

const deflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);

export async function gunzipAll(archive: ArchiveFile): Promise<Buffer> {
  const reader = gunzipReader(archive);
  const parts: Buffer[] = [];
  try {
    for (let part = await reader.take(WINDOW); part.length > 0; part = await reader.take(WINDOW))
      parts.push(part);
  } finally {
    await reader.close();
  }
  return Buffer.concat(parts);
}

const HEADER = 10;
const NAME = 8;
const BEST = 2;
const UNKNOWN_SYSTEM = 255;

/** `packed` is what the tar was unpacked from, if it was. */
export async function gzip(tar: Buffer, packed: Buffer | null): Promise<Buffer> {
  const header = packed === null ? plainHeader() : keptHeader(packed);
  const level = header[8] === BEST ? zlib.constants.Z_BEST_COMPRESSION : zlib.constants.Z_DEFAULT_COMPRESSION;
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tar), 0);
  trailer.writeUInt32LE(tar.length, 4);
  return Buffer.concat([header, await deflate(tar, { level }), trailer]);
}

function plainHeader(): Buffer {
  return Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, UNKNOWN_SYSTEM]);
}

/** Time, system and name; a header with more (a checksum of its own, extra fields) gives way to a plain one. */
function keptHeader(packed: Buffer): Buffer {
  const flags = packed[3] ?? 0;
  const end = flags === NAME ? packed.indexOf(0, HEADER) + 1 : HEADER;
  return flags === 0 || (flags === NAME && end > HEADER) ? packed.subarray(0, end) : plainHeader();
}
