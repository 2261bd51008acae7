import { setImmediate } from "node:timers/promises";
import { TURN } from "../model/limits.ts";
import { aborted } from "../ripgrep/child.ts";

/** Lets the event loop have its turn where it has waited long, over all texts, and ends what was aborted. */
export function turns(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > TURN) {
      await setImmediate();
      since = performance.now();
    }
    if (signal?.aborted) throw aborted(signal);
  };
}
