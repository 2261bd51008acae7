import { parentPort } from "node:worker_threads";
import { mergeSegments } from "./store/merge.ts";
import type { PathKey } from "./path-key.ts";
import { type RunBuilder, runBuilder } from "./store/run-builder.ts";
import { openSegment } from "./store/segment.ts";

/** A thread that builds: it is given jobs one after the other by `builders.ts`, and says what it wrote. */

export type Job =
  | {
      readonly kind: "build";
      readonly root: string;
      readonly keys: readonly PathKey[];
      readonly path: string;
    }
  /** `kept`: by segment, the numbers of the files that are kept; null for all. */
  | {
      readonly kind: "merge";
      readonly segments: readonly string[];
      readonly kept: readonly (readonly number[] | null)[];
      readonly path: string;
    };

export type Done = { readonly written: readonly string[] } | { readonly failed: string };

parentPort?.on("message", (job: Job) => {
  parentPort?.postMessage(run(job));
});

function run(job: Job): Done {
  try {
    return { written: job.kind === "build" ? build(job) : merge(job) };
  } catch (cause) {
    return { failed: cause instanceof Error ? cause.message : String(cause) };
  }
}

function build({ root, keys, path }: Extract<Job, { kind: "build" }>): readonly string[] {
  let parts = 0;
  const builder: RunBuilder = runBuilder(root, () => `${path}-${parts++}`);
  for (const key of keys) builder.add(key);
  return builder.finish();
}

function merge({ segments, kept, path }: Extract<Job, { kind: "merge" }>): readonly string[] {
  const open = segments.map(openSegment);
  try {
    mergeSegments(
      open.map((segment, at) => {
        const only = kept[at] ?? null;
        const set = only === null ? null : new Set(only);
        return { segment, keep: (doc) => set === null || set.has(doc) };
      }),
      path,
    );
    return [path];
  } finally {
    for (const segment of open) segment.close();
  }
}
