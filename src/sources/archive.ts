/**
 * Archives as a source of text: what is in them, one member's bytes, many members' texts. Called by the tools
 * with a file they opened and checked; the file stays theirs to close. Nothing is written anywhere, archives
 * inside archives are not entered, and no more is unpacked than was asked for and the limits allow (T16).
 */
import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { ToolError } from "../model/errors.ts";
import { type ArchiveFile, checkAborted, type Contents, invalid, tooLarge } from "./archive-file.ts";
import type { ArchiveFormat } from "./format.ts";
import { ARCHIVE_LIMITS, type ArchiveLimits, TURN } from "./limits.ts";
import { markReplaced, type Member, type MemberSkip, memberPath } from "./member.ts";
import { openTar, openTarGz } from "./tar.ts";
import { type NoText, textOf } from "./text.ts";

export interface ArchiveSource {
  /** Open for reading, and allowed: the path is not looked at again. Must stay open while the archive is used. */
  readonly file: FileHandle;
  readonly format: ArchiveFormat;
  /** How messages call the archive. */
  readonly name: string;
  /** @default ARCHIVE_LIMITS */
  readonly limits?: Partial<ArchiveLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Why a member gave no text; `damaged`: wrong size, checksum or data; `over-budget`: the call unpacked enough. */
export type TextSkip = MemberSkip | NoText | "damaged" | "over-budget";

export type MemberText =
  /** UTF-8 without NUL; a byte order mark is still there. */
  | { readonly member: Member; readonly bytes: Buffer }
  | { readonly member: Member; readonly skipped: TextSkip };

export interface Archive {
  /** In the archive's order, those that cannot be read among them; folders only where the archive names them. */
  readonly members: readonly Member[];
  /** False when a tar ends without its end mark: it may have been cut off between two members. */
  readonly complete: boolean;
  /** The bytes of one file. @throws MEMBER_NOT_FOUND, MEMBER_UNREADABLE, ARCHIVE_TOO_LARGE */
  read(path: string): Promise<Buffer>;
  /** The texts of the files that `select` wants, in the archive's order; each wanted file is either text or named. */
  texts(select: (member: Member) => boolean): AsyncIterable<MemberText>;
}

/** @throws ARCHIVE_INVALID, ARCHIVE_TOO_LARGE */
export async function openArchive(source: ArchiveSource): Promise<Archive> {
  const stat = await source.file.stat();
  const archive: ArchiveFile = {
    file: source.file,
    size: stat.size,
    name: source.name,
    limits: { ...ARCHIVE_LIMITS, ...source.limits },
    signal: source.signal,
  };
  if (!stat.isFile()) throw invalid(archive, "it is no regular file");
  const contents = await OPEN[source.format](archive);
  const members = markReplaced(contents.members);
  return {
    members,
    complete: contents.complete,
    read: (path) => readMember(archive, members, contents, path),
    texts: (select) => readTexts(archive, members, contents, select),
  };
}

const OPEN: Readonly<Record<ArchiveFormat, (archive: ArchiveFile) => Promise<Contents>>> = {
  // Its reader takes 25 ms to load, and most calls meet no zip.
  zip: async (archive) => (await import("./zip.ts")).openZip(archive),
  tar: openTar,
  "tar.gz": openTarGz,
};

async function readMember(
  archive: ArchiveFile,
  members: readonly Member[],
  contents: Contents,
  path: string,
): Promise<Buffer> {
  const wanted = memberPath(path) || path;
  const index = members.findLastIndex((member) => member.kind === "file" && member.path === wanted);
  const member = members[index];
  if (member === undefined) throw notFound(archive, members, path);
  if (member.skipped === "too-large")
    throw tooLarge(archive, `${JSON.stringify(path)} has ${member.size} bytes`);
  if (member.skipped !== undefined) throw unreadable(archive, path, SKIP_REASON[member.skipped]);
  for await (const unpacked of contents.unpack([index])) {
    if ("fault" in unpacked) throw unreadable(archive, path, unpacked.fault);
    return unpacked.bytes;
  }
  throw notFound(archive, members, path);
}

const SKIP_REASON: Readonly<Record<Exclude<MemberSkip, "too-large">, string>> = {
  "unsafe-path": "its name leads out of the archive",
  link: "it is a link, and links in archives are not followed",
  encrypted: "it is encrypted",
  unsupported: "its compression or kind is not supported",
  replaced: "a later member replaced it",
};

function unreadable(archive: ArchiveFile, path: string, why: string): ToolError {
  return new ToolError("MEMBER_UNREADABLE", `${archive.name}:${path} cannot be read: ${why}`);
}

function notFound(archive: ArchiveFile, members: readonly Member[], path: string): ToolError {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const similar = members.filter(
    (member) => member.kind === "file" && base !== "" && `/${member.path}`.endsWith(`/${base}`),
  );
  const names = similar.slice(0, 3).map((member) => `${archive.name}:${member.path}`);
  return new ToolError("MEMBER_NOT_FOUND", `${archive.name} has no file ${JSON.stringify(path)}`, {
    hint:
      names.length > 0
        ? `Of that name there is ${names.join(", ")}`
        : `find ${archive.name}: lists what it has`,
  });
}

async function* readTexts(
  archive: ArchiveFile,
  members: readonly Member[],
  contents: Contents,
  select: (member: Member) => boolean,
): AsyncGenerator<MemberText> {
  const chosen: number[] = [];
  const wanted: number[] = [];
  const overBudget = new Set<number>();
  let spent = 0;
  for (const [index, member] of members.entries()) {
    if (member.kind !== "file" || !select(member)) continue;
    chosen.push(index);
    if (member.skipped !== undefined) continue;
    if (spent + member.size > archive.limits.total) overBudget.add(index);
    else {
      spent += member.size;
      wanted.push(index);
    }
  }
  const unpacked = contents.unpack(wanted)[Symbol.asyncIterator]();
  let turn = performance.now();
  try {
    for (const index of chosen) {
      const member = members[index];
      if (member === undefined) continue;
      if (member.skipped !== undefined) yield { member, skipped: member.skipped };
      else if (overBudget.has(index)) yield { member, skipped: "over-budget" };
      else {
        const next = await unpacked.next();
        if (next.done === true) return;
        yield "fault" in next.value
          ? { member, skipped: "damaged" }
          : { member, ...textOf(next.value.bytes) };
        if (performance.now() - turn > TURN) {
          await setImmediate();
          checkAborted(archive.signal);
          turn = performance.now();
        }
      }
    }
  } finally {
    await unpacked.return?.();
  }
}
