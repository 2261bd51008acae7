/**
 * Tar records to be written: a new file's, and one in place of another, which keeps its mode, owner, name and what
 * else is said of it and still holds. Called by `rewrite-tar.ts`. Pure but for the clock.
 */
import { BLOCK, type PaxRecord, readHeader, readPax } from "./tar-header.ts";
import type { TarRecord } from "./tar.ts";

/** Said of the old content, or written anew. */
const OUTDATED = new Set(["size", "mtime", "atime", "ctime", "SCHILY.realsize"]);
const SPARSE = "GNU.sparse.";
const NAME_FIELD = 100;

/** A new file as tools make one: posix, readable by all, of nobody in particular. */
export function newRecord(path: string, content: Buffer, global: ReadonlyMap<string, string>): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write("0000644\0", 100, "latin1");
  header.write("0000000\0".repeat(2), 108, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  const named = writeName(header, path);
  const records = global.has("path") && named.length === 0 ? [paxRecord("path", path)] : named;
  return record(header, [], [...records, ...overriding(global, content)], content);
}

/** In place of `old`, whose path is this one. */
export function replacingRecord(bytes: Buffer, old: TarRecord, path: string, content: Buffer): Buffer {
  const header = Buffer.from(bytes.subarray(old.start, old.start + BLOCK));
  const described = old.described.filter(({ type }) => type !== "K");
  const pax = described.flatMap(({ type, start }) => (type === "L" ? [] : paxOf(bytes, start)));
  const kept = pax.filter(({ key }) => !OUTDATED.has(key) && !key.startsWith(SPARSE));
  if (old.type === "S") header.fill(0, 369, 495);
  const records = overriding(old.global, content);
  if (pax.some(({ key }) => key.startsWith(SPARSE))) {
    // The name of a sparse file is among what is said of its holes; its header has another.
    const others = kept.filter(({ key }) => key !== "path");
    return record(header, [], [...raw(others), ...writeName(header, path), ...records], content);
  }
  const names = described.filter(({ type }) => type === "L");
  const unnamed = old.global.has("path") && !kept.some(({ key }) => key === "path");
  return record(
    header,
    names.map(({ start, end }) => bytes.subarray(start, end)),
    [...raw(kept), ...(unnamed ? [paxRecord("path", path)] : []), ...records],
    content,
  );
}

function paxOf(bytes: Buffer, header: number): readonly PaxRecord[] {
  const start = header + BLOCK;
  const size = readHeader(bytes.subarray(header, start))?.size ?? 0;
  return readPax(bytes.subarray(start, start + size)) ?? [];
}

function raw(records: readonly PaxRecord[]): Buffer[] {
  return records.map((record) => record.raw);
}

/** What is said of all members and would be wrong of this one. */
function overriding(global: ReadonlyMap<string, string>, content: Buffer): Buffer[] {
  const own = { size: String(content.length), mtime: String(now()) };
  return Object.entries(own).flatMap(([key, value]) => (global.has(key) ? [paxRecord(key, value)] : []));
}

/** Into the header as far as it fits; what else is needed to read the whole name. */
function writeName(header: Buffer, path: string): Buffer[] {
  const name = Buffer.from(path, "utf8");
  header.fill(0, 0, NAME_FIELD);
  if (header.toString("latin1", 257, 263) === "ustar\0") header.fill(0, 345, 500);
  header.write(path, 0, NAME_FIELD, "utf8");
  return name.length > NAME_FIELD || name.length > path.length ? [paxRecord("path", path)] : [];
}

function record(header: Buffer, names: readonly Buffer[], pax: readonly Buffer[], content: Buffer): Buffer {
  if (header[156] !== 0) header.write("0", 156, "latin1");
  finish(header, content.length);
  const described = pax.length === 0 ? [] : [paxHeader(), ...padded(Buffer.concat(pax))];
  return Buffer.concat([...described, ...names, header, ...padded(content)]);

  function paxHeader(): Buffer {
    const block = Buffer.alloc(BLOCK);
    block.write("PaxHeaders/quarry", 0, "latin1");
    block.write("0000644\0", 100, "latin1");
    block.write("0000000\0".repeat(2), 108, "latin1");
    block.write("x", 156, "latin1");
    block.write("ustar\u000000", 257, "latin1");
    finish(
      block,
      pax.reduce((sum, { length }) => sum + length, 0),
    );
    return block;
  }
}

function padded(bytes: Buffer): Buffer[] {
  return [bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

/** Size, time, and the checksum over all of it. */
function finish(header: Buffer, size: number): void {
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  header.write(`${now().toString(8).padStart(11, "0")}\0`, 136, "latin1");
  header.fill(" ", 148, 156);
  const sum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** A record that begins with its own length, the digits of the length counted. */
function paxRecord(key: string, value: string): Buffer {
  const body = Buffer.from(` ${key}=${value}\n`, "utf8");
  let length = body.length + 1;
  while (String(length).length + body.length !== length) length++;
  return Buffer.concat([Buffer.from(String(length), "latin1"), body]);
}
