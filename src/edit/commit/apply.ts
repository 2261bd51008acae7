/**
 * The moment of truth: staged bytes take their file's place, each after a last look at the file and before a first
 * look at what was replaced, so that an outside write in between is seen. A rename puts the new file where the old
 * one was in one step; a new file is linked in and never replaces one; an in-place write goes to the open file.
 * Called by `commit.ts`, which undoes everything when one of these throws.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { WRITTEN_AT_ONCE } from "../../model/limits.ts";
import { codeOf } from "../../workspace/real-path.ts";
import { hashOf, sha256, syncAll, writeAll } from "./bytes.ts";
import { FileChanged } from "./changed.ts";
import { at } from "./folder.ts";
import { openAgain, type Staged } from "./stage.ts";
import { entryOf, isSame } from "./target.ts";
import { looksBusy, writersGone } from "./writers.ts";

export async function apply(staged: Staged): Promise<void> {
  if (staged.step.way === "create") linkIn(staged);
  else if (staged.step.way === "rename") renameIn(staged);
  else await writeIn(staged);
}

/** No await and nothing slow between the look and the rename: what comes in between is a matter of microseconds. */
function renameIn({ folder, step, seen, target }: Staged): void {
  const from = at(folder, step.staged);
  const to = at(folder, step.name);
  if (!isUntouched(entryOf(folder, step.name), seen)) throw changed(target.change.path);
  renameSync(from, to);
}

function isUntouched(now: BigIntStats | null, seen: BigIntStats | null): boolean {
  if (now === null || seen === null) return false;
  return (
    isSame(now, seen) &&
    now.size === seen.size &&
    now.mtimeNs === seen.mtimeNs &&
    now.ctimeNs === seen.ctimeNs
  );
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function linkIn({ folder, step, target }: Staged): void {
  const from = at(folder, step.staged);
  const to = at(folder, step.name);
  try {
    linkSync(from, to);
    rmSync(from);
  } catch (cause) {
    const code = codeOf(cause);
    // A file system without hard links: the look and the rename are two calls there.
    const free = NO_LINKS.has(code) && entryOf(folder, step.name) === null;
    if (free) renameSync(from, to);
    else if (code === "EEXIST" || NO_LINKS.has(code)) {
      throw new FileChanged(target.change.path, "was made by somebody else meanwhile");
    } else throw cause;
  }
}

/** Bytes that the file had are overwritten; those that it grows by are appended, so that they overwrite no others. */
async function writeIn(staged: Staged): Promise<void> {
  const { folder, step, seen, stretch, fd, target } = staged;
  if (stretch === null || seen === null) throw new Error("An in-place write without its bytes");
  const { sizes } = step;
  const within = stretch.new.subarray(0, Math.max(0, sizes.before - stretch.offset));
  const beyond = stretch.new.subarray(within.length);
  if (!isUntouched(entryOf(folder, step.name), seen)) throw changed(target.change.path);
  await put(fd, within, stretch.offset);
  if (beyond.length > 0) await append(staged, beyond);
  if (sizes.after < sizes.before) {
    if (fstatSync(fd).size !== sizes.before) throw changed(target.change.path);
    ftruncateSync(fd, sizes.after);
  }
  restoreMode(fd, step.mode);
  await syncAll(fd);
}

/** Small ones in one go, so that nobody comes in between. */
async function put(fd: number, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  if (bytes.length <= WRITTEN_AT_ONCE && bytes.length > 0)
    done = writeSync(fd, bytes, 0, bytes.length, position);
  await writeAll(fd, bytes.subarray(done), position + done);
}

async function append({ target, folder }: Staged, bytes: Buffer): Promise<void> {
  const old = target.file?.handle.fd as number;
  const fd = openAgain(target, folder, old, constants.O_WRONLY | constants.O_APPEND);
  try {
    await writeAll(fd, bytes, null);
  } finally {
    closeSync(fd);
  }
}

/** Writing takes the set-user bit away from who is not root. Where it cannot be given back, it stays away. */
export function restoreMode(fd: number, mode: number | null): void {
  if (mode === null || (fstatSync(fd).mode & 0o7777) === mode) return;
  try {
    fchmodSync(fd, mode);
  } catch (cause) {
    if (codeOf(cause) !== "EPERM") throw cause;
  }
}

/** Whether somebody wrote to the old file after the last look, or replaced the file that was written in place. */
export async function checkAfter(staged: Staged): Promise<void> {
  if (staged.step.way === "rename") await checkReplaced(staged, "times");
  if (staged.step.way === "in place") await checkWritten(staged);
}

/** By its times, or where these may not tell (it was written a moment ago), by its bytes. */
async function checkReplaced({ target, seen, step }: Staged, by: "times" | "bytes"): Promise<void> {
  const old = target.file?.handle.fd as number;
  const now = fstatSync(old, { bigint: true });
  if (by === "times" && now.size === seen?.size && now.mtimeNs === seen.mtimeNs) return;
  if ((await hashOf(old, Number(now.size))) !== step.before) throw changed(target.change.path);
}

async function checkWritten({ folder, target, step }: Staged): Promise<void> {
  const old = target.file?.handle.fd as number;
  const now = fstatSync(old, { bigint: true });
  if (!isSame(now, entryOf(folder, step.name))) throw changed(target.change.path);
  const after = step.after === "" ? sha256(target.change.after) : step.after;
  if ((await hashOf(old, Number(now.size))) !== after) throw changed(target.change.path);
}

/**
 * Of a file that others were writing to: waits until nobody has the replaced one open any more, and looks again.
 * It has no name but ours, so nobody new can open it.
 */
export async function checkLate(staged: Staged): Promise<void> {
  if (staged.step.way !== "rename" || staged.seen === null) return;
  const busy = looksBusy(staged.seen, staged.target.realPath);
  if (busy && !(await writersGone(staged.seen))) throw changed(staged.target.change.path);
  await checkReplaced(staged, busy ? "bytes" : "times");
}

function changed(path: string): FileChanged {
  return new FileChanged(path, "was changed by somebody else while it was written");
}
