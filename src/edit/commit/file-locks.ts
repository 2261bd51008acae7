/**
 * Writes are exclusive per file, in this process and between processes of the same user. A lock is a file in the
 * cache that names its owner; the lock of a process that has ended is taken over. Used by `commit.ts`, `recover.ts`
 * and by tools around "read, merge, commit". Calls may nest: what is held already is not waited for.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import { link, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../model/errors.ts";
import { FILE_LOCK_PAUSE, FILE_LOCK_WAIT } from "../../model/limits.ts";
import { cacheFolder, type Environment, preparePrivateFolder } from "../../workspace/cache.ts";
import { codeOf } from "../../workspace/real-path.ts";
import { writeFault } from "./changed.ts";
import { hasEnded, ownerName, readOwner, thisProcess } from "../../workspace/owner.ts";

/** The names whose locks the running call holds. */
const held = new AsyncLocalStorage<ReadonlySet<string>>();
/** What calls of this process wait for: the last one that asked for a name. */
const queues = new Map<string, { readonly over: Promise<unknown> }>();

export interface LockGround {
  readonly env: Environment;
  /** Ends the waiting, not the work. */
  readonly signal?: AbortSignal | undefined;
}

/** Real paths, or other names that all agree on. Sorted, so that two calls never wait for each other. */
export async function withFiles<T>(
  names: readonly string[],
  { env, signal }: LockGround,
  work: () => Promise<T>,
  waitMs: number = FILE_LOCK_WAIT,
): Promise<T> {
  const outer = held.getStore() ?? new Set();
  const wanted = [...new Set(names)].filter((name) => !outer.has(name)).toSorted();
  if (wanted.length === 0) return work();
  const end = performance.now() + waitMs;
  const freed: (() => Promise<void> | void)[] = [];
  try {
    for (const name of wanted) freed.push(await turn(name, end, signal));
    freed.push(await lockAll(wanted, env, end, signal));
    return await held.run(new Set([...outer, ...wanted]), work);
  } finally {
    for (const free of freed.toReversed()) await free();
  }
}

/** Waits for the calls of this process that came before. */
async function turn(name: string, end: number, signal: AbortSignal | undefined): Promise<() => void> {
  const before = queues.get(name)?.over ?? Promise.resolve();
  let letGo: () => void = () => {};
  const own = new Promise<void>((resolve) => (letGo = resolve));
  // Who comes after waits for both, also when we give up.
  const mine = { over: Promise.all([before, own]) };
  queues.set(name, mine);
  const free = (): void => {
    letGo();
    void mine.over.finally(() => queues.get(name) === mine && queues.delete(name));
  };
  const clock = new AbortController();
  const late = sleep(Math.max(0, end - performance.now()), "late", { signal: clock.signal }).catch(() => "");
  const stop = (): void => clock.abort();
  signal?.addEventListener("abort", stop);
  const first = await Promise.race([before, late]);
  signal?.removeEventListener("abort", stop);
  clock.abort();
  if (first !== "late" && signal?.aborted !== true) return free;
  free();
  throw signal?.aborted === true ? aborted(signal) : busy(name);
}

async function lockAll(
  names: readonly string[],
  env: Environment,
  end: number,
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  const folder = lockFolder(env);
  const mine = ownerFile(folder);
  const locks: string[] = [];
  const free = async (): Promise<void> => {
    // One that cannot be removed is taken over when this process has ended.
    for (const lock of locks) await rm(lock, { force: true }).catch(() => {});
  };
  try {
    await preparePrivateFolder(folder);
    await sign(mine);
    for (const name of names) {
      const lock = join(folder, `${keyOf(name)}.lock`);
      while (!(await taken(mine, lock))) {
        if (await removeDead(lock, mine)) continue;
        if (signal?.aborted === true) throw aborted(signal);
        if (performance.now() > end) throw busy(name);
        await sleep(FILE_LOCK_PAUSE);
      }
      locks.push(lock);
    }
    return free;
  } catch (cause) {
    await free();
    throw writeFault("The lock in the cache", cause);
  } finally {
    await rm(mine, { force: true }).catch(() => {});
  }
}

function lockFolder(env: Environment): string {
  return join(cacheFolder(env), "locks");
}

/** Locks are links to this; its name tells whose it is. */
function ownerFile(folder: string): string {
  return join(folder, `${ownerName(thisProcess())}.${randomBytes(8).toString("hex")}.owner`);
}

/** The last part tells one call's locks from all others. */
async function sign(mine: string): Promise<void> {
  const [owner, nonce] = basename(mine).split(".");
  await writeFile(mine, `${owner} ${nonce}`, { mode: 0o600, flag: "wx" });
}

/** Removes the locks of processes that have ended. Called when a session opens; nothing to do costs one listing. */
export async function sweepLocks(env: Environment): Promise<void> {
  const folder = lockFolder(env);
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const mine = ownerFile(folder);
  try {
    await sign(mine);
    for (const name of names) {
      const path = join(folder, name);
      if (!name.endsWith(".owner")) await removeDead(path, mine);
      else if (await isLeft(path)) await rm(path, { force: true });
    }
  } finally {
    await rm(mine, { force: true });
  }
}

/** Whether an owner file's process has ended, by its name: it may have died before it wrote into it. */
async function isLeft(path: string): Promise<boolean> {
  const owner = readOwner(basename(path).split(".")[0] ?? "");
  const info = await stat(path).catch(() => null);
  return owner !== null && info !== null && hasEnded(owner, Date.now() - info.mtimeMs);
}

function keyOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 40);
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

/**
 * Removes the lock of a process that has ended; whether there was one. Only the holder of a guard, named after that
 * very lock, may do so: otherwise two that saw it dead could remove each other's new one. A guard is a lock itself.
 */
async function removeDead(lock: string, mine: string): Promise<boolean> {
  const dead = await deadOwner(lock);
  if (dead === null) return false;
  const guard = `${lock}.${dead}`;
  if (!(await taken(mine, guard))) return removeDead(guard, mine);
  try {
    if ((await deadOwner(lock)) === dead) await rm(lock, { force: true });
    return true;
  } finally {
    await rm(guard, { force: true });
  }
}

/** The word that tells this lock from all others, if its owner has ended. */
async function deadOwner(lock: string): Promise<string | null> {
  try {
    const [name = "", nonce = ""] = (await readFile(lock, "utf8")).split(" ");
    const age = Date.now() - (await stat(lock)).mtimeMs;
    // What is no lock of ours can only be left over from a crash of the machine.
    const owner = readOwner(name) ?? { place: "", boot: "", pid: 0, start: "" };
    if (!hasEnded(owner, age)) return null;
    return /^[0-9a-f]{16}$/.test(nonce) ? nonce : "unreadable";
  } catch {
    return null;
  }
}

function aborted(signal: AbortSignal): ToolError {
  return new ToolError("ABORTED", "The call was aborted", { cause: signal.reason });
}

function busy(name: string): ToolError {
  return new ToolError("WRITE_FAILED", `${name} is being written by another call or process`, {
    hint: "Try again when that has ended",
  });
}
