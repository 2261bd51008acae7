/**
 * The thread in which SQLite runs: one job, one reply, then its end. Started by `run-job.ts`, which ends it when the
 * time is up, whatever SQLite is doing then.
 */
import { parentPort } from "node:worker_threads";
import { ToolError } from "../../model/errors.ts";
import { changeJob } from "./change-job.ts";
import { given, loaded } from "../../workspace/thread-side.ts";
import { toolError } from "./fault.ts";
import type { Job, Reply } from "./job.ts";
import { loadLibrary, type Library } from "./library.ts";
import { readJob } from "./read-job.ts";

const job = given() as Job;

function reply(message: Reply, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

function work(library: Library): void {
  try {
    if (job.kind === "read") {
      reply({ kind: "answer", answer: readJob(library, job) });
    } else {
      const changed = changeJob(library, job);
      reply({ kind: "changed", changed }, changed.bytes === null ? [] : [changed.bytes.buffer]);
    }
  } catch (thrown) {
    const error = toolError(thrown, job.name);
    if (!(error instanceof ToolError)) throw error;
    reply({ kind: "refused", code: error.code, message: error.message, hint: error.hint });
  }
}

const library = await loadLibrary();
loaded();
reply({ kind: "ready" });
work(library);
