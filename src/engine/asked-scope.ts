import type { AskedScope } from "../index/ask.ts";
import type { Scope } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import { fileTypes } from "../ripgrep/version.ts";
import type { Terms } from "../workspace/judge.ts";

/** What an index is asked of a scope, besides what no index holds. null: ripgrep knows no such type, and says so. */
export async function askedScope(
  scope: Scope,
  env: NodeJS.ProcessEnv,
  withheld?: Terms,
): Promise<AskedScope | null> {
  const known = scope.types.length === 0 ? null : await fileTypes(env);
  const globs = scope.types.map((type) => known?.get(type));
  if (globs.includes(undefined)) return null;
  return {
    targets: scope.targets,
    include: scope.include,
    includeNames: scope.includeNames,
    exclude: scope.exclude.filter((glob) => !DEFAULTS.vcsFolders.includes(glob)),
    names: [...globs.flatMap((own) => own ?? []), ...scope.typeGlobs],
    maxFileSize: scope.maxFileSize,
    withheld,
  };
}

export const UNKNOWN_TYPE = { kind: "unable", why: "a file type is not known" } as const;
