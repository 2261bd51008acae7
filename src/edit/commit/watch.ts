/**
 * Whether somebody replaced, made or removed a file between our last look and our rename, which the rename itself
 * would pass over. The kernel reports every change of a name in a folder, in order, and ours is known by the name
 * that the staged file loses. Linux; where watching is not possible nothing is seen. Called by `commit.ts`.
 */
import { type FSWatcher, watch } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { Folder } from "./folder.ts";

export interface NameWatch {
  /** Whether `name` changed hands after the watch began and before `staged` was renamed to it. */
  changedBefore(name: string, staged: string): Promise<boolean>;
  close(): void;
}

export function watchNames(folder: Folder): NameWatch | null {
  if (process.platform !== "linux" || folder.fd === null) return null;
  const seen: string[] = [];
  try {
    const watcher: FSWatcher = watch(`/proc/self/fd/${folder.fd}`, { persistent: false }, (kind, name) => {
      if (kind === "rename" && name !== null) seen.push(name);
    });
    watcher.on("error", () => {});
    return {
      async changedBefore(name, staged) {
        // The kernel has queued them already; two turns hold one whole look at the queue.
        await turn();
        await turn();
        const first = seen.indexOf(name);
        return first >= 0 && first < seen.indexOf(staged);
      },
      close: () => watcher.close(),
    };
  } catch {
    return null;
  }
}
