/**
 * Tars, plain and gzipped. `scanTar` walks the headers of either, one entry at a time; `openTar` then reads
 * members by position, `openTarGz` out of the one pass it made, or out of another when that was too much to
 * hold. Called by `openArchive`. Links are named and never followed, sparse files named and never read.
 */
import {
  type ArchiveFile,
  checkAborted,
  type Contents,
  invalid,
  tooLarge,
  type Unpacked,
} from "./archive-file.ts";
import { type ByteReader, fileReader, gunzipReader } from "./byte-reader.ts";
import { TAR_META } from "./limits.ts";
import { listed, type Member, type MemberSkip } from "./member.ts";
import { readSpans, type Span } from "./spans.ts";
import {
  BLOCK,
  isEndMark,
  readHeader,
  readPax,
  sparseContinues,
  type TarHeader,
  textField,
} from "./tar-header.ts";

export async function openTar(archive: ArchiveFile): Promise<Contents> {
  const members: Member[] = [];
  const spans: Span[] = [];
  const reader = fileReader(archive);
  const scan = scanTar(archive, reader);
  for (let member = await scan.next(); member !== null; member = await scan.next()) {
    const { position } = reader;
    const { size } = member;
    spans.push({ index: members.length, start: position, end: position + size, size });
    members.push(member);
  }
  return {
    members,
    complete: scan.complete(),
    unpack: (wanted) =>
      readSpans(
        archive,
        wanted.flatMap((index) => spans[index] ?? []),
        async (group, bytes) =>
          group.map(({ index }, at) => ({ index, bytes: bytes[at] ?? Buffer.alloc(0) })),
      ),
  };
}

export async function openTarGz(archive: ArchiveFile): Promise<Contents> {
  const members: Member[] = [];
  const held: (Buffer | null)[] = [];
  let holding = true;
  const reader = gunzipReader(archive);
  try {
    const scan = scanTar(archive, reader);
    for (let member = await scan.next(); member !== null; member = await scan.next()) {
      members.push(member);
      if (holding && reader.position + member.size > archive.limits.held) {
        holding = false;
        held.length = 0;
      }
      if (holding) held.push(isReadable(member) ? await reader.take(member.size) : null);
    }
    // To the end, so that gzip's own checksum is seen to hold.
    await reader.drain();
    return { members, complete: scan.complete(), unpack: holding ? unpackHeld : unpackAgain };
  } finally {
    await reader.close();
  }

  async function* unpackHeld(wanted: readonly number[]): AsyncGenerator<Unpacked> {
    for (const index of wanted) yield { index, bytes: held[index] ?? Buffer.alloc(0) };
  }

  async function* unpackAgain(wanted: readonly number[]): AsyncGenerator<Unpacked> {
    const left = new Set(wanted);
    const reader = gunzipReader(archive);
    try {
      const scan = scanTar(archive, reader);
      for (let index = 0; left.size > 0; index++) {
        const member = await scan.next();
        if (member === null) throw invalid(archive, "it changed while it was read");
        if (!left.delete(index)) continue;
        const bytes = await reader.take(member.size);
        yield bytes.length < member.size ? { index, fault: "the archive ends inside it" } : { index, bytes };
      }
    } finally {
      await reader.close();
    }
  }
}

function isReadable(member: Member): boolean {
  return member.kind === "file" && member.skipped === undefined;
}

/** Headers that describe the next one or all that follow, or nothing that has a place in a list. */
const PAX = "xXg";
const META = `${PAX}LKV`;
/** Those that describe the next header only. */
const DESCRIBING = "xXLK";

/** Where a header and what belongs to it lie, padding and all. */
export interface TarSpan {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A member's own header with its data, the headers that describe it alone, and what is said of all members. */
export interface TarRecord extends TarSpan {
  readonly described: readonly TarSpan[];
  readonly global: ReadonlyMap<string, string>;
}

interface TarScan {
  /** The next member, with the reader standing at its bytes; null at the end. */
  next(): Promise<Member | null>;
  /** Was the end mark seen? */
  complete(): boolean;
  /** Of the member that was given last; before the first and at the end: of none, where one could be put. */
  record(): TarRecord;
}

/** Walks a tar; whoever calls may take the bytes of the member it was just given, and need not. */
export function scanTar(archive: ArchiveFile, reader: ByteReader): TarScan {
  const global = new Map<string, string>();
  const local = new Map<string, string>();
  let longName: string | null = null;
  let nextHeader = 0;
  let last = "";
  let entries = 0;
  let complete = false;
  let described: TarSpan[] = [];
  let own: TarSpan | null = null;
  return { next, complete: () => complete, record };

  function record(): TarRecord {
    const place = own ?? { type: "", start: nextHeader, end: nextHeader };
    return { ...place, described, global: new Map(global) };
  }

  async function next(): Promise<Member | null> {
    for (;;) {
      checkAborted(archive.signal);
      if (own !== null) described = [];
      own = null;
      if (reader.position !== nextHeader && !(await reader.skipTo(nextHeader)))
        throw invalid(archive, `it ends inside ${JSON.stringify(last)}`);
      const block = await reader.take(BLOCK);
      if (block.length === 0 && nextHeader > 0) return null;
      if (block.length < BLOCK) throw invalid(archive, "it ends inside a header");
      complete = isEndMark(block);
      if (complete) return null;
      const header = readHeader(block);
      if (header === null)
        throw invalid(
          archive,
          nextHeader === 0
            ? "it does not start like a tar"
            : `the header after ${JSON.stringify(last)} is damaged`,
        );
      if (++entries > archive.limits.entries)
        throw tooLarge(archive, `more than ${archive.limits.entries} entries`);
      if (header.type === "S" && header.continues) await skipSparseMap();
      const size = dataSize(header);
      const headerStart = nextHeader;
      nextHeader = reader.position + Math.ceil(size / BLOCK) * BLOCK;
      const span = { type: header.type, start: headerStart, end: nextHeader };
      if (META.includes(header.type)) {
        if (DESCRIBING.includes(header.type)) described.push(span);
        await readMeta(header, size);
        continue;
      }
      own = span;
      const member = memberOf(header, size);
      last = member?.path ?? header.name;
      local.clear();
      longName = null;
      if (member !== null) return member;
    }
  }

  async function readMeta(header: TarHeader, size: number): Promise<void> {
    if (size > TAR_META) throw tooLarge(archive, `a header of ${size} bytes, where ${TAR_META} are read`);
    const bytes = await reader.take(size);
    if (bytes.length < size) throw invalid(archive, "it ends inside a header");
    if (header.type === "L") longName = textField(bytes, 0, size);
    if (!PAX.includes(header.type)) return;
    const values = readPax(bytes);
    if (values === null) throw invalid(archive, "a pax header is damaged");
    for (const { key, value } of values) (header.type === "g" ? global : local).set(key, value);
  }

  function pax(key: string): string | undefined {
    // An empty value takes back what the header itself or a global one says.
    return (local.get(key) ?? global.get(key)) || undefined;
  }

  /** Links, devices and folders have no data, whatever their size field says. */
  function dataSize(header: TarHeader): number {
    if ("123456".includes(header.type)) return 0;
    const stated = META.includes(header.type) ? undefined : pax("size");
    const size = stated === undefined ? header.size : /^[0-9]+$/.test(stated) ? Number(stated) : Number.NaN;
    if (!Number.isSafeInteger(size) || size < 0) throw invalid(archive, "a size is no number");
    return size;
  }

  function memberOf(header: TarHeader, size: number): Member | null {
    const name = pax("GNU.sparse.name") ?? pax("path") ?? longName ?? header.name;
    const seconds = Number(pax("mtime") ?? Number.NaN);
    const kind =
      "5D".includes(header.type) || (header.type === "0" && name.endsWith("/")) ? "folder" : "file";
    const mtimeMs = Number.isFinite(seconds) ? seconds * 1000 : header.mtimeMs;
    return listed(name, { kind, size, mtimeMs }, skipOf(header, size));
  }

  function skipOf(header: TarHeader, size: number): MemberSkip | null {
    if ("12".includes(header.type)) return "link";
    if ("5D".includes(header.type)) return null;
    if (!"07".includes(header.type) || [...local.keys()].some((key) => key.startsWith("GNU.sparse.")))
      return "unsupported";
    return size > archive.limits.member ? "too-large" : null;
  }

  async function skipSparseMap(): Promise<void> {
    for (let more = true; more; ) {
      const block = await reader.take(BLOCK);
      if (block.length < BLOCK) throw invalid(archive, "it ends inside a header");
      more = sparseContinues(block);
    }
  }
}
