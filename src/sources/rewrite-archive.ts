/**
 * One entry of an archive written: replaced, or added, in a new archive too. Called by the tool that writes; bytes in,
 * bytes out, so that the caller can put them in place at once or not at all. What was made is read again before it is
 * handed over: every other member must still be there as it was, and the written one hold its content.
 */
import { ToolError } from "../model/errors.ts";
import { type ArchiveFile, checkAborted, type Contents, invalid } from "./archive-file.ts";
import { type Change, changeOf, checkPlace, onlyChanged } from "./change.ts";
import type { ArchiveFormat } from "./format.ts";
import { REWRITTEN } from "./limits.ts";
import { type Member, memberPath } from "./member.ts";
import { memoryArchive } from "./memory-archive.ts";
import { gunzipAll, gzip } from "./rewrite-gzip.ts";
import { createTar, rewriteTar } from "./rewrite-tar.ts";
import { openTar } from "./tar.ts";

/** The longest path that Linux opens: an entry with a longer one could not be unpacked. */
const LONGEST_PATH = 4096;

/**
 * What an agent wrote behind the colon, as the path of a file: `/` between its parts, no empty and no `.` parts.
 * @throws INVALID_INPUT
 */
export function entryName(entry: string): string {
  const refuse = (why: string): ToolError =>
    new ToolError("INVALID_INPUT", `${JSON.stringify(entry)} names no entry that can be written: ${why}`, {
      hint: "Write archive.zip:folder/file.txt",
    });
  const slashed = entry.replaceAll("\\", "/");
  if (slashed.split("/").includes("..")) throw refuse("its path must not hold `..`");
  if (/^\/|^[a-z]:|\0/i.test(slashed)) throw refuse("an entry's path is relative to the archive");
  if (/\p{Surrogate}/u.test(slashed)) throw refuse("it holds half a character (a lone surrogate)");
  const path = memberPath(slashed) ?? "";
  if (path === "") throw refuse("it must name a file inside the archive");
  if (/(^|\/)\.?$/.test(slashed)) throw refuse("it must name a file, and this is a folder");
  if (Buffer.byteLength(path) > LONGEST_PATH) throw refuse(`it is longer than ${LONGEST_PATH} bytes`);
  return path;
}

/**
 * The archive's bytes with one entry replaced or added; `archive` null: a new archive. All other entries stay as they
 * are, byte for byte.
 * @throws INVALID_INPUT, NOT_A_FILE, MEMBER_UNREADABLE, ARCHIVE_INVALID, ARCHIVE_TOO_LARGE, ABORTED
 */
export async function rewriteArchive(
  archive: Buffer | null,
  format: ArchiveFormat,
  entry: string,
  content: Buffer,
  name: string,
  signal?: AbortSignal,
): Promise<Buffer> {
  const change = changeOf(entryName(entry), content);
  checkAborted(signal);
  checkSize(name, (archive?.length ?? 0) + content.length);
  if (format === "zip") return rewrite(archive, change, await zipFormat(), name, signal);
  const tar =
    archive === null || format === "tar" ? archive : await gunzipAll(memoryArchive(archive, name, signal));
  checkSize(name, (tar?.length ?? 0) + content.length);
  const written = await rewrite(tar, change, TAR, name, signal);
  return format === "tar" ? written : gzip(written, archive);
}

function checkSize(name: string, size: number): void {
  if (size > REWRITTEN)
    throw new ToolError(
      "ARCHIVE_TOO_LARGE",
      `${name} would have ${size} bytes, ${REWRITTEN} can be rewritten`,
      {
        hint: "Change it with the archive's own tool",
      },
    );
}

interface Format {
  create(change: Change): Promise<Buffer> | Buffer;
  rewrite(
    archive: ArchiveFile,
    bytes: Buffer,
    change: Change,
    check: (members: readonly Member[]) => void,
  ): Promise<Buffer>;
  open(archive: ArchiveFile): Promise<Contents>;
}

const TAR: Format = { create: createTar, rewrite: rewriteTar, open: openTar };

/** Its reader takes 25 ms to load, and most calls meet no zip. */
async function zipFormat(): Promise<Format> {
  const [{ createZip, rewriteZip }, { openZip }] = await Promise.all([
    import("./rewrite-zip.ts"),
    import("./zip.ts"),
  ]);
  return { create: createZip, rewrite: rewriteZip, open: openZip };
}

async function rewrite(
  bytes: Buffer | null,
  change: Change,
  format: Format,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  let before: readonly Member[] = [];
  const written =
    bytes === null
      ? await format.create(change)
      : await format.rewrite(memoryArchive(bytes, name, signal), bytes, change, (members) => {
          checkPlace(name, members, change);
          before = members;
        });
  checkAborted(signal);
  const archive = memoryArchive(written, name, signal);
  if (!(await holds(await format.open(archive), before, change)))
    throw invalid(archive, `what was made of it with ${change.path} changed does not read as it should`);
  return written;
}

async function holds(contents: Contents, before: readonly Member[], change: Change): Promise<boolean> {
  if (!onlyChanged(before, contents.members, change)) return false;
  const index = contents.members.findIndex((member) => change.concerns(member));
  for await (const unpacked of contents.unpack([index]))
    return "bytes" in unpacked && unpacked.bytes.equals(change.content);
  return false;
}
