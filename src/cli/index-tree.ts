/** The folder whose index the commands of `quarry index` are about. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { unfit } from "../index/fitness.ts";
import { ToolError } from "../model/errors.ts";
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

/** @throws ROOT_REFUSED for a tree that is left to ripgrep */
export function refuseUnfit(tree: string, { env }: Io): void {
  const why = unfit(tree, env);
  if (why !== null) throw refused(tree, why);
}

export function refused(tree: string, why: string): ToolError {
  return new ToolError("ROOT_REFUSED", `There can be no index of ${tree}: ${why}`, {
    hint: "ripgrep searches it, with the same answers",
  });
}
