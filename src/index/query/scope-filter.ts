import { compileGlobs } from "../../regex/glob.ts";
import type { AskedScope } from "../ask.ts";
import { pathFilter } from "../path-filter.ts";
import { type PathKey, pathOfKey } from "../path-key.ts";

/** Which of a tree's files and folders a question is about, by their paths. Asked by the cursors. */
export function scopeFilter({
  targets,
  include,
  includeNames,
  exclude,
  names,
}: AskedScope): (key: PathKey, kind: "file" | "folder") => boolean {
  const wanted = pathFilter({ include, includeNames }, targets);
  const named = names.length === 0 ? null : compileGlobs(names, "name");
  const isLeftOut = exclude.length === 0 ? () => false : leavesOut(exclude);
  const starts = targets.map(({ path }) => (path === "." ? "" : `${path}/`));
  return (key, kind) => {
    const { path } = pathOfKey(key);
    // A folder that is named is entered, whatever its name and those above it are.
    if (!starts.some((start) => path.startsWith(start) && !isLeftOut(path, kind, start.length))) return false;
    return (named === null || named.matches(path, kind)) && wanted(path, kind);
  };
}

/** As ripgrep leaves out: the path, or a folder that it lies in, below its first `from` characters. */
function leavesOut(
  exclude: readonly string[],
): (path: string, kind: "file" | "folder", from: number) => boolean {
  const globs = compileGlobs(exclude, "path");
  const folders = new Map<string, boolean>();
  const isNamed = (folder: string): boolean => {
    const known = folders.get(folder) ?? globs.matches(folder, "folder");
    folders.set(folder, known);
    return known;
  };
  return (path, kind, from) => {
    if (globs.matches(path, kind)) return true;
    for (let end = path.indexOf("/", from); end !== -1; end = path.indexOf("/", end + 1)) {
      if (isNamed(path.slice(0, end))) return true;
    }
    return false;
  };
}
