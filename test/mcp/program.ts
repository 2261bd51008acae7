/** Servers over HTTP as processes of their own: the built program, and whatever else says where it listens. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PROGRAM } from "../cli/helpers.ts";

export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  /** What it wrote to stderr so far. */
  readonly log: () => string;
}

/** The built program, listening on a free port; whoever starts it ends it. */
export function startProgram(
  cwd: string,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Started> {
  return listening(spawnProgram(flags, { cwd, env: { ...process.env, ...env } }));
}

/** The same with exactly this environment, as soon as it is started. */
export function spawnProgram(
  flags: readonly string[],
  ground: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ChildProcess {
  const argv = [PROGRAM, "mcp", "--transport", "http", "--port", "0", ...flags];
  return spawn(process.execPath, argv, { ...ground, stdio: ["ignore", "ignore", "pipe"] });
}

/** A server that was started, as soon as it says on stderr where it listens. */
export async function listening(child: ChildProcess): Promise<Started> {
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, found] = /Serving at (\S+\/mcp)/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`The server did not start: ${log}`)));
  });
  return { child, url, port: Number(new URL(url).port), log: () => log };
}

/** Ends it as whoever started it does; its exit code. */
export async function stop({ child }: Pick<Started, "child">): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, "close");
  child.kill("SIGTERM");
  await gone;
  return child.exitCode;
}
