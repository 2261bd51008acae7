import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { LISTS_PER_TURN } from "../model/limits.ts";
import { readManifest } from "./saved.ts";
import { openSegment } from "./store/segment.ts";

/**
 * Which saved segments are damaged: every page has a checksum, and each is read. An index that answers comes upon damage
 * only in the pages that it reads; `quarry index status`, `verify` and `build` look at all.
 */

export interface DamagedSegment {
  readonly name: string;
  readonly path: string;
  readonly why: string;
}

/** As far as it got, where the signal ends it. */
export async function damagedSegments(
  folder: string,
  root: string,
  signal: AbortSignal,
): Promise<readonly DamagedSegment[]> {
  const names = (): readonly string[] => readManifest(folder, root)?.segments ?? [];
  const damaged: DamagedSegment[] = [];
  for (const name of names()) {
    const path = join(folder, name);
    const why = await readThrough(path, signal);
    // Whoever saves the index may have made it one with others meanwhile.
    if (why !== null && names().includes(name)) damaged.push({ name, path, why });
  }
  return damaged;
}

/** Their files are in no segment then, and are indexed when the index is opened. */
export function removeDamaged(damaged: readonly DamagedSegment[]): void {
  for (const { path } of damaged) rmSync(path, { force: true });
}

/** Why it cannot be read to its end, or null. */
async function readThrough(path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const segment = openSegment(path);
    try {
      let read = 0;
      for (const _ of segment.lists()) {
        read += 1;
        if (read % LISTS_PER_TURN !== 0) continue;
        await setImmediate();
        if (signal.aborted) return null;
      }
      return null;
    } finally {
      segment.close();
    }
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
