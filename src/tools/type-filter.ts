import { ToolError } from "../model/errors.ts";
import { compileGlobs } from "../regex/glob.ts";
import { fileTypes } from "../ripgrep/version.ts";

/**
 * ripgrep's file types for what ripgrep does not walk: the members of an archive. Also says that a type is unknown
 * where no walk would, with the names that come near.
 */
export async function typeFilter(
  types: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<(path: string) => boolean> {
  if (types.length === 0) return () => true;
  const known = await fileTypes(env);
  const globs = types.flatMap((type) => {
    const own = known.get(type);
    if (own !== undefined) return own;
    const near = [...known.keys()].filter((name) => name.startsWith(type.slice(0, 2).toLowerCase()));
    throw new ToolError("UNKNOWN_TYPE", `There is no file type ${JSON.stringify(type)}`, {
      hint: near.length > 0 ? `There are ${near.slice(0, 8).join(", ")}` : "Use ts, js, py, rust, go, c, cpp",
    });
  });
  const set = compileGlobs(globs, "name");
  return (path) => set.matches(path, "file");
}
