/**
 * Puts a change's bytes on the disk beside their file, with all that the file carries, so that only a rename is
 * missing; or, where a rename would lose something, opens the file for writing and keeps its bytes in the journal.
 * Nothing that anybody looks at has changed when this is done. Called by `commit.ts`.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  openSync,
  rmSync,
} from "node:fs";
import { codeOf } from "../../workspace/real-path.ts";
import { copyAttributes } from "../attributes.ts";
import { hashOf, readAll, sha256, syncAll, syncData, writeAll } from "./bytes.ts";
import { FileChanged } from "./changed.ts";
import { again, at, type Folder } from "./folder.ts";
import type { Journal, Step } from "./journal.ts";
import { type Stretch, stretchOf } from "./ranges.ts";
import { entryOf, isSame, type Target } from "./target.ts";
import { hasWriter, looksBusy } from "./writers.ts";

export interface Staged {
  readonly target: Target;
  readonly folder: Folder;
  readonly step: Step;
  /** The staged file, or for an in-place write the file itself. Closed by `commit.ts`. */
  readonly fd: number;
  /** What the file was when its bytes were compared; null for a new one. */
  readonly seen: BigIntStats | null;
  readonly stretch: Stretch | null;
}

/** A change on its way: where it goes, and under which number the journal knows it. */
export interface Draft {
  readonly target: Target;
  readonly folder: Folder;
  readonly step: Step;
  readonly journal: Journal;
  readonly index: number;
}

export async function stage(draft: Draft): Promise<Staged> {
  const { file } = draft.target;
  if (file === null) return stageNew(draft);
  const stat = fstatSync(file.handle.fd, { bigint: true });
  const renamed = mustStay(stat, draft.target.realPath)
    ? null
    : await stageRename(draft, file.handle.fd, stat);
  return renamed ?? stageInPlace(draft, file.handle.fd);
}

/** Whether a rename would lose something that can be known beforehand. */
function mustStay(stat: BigIntStats, path: string): boolean {
  return process.platform !== "linux" || stat.nlink > 1n || (looksBusy(stat, path) && hasWriter(stat));
}

const CREATE: number = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** What says that this folder or file cannot be renamed in, rather than that the disk is broken. */
const NOT_HERE: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "EXDEV",
  "EMLINK",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EBUSY",
]);

/** null: something would be lost, and nothing is left behind. */
async function stageRename(draft: Draft, old: number, stat: BigIntStats): Promise<Staged | null> {
  const { target, folder, step } = draft;
  let fd: number | null = null;
  try {
    // A second name for what is replaced: the way back. It fails where a rename would, for instance on a mount.
    keepOld(draft);
    if (!isSame(stat, entryOf(folder, step.kept))) throw replaced(target);
    fd = openSync(at(folder, step.staged), CREATE, 0o600);
    const seen = fstatSync(old, { bigint: true });
    const [hash, whole] = await both(
      hashOf(old, Number(seen.size)),
      fill(fd, old, target.change.after, wanted(draft, seen)),
    );
    if (hash !== target.change.before) throw changed(target);
    if (whole) return { target, folder, step, fd, seen, stretch: null };
  } catch (cause) {
    if (fd !== null) closeSync(fd);
    if (cause instanceof FileChanged || !NOT_HERE.has(codeOf(cause))) throw cause;
    fd = null;
  }
  if (fd !== null) closeSync(fd);
  for (const name of [step.staged, step.kept]) rmSync(at(folder, name), { force: true });
  return null;
}

function keepOld({ target, folder, step }: Draft): void {
  try {
    linkSync(at(folder, target.name), at(folder, step.kept));
  } catch (cause) {
    // Also when it is replaced in the very moment of the link.
    throw codeOf(cause) === "ENOENT" ? replaced(target) : cause;
  }
}

interface Wanted {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

function wanted({ target }: Draft, { uid, gid, mode }: BigIntStats): Wanted {
  return { uid: Number(uid), gid: Number(gid), mode: modeFor(Number(mode) & 0o7777, target) };
}

/** Executable for those who may read. */
function modeFor(mode: number, { change }: Target): number {
  return change.executable === true ? mode | ((mode & 0o444) >> 2) : mode;
}

/** The new bytes with the old file's attributes, owner and mode. False: it could not be given them all. */
async function fill(fd: number, old: number, bytes: Buffer, { uid, gid, mode }: Wanted): Promise<boolean> {
  await writeAll(fd, bytes, 0);
  // The attributes are copied while the bytes go to the disk, and after they were written: a write takes some away.
  const [, copied] = await both(syncData(fd), copyAttributes(old, fd));
  if (!copied) return false;
  const made = fstatSync(fd);
  if (made.uid !== uid || made.gid !== gid) fchownSync(fd, uid, gid);
  // Last, because a change of owner takes bits away.
  if ((fstatSync(fd).mode & 0o7777) !== mode) fchmodSync(fd, mode);
  await syncAll(fd);
  const { uid: owner, gid: group, mode: bits } = fstatSync(fd);
  return owner === uid && group === gid && (bits & 0o7777) === mode;
}

async function stageNew({ target, folder, step }: Draft): Promise<Staged> {
  const fd = openSync(at(folder, step.staged), CREATE, 0o666);
  try {
    if (target.change.executable === true) fchmodSync(fd, modeFor(fstatSync(fd).mode & 0o7777, target));
    await writeAll(fd, target.change.after, 0);
    await syncAll(fd);
    return { target, folder, step, fd, seen: null, stretch: null };
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

async function stageInPlace({ target, folder, step, journal, index }: Draft, old: number): Promise<Staged> {
  const fd = openAgain(target, folder, old, constants.O_WRONLY);
  try {
    const seen = fstatSync(old, { bigint: true });
    const before = await readAll(old, Number(seen.size));
    if (sha256(before) !== target.change.before) throw changed(target);
    const { after } = target.change;
    const stretch = stretchOf(before, after);
    await journal.keepStretch(index, stretch);
    const inPlace: Step = {
      ...step,
      way: "in place",
      sizes: { before: before.length, after: after.length },
      mode: modeFor(Number(seen.mode) & 0o7777, target),
      stretch: { offset: stretch.offset, old: sha256(stretch.old), new: sha256(stretch.new) },
    };
    return { target, folder, step: inPlace, fd, seen, stretch };
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
}

/** The very file behind a descriptor, opened in another mode. */
export function openAgain(target: Target, folder: Folder, old: number, flags: number): number {
  const path = again(old);
  const fd = openSync(
    path ?? at(folder, target.name),
    path === null ? flags | (constants.O_NOFOLLOW ?? 0) : flags,
  );
  if (isSame(fstatSync(old, { bigint: true }), fstatSync(fd, { bigint: true }))) return fd;
  closeSync(fd);
  throw replaced(target);
}

/** Waits for both also when one fails, so that nothing is still at work on a file that is let go. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

function changed({ change }: Target): FileChanged {
  return new FileChanged(change.path, "is not what it was when it was read");
}

function replaced({ change }: Target): FileChanged {
  return new FileChanged(change.path, "was replaced or removed");
}
