import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects the garbage of this thread, once much was made of it: V8 waits for more, and an index that is asked nothing
 * makes none, so that the memory of its start would stay. Called by the thread of an index after a start and a build.
 */
export function giveBack(): void {
  // The only way to it without a flag for the whole program; the function is there in contexts made from now on.
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}
