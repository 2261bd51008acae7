import { type Stats, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { FilePath } from "../model/match.ts";
import { comparePaths } from "../workspace/path-order.ts";
import { onDisk } from "../workspace/targets.ts";

/** The orders of an answer: ripgrep's own path order, and newest first with the path to break ties. */

/** As paths; by their bytes where those are not UTF-8, without which different names look alike. */
export function compareFiles(one: FilePath, other: FilePath): number {
  if (one.pathBytes === undefined && other.pathBytes === undefined) return comparePaths(one.path, other.path);
  return comparePaths(rawBytes(one), rawBytes(other));
}

function rawBytes({ path, pathBytes }: FilePath): string {
  const bytes = pathBytes === undefined ? Buffer.from(path) : Buffer.from(pathBytes, "base64");
  return bytes.toString("latin1");
}

const SLICE = 500;

/** Modification times in milliseconds, 0 for what is gone. A stat takes microseconds; the loop gets its turn in between. */
export async function modificationTimes(root: string, files: readonly FilePath[]): Promise<number[]> {
  const times: number[] = [];
  for (let from = 0; from < files.length; from += SLICE) {
    if (from > 0) await setImmediate();
    for (const { path, pathBytes } of files.slice(from, from + SLICE))
      times.push(modified(onDisk(root, path, pathBytes)));
  }
  return times;
}

function modified(path: string | Buffer): number {
  return statOf(path)?.mtimeMs ?? 0;
}

/** null for what is gone or cannot be reached. */
export function statOf(path: string | Buffer): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
