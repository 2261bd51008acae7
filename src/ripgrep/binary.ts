import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { ToolError } from "../model/errors.ts";
import { childEnvironment, programFolders } from "./environment.ts";

/**
 * Which ripgrep runs: the bundled one by its absolute path, or, when USE_BUILTIN_RIPGREP is set to a
 * falsy word and there is one on PATH, the system's, called by its name. Decided once per process.
 */

export interface Binary {
  readonly mode: "builtin" | "system";
  /** What is started: an absolute path, or the name `rg`. */
  readonly command: string;
  /** The file that this means. */
  readonly path: string;
}

const PROGRAM = process.platform === "win32" ? "rg.exe" : "rg";
const FALSY = new Set(["0", "false", "no", "off"]);

/** An empty PATH would mean the working folder. */
const NOWHERE = "/dev/null";

let decided: Promise<Binary> | undefined;

export function resolveBinary(env?: NodeJS.ProcessEnv): Promise<Binary> {
  if (env !== undefined) return decide(env);
  decided ??= decide(process.env);
  return decided;
}

/** The environment a binary is started in. The system one is looked up by name, so it needs its PATH. */
export function binaryEnvironment(
  binary: Binary,
  workingFolder: string,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const kept = childEnvironment(env);
  if (binary.mode === "builtin") return kept;
  return { ...kept, PATH: programFolders(env, workingFolder).join(delimiter) || NOWHERE };
}

async function decide(env: NodeJS.ProcessEnv): Promise<Binary> {
  if (FALSY.has((env["USE_BUILTIN_RIPGREP"] ?? "").trim().toLowerCase())) {
    const path = await findProgram(programFolders(env, process.cwd()));
    if (path !== null) return { mode: "system", command: "rg", path };
  }
  const path = await bundledPath();
  return { mode: "builtin", command: path, path };
}

async function findProgram(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, PROGRAM);
    if (await isProgram(path)) return path;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function bundledPath(): Promise<string> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch (cause) {
    throw new ToolError(
      "RIPGREP_MISSING",
      `The bundled ripgrep for ${process.platform}-${process.arch} is not installed`,
      {
        hint: "Reinstall without --omit=optional, or install ripgrep and set USE_BUILTIN_RIPGREP=0",
        cause,
      },
    );
  }
}
