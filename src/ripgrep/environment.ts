import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";

/**
 * What ripgrep gets to see of the environment: what its answer needs, and nothing that could change it
 * or run a program (RIPGREP_CONFIG_PATH, LD_PRELOAD). HOME and XDG_CONFIG_HOME lead to the user's own
 * ignore file.
 */

const KEPT = ["HOME", "XDG_CONFIG_HOME", "USERPROFILE", "APPDATA", "SYSTEMROOT"];

export function childEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** The folders of PATH that a program may be taken from: absolute ones, and never the working folder. */
export function programFolders(env: NodeJS.ProcessEnv, workingFolder: string): string[] {
  const path = env["PATH"] ?? env["Path"] ?? "";
  const own = real(workingFolder);
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && real(folder) !== own);
}

/** A link to the working folder is the working folder. */
function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
