/**
 * Where a session keeps its files: below the cache, under its name, or under a made-up one that goes with it.
 * Made when first asked, so that a session which keeps nothing leaves no trace. Folders that nobody closed are
 * swept away by a later session.
 */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../model/errors.ts";
import { SESSION_ORPHANED, SESSION_UNUSED } from "../model/limits.ts";
import { cacheFolder, type Environment, prepareCache, preparePrivateFolder } from "./cache.ts";
import { isAlive } from "./owner.ts";

export interface SessionFolder {
  /** Makes it, or throws CACHE_UNSAFE. */
  path(): Promise<string>;
  /** Removes an unnamed one; a named one stays. */
  remove(): Promise<void>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function createSessionFolder(root: string, env: Environment, name: string | null): SessionFolder {
  if (name !== null && !NAME.test(name)) {
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} is no name for a session`, {
      hint: "Use letters, digits, dots, dashes and underscores, 64 at most",
    });
  }
  const own = `${process.pid}-${randomBytes(6).toString("hex")}`;
  let made: Promise<string> | null = null;
  const make = async (): Promise<string> => {
    const cache = cacheFolder(env);
    await prepareCache(cache, root, env);
    const unnamed = join(cache, "sessions", "unnamed");
    const named = join(cache, "sessions", "named");
    const folder = name === null ? join(unnamed, own) : join(named, name);
    for (const path of [join(cache, "sessions"), unnamed, named, folder]) await preparePrivateFolder(path);
    await sweep(unnamed, SESSION_ORPHANED, (entry) => entry !== own && !isAlive(Number.parseInt(entry, 10)));
    await sweep(named, SESSION_UNUSED, (entry) => entry !== name);
    return folder;
  };
  return {
    path() {
      made ??= make().catch((cause: unknown) => {
        made = null;
        throw cause;
      });
      return made;
    },
    async remove() {
      const folder = await made?.catch(() => null);
      made = null;
      if (name === null && typeof folder === "string") await rm(folder, { recursive: true, force: true });
    },
  };
}

async function sweep(folder: string, ageMs: number, mayGo: (entry: string) => boolean): Promise<void> {
  try {
    for (const entry of await readdir(folder)) {
      const path = join(folder, entry);
      if (mayGo(entry) && Date.now() - (await newest(path)) > ageMs) {
        await rm(path, { recursive: true, force: true });
      }
    }
  } catch {
    // Somebody else sweeps, or it is not ours to sweep; there will be another time.
  }
}

/** When a session's folder was last used: its own time, or that of what lies right in it. */
async function newest(folder: string): Promise<number> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
  return Math.max(...times);
}
