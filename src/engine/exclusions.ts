import type { Scope, Target } from "../model/query.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { type ListOptions, listRun } from "../ripgrep/list.ts";
import { withoutDot } from "../ripgrep/paths.ts";
import type { Ground } from "./ground.ts";

/** What the ignore rules leave out of a scope, and which rule of which file does, in ripgrep's own words. */

export interface Exclusion {
  /** A file, or a folder that was not entered. */
  readonly path: string;
  readonly file: string;
  readonly rule: string;
}

/** Asked of a walk of its own, where no other walk has said it. */
export async function listExclusions(
  scope: Scope,
  ground: Ground,
  timeoutMs: number,
): Promise<readonly Exclusion[]> {
  return readExclusions(await leftOut(scope, scope.targets, ground, timeoutMs));
}

/** What a walk of these targets leaves out, in a run of its own and without a sieve. */
export async function leftOut(
  scope: Scope,
  targets: readonly Target[],
  ground: Ground,
  timeoutMs: number,
  maxDepth?: number,
): Promise<readonly Ignored[]> {
  const run = listRun(unsieved(scope), { ...options(targets, ground, timeoutMs), explain: true, maxDepth });
  for await (const _ of run) continue;
  return run.report().ignored;
}

/** The files of any size that such a walk does not leave out: told without a word about the others, that is in a fraction of the time. */
export async function filesLeft(
  scope: Scope,
  targets: readonly Target[],
  ground: Ground,
  timeoutMs: number,
): Promise<readonly string[]> {
  const paths: string[] = [];
  // A limit on size would make ripgrep say what it leaves out.
  const any: Scope = { ...unsieved(scope), maxFileSize: null };
  const run = listRun(any, { ...options(targets, ground, timeoutMs), explain: false });
  for await (const files of run) for (const { path } of files) paths.push(path);
  return paths;
}

/** A file that is not of a type is left out by the query, not by a rule. */
function unsieved(scope: Scope): Scope {
  return { ...scope, types: [], typeGlobs: [] };
}

function options(
  targets: readonly Target[],
  { env, signal }: Ground,
  timeoutMs: number,
): Omit<ListOptions, "explain"> {
  const operands = [...new Set(targets.map((target) => target.path))];
  return { operands, nameGlobs: [], env, timeoutMs: Math.max(1, timeoutMs), signal };
}

/** Those of the paths ripgrep left out that a rule of an ignore file names; not the globs and types of the query. */
export function readExclusions(ignored: readonly Ignored[]): Exclusion[] {
  return ignored.flatMap(({ path, reason }) => {
    if (reason.kind !== "rule") return [];
    const file = /from: Some\("((?:[^"\\]|\\.)*)"\)/.exec(reason.rule)?.[1];
    const rule = /original: "((?:[^"\\]|\\.)*)"/.exec(reason.rule)?.[1];
    return file === undefined || rule === undefined ? [] : [{ path, file: withoutDot(file), rule }];
  });
}
