import { LARGE_BELIEVED, LARGE_SCOPES } from "../model/limits.ts";
import type { Query, Target } from "../model/query.ts";
import { compileGlobs } from "../regex/glob.ts";
import { fileTypes } from "../ripgrep/version.ts";
import { leftOut } from "./exclusions.ts";
import type { Ground } from "./ground.ts";

/**
 * Which files of a search with a sieve are too large to be searched. ripgrep says so only together with a word for
 * every file that the sieve leaves out, which takes four times as long as the search; so it is asked in a walk without
 * the sieve, and what it said is believed for some seconds. An answer without matches asks afresh: there the file that
 * was not searched may be the one that was meant. Called by `search.ts`.
 */

interface Listed {
  readonly at: number;
  readonly paths: readonly string[];
}

const memory = new Map<string, Listed>();

export async function largeFiles(
  query: Query,
  targets: readonly Target[],
  ground: Ground,
  timeMs: number,
  trust: "believed" | "afresh",
): Promise<readonly string[]> {
  const { root, ignore, hidden, links, exclude, maxFileSize } = query;
  const key = JSON.stringify([root, targets, ignore, hidden, links, exclude, maxFileSize]);
  const known = memory.get(key);
  const isKnown = trust === "believed" && known !== undefined && Date.now() - known.at < LARGE_BELIEVED;
  const { paths } = isKnown ? known : remember(key, await list(query, targets, ground, timeMs));
  if (paths.length === 0) return paths;
  const globs = [...(await globsOf(query.types, ground.env)), ...query.typeGlobs];
  const types = globs.length === 0 ? null : compileGlobs(globs, "name");
  return paths.filter((path) => types?.matches(path, "file") !== false);
}

/** Of ripgrep's types; `all` is every one of them. */
async function globsOf(types: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  if (types.length === 0) return [];
  const known = await fileTypes(env);
  return types.flatMap((type) => (type === "all" ? [...known.values()].flat() : (known.get(type) ?? [])));
}

async function list(
  query: Query,
  targets: readonly Target[],
  ground: Ground,
  timeMs: number,
): Promise<Listed> {
  const at = Date.now();
  const ignored = await leftOut(query, targets, ground, timeMs);
  return { at, paths: ignored.flatMap(({ path, reason }) => (reason.kind === "size" ? [path] : [])) };
}

function remember(key: string, listed: Listed): Listed {
  memory.delete(key);
  memory.set(key, listed);
  const [oldest] = memory.keys();
  if (memory.size > LARGE_SCOPES && oldest !== undefined) memory.delete(oldest);
  return listed;
}
