import type { Plan } from "../model/plan.ts";
import type { Scope, Target } from "../model/query.ts";
import { nameGlob } from "../regex/glob.ts";
import { below } from "../workspace/targets.ts";

/** Decides how a scope is walked, where ripgrep walks it. */
export function planScope(scope: Scope): Plan {
  const nameGlobs = sieve(scope);
  return {
    engine: "ripgrep",
    why: scope.engine === "ripgrep" ? "asked for" : "there is no index",
    batches: batches(scope),
    nameGlobs,
    exact: isExact(scope, nameGlobs),
  };
}

/**
 * Files go to one run, and every folder to its own: with several, ripgrep 15.0 applies the ignore files above one
 * to the others, or not at all, siblings too (BurntSushi/ripgrep#3376). Without ignore rules they go together,
 * unless one with a glob overlaps another: what is found in the one must not count for the other.
 */
function batches({ targets, ignore }: Scope): Target[][] {
  const files = targets.filter(({ kind }) => kind === "file");
  const folders = targets.filter(({ kind }) => kind === "folder");
  const apart = targets.some(
    (target) => target.glob !== null && targets.some((other) => other !== target && overlap(target, other)),
  );
  // Several globs below one folder are one walk of it.
  const places = [...new Set(folders.map(({ path }) => path))];
  if (!apart && (places.length < 2 || ignore === "off")) return [[...targets]];
  return [
    ...(files.length > 0 ? [files] : []),
    ...places.map((place) => folders.filter(({ path }) => path === place)),
  ];
}

function overlap(one: Target, other: Target): boolean {
  if (one.path === other.path) return false;
  return below(one, other.path) !== null || below(other, one.path) !== null;
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

/** Globs on names alone that ripgrep applies itself leave nothing to sort out. */
function isExact(scope: Scope, nameGlobs: readonly string[]): boolean {
  const globs = scope.targets.map((target) => target.glob).filter((glob) => glob !== null);
  if (scope.include.length === 0 && globs.length === 0) return true;
  const onNames = [...scope.include, ...globs].every((glob) => !glob.includes("/"));
  return nameGlobs.length > 0 && onNames && (scope.include.length === 0 || globs.length === 0);
}
