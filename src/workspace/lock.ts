/**
 * One process at a time in a named session: two calls that both load, mint tags and save would lose one's tags.
 * A lock is a file with its owner's process id; that of a dead process is taken over. Used by `session.ts`.
 */
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../model/errors.ts";
import { codeOf } from "./real-path.ts";

export type Unlock = () => Promise<void>;

/** Waits for the lock of a folder and gives back the way to let go of it. Throws SESSION_BUSY. */
export async function lockFolder(folder: string, waitMs: number): Promise<Unlock> {
  const end = performance.now() + waitMs;
  for (;;) {
    const unlock = await tryLock(folder);
    if (unlock !== null) return unlock;
    if (performance.now() > end) throw busy(folder, await lockOwner(folder));
    await sleep(20);
  }
}

/** The lock of a folder, or null where a live process has it. */
export async function tryLock(folder: string): Promise<Unlock | null> {
  const lock = lockOf(folder);
  const mine = `${lock}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(mine, String(process.pid), { mode: 0o600, flag: "wx" });
  try {
    while (!(await taken(mine, lock))) {
      const owner = await ownerOf(lock);
      if (owner === null || isAlive(owner)) return null;
      await takeAway(lock, mine, owner);
    }
    return () => rm(lock, { force: true });
  } finally {
    await rm(mine, { force: true });
  }
}

/** The process that has the lock of a folder, dead or alive; null: none has. */
export function lockOwner(folder: string): Promise<number | null> {
  return ownerOf(lockOf(folder));
}

function lockOf(folder: string): string {
  return join(folder, "lock");
}

/** A link is made whole or not at all: nobody reads a lock without an owner. */
async function taken(mine: string, lock: string): Promise<boolean> {
  try {
    await link(mine, lock);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** Moves a dead owner's lock aside, and back if somebody was faster and it is a live one's by now. */
async function takeAway(lock: string, mine: string, owner: number): Promise<void> {
  const aside = `${mine}.aside`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if ((await ownerOf(aside)) !== owner) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

async function ownerOf(lock: string): Promise<number | null> {
  const text = await readFile(lock, "utf8").catch(() => "");
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** A process of another user is alive too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === "EPERM";
  }
}

function busy(folder: string, owner: number | null): ToolError {
  const who = owner === null ? "another process" : `process ${owner}`;
  return new ToolError("SESSION_BUSY", `The session in ${folder} is held by ${who}`, {
    hint: "Wait for it to end, or use another session name",
  });
}
