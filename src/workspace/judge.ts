/**
 * The one judgement behind a policy, on paths whose links are resolved already: in an allowed folder, not
 * denied, not withheld. Shared by `policy.ts` for inputs and `sieve.ts` for walks. No file call is made.
 */
import { createDenyList, type DenyList, type GlobMatcher, type Letters } from "./deny.ts";
import { pathBelow } from "./real-path.ts";

export type Verdict = "allowed" | "denied" | "outside";

export interface Judge {
  readonly deny: DenyList;
  /** A path as it was named, relative to each folder that deny globs are anchored at. */
  named(path: string): readonly string[];
  /** The same for a real path. */
  real(path: string): readonly string[];
  contains(realPath: string): boolean;
  withholds(realPath: string): boolean;
}

/** All that is judged by: plain data, so that another thread judges likewise. */
export interface Terms {
  /** Absolute, as it was named, and links resolved. */
  readonly root: string;
  readonly realRoot: string;
  /** The denied globs, as they were given. */
  readonly deny: readonly string[];
  readonly letters: Letters;
  /** The root and the allowed folders as they were named. */
  readonly anchors: readonly string[];
  /** The same, links resolved. */
  readonly realAnchors: readonly string[];
  /** The allowed folders and the withheld ones, links resolved. */
  readonly folders: readonly string[];
  readonly withheld: readonly string[];
}

export function createJudge(terms: Terms, globs: GlobMatcher): Judge {
  const { anchors, realAnchors, folders, withheld } = terms;
  return {
    deny: createDenyList(terms.deny, globs, terms.letters),
    named: (path) => below(anchors, path),
    real: (path) => below(realAnchors, path),
    contains: (path) => folders.some((folder) => pathBelow(folder, path) !== null),
    withholds: (path) => withheld.some((folder) => pathBelow(folder, path) !== null),
  };
}

export function judgeReal(judge: Judge, realPath: string, kind: "file" | "folder"): Verdict {
  if (!judge.contains(realPath)) return "outside";
  if (judge.withholds(realPath)) return "denied";
  if (judge.deny.empty) return "allowed";
  return judge.real(realPath).some((path) => judge.deny.covers(path, kind)) ? "denied" : "allowed";
}

/** But for what globs deny. */
export function allowsAllBelow({ realRoot, folders, withheld }: Terms): boolean {
  return (
    folders.some((folder) => pathBelow(folder, realRoot) !== null) &&
    withheld.every((folder) => pathBelow(realRoot, folder) === null)
  );
}

function below(anchors: readonly string[], path: string): string[] {
  const found = anchors.map((anchor) => pathBelow(anchor, path)).filter((part) => part !== null);
  return [...new Set(found)];
}
