/**
 * Whether somebody replaced, made or removed a file between our last look and our rename, which the rename itself
 * would pass over: the kernel reports every such change of a name, and only one of them is ours. Linux; where
 * watching is not possible nothing is seen. Called by `commit.ts`.
 */
import { type FSWatcher, watch } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { Folder } from "./folder.ts";

export interface NameWatch {
  /** How often a name has changed hands since the watch began, after all that was reported so far has come in. */
  changes(name: string): Promise<number>;
  close(): void;
}

export function watchNames(folder: Folder): NameWatch | null {
  if (process.platform !== "linux" || folder.fd === null) return null;
  const seen = new Map<string, number>();
  try {
    const watcher: FSWatcher = watch(`/proc/self/fd/${folder.fd}`, { persistent: false }, (kind, name) => {
      if (kind === "rename" && name !== null) seen.set(name, (seen.get(name) ?? 0) + 1);
    });
    watcher.on("error", () => {});
    return {
      async changes(name) {
        // The kernel has queued them already; two turns hold one whole look at the queue.
        await turn();
        await turn();
        return seen.get(name) ?? 0;
      },
      close: () => watcher.close(),
    };
  } catch {
    return null;
  }
}
