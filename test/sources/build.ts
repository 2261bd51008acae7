/**
 * Archives byte by byte, honest and hostile: what the tests of this room are made of. Every field that a real
 * tool would compute can be set to something else.
 */
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib from "node:zlib";
import { type Archive, type ArchiveSource, openArchive } from "../../src/sources/archive.ts";
import { crc32ByTable } from "../../src/sources/crc32.ts";
import type { ArchiveFormat } from "../../src/sources/format.ts";

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  readonly store?: boolean;
  readonly flags?: number;
  readonly method?: number;
  readonly madeBy?: number;
  readonly attributes?: number;
  readonly extra?: Buffer;
  /** Sizes follow the data, and are zero in the local header. */
  readonly descriptor?: boolean;
  readonly zip64?: boolean;
  /** What the directory claims. */
  readonly claimedSize?: number;
  readonly claimedPackedSize?: number;
  readonly claimedCrc?: number;
  readonly claimedStart?: number;
  readonly time?: number;
  readonly date?: number;
}

const UTF8 = 0x800;

export function zip(entries: readonly ZipEntry[], end: { zip64?: boolean; count?: number } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data ?? "");
    const packed = entry.store === true ? data : zlib.deflateRawSync(data);
    const method = entry.method ?? (entry.store === true ? 0 : 8);
    const flags = (entry.flags ?? UTF8) | (entry.descriptor === true ? 8 : 0);
    const crc = entry.claimedCrc ?? crc32ByTable(data);
    const size = entry.claimedSize ?? data.length;
    const packedSize = entry.claimedPackedSize ?? packed.length;
    const start = entry.claimedStart ?? position;

    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    if (entry.descriptor !== true) {
      local.writeUInt32LE(crc, 14);
      local.writeUInt32LE(packed.length, 18);
      local.writeUInt32LE(data.length, 22);
    }
    local.writeUInt16LE(name.length, 26);
    const descriptor = Buffer.alloc(entry.descriptor === true ? 16 : 0);
    if (entry.descriptor === true) {
      descriptor.writeUInt32LE(0x08074b50, 0);
      descriptor.writeUInt32LE(crc, 4);
      descriptor.writeUInt32LE(packed.length, 8);
      descriptor.writeUInt32LE(data.length, 12);
    }
    const record = Buffer.concat([local, name, packed, descriptor]);
    locals.push(record);
    position += record.length;

    const big = entry.zip64 === true;
    const sizes = Buffer.alloc(big ? 28 : 0);
    if (big) {
      sizes.writeUInt16LE(1, 0);
      sizes.writeUInt16LE(24, 2);
      sizes.writeBigUInt64LE(BigInt(size), 4);
      sizes.writeBigUInt64LE(BigInt(packedSize), 12);
      sizes.writeBigUInt64LE(BigInt(start), 20);
    }
    const extra = Buffer.concat([sizes, entry.extra ?? Buffer.alloc(0)]);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(entry.madeBy ?? 0x0314, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt16LE(entry.time ?? 0, 12);
    central.writeUInt16LE(entry.date ?? 0x5821, 14);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(big ? 0xffffffff : packedSize, 20);
    central.writeUInt32LE(big ? 0xffffffff : size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(entry.attributes ?? 0, 38);
    central.writeUInt32LE(big ? 0xffffffff : start, 42);
    directory.push(central, name, extra);
  }
  const directorySize = directory.reduce((sum, part) => sum + part.length, 0);
  const count = end.count ?? entries.length;
  const tail: Buffer[] = [];
  if (end.zip64 === true) {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(BigInt(count), 24);
    record.writeBigUInt64LE(BigInt(count), 32);
    record.writeBigUInt64LE(BigInt(directorySize), 40);
    record.writeBigUInt64LE(BigInt(position), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(position + directorySize), 8);
    locator.writeUInt32LE(1, 16);
    tail.push(record, locator);
  }
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(end.zip64 === true ? 0xffff : Math.min(count, 0xffff), 8);
  last.writeUInt16LE(end.zip64 === true ? 0xffff : Math.min(count, 0xffff), 10);
  last.writeUInt32LE(directorySize, 12);
  last.writeUInt32LE(end.zip64 === true ? 0xffffffff : position, 16);
  return Buffer.concat([...locals, ...directory, ...tail, last]);
}

export interface TarEntry {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  readonly type?: string;
  readonly prefix?: string;
  readonly magic?: string;
  /** The size field as it stands, octal or base 256. */
  readonly claimedSize?: string | Buffer;
  readonly mtime?: number;
  readonly damage?: boolean;
  /** Bytes set in the header after all else, before the checksum. */
  readonly patch?: readonly (readonly [at: number, byte: number])[];
}

export function tar(entries: readonly TarEntry[], end: { mark?: boolean } = {}): Buffer {
  const parts: Buffer[] = [];
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? "");
    const header = Buffer.alloc(512);
    Buffer.from(entry.name).copy(header, 0, 0, 100);
    header.write("0000644\0", 100);
    const size = entry.claimedSize ?? `${data.length.toString(8).padStart(11, "0")}\0`;
    Buffer.from(size).copy(header, 124, 0, 12);
    header.write(`${(entry.mtime ?? 1_700_000_000).toString(8).padStart(11, "0")}\0`, 136);
    header.write(entry.type ?? "0", 156);
    header.write(entry.magic ?? "ustar\u000000", 257, "latin1");
    header.write(entry.prefix ?? "", 345);
    for (const [at, byte] of entry.patch ?? []) header[at] = byte;
    header.write("        ", 148);
    const sum = header.reduce((sum, byte) => sum + byte, 0) + (entry.damage === true ? 1 : 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    parts.push(header, data, Buffer.alloc((512 - (data.length % 512)) % 512));
  }
  if (end.mark !== false) parts.push(Buffer.alloc(1024));
  return Buffer.concat(parts);
}

/** A pax header for the entry behind it. */
export function pax(values: Readonly<Record<string, string | Buffer>>, type = "x"): TarEntry {
  const records = Object.entries(values).map(([key, value]) => {
    const body = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from("\n")]);
    let length = body.length + 1;
    while (String(length).length + body.length !== length) length++;
    return Buffer.concat([Buffer.from(String(length)), body]);
  });
  return { name: "PaxHeaders/x", type, data: Buffer.concat(records) };
}

export function gzip(bytes: Buffer): Buffer {
  return zlib.gzipSync(bytes);
}

let folder: Promise<string> | null = null;
let files = 0;

/** Opens the bytes as an archive on a real disk, for as long as `use` takes. */
export async function withArchive<T>(
  bytes: Buffer,
  format: ArchiveFormat,
  use: (archive: Archive) => Promise<T> | T,
  options: Pick<ArchiveSource, "limits" | "signal"> = {},
): Promise<T> {
  folder ??= mkdtemp(join(tmpdir(), "quarry-archive-"));
  const path = join(await folder, String(files++));
  await writeFile(path, bytes);
  const file = await open(path);
  try {
    // Without its name the file is still there: nobody can open it again by its path.
    await rm(path);
    return await use(await openArchive({ file, format, name: `a.${format}`, ...options }));
  } finally {
    await file.close();
  }
}

/** What `texts` says of every file: path and text, or path and the reason in angle brackets. */
const decoder = new TextDecoder("utf-8", { fatal: true });

export async function allTexts(archive: Archive): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for await (const found of archive.texts(() => true))
    all.push([found.member.path, "bytes" in found ? decoder.decode(found.bytes) : `<${found.skipped}>`]);
  return all;
}

/** The code of the error that it ends in; anything but a coded error is thrown on. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (error === null) return "none";
  const { name, code } = error as { name?: string; code?: string };
  if (name !== "ToolError" || code === undefined) throw error;
  return code;
}
