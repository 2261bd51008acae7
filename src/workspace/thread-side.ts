import { workerData } from "node:worker_threads";
import type { Handed } from "./thread.ts";

/** A thread's side of `thread.ts`. */

/** What the one who started this thread gave it. */
export function given(): unknown {
  return (workerData as Handed).given;
}

/** Said by every thread when all that it needs is loaded. By a message: the port would be closed only after this turn. */
export function loaded(): void {
  (workerData as Handed).loading.postMessage(null);
}
