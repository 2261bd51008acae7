import { ToolError } from "../model/errors.ts";
import { INDEX_CACHE_BYTES, INDEX_MAX_FILES } from "../model/limits.ts";
import { bytesOf } from "../workspace/byte-size.ts";

/** What the environment says of indexes. Read by whoever opens one, and by `quarry doctor`. */

/** `auto`: once a walk has met many files. `now`: at once. `off`: never. */
export type IndexUse = "auto" | "now" | "off";

export const INDEX_USES: readonly IndexUse[] = ["auto", "now", "off"];

export interface IndexSettings {
  readonly use: IndexUse;
  /** A tree of more files is not indexed. */
  readonly maxFiles: number;
}

export interface GivenIndexSettings {
  readonly use?: IndexUse | undefined;
  readonly maxFiles?: number | undefined;
}

/** What was given, else what the environment says, else the default. @throws INVALID_INPUT */
export function indexSettings(given: GivenIndexSettings, env: NodeJS.ProcessEnv): IndexSettings {
  indexCacheBytes(env);
  return {
    use: given.use === undefined ? (useSaid(env) ?? DEFAULT_USE) : checkedUse("index", given.use),
    maxFiles:
      given.maxFiles === undefined
        ? maxFilesSaid(env)
        : checkedFiles("maxIndexedFiles", String(given.maxFiles)),
  };
}

const DEFAULT_USE: IndexUse = "auto";

/** QUARRY_INDEX. */
function useSaid(env: NodeJS.ProcessEnv): IndexUse | null {
  const given = said(env, "QUARRY_INDEX");
  return given === null ? null : checkedUse("QUARRY_INDEX", given);
}

function checkedUse(name: string, given: string): IndexUse {
  const use = INDEX_USES.find((one) => one === given);
  if (use !== undefined) return use;
  throw wrong(name, given, "auto, now or off");
}

/** QUARRY_INDEX_MAX_FILES. */
function maxFilesSaid(env: NodeJS.ProcessEnv): number {
  const given = said(env, "QUARRY_INDEX_MAX_FILES");
  return given === null ? INDEX_MAX_FILES : checkedFiles("QUARRY_INDEX_MAX_FILES", given);
}

function checkedFiles(name: string, given: string): number {
  const files = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(files)) return files;
  throw wrong(name, given, "a whole number");
}

/** QUARRY_INDEX_CACHE_SIZE: what all saved indexes may take together. @throws INVALID_INPUT */
export function indexCacheBytes(env: NodeJS.ProcessEnv): number {
  const given = said(env, "QUARRY_INDEX_CACHE_SIZE");
  if (given === null) return INDEX_CACHE_BYTES;
  const bytes = bytesOf(given);
  if (bytes !== null) return bytes;
  throw wrong("QUARRY_INDEX_CACHE_SIZE", given, "a size in bytes, such as 500M or 8G");
}

function said(env: NodeJS.ProcessEnv, variable: string): string | null {
  const given = (env[variable] ?? "").trim();
  return given === "" ? null : given;
}

function wrong(name: string, given: unknown, expected: string): ToolError {
  return new ToolError("INVALID_INPUT", `${name} is ${JSON.stringify(given)}, not ${expected}`, {
    hint: "Correct it, or leave it out",
  });
}
