import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GIVE_BACK_QUIET, GIVE_BACK_SOON, GIVE_BACK_WORTH, GIVE_BACK_YOUNG } from "../model/limits.ts";

/**
 * Gives back the memory of this thread that nobody needs, once much was made of it: V8 waits for more, and a thread
 * that is asked nothing makes none, so that the memory of its start or of its largest question would stay. Called by
 * the threads of an index and by a server; never in the thread of whoever uses the library, whose memory is not ours.
 */

/** V8 prefers little memory to few collections, and begins one as soon as it may. For all threads, hence not for long. */
const SAVING = ["--optimize-for-size", "--incremental-marking-hard-trigger=1"];
const AS_BEFORE = ["--no-optimize-for-size", "--incremental-marking-hard-trigger=0"];

type Collect = (kind?: { readonly type: "minor" }) => void;

let collector: Collect | null = null;

export function giveBack(): void {
  collector ??= findCollector();
  if (collector === null) return;
  for (const flag of SAVING) setFlagsFromString(flag);
  // One that is asked for leaves the room for young objects as large as it has become. One that V8 begins in order to
  // save memory does not: it begins behind a small one, and is ended by the next.
  if (youngRoom() > GIVE_BACK_YOUNG) collector({ type: "minor" });
  collector();
  for (const flag of AS_BEFORE) setFlagsFromString(flag);
}

/** Answers with what is called whenever something was done: when nothing was for a while, what it left is given back. */
export function givingBackWhenQuiet(collect: () => void = giveBack): () => void {
  let kept: Held = { heap: 0, external: 0 };
  const quiet = (): void => {
    const now = held();
    const isMuch = now.heap > kept.heap + GIVE_BACK_WORTH || now.external > kept.external + GIVE_BACK_WORTH;
    if (isMuch) collect();
    // V8 has collected some by itself, it may be.
    kept = isMuch
      ? held()
      : { heap: Math.min(now.heap, kept.heap), external: Math.min(now.external, kept.external) };
  };
  let timer: NodeJS.Timeout | null = null;
  let wait = GIVE_BACK_SOON;
  const awaited = (): void => {
    wait = GIVE_BACK_QUIET;
    timer = null;
    quiet();
  };
  return () => {
    timer = timer?.refresh() ?? setTimeout(awaited, wait).unref();
  };
}

/** The only way to it without a flag for the whole program; the function is there in contexts made from now on. */
function findCollector(): Collect | null {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  return typeof collect === "function" ? (collect as Collect) : null;
}

function youngRoom(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.physical_space_size ?? 0;
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
