import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { FILES_PER_TURN } from "../model/limits.ts";
import { sameStamp } from "../workspace/stamp.ts";
import { keyOnDisk, type PathKey } from "./path-key.ts";
import { indexFolder, savedTree } from "./places.ts";
import { readManifest } from "./saved.ts";
import type { Doc } from "./store/docs.ts";
import { openSegment } from "./store/segment.ts";

/** What is saved of a tree's index, looked at without opening it for answers. Asked by `quarry index`. */

export interface SavedIndex {
  readonly root: string;
  readonly folder: string;
  readonly files: number;
  readonly textBytes: number;
  /** All that lies in its folder. */
  readonly bytes: number;
  readonly segments: number;
  readonly savedMs: number;
  readonly usedMs: number;
  /** The live process that saves it. */
  readonly holder: number | null;
  readonly docs: ReadonlyMap<PathKey, Doc>;
}

/** null: none is saved. */
export function savedIndex(root: string, env: NodeJS.ProcessEnv): SavedIndex | null {
  const folder = indexFolder(root, env);
  const saved = savedTree(folder);
  const manifest = readManifest(folder, root);
  const written = statSync(join(folder, "manifest"), { throwIfNoEntry: false });
  if (saved === null || manifest === null || written === undefined) return null;
  const docs = docsOf(manifest.segments.map((name) => join(folder, name)));
  return {
    root,
    folder,
    files: docs.size,
    textBytes: Array.from(docs.values()).reduce((sum, { size }) => sum + Math.max(0, size), 0),
    bytes: saved.bytes,
    segments: manifest.segments.length,
    savedMs: written.mtimeMs,
    usedMs: saved.usedMs,
    holder: saved.holder,
    docs,
  };
}

/** Of a file that stands in several segments, the one that was read last. Without those of a segment that is damaged. */
function docsOf(paths: readonly string[]): Map<PathKey, Doc> {
  const docs = new Map<PathKey, Doc>();
  for (const path of paths) {
    try {
      const segment = openSegment(path);
      segment.close();
      for (const doc of segment.docs)
        if (doc.readAt >= (docs.get(doc.key)?.readAt ?? 0)) docs.set(doc.key, doc);
    } catch {
      // `damage.ts` tells of it.
    }
  }
  return docs;
}

/** Against the files of the tree as they are now. */
export interface Freshness {
  readonly changed: number;
  readonly added: number;
  readonly gone: number;
}

export async function freshness(
  { root, docs }: SavedIndex,
  files: ReadonlySet<PathKey>,
  signal: AbortSignal,
): Promise<Freshness> {
  let [changed, added, known, looked] = [0, 0, 0, 0];
  for (const key of files) {
    const doc = docs.get(key);
    if (doc === undefined) added += 1;
    else known += 1;
    if (doc !== undefined && !holds(root, doc)) changed += 1;
    looked += 1;
    if (looked % FILES_PER_TURN !== 0) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
  return { changed, added, gone: docs.size - known };
}

/** Whether a file is still what was indexed, as far as its stamp tells. */
export function holds(root: string, doc: Doc): boolean {
  try {
    const info = lstatSync(keyOnDisk(root, doc.key), { throwIfNoEntry: false });
    return info !== undefined && sameStamp(info, doc);
  } catch {
    return false;
  }
}
