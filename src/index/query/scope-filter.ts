import { compileGlobs, type GlobSet } from "../../regex/glob.ts";
import type { Target } from "../../model/query.ts";
import type { AskedScope } from "../ask.ts";
import { keyOfPath, type PathKey } from "../path-key.ts";

/**
 * Which of a tree's files and folders a question is about, by their paths: as `path-filter.ts` tells it of what
 * ripgrep's walk leaves, and besides by what the walk would leave out. It is asked for every file of a tree, and so
 * works on keys. Asked by the cursors.
 */
export function scopeFilter({
  targets,
  include,
  includeNames,
  exclude,
  names,
}: AskedScope): (key: PathKey, kind: "file" | "folder") => boolean {
  const named = names.length === 0 ? null : compileGlobs(names, "name");
  const included = include.length === 0 ? null : compileGlobs(include, includeNames ? "name" : "path");
  const isLeftOut = exclude.length === 0 ? null : leavesOut(exclude);
  const places = targets.map((target) => ({ start: startOf(target), glob: globOf(target) }));
  return (key, kind) => {
    if (named !== null && !named.matchesBytes(key, kind)) return false;
    if (included !== null && !included.matchesBytes(key, kind)) return false;
    for (const { start, glob } of places) {
      if (!key.startsWith(start)) continue;
      if (glob !== null && !glob.matchesBytes(start === "" ? key : key.slice(start.length), kind)) continue;
      // A folder that is named is entered, whatever its name and those above it are.
      if (isLeftOut === null || !isLeftOut(key, kind, start.length)) return true;
    }
    return false;
  };
}

/** What the keys in a folder begin with. */
export function startOf({ path }: Pick<Target, "path">): string {
  return path === "." ? "" : `${keyOfPath({ path })}/`;
}

function globOf({ glob }: Target): GlobSet | null {
  return glob === null ? null : compileGlobs([glob], "path");
}

/** As ripgrep leaves out: the path, or a folder that it lies in, below its first `from` characters. */
export function leavesOut(
  exclude: readonly string[],
): (key: PathKey, kind: "file" | "folder", from: number) => boolean {
  const globs = compileGlobs(exclude, "path");
  const folders = new Map<string, boolean>();
  const isNamed = (folder: string): boolean => {
    const known = folders.get(folder) ?? globs.matchesBytes(folder, "folder");
    folders.set(folder, known);
    return known;
  };
  return (key, kind, from) => {
    if (globs.matchesBytes(key, kind)) return true;
    for (let end = key.indexOf("/", from); end !== -1; end = key.indexOf("/", end + 1)) {
      if (isNamed(key.slice(0, end))) return true;
    }
    return false;
  };
}
