/**
 * Where a change goes, judged on what was really opened: the file itself, or for a new one the nearest folder that
 * is there and the folders to be made below it. Nothing is made yet. Called by `commit.ts`.
 */
import { type BigIntStats, fstatSync, lstatSync, mkdirSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ToolError } from "../../model/errors.ts";
import { openFile, type Opened } from "../../workspace/open.ts";
import type { Policy } from "../../workspace/policy.ts";
import { codeOf, pathBelow } from "../../workspace/real-path.ts";
import { FileChanged } from "./changed.ts";
import { at, closeFolder, type Folder, openAllowed, openBelow, syncFolder } from "./folder.ts";

export interface Change {
  /** Absolute, on this ground; links in it are followed, and the target is written. */
  readonly path: string;
  readonly policy: Policy;
  /** What the file must hold right before it is replaced (sha-256, hex); null: it must not be there. */
  readonly before: string | null;
  readonly after: Buffer;
  /** Make it executable for those who may read it. */
  readonly executable?: boolean;
}

export interface Target {
  readonly change: Change;
  readonly realPath: string;
  readonly base: Folder;
  /** Folders that are missing between `base` and the file. */
  readonly below: readonly string[];
  readonly name: string;
  /** null: it is to be made. */
  readonly file: Opened | null;
}

export async function findTarget(change: Change): Promise<Target> {
  const allowed = await change.policy.check(change.path);
  if (allowed.kind === null) return newTarget(change, allowed.realPath);
  const file = await openFile(change.policy, change.path);
  try {
    if (change.before === null) throw new FileChanged(change.path, "is there already");
    if (file.deleted) throw new FileChanged(change.path, "was replaced or removed");
    if (file.realPathBytes !== undefined) throw notText(change.path);
    const base = await openAllowed(change.policy, dirname(file.realPath));
    const name = basename(file.realPath);
    const target = { change, realPath: join(base.realPath, name), base, below: [], name, file };
    try {
      if (!change.policy.allowsReal(target.realPath)) throw denied(change.path);
      if (!isSame(fstatSync(file.handle.fd, { bigint: true }), entryOf(base, name))) {
        throw new FileChanged(change.path, "was replaced or removed");
      }
      return target;
    } catch (cause) {
      closeFolder(base);
      throw cause;
    }
  } catch (cause) {
    await file.handle.close();
    throw cause;
  }
}

async function newTarget(change: Change, realPath: string): Promise<Target> {
  if (change.before !== null) throw new FileChanged(change.path, "is no longer there");
  const base = await nearest(change.policy, dirname(realPath));
  try {
    // The folder may have been found elsewhere than it was looked for, if something moves links about.
    const rest = pathBelow(base.realPath, realPath);
    if (rest === null || rest === "") throw denied(change.path);
    const below = rest.split(sep);
    const name = below.pop() as string;
    const folders = below.map((_, index) => join(base.realPath, ...below.slice(0, index + 1)));
    if (!folders.every((folder) => change.policy.allowsReal(folder, "folder"))) throw denied(change.path);
    if (!change.policy.allowsReal(realPath)) throw denied(change.path);
    return { change, realPath, base, below, name, file: null };
  } catch (cause) {
    closeFolder(base);
    throw cause;
  }
}

async function nearest(policy: Policy, path: string): Promise<Folder> {
  try {
    return await openAllowed(policy, path);
  } catch (cause) {
    const missing = cause instanceof ToolError && cause.code === "PATH_NOT_FOUND";
    if (!missing || dirname(path) === path) throw cause;
    return nearest(policy, dirname(path));
  }
}

/** The folder of a target, made where it is missing. Those that were made are told one by one, parents first. */
export async function makeFolder(
  target: Target,
  made: (folder: Folder, name: string) => void,
): Promise<Folder> {
  let folder = openBelow(target.base, ".");
  for (const name of target.below) {
    const parent = folder;
    try {
      folder = await makeOne(parent, name, made);
    } finally {
      closeFolder(parent);
    }
  }
  return { ...folder, realPath: dirname(target.realPath) };
}

async function makeOne(
  parent: Folder,
  name: string,
  made: (folder: Folder, name: string) => void,
): Promise<Folder> {
  // Opened before the folder is made, so that nothing can fail between its making and the note of it.
  const own = openBelow(parent, ".");
  try {
    mkdirSync(at(parent, name));
  } catch (cause) {
    closeFolder(own);
    if (codeOf(cause) !== "EEXIST") throw cause;
    return openBelow(parent, name);
  }
  made(own, name);
  await syncFolder(parent);
  return openBelow(parent, name);
}

/** What a name in a folder is now; null: nothing. */
export function entryOf(folder: Folder, name: string): BigIntStats | null {
  try {
    return lstatSync(at(folder, name), { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    if (codeOf(cause) === "ENAMETOOLONG") return null;
    throw cause;
  }
}

export function isSame(one: BigIntStats, other: BigIntStats | null): boolean {
  return other !== null && one.ino === other.ino && one.dev === other.dev;
}

export async function closeTarget(target: Target): Promise<void> {
  closeFolder(target.base);
  await target.file?.handle.close();
}

function denied(path: string): ToolError {
  return new ToolError("PATH_DENIED", `${path} led out of the allowed folders when it was opened`, {
    hint: "Something changes its links; try again when that has ended",
  });
}

function notText(path: string): ToolError {
  return new ToolError("WRITE_FAILED", `The real name of ${path} is not UTF-8`, {
    hint: "Rename it, and repeat the call",
  });
}
