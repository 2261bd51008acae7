/**
 * Zip files (`.zip .jar .whl`): the directory through yauzl, the members by one read and one inflate each.
 * Called by `openArchive`. The central directory is the truth; what it cannot be true of (records that overlap,
 * sizes beyond any honest ratio) is refused before a byte is inflated.
 */
import { isUtf8 } from "node:buffer";
import { callbackify } from "node:util";
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from "yauzl";
import { ToolError } from "../model/errors.ts";
import {
  type ArchiveFile,
  type Contents,
  invalid,
  tooLarge,
  type Unpacked,
  windowed,
} from "./archive-file.ts";
import { listed, type Member, type MemberSkip } from "./member.ts";
import { readSpans, type Span } from "./spans.ts";
import { LOCAL_HEADER, type Packed, unpackRecords } from "./unzip.ts";

/** A member and where its record lies. The end is an upper bound: only the record knows its extra fields. */
export interface ZipRecord extends Packed {
  readonly member: Member | null;
  /** As it is written, decoded. */
  readonly name: string;
  readonly start: number;
  readonly nameLength: number;
}

export async function openZip(archive: ArchiveFile): Promise<Contents> {
  const { records, ends } = await readRecords(archive);
  const members: Member[] = [];
  const packed: ZipRecord[] = [];
  const spanEnds: number[] = [];
  for (const [at, record] of records.entries()) {
    if (record.member === null) continue;
    members.push(record.member);
    packed.push(record);
    spanEnds.push(ends[at] ?? 0);
  }
  return { members, complete: true, unpack };

  function unpack(wanted: readonly number[]): AsyncIterable<Unpacked> {
    const spans = wanted.map((index): Span => {
      const { start = 0, size = 0 } = packed[index] ?? {};
      return { index, start, end: Math.max(start, spanEnds[index] ?? 0), size };
    });
    return readSpans(archive, spans, async (group, bytes) => {
      const contents = await unpackRecords(
        group.flatMap(({ index }, at) => {
          const record = packed[index];
          return record === undefined ? [] : { packed: record, bytes: bytes[at] ?? Buffer.alloc(0) };
        }),
      );
      return group.map(({ index }, at): Unpacked => {
        const content = contents[at] ?? "";
        return typeof content === "string" ? { index, fault: content } : { index, bytes: content };
      });
    });
  }
}

/** All records in the directory's order, and where each ends at the latest. @throws when they cannot be true */
export async function readRecords(
  archive: ArchiveFile,
): Promise<{ readonly records: readonly ZipRecord[]; readonly ends: Float64Array }> {
  const records = await readDirectory(archive);
  const unpacked = records.reduce((sum, record) => sum + record.size, 0);
  const { ratio, ratioFloor } = archive.limits;
  if (unpacked > ratioFloor && unpacked > ratio * archive.size)
    throw tooLarge(
      archive,
      `${archive.size} bytes would unpack to ${unpacked}, more than ${ratio} times as much`,
    );
  return { records, ends: recordEnds(archive, records) };
}

async function readDirectory(archive: ArchiveFile): Promise<ZipRecord[]> {
  const records: ZipRecord[] = [];
  try {
    const zip = await fromRandomAccessReaderPromise(new DirectoryReader(archive), archive.size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    if (zip.entryCount > archive.limits.entries)
      throw tooLarge(archive, `${zip.entryCount} entries, ${archive.limits.entries} are read`);
    for await (const entry of zip.eachEntry()) records.push(recordOf(entry, archive));
  } catch (error) {
    throw error instanceof ToolError ? error : invalid(archive, (error as Error).message, error);
  }
  return records;
}

function recordOf(entry: Entry, archive: ArchiveFile): ZipRecord {
  const name = nameOf(entry);
  const kind = name.endsWith("/") ? "folder" : "file";
  const facts = { kind, size: entry.uncompressedSize, mtimeMs: mtimeOf(entry) } as const;
  return {
    member: listed(name, facts, skipOf(entry, archive)),
    name,
    start: entry.relativeOffsetOfLocalHeader,
    nameLength: entry.fileNameLength,
    packedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    method: entry.compressionMethod,
    crc32: entry.crc32,
  };
}

const UTF8_NAME = 0x800;
const UNIX = 3;
const MACOS = 19;

/**
 * UTF-8 where the flag or the Unicode extra field says so, else CP437. Two things the format does not say and
 * writers do: macOS and old Unix tools write UTF-8 without the flag; and some set the flag over other bytes.
 */
function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const host = entry.versionMadeBy >> 8;
  let flags = entry.generalPurposeBitFlag;
  if (!isUtf8(raw)) flags &= ~UTF8_NAME;
  else if (host === UNIX || host === MACOS) flags |= UTF8_NAME;
  return getFileNameLowLevel(flags, raw, entry.extraFields, true);
}

function mtimeOf(entry: Entry): number | null {
  const time = entry.getLastModDate().getTime();
  return Number.isNaN(time) ? null : time;
}

const FILE_TYPE = 0o170000;
const LINK = 0o120000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

function skipOf(entry: Entry, archive: ArchiveFile): MemberSkip | null {
  const host = entry.versionMadeBy >> 8;
  const type = host === UNIX || host === MACOS ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (type === LINK) return "link";
  if (type !== 0 && type !== REGULAR && type !== FOLDER) return "unsupported";
  if (entry.isEncrypted()) return "encrypted";
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) return "unsupported";
  // Deflate never grows by more than a few bytes in 16 KiB: twice the limit is a lie about one of the sizes.
  const { member } = archive.limits;
  return entry.uncompressedSize > member || entry.compressedSize > 2 * member ? "too-large" : null;
}

/**
 * Where each record ends at the latest: where the next one starts. Records that reach into each other are how
 * a small file claims petabytes (quoted overlap), and no honest writer makes them.
 */
function recordEnds(archive: ArchiveFile, records: readonly ZipRecord[]): Float64Array {
  const order = Float64Array.from(records.keys()).sort(
    (a, b) => (records[a]?.start ?? 0) - (records[b]?.start ?? 0),
  );
  const ends = new Float64Array(records.length);
  let next = archive.size;
  for (const at of order.reverse()) {
    const record = records[at];
    if (record === undefined) continue;
    const least = record.start + LOCAL_HEADER + record.nameLength + record.packedSize;
    if (least > next)
      throw invalid(
        archive,
        next === archive.size
          ? "a member reaches beyond the end of the file"
          : "members overlap, as in a zip bomb",
      );
    ends[at] = Math.min(next, least + 0xffff);
    next = record.start;
  }
  return ends;
}

/** yauzl's view of the file: it reads a few bytes at a time, we read windows and count what it takes. */
class DirectoryReader extends RandomAccessReader {
  readonly #archive: ArchiveFile;
  readonly #at: ReturnType<typeof windowed>;
  #taken = 0;

  constructor(archive: ArchiveFile) {
    super();
    this.#archive = archive;
    this.#at = windowed(archive);
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#taken += length;
    const { directory } = this.#archive.limits;
    if (this.#taken > directory)
      return done(tooLarge(this.#archive, `its directory has more than ${directory} bytes`));
    const bytes = this.#at(position, length);
    if (bytes instanceof Promise) callbackify(async () => (await bytes).copy(into, offset))(done);
    else done(null, bytes.copy(into, offset));
  }
}
