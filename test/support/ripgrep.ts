/** The real ripgrep beside ours, and programs that stand in for it. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { onTestFinished } from "vitest";
import { isAlive } from "./processes.ts";
import { tree } from "./tree.ts";

export { rgPath } from "@vscode/ripgrep";

/** What the bundled ripgrep prints, run by itself in a folder. */
export function rg(cwd: string, ...argv: readonly string[]): Buffer {
  const { stdout, error } = spawnSync(rgPath, ["--no-config", ...argv], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 30,
  });
  if (error !== undefined) throw error;
  return stdout;
}

export interface StandIn {
  readonly folder: string;
  readonly path: string;
  /** An environment that asks for the system's ripgrep and has this one first on PATH. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * A shell script called `rg`, in which `$RG` is the bundled one and `$MARK` a folder to leave marks in.
 * Processes whose ids it leaves in `$MARK/pids` do not outlive the test, should the library leave them alive.
 */
export function standIn(script: string): StandIn {
  const mark = tree();
  onTestFinished(() => endAll(join(mark, "pids")));
  const folder = tree({ rg: `#!/bin/sh\nRG='${rgPath}'\nMARK='${mark}'\n${script}\n` });
  chmodSync(join(folder, "rg"), 0o755);
  chmodSync(folder, 0o755);
  return { folder: mark, path: join(folder, "rg"), env: systemRipgrep(folder) };
}

function endAll(list: string): void {
  if (!existsSync(list)) return;
  for (const pid of readFileSync(list, "utf8").trim().split("\n").map(Number)) {
    if (pid > 1 && isAlive(pid)) process.kill(pid, "SIGKILL");
  }
}

/** An environment in which the system's ripgrep is looked for in these folders. */
export function systemRipgrep(...folders: readonly string[]): NodeJS.ProcessEnv {
  return { USE_BUILTIN_RIPGREP: "0", PATH: [...folders, "/usr/bin", "/bin"].join(":") };
}
