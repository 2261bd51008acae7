/**
 * Folders that nobody means to search as a whole: the root of a file system, which the tools refuse to search, and the
 * home folder with what holds it, where a search takes long. Light to load: `hello.ts` says it before all else.
 */
import { realpathSync } from "node:fs";
import { parse, relative, sep } from "node:path";
import { homeFolder } from "../workspace/cache.ts";

/** What it is; null: a folder like others. */
export function broadness(folder: string, env: NodeJS.ProcessEnv): string | null {
  const [real, home] = [realOf(folder), realOf(homeFolder(env))];
  if (parse(real).root === real) return "the root of the file system";
  if (real === home) return "the home folder";
  const rest = relative(real, home);
  return rest === ".." || rest.startsWith(`..${sep}`) || parse(rest).root !== ""
    ? null
    : "a folder that holds the home folder";
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
