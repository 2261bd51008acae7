import type { Worker } from "node:worker_threads";
import { INDEX_BUILDERS } from "../model/limits.ts";
import type { Done } from "./build-thread.ts";
import type { Job } from "./store/jobs.ts";
import { Damaged } from "./store/pages.ts";
import { endThread, startThread } from "../workspace/thread.ts";

/** The threads that build: started for the first job, ended when there is none left. Asked by `keeper.ts`. */

export interface Builders {
  /** The segments that were written. Jobs are begun in the order they come. */
  readonly run: (job: Job) => Promise<readonly string[]>;
  /** Ends what is going on. */
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly job: Job;
  readonly done: (written: readonly string[]) => void;
  readonly failed: (cause: Error) => void;
}

function failureOf({ failed, damaged }: Extract<Done, { failed: string }>): Error {
  return damaged === null ? new Error(failed) : new Damaged(failed, damaged);
}

export function openBuilders(): Builders {
  const queue: Waiting[] = [];
  const threads = new Set<Worker>();
  let closed = false;

  const work = (thread: Worker): void => {
    const next = queue.shift();
    if (next === undefined || closed) {
      threads.delete(thread);
      void endThread(thread);
      return;
    }
    const onMessage = (done: Done): void => {
      thread.off("error", onError);
      thread.off("exit", onExit);
      if ("failed" in done) next.failed(failureOf(done));
      else next.done(done.written);
      work(thread);
    };
    const onError = (cause: Error): void => {
      thread.off("message", onMessage);
      thread.off("exit", onExit);
      threads.delete(thread);
      next.failed(cause);
      begin();
    };
    const onExit = (): void => onError(new Error("A thread that builds the index has ended"));
    thread.once("message", onMessage);
    thread.once("error", onError);
    thread.once("exit", onExit);
    thread.postMessage(next.job);
  };

  const begin = (): void => {
    if (closed) return;
    while (queue.length > 0 && threads.size < INDEX_BUILDERS) {
      const thread = startThread(import.meta.url, "build-thread", {});
      threads.add(thread);
      work(thread);
    }
  };

  return {
    run: (job) =>
      new Promise((done, failed) => {
        if (closed) {
          failed(new Error("The index is closed"));
          return;
        }
        queue.push({ job, done, failed });
        begin();
      }),
    close: async () => {
      closed = true;
      for (const { failed } of queue.splice(0)) failed(new Error("The index is closed"));
      await Promise.all([...threads].map((thread) => endThread(thread)));
    },
  };
}
