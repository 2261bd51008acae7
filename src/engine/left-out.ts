import { isAbsolute, sep } from "node:path";
import { KEPT_AWAY } from "../model/limits.ts";
import { escapeGlob } from "../regex/glob.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { pathBelow } from "../workspace/real-path.ts";
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
  /** Learns of folders that hold files which are not left out, the cheap way; of others it learns nothing. */
  readonly learnHeld: (walked: Walked, folders: readonly string[]) => Promise<void>;
  /** To be called before anything is asked of these paths below a walked folder. */
  readonly learn: (walked: Walked, paths: readonly string[]) => Promise<void>;
  /** null where it was not learned. */
  readonly covers: (walked: Walked, path: string) => boolean | null;
  /** All of it, where that is known. */
  readonly all: ReadonlySet<string> | null;
}

export function toldLeftOut(ignored: readonly Ignored[]): LeftOut {
  const all = new Set(ignored.map(({ path }) => path));
  return {
    all,
    learnHeld: async () => {},
    learn: async () => {},
    covers: (walked, path) => waysTo(walked, path).some((way) => all.has(way)),
  };
}

/** A walk without what these globs name: what it leaves out, or what it does not. */
export interface Asked {
  readonly leftOut: (exclude: readonly string[]) => Promise<readonly Ignored[]>;
  readonly files: (exclude: readonly string[]) => Promise<readonly string[]>;
}

export function askedLeftOut(asked: Asked): LeftOut {
  const known = new Map<string, boolean>();
  const unknown = (paths: readonly string[]): readonly string[] => paths.filter((path) => !known.has(path));
  return {
    all: null,
    learnHeld: async (walked, paths) => {
      const fresh = unknown(paths);
      if (fresh.length === 0) return;
      // One that holds no files itself is told by those in its subfolders.
      const below = fresh.flatMap((path) => {
        const { folders, holdsFiles } = listFolder(placeOf(walked, path) ?? "");
        return holdsFiles ? [] : folders.flatMap((folder) => pathIn(walked, folder) ?? []);
      });
      const holding = foldersOf(await asked.files(globsOf(foldersBeside(walked, [...fresh, ...below]))));
      for (const path of fresh) if (holding.has(path)) known.set(path, false);
    },
    learn: async (walked, paths) => {
      const fresh = unknown(paths);
      if (fresh.length === 0) return;
      const beside = foldersBeside(walked, fresh);
      const ignored = await asked.leftOut(globsOf(beside));
      const { all } = toldLeftOut(ignored.filter(({ path }) => !beside.has(path)));
      for (const path of fresh)
        known.set(
          path,
          waysTo(walked, path).some((way) => all?.has(way)),
        );
    },
    covers: (_, path) => known.get(path) ?? null,
  };
}

function globsOf(folders: ReadonlySet<string>): string[] {
  return [...folders].map((path) => `/${escapeGlob(path)}/`);
}

/** Every folder on the way to one of the files. */
function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** What a real path is called in a walked folder; null outside it. */
export function pathIn({ path, real }: Walked, place: string): string | null {
  const rest = pathBelow(real, place);
  if (rest === null || rest === "") return rest === "" ? path : null;
  const shown = sep === "/" ? rest : rest.replaceAll(sep, "/");
  return path === "." ? shown : `${path}/${shown}`;
}

/** Where a path below a walked folder really is, if no link is on the way; null for any other path. */
export function placeOf(walked: Walked, path: string): string | null {
  if (path === walked.path) return walked.real;
  const rest = below(walked, path);
  return rest === null ? null : walked.real + sep + (sep === "/" ? rest : rest.replaceAll("/", sep));
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
    for (const folder of listFolder(placeOf(walked, way) ?? "").folders) {
      const path = pathIn(walked, folder);
      if (path !== null && !ways.has(path)) beside.add(path);
    }
    if (beside.size > KEPT_AWAY) return new Set();
  }
  return beside;
}
