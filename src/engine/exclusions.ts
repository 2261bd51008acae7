import type { Scope } from "../model/query.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { listRun } from "../ripgrep/list.ts";
import { withoutDot } from "../ripgrep/paths.ts";
import type { Ground } from "./search.ts";

/** Which rule of which ignore file leaves a path out of a scope, in ripgrep's own words. */

export interface Exclusion {
  readonly file: string;
  readonly rule: string;
}

export async function exclusions(
  scope: Scope,
  ground: Ground,
  timeoutMs: number,
): Promise<(path: string) => Exclusion | null> {
  const run = listRun(scope, {
    operands: scope.targets.map((target) => target.path),
    nameGlobs: [],
    explain: true,
    env: ground.env,
    timeoutMs,
    signal: ground.signal,
  });
  for await (const _ of run) continue;
  const rules = new Map(run.report().ignored.map((ignored) => [ignored.path, ignored]));
  return (path) => {
    // The rule may name the file itself or any folder above it.
    for (let at = path; at !== "" && at !== "."; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const ignored = rules.get(at);
      if (ignored !== undefined) return readRule(ignored);
    }
    return null;
  };
}

function readRule({ reason }: Ignored): Exclusion | null {
  if (reason.kind !== "rule") return null;
  const file = /from: Some\("((?:[^"\\]|\\.)*)"\)/.exec(reason.rule)?.[1];
  const rule = /original: "((?:[^"\\]|\\.)*)"/.exec(reason.rule)?.[1];
  return file === undefined || rule === undefined ? null : { file: withoutDot(file), rule };
}
