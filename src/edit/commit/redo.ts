/**
 * Finishes a step of a commit whose process died after the commit point; doing it twice does no harm. A file that
 * somebody else has changed since is not touched: the new bytes are rescued, and the answer says where.
 * Called by `recover.ts`.
 */
import { closeSync, ftruncateSync, linkSync, renameSync } from "node:fs";
import { readAll, sha256, syncAll, writeAll } from "./bytes.ts";
import { restoreMode } from "./apply.ts";
import { bytesOf, entryHash, removeEntry } from "./entry.ts";
import { at, type Folder, syncFolder } from "./folder.ts";
import { rescue } from "./rescue.ts";
import { entryOf, isSame } from "./target.ts";
import { dropKept, type Ground, isVersion } from "./undo.ts";

/** Words about what could not be done; null: the file is the new one. */
export async function redoStep(ground: Ground): Promise<string | null> {
  return ground.step.way === "in place" ? redoInPlace(ground) : redoMove(ground);
}

/** A staged file that is still there has not taken its place yet, or is a second name of what has. */
async function redoMove(ground: Ground): Promise<string | null> {
  const { folder, step } = ground;
  const staged = entryOf(folder, step.staged);
  const done = staged === null || isSame(staged, entryOf(folder, step.name));
  const words = done ? null : await moveIn(ground);
  const late = await lateWrite(ground);
  for (const name of [step.staged, step.kept]) removeEntry(folder, name);
  await syncFolder(folder);
  return [words, late].filter((said) => said !== null).join("; ") || null;
}

async function moveIn(ground: Ground): Promise<string | null> {
  const { env, folder, step } = ground;
  const bytes = await bytesOf(folder, step.staged);
  if (bytes === null || sha256(bytes) !== step.after)
    return `The new ${step.name} is damaged and was not used`;
  if (step.way === "create" && linkFree(folder, step.staged, step.name)) return null;
  const there = await entryHash(folder, step.name);
  if (there === step.after) return null;
  if (there !== null && there === step.before) {
    renameSync(at(folder, step.staged), at(folder, step.name));
    return null;
  }
  return `${step.name} was changed by somebody else; the bytes it was to hold are in ${await rescue(env, step.name, bytes)}`;
}

function linkFree(folder: Folder, from: string, to: string): boolean {
  if (entryOf(folder, to) !== null) return false;
  try {
    linkSync(at(folder, from), at(folder, to));
  } catch {
    if (entryOf(folder, to) !== null) return false;
    renameSync(at(folder, from), at(folder, to));
  }
  return true;
}

/** Somebody wrote to the old file after the last look, and the process died before it could look again. */
export async function lateWrite(ground: Ground): Promise<string | null> {
  const { folder, step } = ground;
  const kept = entryOf(folder, step.kept);
  if (kept === null || isSame(kept, entryOf(folder, step.name))) return null;
  if ((await entryHash(folder, step.kept)) === step.before) return null;
  return (await dropKept(ground, "has its new bytes")).said;
}

async function redoInPlace({ env, step, stretch, open }: Ground): Promise<string | null> {
  if (stretch === null) return `The bytes for ${step.name} are damaged and were not used`;
  const entry = open();
  const content = entry === null ? null : await readAll(entry.fd, Number(entry.stat.size));
  try {
    if (entry === null || content === null || !isVersion(content, step, stretch)) {
      const path = await rescue(env, `${step.name}.part`, stretch.new);
      return `${step.name} was changed by somebody else; the bytes it was to hold from byte ${stretch.offset} on are in ${path}`;
    }
    if (sha256(content) !== step.after) {
      await writeAll(entry.fd, stretch.new, stretch.offset);
      if (content.length > step.sizes.after) ftruncateSync(entry.fd, step.sizes.after);
    }
    restoreMode(entry.fd, step.mode);
    await syncAll(entry.fd);
    return null;
  } finally {
    if (entry !== null) closeSync(entry.fd);
  }
}
