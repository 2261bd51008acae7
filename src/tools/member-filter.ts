import { ToolError } from "../model/errors.ts";
import type { Scope } from "../model/query.ts";
import { compileGlobs } from "../regex/glob.ts";
import { fileTypes } from "../ripgrep/version.ts";

/**
 * ripgrep's file types and the include globs for what ripgrep does not walk: the members of an archive. Also says
 * that a type is unknown where no walk would, with the names that come near.
 */
export async function memberFilter(
  { types, typeGlobs, include, includeNames }: Scope,
  env: NodeJS.ProcessEnv,
): Promise<(path: string) => boolean> {
  const known = types.length === 0 ? null : await fileTypes(env);
  const ofTypes = [...types.flatMap((type) => globsOf(type, known ?? new Map())), ...typeGlobs];
  const filters = [
    ...(ofTypes.length === 0 ? [] : [compileGlobs(ofTypes, "name")]),
    ...(include.length === 0 ? [] : [compileGlobs(include, includeNames ? "name" : "path")]),
  ];
  return (path) => filters.every((filter) => filter.matches(path, "file"));
}

function globsOf(type: string, known: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const own = known.get(type);
  if (own !== undefined) return own;
  const near = [...known.keys()].filter((name) => name.startsWith(type.slice(0, 2).toLowerCase()));
  throw new ToolError("UNKNOWN_TYPE", `There is no file type ${JSON.stringify(type)}`, {
    hint: near.length > 0 ? `There are ${near.slice(0, 8).join(", ")}` : "Use ts, js, py, rust, go, c, cpp",
  });
}
