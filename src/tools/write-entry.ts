import { createHash } from "node:crypto";
import { commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { grouped } from "../format/count.ts";
import { ToolError } from "../model/errors.ts";
import type { Written } from "../model/written.ts";
import { ARCHIVE_REWRITTEN } from "../model/limits.ts";
import { type ArchiveFormat, archiveFormat } from "../sources/format.ts";
import { entryName, rewriteArchive } from "../sources/rewrite-archive.ts";
import { openFile, readWhole } from "../workspace/open.ts";
import type { Session } from "../workspace/session.ts";
import { type EditGround, tryAgain } from "./agent-edit.ts";
import { fileTarget } from "./file-target.ts";
import { lostVersion } from "./lost-version.ts";
import { memberFile } from "./open-archives.ts";

/** One entry of an archive: the archive is made anew around it and takes the place of the old one, whole or not at all. */
export async function writeEntry(
  session: Session,
  { archive, entry }: { readonly archive: string; readonly entry: string },
  content: string,
  { env, signal }: EditGround,
): Promise<Written> {
  const { policy } = session;
  const name = entryName(entry);
  const target = await fileTarget(session, archive);
  // Denied as a file below its archive would be.
  await policy.check(memberFile(archive, { path: name }).path);
  const format = archiveFormat(archive) as ArchiveFormat;
  const place = await policy.check(archive);
  const { created, warnings } = await withFiles([place.realPath], { env, signal }, () =>
    tryAgain(async () => {
      const there = await policy.check(archive);
      const old = there.kind === null ? null : await readArchive(session, archive);
      const after = await rewriteArchive(old, format, name, Buffer.from(content), target.label, signal);
      const before = old === null ? null : createHash("sha256").update(old).digest("hex");
      const [written] = await commit([{ path: target.path, policy, before, after }], env, signal);
      return { created: old === null, warnings: lostVersion(target.label, written) };
    }),
  );
  const bytes = Buffer.byteLength(content);
  const label = `${target.label}:${name}`;
  return {
    label,
    message: `Wrote ${label}: ${grouped(bytes)} ${bytes === 1 ? "byte" : "bytes"}${created ? ", in a new archive" : ""}`,
    snapshots: [],
    created,
    madeExecutable: false,
    realPath: place.realPath,
    warnings,
  };
}

async function readArchive({ policy }: Session, path: string): Promise<Buffer> {
  const opened = await openFile(policy, path);
  try {
    const bytes = await readWhole(opened, ARCHIVE_REWRITTEN);
    if (bytes !== null) return bytes;
    throw new ToolError("ARCHIVE_TOO_LARGE", `${path} is too large to be written anew`, {
      hint: "Use the archive's own program",
    });
  } finally {
    await opened.handle.close();
  }
}
