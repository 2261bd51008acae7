import { availableParallelism } from "node:os";
import { getHeapSpaceStatistics, getHeapStatistics, type HeapSpaceInfo, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import {
  COLLECT_YOUNG,
  GIVE_BACK_QUIET,
  GIVE_BACK_SOON,
  GIVE_BACK_WORTH,
  GIVE_BACK_YOUNG,
} from "../model/limits.ts";

/**
 * Gives back the memory of this thread that nobody needs, once much was made of it: V8 waits for more, and a thread
 * that is asked nothing makes none, so that the memory of its start or of its largest question would stay. Called by
 * the threads of an index and by a server; never in the thread of whoever uses the library, whose memory is not ours.
 */

/**
 * V8 prefers little memory to few collections, and begins one as soon as it may. These are for all threads of the process:
 * they are set in one that is ours, and not for long. The first also bounds the room for young objects in threads to come,
 * until that is taken back by itself.
 */
const SAVING = ["--optimize-for-size", "--incremental-marking-hard-trigger=1"];
const AS_BEFORE = [
  "--no-optimize-for-size",
  "--incremental-marking-hard-trigger=0",
  "--max-semi-space-size=0",
];
const OURS = "quarry: the process is ours";
/** Whoever sets these wants them so. */
const OWN_FLAGS =
  /semi.space|optimize.for.size|incremental.marking|concurrent.marking|parallel.scavenge|single.threaded|interrupt.budget/;
/**
 * With fewer cores than these, threads that help V8 take them from those that answer: to collect, and to compile what
 * has run often once more. The budget is what runs before that, thirty times V8's own: a loop has soon used it up, and
 * what a few hundred calls run takes up to a third of all cores to compile.
 */
const MANY_CORES = 4;
const WITHOUT_HELPERS = ["--no-concurrent-marking", "--no-parallel-scavenge", "--interrupt-budget=2000000"];

/** Said by a program of ours before it starts a thread. */
export function processIsOurs(cores: number = availableParallelism()): void {
  const given = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ");
  const ours = !OWN_FLAGS.test(given);
  setEnvironmentData(OURS, ours);
  if (ours && cores < MANY_CORES) for (const flag of WITHOUT_HELPERS) setFlagsFromString(flag);
}

function isOurs(): boolean {
  return getEnvironmentData(OURS) === true;
}

type Collect = (kind?: { readonly type: "minor" }) => void;

let collector: Collect | null = null;

/** In a process of another's, what can be given back without its flags. */
export function giveBack(): void {
  if (!isOurs()) {
    collect();
    return;
  }
  for (const flag of SAVING) setFlagsFromString(flag);
  // One that is asked for leaves the room for young objects as large as it has become. One that V8 begins in order to
  // save memory does not: it begins behind a small one, and is ended by the next.
  if (youngRoom() > GIVE_BACK_YOUNG) collect({ type: "minor" });
  collect();
  for (const flag of AS_BEFORE) setFlagsFromString(flag);
}

/**
 * What a start has left in a process that is ours, and what was searched without an index meanwhile, as soon as there is
 * one: calls that come one right behind the other would put it off.
 */
export function giveBackBehind(started: () => Promise<void>, give: () => void = giveBack): void {
  if (isOurs()) started().then(give, () => {});
}

/** For a thread that may be ended at any time, which would leave the flags as they are then. */
export function collect(kind?: { readonly type: "minor" }): void {
  collector ??= findCollector();
  collector?.(kind);
}

/**
 * Answers with what is called when something begins, which gives what is called when it has ended. Right behind the last
 * of what goes on the young objects are collected: nearly all are garbage by then, and otherwise that falls into the
 * middle of a later answer, when more of them live. When nothing was done for a while, what it left is given back.
 */
export function givingBackWhenQuiet(
  give: () => void = giveBack,
  collectYoung: () => void = collectMostlyFull,
): () => () => void {
  let kept: Held = { heap: 0, external: 0 };
  /** V8 collects some by itself, and counts what was given back until it collects once more. */
  const lower = (): void => {
    const now = held();
    kept = { heap: Math.min(now.heap, kept.heap), external: Math.min(now.external, kept.external) };
  };
  const quiet = (): void => {
    const now = held();
    const isMuch = now.heap > kept.heap + GIVE_BACK_WORTH || now.external > kept.external + GIVE_BACK_WORTH;
    if (!isMuch) return lower();
    give();
    kept = held();
  };
  let wait = GIVE_BACK_SOON;
  const awaited = (): void => {
    wait = GIVE_BACK_QUIET;
    quiet();
  };
  const justDone = (): void => {
    collectYoung();
    lower();
  };
  let goingOn = 0;
  let behind: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  return () => {
    goingOn += 1;
    clearTimeout(behind);
    clearTimeout(later);
    return () => {
      goingOn -= 1;
      if (goingOn > 0) return;
      behind = setTimeout(justDone, COLLECT_YOUNG).unref();
      later = setTimeout(awaited, wait).unref();
    };
  };
}

/** A collection takes as long for few as for many: it is worth its time where the next answer may need the room. */
function collectMostlyFull(): void {
  const young = youngSpace();
  if (young !== undefined && young.space_used_size > young.space_available_size) collect({ type: "minor" });
}

/** The only way to it without a flag for the whole program; the function is there in contexts made from now on. */
function findCollector(): Collect | null {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  return typeof collect === "function" ? (collect as Collect) : null;
}

function youngRoom(): number {
  return youngSpace()?.physical_space_size ?? 0;
}

function youngSpace(): HeapSpaceInfo | undefined {
  return getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
}

interface Held {
  readonly heap: number;
  /** Buffers, and regex instances also when they are forgotten. */
  readonly external: number;
}

function held(): Held {
  const { total_physical_size: heap, external_memory: external } = getHeapStatistics();
  return { heap, external };
}
