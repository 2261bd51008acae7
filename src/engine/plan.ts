import type { Plan } from "../model/plan.ts";
import type { Scope, Target } from "../model/query.ts";
import { nameGlob } from "../regex/glob.ts";
import { below } from "../workspace/targets.ts";

/** Decides how a scope is walked. There is no index yet, so ripgrep answers everything. */
export function planScope(scope: Scope): Plan {
  return {
    engine: "ripgrep",
    why: "there is no index",
    batches: batches(scope.targets),
    nameGlobs: sieve(scope),
  };
}

/**
 * Targets go to one run, unless one with a glob overlaps another: naming a folder lifts the ignore rules
 * from it, and a file found that way must not count for the target beside it.
 */
function batches(targets: readonly Target[]): Target[][] {
  const apart = targets.some(
    (target) => target.glob !== null && targets.some((other) => other !== target && overlap(target, other)),
  );
  return apart ? targets.map((target) => [target]) : [[...targets]];
}

function overlap(one: Target, other: Target): boolean {
  return below(one, other.path) !== null || below(other, one.path) !== null || one.path === other.path;
}

/**
 * ripgrep's own `-g` would lift the ignore rules, so globs are matched by us, and ripgrep gets the part of
 * them that says something about base names, as a file type. A type also lifts the rule for hidden files,
 * so there is no sieve without hidden files, nor beside other types.
 */
function sieve(scope: Scope): string[] {
  if (!scope.hidden || scope.types.length > 0 || scope.typeGlobs.length > 0) return [];
  if (scope.include.length > 0) return nameGlobs(scope.include);
  const folders = scope.targets.filter((target) => target.kind === "folder");
  const globs = folders.map((target) => target.glob);
  return globs.some((glob) => glob === null) ? [] : nameGlobs(globs.filter((glob) => glob !== null));
}

/** All of them, or none: a glob that says nothing about names, or that ripgrep's syntax for types cannot say. */
function nameGlobs(globs: readonly string[]): string[] {
  const names = globs.map(nameGlob).filter((name) => name !== null && !name.includes(":"));
  return names.length === globs.length ? names.filter((name) => name !== null) : [];
}
