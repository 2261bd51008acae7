/**
 * Whether some process has a file open for writing (Linux; elsewhere the answer is no). A rename leaves such a
 * process with the old file, where its next write would be lost. Looking at every process costs milliseconds, so
 * `stage.ts` and `rename.ts` ask only about files that were changed a moment ago by somebody else.
 */
import { type BigIntStats, fstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  FILE_BUSY,
  FILE_LOCK_PAUSE,
  FILE_SHARED,
  OWN_WRITES,
  WRITER_LOOK,
  WRITER_WAIT,
} from "../../model/limits.ts";

/**
 * Changed so lately that somebody may be at it, and not by us alone: who wrote to it before our last write may have
 * it open again. `path` stays the same when a rename gives the name to another file.
 */
export function looksBusy(stat: BigIntStats, path: string): boolean {
  const now = Date.now();
  if (now - Number(stat.mtimeNs / 1_000_000n) > FILE_BUSY) return false;
  if (ownWrites.get(keyOf(stat)) !== stat.mtimeNs) {
    shared.delete(path);
    remember(shared, path, now);
  }
  return now - (shared.get(path) ?? Number.NEGATIVE_INFINITY) < FILE_SHARED;
}

/** Files that others wrote to as well, and when that was seen last. */
const shared = new Map<string, number>();

/** Files that this process wrote, by device and inode, with the time that they got. */
const ownWrites = new Map<string, bigint>();

export function rememberOwn(fd: number): void {
  let stat: BigIntStats;
  try {
    stat = fstatSync(fd, { bigint: true });
  } catch {
    return;
  }
  remember(ownWrites, keyOf(stat), stat.mtimeNs);
}

/** The oldest is forgotten. */
function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.set(key, value);
  for (const oldest of known.keys()) {
    if (known.size <= OWN_WRITES) break;
    known.delete(oldest);
  }
}

function keyOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Processes of other users cannot be looked into, except by root. */
export function hasWriter({ dev, ino }: BigIntStats): boolean {
  if (process.platform !== "linux") return false;
  const end = performance.now() + WRITER_LOOK;
  for (const pid of namesIn("/proc")) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    if (performance.now() > end) return false;
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      if (isFile(`/proc/${pid}/fd/${fd}`, dev, ino) && writes(`/proc/${pid}/fdinfo/${fd}`)) return true;
    }
  }
  return false;
}

/** Waits until nobody has a file open for writing any more; false: somebody still has. */
export async function writersGone(stat: BigIntStats): Promise<boolean> {
  const end = performance.now() + WRITER_WAIT;
  while (hasWriter(stat)) {
    if (performance.now() > end) return false;
    await sleep(FILE_LOCK_PAUSE);
  }
  return true;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string, dev: bigint, ino: bigint): boolean {
  try {
    const stat = statSync(path, { bigint: true });
    return stat.ino === ino && stat.dev === dev;
  } catch {
    return false;
  }
}

/** The lowest two bits of the flags, which are octal: 0 is reading. */
function writes(info: string): boolean {
  try {
    const [, flags = "0"] = /^flags:\s+(\d+)$/m.exec(readFileSync(info, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & 3) !== 0;
  } catch {
    return false;
  }
}
