/**
 * Takes a step of a commit back, whether it was done, half done or not begun; doing it twice does no harm. Called by
 * `commit.ts` when a later step fails, and by `recover.ts` when a process died while it did so. Bytes that somebody
 * else wrote meanwhile are never dropped: they stay, or go along, or are rescued and the answer says where.
 */
import { closeSync, constants, fstatSync, ftruncateSync, renameSync } from "node:fs";
import type { Environment } from "../../workspace/cache.ts";
import type { Undone } from "./changed.ts";
import { readAll, sha256, syncAll, writeAll } from "./bytes.ts";
import { bytesOf, type Entry, openEntry, removeEntry } from "./entry.ts";
import { at, type Folder, syncFolder } from "./folder.ts";
import type { Step } from "./journal.ts";
import { isTorn, joined, type Stretch } from "./ranges.ts";
import { rescue } from "./rescue.ts";
import { entryOf, isSame } from "./target.ts";
import { writersGone } from "./writers.ts";

export interface Ground {
  readonly env: Environment;
  readonly folder: Folder;
  readonly step: Step;
  /** The bytes of an in-place write. */
  readonly stretch: Stretch | null;
  /** The file that an in-place write went to, for reading and writing. */
  readonly open: () => Entry | null;
}

/** Words about what could not be taken back; null: all is as it was. */
export async function undoStep(ground: Ground): Promise<Undone | null> {
  if (ground.step.way === "rename") return undoRename(ground);
  const said = await (ground.step.way === "create" ? undoCreate(ground) : undoInPlace(ground));
  return said === null ? null : { said, replaced: false };
}

async function undoRename(ground: Ground): Promise<Undone | null> {
  const { folder, step } = ground;
  const kept = entryOf(folder, step.kept);
  const untouched = kept === null || isSame(kept, entryOf(folder, step.name));
  const words = untouched ? null : await putBack(ground);
  for (const name of [step.staged, step.kept]) removeEntry(folder, name);
  await syncFolder(folder);
  return words;
}

async function putBack(ground: Ground): Promise<Undone | null> {
  const { folder, step } = ground;
  const current = openEntry(folder, step.name);
  if (current === null) return dropKept(ground, "was removed by somebody else");
  try {
    const there = await readAll(current.fd, Number(current.stat.size));
    if (!isOurs(there, step)) return await dropKept(ground, "was changed by somebody else");
    if (!isSame(current.stat, entryOf(folder, step.name))) {
      return await dropKept(ground, "was replaced by somebody else");
    }
    renameSync(at(folder, step.kept), at(folder, step.name));
    // Our version had the name for a moment, and who opened it then may still be about to write to it.
    const gone = await writersGone(current.stat);
    const said = (await carryOver(ground, current.fd)) ?? (gone ? null : stillOpen(step));
    return said === null ? null : { said, replaced: false };
  } finally {
    closeSync(current.fd);
  }
}

function stillOpen({ name }: Step): string {
  return `Somebody has a version of ${name} open that was taken back, and what he writes to it is lost`;
}

/** Our new bytes, and perhaps something appended to them. */
function isOurs(bytes: Buffer, { sizes, after }: Step): boolean {
  return bytes.length >= sizes.after && sha256(bytes.subarray(0, sizes.after)) === after;
}

/** What others wrote to our version before it was taken back: an appended part is appended to the old one. */
async function carryOver({ env, folder, step }: Ground, ours: number): Promise<string | null> {
  const bytes = await readAll(ours, fstatSync(ours).size);
  if (!isOurs(bytes, step)) {
    const path = await rescue(env, step.name, bytes);
    return `What somebody else wrote to ${step.name} meanwhile is in ${path}`;
  }
  const appended = bytes.subarray(step.sizes.after);
  if (appended.length === 0) return null;
  const old = openEntry(folder, step.name, constants.O_WRONLY | constants.O_APPEND);
  if (old === null) return `${step.name} was removed by somebody else`;
  try {
    await writeAll(old.fd, appended, null);
    return null;
  } finally {
    closeSync(old.fd);
  }
}

/** The old file has lost its place to somebody else's; what it holds is rescued if it is not what we knew. */
export async function dropKept({ env, folder, step }: Ground, how: string): Promise<Undone> {
  const bytes = await bytesOf(folder, step.kept);
  const said = `${step.name} ${how} and is left as it is`;
  if (bytes === null || sha256(bytes) === step.before) return { said, replaced: true };
  const path = await rescue(env, step.name, bytes);
  return { said: `${said}; what was written to the version before is in ${path}`, replaced: false };
}

async function undoCreate({ folder, step }: Ground): Promise<string | null> {
  const staged = entryOf(folder, step.staged);
  const there = entryOf(folder, step.name);
  // Linked in and not yet unlinked, or all done; a staged file that is another one means that it was never linked.
  const linked = there !== null && (staged === null || isSame(staged, there));
  const bytes = linked ? await bytesOf(folder, step.name) : null;
  const ours = bytes !== null && sha256(bytes) === step.after;
  if (ours) removeEntry(folder, step.name);
  removeEntry(folder, step.staged);
  await syncFolder(folder);
  return linked && !ours ? `${step.name} was changed by somebody else and is left as it is` : null;
}

async function undoInPlace({ step, stretch, open }: Ground): Promise<string | null> {
  const entry = stretch === null ? null : open();
  if (entry === null || stretch === null) return `${step.name} is left as it is`;
  try {
    const content = await readAll(entry.fd, Number(entry.stat.size));
    const foreign = appendedBy(content, step, stretch);
    if (foreign === null) return `${step.name} was changed by somebody else and is left as it is`;
    const tail = step.sizes.before === step.sizes.after ? [] : [foreign];
    await writeAll(entry.fd, Buffer.concat([stretch.old, ...tail]), stretch.offset);
    const size = step.sizes.before + foreign.length;
    if (fstatSync(entry.fd).size !== size) ftruncateSync(entry.fd, size);
    await syncAll(entry.fd);
    return null;
  } finally {
    closeSync(entry.fd);
  }
}

/** What others appended to a file that was written in place, wholly or partly. null: they did something else. */
function appendedBy(content: Buffer, step: Step, stretch: Stretch): Buffer | null {
  const { before, after } = step.sizes;
  if (isVersion(content.subarray(0, after), step, stretch)) return content.subarray(after);
  if (isVersion(content.subarray(0, before), step, stretch))
    return withoutGrowth(content.subarray(before), step, stretch);
  return isVersion(content, step, stretch) ? Buffer.alloc(0) : null;
}

/** They were faster, and what the file was to grow by stands behind theirs. */
function withoutGrowth(rest: Buffer, { sizes }: Step, stretch: Stretch): Buffer {
  const growth = sizes.after - sizes.before;
  const ours = stretch.new.subarray(stretch.new.length - Math.max(0, growth));
  const at = growth > 0 ? rest.indexOf(ours) : -1;
  return at < 0 ? rest : Buffer.concat([rest.subarray(0, at), rest.subarray(at + ours.length)]);
}

/** The old file, the new one, or one being made of the other. */
export function isVersion(content: Buffer, step: Step, stretch: Stretch): boolean {
  const hash = sha256(content);
  if (hash === step.before || hash === step.after) return true;
  return isTorn(content, stretch, step.sizes) && sha256(joined(content, stretch)) === step.after;
}
