/**
 * A zip with one file replaced where it stands, or added behind the others. Called by `rewrite-archive.ts`. Nothing
 * is unpacked: all other records are copied as they are, whatever they hold, and so is what stands between them and
 * before them; of the directory only offsets change.
 */
import { type ArchiveFile, invalid } from "./archive-file.ts";
import { type Change, notAFile } from "./change.ts";
import type { Member } from "./member.ts";
import { type Splice, spliced } from "./memory-archive.ts";
import { LOCAL_HEADER, LOCAL_SIGNATURE } from "./unzip.ts";
import { readRecords, type ZipRecord } from "./zip.ts";
import { movedEnd, newEnd, readZipEnd, type ZipEnd } from "./zip-end.ts";
import { DIRECTORY_HEADER, DIRECTORY_SIGNATURE, type ZipMember, zipMember } from "./zip-write.ts";

export async function createZip({ path, content }: Change): Promise<Buffer> {
  const member = await zipMember(path, content, null);
  const directory = member.at(0);
  return Buffer.concat([member.local, directory, newEnd(1, member.local.length, directory.length)]);
}

/** A record as it is written in the directory, what it says, and where the local one ends at the latest. */
interface Listed {
  readonly record: ZipRecord;
  readonly raw: Buffer;
  readonly latest: number;
}

/** `check` is given all members before anything is made. */
export async function rewriteZip(
  archive: ArchiveFile,
  bytes: Buffer,
  change: Change,
  check: (members: readonly Member[]) => void,
): Promise<Buffer> {
  const { records, ends } = await readRecords(archive);
  check(records.flatMap(({ member }) => member ?? []));
  const end = readZipEnd(archive, bytes);
  const { listed, directoryEnd } = listRecords(archive, bytes, records, ends, end);
  const old = listed.filter(({ record }) => change.concerns(record.member));
  const last = old.at(-1);
  if (last !== undefined) checkRegular(archive, last.raw, change.path);
  const member = await zipMember(last?.record.name ?? change.path, change.content, last?.raw ?? null);
  const place = last?.record.start ?? end.directoryStart;
  const splices = old.map((listed): Splice => {
    const cut = { start: listed.record.start, end: recordEnd(archive, bytes, listed) };
    return listed === last ? { ...cut, put: member.local } : cut;
  });
  if (last === undefined) splices.push({ start: place, end: place, put: member.local });
  const pieces = spliced(bytes, end.directoryStart, splices);
  const directory = movedDirectory(archive, listed, change, member, splices, place);
  const directoryStart = pieces.reduce((sum, { length }) => sum + length, 0);
  const moreBytes = directory.length - (directoryEnd - end.directoryStart);
  const moreRecords = 1 - old.length;
  const tail = movedEnd(bytes, end, directoryEnd, { directoryStart, moreRecords, moreBytes });
  return Buffer.concat([...pieces, directory, tail]);
}

/** The directory's records as they are written, one behind the other; all members lie before it. */
function listRecords(
  archive: ArchiveFile,
  bytes: Buffer,
  records: readonly ZipRecord[],
  ends: Float64Array,
  end: ZipEnd,
): { readonly listed: readonly Listed[]; readonly directoryEnd: number } {
  let at = end.directoryStart;
  const listed = records.map((record, index): Listed => {
    if (bytes.length - at < DIRECTORY_HEADER || bytes.readUInt32LE(at) !== DIRECTORY_SIGNATURE)
      throw invalid(archive, "its directory is damaged");
    const lengths = bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const raw = bytes.subarray(at, at + DIRECTORY_HEADER + lengths);
    at += DIRECTORY_HEADER + lengths;
    if (record.start + LOCAL_HEADER + record.nameLength + record.packedSize > end.directoryStart)
      throw invalid(archive, "a member reaches into the directory");
    return { record, raw, latest: Math.min(ends[index] ?? 0, end.directoryStart) };
  });
  if (at > (end.at64 ?? end.at)) throw invalid(archive, "its directory reaches into its end record");
  return { listed, directoryEnd: at };
}

const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;

/** The attributes stay, so they must be a file's. */
function checkRegular(archive: ArchiveFile, raw: Buffer, path: string): void {
  const host = raw.readUInt16LE(4) >> 8;
  const type = host === 3 || host === 19 ? (raw.readUInt32LE(38) >>> 16) & FILE_TYPE : 0;
  if (type !== 0 && type !== REGULAR) throw notAFile(archive.name, path, "no regular file");
}

/** Where a local record ends: behind its data, or behind the sizes that follow the data. */
function recordEnd(archive: ArchiveFile, bytes: Buffer, { record, latest }: Listed): number {
  const { start, packedSize, member } = record;
  const fault = (what: string): Error =>
    invalid(archive, `the record of ${JSON.stringify(member?.path)} ${what}`);
  if (latest - start < LOCAL_HEADER || bytes.readUInt32LE(start) !== LOCAL_SIGNATURE)
    throw fault("is not where the directory says");
  const names = bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  const dataEnd = start + LOCAL_HEADER + names + packedSize;
  if (dataEnd > latest) throw fault("reaches into the next one");
  const described = (bytes.readUInt16LE(start + 6) & 8) !== 0;
  return dataEnd + (described ? descriptorLength(bytes.subarray(dataEnd, latest), record) : 0);
}

const DESCRIPTOR_SIGNATURE = 0x08074b50;

/** Checksum and sizes, of 32 or 64 bits, with a signature or without; zero when it is none of these. */
function descriptorLength(bytes: Buffer, { crc32, packedSize, size }: ZipRecord): number {
  const signed = Buffer.alloc(4);
  signed.writeUInt32LE(DESCRIPTOR_SIGNATURE, 0);
  const short = Buffer.alloc(12);
  short.writeUInt32LE(crc32, 0);
  short.writeUInt32LE(packedSize % 2 ** 32, 4);
  short.writeUInt32LE(size % 2 ** 32, 8);
  const long = Buffer.alloc(20);
  long.writeUInt32LE(crc32, 0);
  long.writeBigUInt64LE(BigInt(packedSize), 4);
  long.writeBigUInt64LE(BigInt(size), 12);
  const shapes = [Buffer.concat([signed, long]), Buffer.concat([signed, short]), long, short];
  return shapes.find((shape) => bytes.subarray(0, shape.length).equals(shape))?.length ?? 0;
}

/** The directory with the new record in the old one's place, and every offset where its member now is. */
function movedDirectory(
  archive: ArchiveFile,
  listed: readonly Listed[],
  change: Change,
  member: ZipMember,
  splices: readonly Splice[],
  place: number,
): Buffer {
  const moved = shifted(splices);
  const last = listed.findLast(({ record }) => change.concerns(record.member));
  const parts = listed.flatMap(({ record, raw }): Buffer[] => {
    if (record === last?.record) return [member.at(moved(place))];
    return change.concerns(record.member) ? [] : [withOffset(archive, raw, moved(record.start))];
  });
  return Buffer.concat(last === undefined ? [...parts, member.at(place)] : parts);
}

/** Where a place is after the splices that end before it. */
function shifted(splices: readonly Splice[]): (start: number) => number {
  const order = splices.toSorted((a, b) => a.start - b.start);
  let shift = 0;
  const shifts = order.map(({ start, end, put }) => (shift += (put?.length ?? 0) - (end - start)));
  return (start) => {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((order[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return start + (shifts[low - 1] ?? 0);
  };
}

const FULL = 0xffffffff;
const ZIP64 = 1;

/** In the record itself, or in its extra field behind those sizes that are there too. */
function withOffset(archive: ArchiveFile, raw: Buffer, offset: number): Buffer {
  const record = Buffer.from(raw);
  if (raw.readUInt32LE(42) !== FULL) {
    record.writeUInt32LE(offset, 42);
    return record;
  }
  const sizes = [20, 24].filter((field) => raw.readUInt32LE(field) === FULL).length;
  let at = DIRECTORY_HEADER + raw.readUInt16LE(28);
  const end = at + raw.readUInt16LE(30);
  while (at + 4 <= end && raw.readUInt16LE(at) !== ZIP64) at += 4 + raw.readUInt16LE(at + 2);
  const field = at + 4 + sizes * 8;
  if (field + 8 > end) throw invalid(archive, "a 64-bit offset is missing");
  record.writeBigUInt64LE(BigInt(offset), field);
  return record;
}
