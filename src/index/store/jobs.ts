import { rmSync } from "node:fs";
import type { PathKey } from "../path-key.ts";
import { mergeSegments } from "./merge.ts";
import { takeTogether } from "./own-memory.ts";
import { type RunBuilder, runBuilder } from "./run-builder.ts";
import { openSegment } from "./segment.ts";

/** The work of a build as data, so that a thread can do it (`build-thread.ts`). */

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

/** The segments that were written. */
export function runJob(job: Job): readonly string[] {
  return job.kind === "build" ? build(job) : merge(job);
}

function build({ root, keys, path }: Extract<Job, { kind: "build" }>): readonly string[] {
  let parts = 0;
  const nameOf = (part: number): string => `${path}-${part}`;
  const builder: RunBuilder = runBuilder(root, () => nameOf(parts++));
  try {
    for (const key of keys) builder.add(key);
    return builder.finish();
  } catch (cause) {
    for (let part = 0; part < parts; part++) rmSync(nameOf(part), { force: true });
    throw cause;
  }
}

function merge({ segments, kept, path }: Extract<Job, { kind: "merge" }>): readonly string[] {
  const take = takeTogether();
  const open = segments.map((path) => openSegment(path, take));
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
