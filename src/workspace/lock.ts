/**
 * One process at a time in a folder: two that both load, change and save would lose what one of them saved. A lock is a
 * file that names its owner, and itself; that of a process that has ended is taken over. Used by `session.ts` for a named session and by `index/segments.ts` for the saved index of a tree.
 */
import { readFileSync, statSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../model/errors.ts";
import { hasEnded, isAlive, ownerName, readOwner, thisProcess } from "./owner.ts";
import { codeOf } from "./real-path.ts";

export interface Lock {
  /** Whether it still is ours: whoever could not see this process may have taken it over, or removed the folder. */
  readonly isHeld: () => boolean;
  readonly release: () => Promise<void>;
}

/** Waits for the lock of a folder. Throws SESSION_BUSY. */
export async function lockFolder(folder: string, waitMs: number): Promise<Lock> {
  const end = performance.now() + waitMs;
  for (;;) {
    const lock = await tryLock(folder);
    if (lock !== null) return lock;
    if (performance.now() > end) throw busy(folder, lockOwner(folder));
    await sleep(20);
  }
}

/** The lock of a folder, or null where a live process has it. */
export async function tryLock(folder: string): Promise<Lock | null> {
  const lock = join(folder, NAME);
  const own = Math.random().toString(36).slice(2);
  const text = `${ownerName(thisProcess())} ${own}`;
  const mine = `${lock}.${process.pid}.${own}`;
  try {
    await writeFile(mine, text, { mode: 0o600, flag: "wx" });
    while (!(await taken(mine, lock))) {
      const found = await readFile(lock, "utf8").catch(() => null);
      if (found !== null && isLive(found, lock)) return null;
      if (found !== null) await takeAway(lock, mine, found);
    }
  } finally {
    await rm(mine, { force: true });
  }
  const isHeld = (): boolean => textOf(lock) === text;
  return { isHeld, release: async () => (isHeld() ? rm(lock, { force: true }) : undefined) };
}

/** The live process that has the lock of a folder; null: none has. */
export function lockOwner(folder: string): number | null {
  const lock = join(folder, NAME);
  const text = textOf(lock);
  if (text === null || !isLive(text, lock)) return null;
  return readOwner(text.split(" ")[0] ?? "")?.pid ?? Number(text);
}

const NAME = "lock";

/** Whether a name is that of a lock which a process was about to take, or to take away, when it ended. */
export function isAbandoned(name: string): boolean {
  const owner = /^lock\.(\d+)\./.exec(name)?.[1];
  return owner !== undefined && !isAlive(Number(owner));
}

/** A link is made whole or not at all: nobody reads a lock without an owner, but for one that a crash of the system cut. */
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
async function takeAway(lock: string, mine: string, dead: string): Promise<void> {
  const aside = `${mine}.aside`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if (textOf(aside) !== dead) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

/** By its owner, and of one that cannot be looked at from here by its age. */
function isLive(text: string, lock: string): boolean {
  const [name = ""] = text.split(" ");
  if (/^[1-9]\d*$/.test(name)) return isAlive(Number(name));
  const owner = readOwner(name);
  return owner !== null && !hasEnded(owner, ageOf(lock));
}

function ageOf(path: string): number {
  const info = statSync(path, { throwIfNoEntry: false });
  return info === undefined ? 0 : Date.now() - info.mtimeMs;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function busy(folder: string, owner: number | null): ToolError {
  const who = owner === null ? "another process" : `process ${owner}`;
  return new ToolError("SESSION_BUSY", `The session in ${folder} is held by ${who}`, {
    hint: "Wait for it to end, or use another session name",
  });
}
