/** The folder whose index the commands of `quarry index` are about. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { quoteName } from "../format/escape.ts";
import { unfit } from "../index/fitness.ts";
import { indexFolders } from "../index/places.ts";
import { ToolError } from "../model/errors.ts";
import { checkPrivateFolder } from "../workspace/cache.ts";
import { resolveRoot } from "../workspace/targets.ts";
import type { Typed } from "./arguments.ts";
import type { Io } from "./io.ts";

/** The real path of the folder that is meant. @throws PATH_NOT_FOUND, NOT_A_FOLDER */
export async function treeOf({ positionals: [folder = "."] }: Typed, { cwd }: Io): Promise<string> {
  try {
    return await realpath(await resolveRoot(resolve(cwd, folder)));
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    throw new ToolError(cause.code, cause.message, { hint: "Name the folder whose index is meant", cause });
  }
}

/** The command that does something else with the same folder, as it would be typed here. */
export function commandFor(verb: "build" | "drop", { positionals: [folder] }: Typed): string {
  return `quarry index ${verb}${folder === undefined ? "" : ` ${quoteName(folder)}`}`;
}

/** @throws ROOT_REFUSED for a tree that is left to ripgrep, CACHE_UNSAFE where the index would lie */
export async function refuseUnfit(tree: string, { env }: Io): Promise<void> {
  const why = unfit(tree, env);
  if (why !== null) throw refused(tree, why);
  for (const folder of indexFolders(tree, env)) await checkPrivateFolder(folder);
}

export function refused(tree: string, why: string): ToolError {
  return new ToolError("ROOT_REFUSED", `There can be no index of ${tree}: ${why}`, {
    hint: "ripgrep searches it, with the same answers",
  });
}
