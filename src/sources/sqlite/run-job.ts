/**
 * Runs one job in a thread of its own and waits for its reply. Called by `readDatabase` and `changeRow`.
 * The thread has ended when this returns, so that whoever opened the descriptors may close them.
 */
import type { Worker } from "node:worker_threads";
import { ToolError } from "../../model/errors.ts";
import { SQL_GRACE, SQL_TIME } from "../../model/limits.ts";
import { endThread, startThread } from "../../workspace/thread.ts";
import { timedOut } from "./fault.ts";
import type { Job, Reply } from "./job.ts";

type Outcome = Exclude<Reply, { kind: "ready" | "refused" }>;

export async function runJob(job: Job, signal: AbortSignal | undefined): Promise<Outcome> {
  if (signal?.aborted === true) throw aborted();
  const worker = startWorker(job);
  try {
    const reply = await outcome(worker, job, signal);
    if (reply.kind === "refused")
      throw new ToolError(reply.code, reply.message, reply.hint === undefined ? {} : { hint: reply.hint });
    return reply;
  } finally {
    await endThread(worker);
  }
}

function outcome(
  worker: Worker,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<Exclude<Reply, { kind: "ready" }>> {
  return new Promise((resolve, reject) => {
    let clock: NodeJS.Timeout | undefined;
    const abort = (): void => settle(() => reject(aborted()));
    const settle = (how: () => void): void => {
      clearTimeout(clock);
      signal?.removeEventListener("abort", abort);
      how();
    };
    signal?.addEventListener("abort", abort);
    worker.on("message", (reply: Reply) => {
      if (reply.kind === "ready")
        clock = setTimeout(() => settle(() => reject(timedOut(job.name))), SQL_TIME + SQL_GRACE);
      else settle(() => resolve(reply));
    });
    worker.on("error", (cause) => settle(() => reject(broken(job.name, cause))));
    worker.on("exit", () => settle(() => reject(broken(job.name, undefined))));
  });
}

/** SQLite fell over the content: in its own memory and thread, so nothing else did. */
function broken(name: string, cause: unknown): ToolError {
  return new ToolError("DATABASE_INVALID", `SQLite could not deal with ${name}`, {
    hint: "It is damaged, or needs more memory than it may have",
    cause,
  });
}

function aborted(): ToolError {
  return new ToolError("ABORTED", "The call was cancelled");
}

function startWorker(job: Job): Worker {
  return startThread(import.meta.url, "worker", {
    given: job,
    moved: job.kind === "change" ? [job.bytes.buffer] : [],
  });
}
