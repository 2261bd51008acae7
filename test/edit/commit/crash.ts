/**
 * Kills a commit of three files at a system call of its choice, or makes that call fail, with strace; then recovers
 * and says what the files are. strace counts calls per thread and per name, so it is put on one thread at a time:
 * the main one, or the only one of the pool.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { recoverJournals } from "../../../src/edit/commit/recover.ts";
import { leftovers } from "./ground.ts";

const CHILD = fileURLToPath(new URL("crash-child.mjs", import.meta.url));
const BUILD = fileURLToPath(new URL("../../../dist/edit/commit/commit.js", import.meta.url));

/** Why it cannot be run here, or null. */
export function cannotCrash(): string | null {
  if (process.platform !== "linux") return "not Linux";
  if (!existsSync(BUILD)) return "no build";
  return spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0 ? null : "no strace that may trace";
}

/** Which thread, which call, which one of them, and what happens there. */
export interface Fault {
  readonly thread: Thread;
  readonly call: string;
  readonly nth: number;
  readonly inject: "signal=KILL" | `error=${string}`;
}

export type Thread = "main" | "pool";

export interface Outcome {
  /** What the child said before it ended, if it came to that. */
  readonly said: string | null;
  /** "all old", "all new", or what they are. */
  readonly files: string;
  readonly left: readonly string[];
  readonly words: readonly string[];
}

const OLD = { "a.txt": "A old\n", "b.txt": "B old\n" };
const NEW = { "a.txt": "A new\n", "b.txt": "B is new, and longer\n", "made/c.txt": "C new\n" };

interface Run {
  readonly root: string;
  readonly cache: string;
  readonly child: ChildProcess;
  readonly output: () => string;
}

async function start(): Promise<Run> {
  const root = mkdtempSync(join(tmpdir(), "quarry-crash-"));
  const cache = mkdtempSync(join(tmpdir(), "quarry-crash-cache-"));
  for (const folder of ["warm", "work"]) {
    mkdirSync(join(root, folder));
    for (const [name, text] of Object.entries(OLD)) writeFileSync(join(root, folder, name), text);
    linkSync(join(root, folder, "b.txt"), join(root, folder, "b2.txt"));
    // Not changed a moment ago: the ordinary case.
    execFileSync("touch", ["-d", "1 hour ago", ...Object.keys(OLD).map((name) => join(root, folder, name))]);
  }
  const child = spawn(process.execPath, ["--single-threaded-gc", CHILD, root, cache], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
  });
  let text = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(`The child ended early: ${text}`)));
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.startsWith("ready\n")) resolve();
    });
  });
  return { root, cache, child, output: () => text.slice("ready\n".length).trim() };
}

function remove({ root, cache }: Run): void {
  for (const folder of [root, cache]) rmSync(folder, { recursive: true, force: true });
}

/** The thread of the pool is the one that waits without having a part in V8: found by what it does in `record`. */
function threadId(run: Run, thread: Thread, poolRank: number): number {
  const pid = run.child.pid as number;
  if (thread === "main") return pid;
  const ids = readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .toSorted((a, b) => a - b);
  return ids[poolRank] as number;
}

/**
 * Lets the child go and waits for its end and strace's. A failed write may also be one with which libuv wakes its
 * other thread, and then nobody ever wakes it: such a child is killed.
 */
async function finish(run: Run, tracer: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => run.child.once("close", resolve));
  const traced = new Promise((resolve) => tracer.once("close", resolve));
  const clock = setTimeout(() => run.child.kill("SIGKILL"), HANGS);
  run.child.stdin?.write("go\n");
  await ended;
  await traced;
  clearTimeout(clock);
}

/** Milliseconds: far more than a commit takes on a busy machine. */
const HANGS = 15_000;

async function trace(target: number | "all", run: Run, options: readonly string[]): Promise<ChildProcess> {
  const who = target === "all" ? ["-f", "-p", String(run.child.pid)] : ["-p", String(target)];
  const tracer = spawn("strace", [...options, ...who], { stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    let text = "";
    tracer.stderr?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.includes("attached")) resolve();
    });
    tracer.once("close", () => reject(new Error(`strace did not attach: ${text}`)));
  });
  return tracer;
}

export interface Recorded {
  /** The place of the pool's thread among all, by age. */
  readonly poolRank: number;
  /** How often each thread made each call. */
  readonly calls: Readonly<Record<Thread, Readonly<Record<string, number>>>>;
}

/** One whole commit, watched. */
export async function record(): Promise<Recorded> {
  const run = await start();
  try {
    const pid = run.child.pid as number;
    const ids = readdirSync(`/proc/${pid}/task`)
      .map(Number)
      .toSorted((a, b) => a - b);
    const log = join(run.cache, "trace");
    const tracer = await trace("all", run, ["-o", log]);
    await finish(run, tracer);
    const lines = readFileSync(log, "utf8").split("\n");
    const made = lines.map((line) => /^(\d+)\s+([a-z_0-9]+)\(/.exec(line)).filter((found) => found !== null);
    const pool = ids.find(
      (id) => id !== pid && made.some(([, tid, call]) => Number(tid) === id && call === "fdatasync"),
    );
    if (pool === undefined) throw new Error("No thread of the pool was seen");
    const count = (id: number): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const [, tid, call] of made)
        if (Number(tid) === id) counts[call as string] = (counts[call as string] ?? 0) + 1;
      return counts;
    };
    return { poolRank: ids.indexOf(pool), calls: { main: count(pid), pool: count(pool) } };
  } finally {
    remove(run);
  }
}

/** What becomes of the three files when that happens. */
export async function crash({ thread, call, nth, inject }: Fault, { poolRank }: Recorded): Promise<Outcome> {
  const run = await start();
  try {
    const id = threadId(run, thread, poolRank);
    const tracer = await trace(id, run, [
      "-o",
      "/dev/null",
      "-e",
      `trace=${call}`,
      "-e",
      `inject=${call}:${inject}:when=${nth}`,
    ]);
    await finish(run, tracer);
    const env = { QUARRY_CACHE_DIR: run.cache };
    const words = await recoverJournals(env);
    const root = join(run.root, "work");
    return { said: run.output() || null, files: judge(root), left: leftovers({ root, env }), words };
  } finally {
    run.child.kill("SIGKILL");
    remove(run);
  }
}

export interface Meddled {
  readonly said: string | null;
  /** a.txt, b.txt, b2.txt, made/c.txt. */
  readonly files: readonly (string | null)[];
  readonly left: readonly string[];
}

/** Holds the commit up before a call of the main thread, and lets an outside writer at its files meanwhile. */
export async function meddle(call: string, nth: number, act: (folder: string) => void): Promise<Meddled> {
  const run = await start();
  try {
    const inject = `inject=${call}:delay_enter=${HELD_UP}:when=${nth}`;
    const options = ["-o", "/dev/null", "-e", `trace=${call}`, "-e", inject];
    const tracer = await trace(run.child.pid as number, run, options);
    const root = join(run.root, "work");
    const journal = join(run.cache, "journal");
    const ended = finish(run, tracer);
    while (!readdirSync(journal).some((name) => name.endsWith(".commit"))) await sleep(1);
    await sleep(HELD_UP / 4000);
    act(root);
    await ended;
    const env = { QUARRY_CACHE_DIR: run.cache };
    return { said: run.output() || null, files: textsOf(root), left: leftovers({ root, env }) };
  } finally {
    run.child.kill("SIGKILL");
    remove(run);
  }
}

/** Microseconds. */
const HELD_UP = 1_000_000;

function textsOf(root: string): (string | null)[] {
  const there = (name: string): string | null =>
    existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : null;
  return ["a.txt", "b.txt", "b2.txt", "made/c.txt"].map(there);
}

function judge(root: string): string {
  const files = textsOf(root);
  const names = readdirSync(root).toSorted().join(" ");
  const old = [OLD["a.txt"], OLD["b.txt"], OLD["b.txt"], null];
  const fresh = [NEW["a.txt"], NEW["b.txt"], NEW["b.txt"], NEW["made/c.txt"]];
  const same = (wanted: readonly (string | null)[]): boolean =>
    wanted.every((text, index) => text === files[index]);
  if (same(old) && names === "a.txt b.txt b2.txt") return "all old";
  if (same(fresh) && names === "a.txt b.txt b2.txt made") return "all new";
  return JSON.stringify({ files, names });
}
