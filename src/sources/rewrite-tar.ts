/**
 * A tar with one file replaced where it stands, or added before its end. Called by `rewrite-archive.ts` with the tar
 * unpacked in memory. All other records are copied as they are, headers, sparse maps and padding among them.
 */
import type { ArchiveFile } from "./archive-file.ts";
import { fileReader } from "./byte-reader.ts";
import { type Change, notAFile } from "./change.ts";
import type { Member } from "./member.ts";
import { type Splice, spliced } from "./memory-archive.ts";
import { newRecord, replacingRecord } from "./tar-write.ts";
import { scanTar, type TarRecord } from "./tar.ts";

/** What tars are padded to, by habit of the tapes they were made for. */
const TAPE_RECORD = 10_240;
const END_MARK: Buffer = Buffer.alloc(1_024);

export function createTar({ path, content }: Change): Buffer {
  const member = newRecord(path, content, new Map());
  const size = Math.ceil((member.length + END_MARK.length) / TAPE_RECORD) * TAPE_RECORD;
  return Buffer.concat([member, Buffer.alloc(size - member.length)]);
}

/** `check` is given all members before anything is made. */
export async function rewriteTar(
  archive: ArchiveFile,
  bytes: Buffer,
  change: Change,
  check: (members: readonly Member[]) => void,
): Promise<Buffer> {
  const { path, content } = change;
  const members: Member[] = [];
  const found: TarRecord[] = [];
  const scan = scanTar(archive, fileReader(archive));
  for (let member = await scan.next(); member !== null; member = await scan.next()) {
    members.push(member);
    if (change.concerns(member)) found.push(scan.record());
  }
  check(members);
  const end = scan.record();
  const last = found.at(-1);
  if (last !== undefined && !"07S".includes(last.type)) throw notAFile(archive.name, path, "no regular file");
  const splices = found.flatMap((record): Splice[] => [
    ...record.described.map(({ start, end }) => ({ start, end })),
    record === last
      ? { start: record.start, end: record.end, put: replacingRecord(bytes, record, path, content) }
      : { start: record.start, end: record.end },
  ]);
  if (last === undefined) {
    // Before headers that describe a member which never comes, or they would describe this one.
    const start = end.described[0]?.start ?? end.start;
    splices.push({ start, end: start, put: newRecord(path, content, end.global) });
  }
  const pieces = spliced(bytes, end.start, splices);
  const tail = last === undefined && !scan.complete() ? END_MARK : bytes.subarray(end.start);
  return Buffer.concat([...pieces, paddedTail(tail, bytes.length, sizeOf(pieces))]);
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The end as it was; where it only filled a tape record, it fills one again. */
function paddedTail(tail: Buffer, sizeBefore: number, size: number): Buffer {
  if (
    sizeBefore % TAPE_RECORD !== 0 ||
    tail.length < END_MARK.length ||
    !tail.equals(Buffer.alloc(tail.length))
  )
    return tail;
  const whole = Math.ceil((size + END_MARK.length) / TAPE_RECORD) * TAPE_RECORD;
  return Buffer.alloc(whole - size);
}
