import type { Scope, Target } from "../model/query.ts";
import { compileGlobs, type GlobSet } from "../regex/glob.ts";
import { below } from "../workspace/targets.ts";

/** Which of the paths that ripgrep's walk leaves are wanted: those in a target, by its glob and the include globs. */

export type Wanted = (path: string, kind: "file" | "folder") => boolean;

export function pathFilter(
  scope: Pick<Scope, "include" | "includeNames">,
  targets: readonly Target[],
): Wanted {
  const include =
    scope.include.length === 0 ? null : compileGlobs(scope.include, scope.includeNames ? "name" : "path");
  const open = targets.map(
    (target) => [target, target.glob === null ? null : compileGlobs([target.glob], "path")] as const,
  );
  const everything = include === null && open.every(([, glob]) => glob === null);
  if (everything) return () => true;
  return (path, kind) =>
    open.some(([target, glob]) => {
      const rest = below(target, path);
      if (rest === null) return false;
      // A file named by itself is wanted whatever its name.
      if (target.kind === "file") return rest === "";
      return matches(glob, rest, kind) && matches(include, path.replace(/^\/+/, ""), kind);
    });
}

function matches(globs: GlobSet | null, path: string, kind: "file" | "folder"): boolean {
  return globs === null || globs.matches(path, kind);
}
