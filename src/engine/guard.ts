import type { FilePath } from "../model/match.ts";
import type { Scope } from "../model/query.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import type { Terms } from "../workspace/judge.ts";

/**
 * A session's policy over a walk. What it withholds is left out and counted. ripgrep does not even open what a
 * denied glob names, so that neither an answer nor a count depends on what is in it.
 */

export interface Guard {
  /** Withholds nothing that lies below the root. */
  readonly open: boolean;
  /** The denied globs, relative to the root, for ripgrep's walk; `withholds` has the last word. */
  readonly globs: readonly string[];
  /** The same policy as an index judges by it. */
  readonly terms: Terms;
  readonly withholds: (file: FilePath, kind: "file" | "folder") => boolean;
  /** The same of a link to a folder, judged by where it leads. What lies below it `withholds` judges. */
  readonly withholdsLink: (link: FilePath) => boolean;
}

/** The scope without what is denied by name. */
export function guarded<S extends Scope>(scope: S, guard: Guard | undefined): S {
  if (guard === undefined || guard.globs.length === 0) return scope;
  // A name may be composed in two ways, and ripgrep compares bytes.
  const spelled = guard.globs.flatMap((glob) => [glob, glob.normalize("NFC"), glob.normalize("NFD")]);
  return { ...scope, exclude: [...new Set([...scope.exclude, ...spelled])] };
}

/** Whether ripgrep must say what it leaves out, for it to be counted. */
export function explains(guard: Guard | undefined): boolean {
  return guard !== undefined && guard.globs.length > 0;
}

/** How many of the paths that ripgrep left out were withheld by the policy, of those that concern us. */
export function countDenied(
  guard: Guard | undefined,
  ignored: readonly Ignored[],
  concerns: (path: string) => boolean,
): number {
  if (guard === undefined || !explains(guard)) return 0;
  const isDenied = ({ path, reason }: Ignored): boolean =>
    isOfRule(reason) && withholdsAny(guard, path) && concerns(path);
  return ignored.filter(isDenied).length;
}

/** What is too large or of another type is left out by the query, which says nothing of the policy. */
function isOfRule(reason: Ignored["reason"]): boolean {
  return reason.kind === "rule" && !reason.rule.startsWith("IgnoreMatch(Types(");
}

/** Of what was left out it is not said whether it is a file. */
export function withholdsAny(guard: Guard, path: string): boolean {
  return guard.withholds({ path }, "file") || guard.withholds({ path }, "folder");
}
