/** A Node process of its own that uses the library: for what is decided once per process, and for stdin. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tree } from "./tree.ts";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const LIBRARY = new URL("../../src/quarry.ts", import.meta.url).href;

export interface ScriptOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a script that has `search` and `find` in scope. Its stdin is an open pipe that nobody writes to. */
export function startScript(source: string, options: ScriptOptions = {}): ChildProcess {
  const file = join(tree(), "script.mts");
  writeFileSync(
    file,
    `import { find, search } from ${JSON.stringify(LIBRARY)};\n${source}\nvoid [find, search];\n`,
  );
  return spawn(process.execPath, ["--import", TSX, file], {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs a script to its end; what it printed, as JSON. */
export async function runScript(source: string, options: ScriptOptions = {}): Promise<unknown> {
  const child = startScript(source, options);
  let out = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  child.stdin?.destroy();
  if (code !== 0) throw new Error(`The script ended with ${code}: ${errors}`);
  return JSON.parse(out) as unknown;
}
