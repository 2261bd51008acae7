import { isAbsolute } from "node:path";
import { KEPT_AWAY } from "../model/limits.ts";
import { escapeGlob } from "../regex/glob.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { below } from "../workspace/targets.ts";
import { listFolder } from "./folder-memory.ts";

/**
 * Whether a path was left out of a walk, by itself or with a folder on the way to it. Told by the walk, or asked of a
 * run that is kept to the folders on the way: with a sieve, a walk that explains itself has a word for every file, and
 * takes longer than the search. Called by `links.ts`.
 */

/** A folder that is walked: as ripgrep shows it, and where it really is. */
export interface Walked {
  readonly path: string;
  readonly real: string;
}

export interface LeftOut {
  /** To be called before anything is asked of these paths below a walked folder. */
  readonly learn: (walked: Walked, paths: readonly string[]) => Promise<void>;
  readonly covers: (walked: Walked, path: string) => boolean;
  /** All of it, where that is known. */
  readonly all: ReadonlySet<string> | null;
}

export function toldLeftOut(ignored: readonly Ignored[]): LeftOut {
  const all = new Set(ignored.map(({ path }) => path));
  return {
    all,
    learn: async () => {},
    covers: (walked, path) => waysTo(walked, path).some((way) => all.has(way)),
  };
}

/** `ask` walks without what the globs name. */
export function askedLeftOut(ask: (exclude: readonly string[]) => Promise<readonly Ignored[]>): LeftOut {
  const known = new Map<string, boolean>();
  return {
    all: null,
    learn: async (walked, paths) => {
      const fresh = paths.filter((path) => !known.has(path));
      if (fresh.length === 0) return;
      const beside = foldersBeside(walked, fresh);
      const ignored = await ask([...beside].map((path) => `/${escapeGlob(path)}/`));
      const told = toldLeftOut(ignored.filter(({ path }) => !beside.has(path)));
      for (const path of fresh) known.set(path, told.covers(walked, path));
    },
    covers: (_, path) => known.get(path) ?? false,
  };
}

export function childOf(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}

/** Where a path below a walked folder really is, if no link is on the way; null for any other path. */
export function placeOf(walked: Walked, path: string): string | null {
  if (path === walked.path) return walked.real;
  const rest = below(walked, path);
  return rest === null ? null : `${walked.real}/${rest}`;
}

/** The path and the folders on the way to it, without the walked one, which was named. */
function waysTo(walked: Walked, path: string): string[] {
  const rest = path === walked.path ? null : below(walked, path);
  if (rest === null) return [];
  const ways: string[] = [];
  for (let at = path.indexOf("/", path.length - rest.length); at !== -1; at = path.indexOf("/", at + 1)) {
    ways.push(path.slice(0, at));
  }
  ways.push(path);
  return ways;
}

/** Every folder beside the ways to the paths, and right below these: ripgrep is not asked about them. */
function foldersBeside(walked: Walked, paths: readonly string[]): ReadonlySet<string> {
  const beside = new Set<string>();
  // ripgrep's globs hold below its working folder. Elsewhere it walks everything, which only takes longer.
  if (isAbsolute(walked.path)) return beside;
  const ways = new Set([walked.path, ...paths.flatMap((path) => waysTo(walked, path))]);
  for (const way of ways) {
    for (const name of listFolder(placeOf(walked, way) ?? "").folders) {
      const path = childOf(way, name);
      if (!ways.has(path)) beside.add(path);
    }
    if (beside.size > KEPT_AWAY) return new Set();
  }
  return beside;
}
