/**
 * Whether somebody else is at work on a database whose file is about to be replaced. Called by write, right before.
 * A log or journal beside it holds changes that are not in the file, or undoes some that are. A process that has the
 * file open would go on writing into what is no longer there.
 * Linux tells who has what open: all processes of the same user, and locks of everybody. Who is in another container,
 * on another machine, or another user's and idle, is not seen. Elsewhere only the files beside it tell.
 */
import { type FileHandle, lstat, readdir, readFile, stat } from "node:fs/promises";
import { ToolError } from "../../model/errors.ts";

export async function refuseIfInUse(realPath: string, handle: FileHandle): Promise<void> {
  for (const suffix of ["-wal", "-journal"])
    if (await holdsSomething(`${realPath}${suffix}`))
      throw busy(realPath, `A ${suffix} file stands beside it`);
  if (process.platform !== "linux") {
    // Shared memory is there as long as somebody has a database in WAL mode open.
    if (await holdsSomething(`${realPath}-shm`)) throw busy(realPath, "A -shm file stands beside it");
    return;
  }
  const file = await handle.stat({ bigint: true });
  if (await isLocked(file)) throw busy(realPath, "A process holds a lock on it");
  const holder = await holderOf(file, handle.fd);
  if (holder !== null) throw busy(realPath, `Process ${holder} has it open`);
}

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A journal that is kept between transactions may be empty; what is no file at all is not ours to judge. */
async function holdsSomething(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && !(found.isFile() && found.size === 0);
}

/** `/proc/locks` names device and inode of every lock: `1: POSIX  ADVISORY  READ 4711 08:02:1234 0 EOF`. */
async function isLocked(file: Identity): Promise<boolean> {
  const locks = await readFile("/proc/locks", "utf8").catch(() => "");
  const wanted = `${hex(major(file.dev))}:${hex(minor(file.dev))}:${file.ino}`;
  return locks.split("\n").some((line) => line.split(/\s+/).includes(wanted));
}

function hex(number: bigint): string {
  return number.toString(16).padStart(2, "0");
}

/** As glibc packs the two numbers of a device. */
function major(dev: bigint): bigint {
  return ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
}

function minor(dev: bigint): bigint {
  return (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
}

/** The id of a process that has it open; null when none is seen. */
async function holderOf(file: Identity, own: number): Promise<string | null> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of ids) if (await hasOpen(id, file, own)) return id;
  return null;
}

async function hasOpen(id: string, file: Identity, own: number): Promise<boolean> {
  const descriptors = await readdir(`/proc/${id}/fd`).catch(() => []);
  for (const descriptor of descriptors) {
    if (id === String(process.pid) && (Number(descriptor) === own || (await readsOnly(descriptor)))) continue;
    const open = await stat(`/proc/${id}/fd/${descriptor}`, { bigint: true }).catch(() => null);
    if (open !== null && open.ino === file.ino && open.dev === file.dev) return true;
  }
  return false;
}

/** Descriptors of our own process that cannot write lose nothing: another read of this session has one too. */
async function readsOnly(descriptor: string): Promise<boolean> {
  const info = await readFile(`/proc/self/fdinfo/${descriptor}`, "utf8").catch(() => "");
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) === 0;
}

function busy(path: string, why: string): ToolError {
  return new ToolError("DATABASE_BUSY", `${path} is in use: ${why.charAt(0).toLowerCase()}${why.slice(1)}`, {
    hint: "Close the program that has it open, so that it puts its changes into the file, then write again",
  });
}
