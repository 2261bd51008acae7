import { parentPort } from "node:worker_threads";
import { type Job, runJob } from "./store/jobs.ts";

/** A thread that builds: it is given jobs one after the other by `builders.ts`, and says what it wrote. */

export type Done = { readonly written: readonly string[] } | { readonly failed: string };

parentPort?.on("message", (job: Job) => {
  parentPort?.postMessage(done(job));
});

function done(job: Job): Done {
  try {
    return { written: runJob(job) };
  } catch (cause) {
    return { failed: cause instanceof Error ? cause.message : String(cause) };
  }
}
