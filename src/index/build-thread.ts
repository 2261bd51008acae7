import { parentPort } from "node:worker_threads";
import { loaded } from "../workspace/thread-side.ts";
import { type Job, runJob } from "./store/jobs.ts";
import { Damaged } from "./store/pages.ts";

/** A thread that builds: it is given jobs one after the other by `builders.ts`, and says what it wrote. */

export type Done =
  | { readonly written: readonly string[] }
  /** `damaged`: the segment that could not be read, as the job named it. */
  | { readonly failed: string; readonly damaged: string | null };

loaded();
parentPort?.on("message", (job: Job) => {
  parentPort?.postMessage(done(job));
});

function done(job: Job): Done {
  try {
    return { written: runJob(job) };
  } catch (cause) {
    const damaged = cause instanceof Damaged ? cause.path : null;
    return { failed: cause instanceof Error ? cause.message : String(cause), damaged };
  }
}
