/**
 * The bundled ripgrep, run plainly: arguments in, bytes out. Nothing of `src/` is used here, so that the oracle
 * shares no mistake with it.
 */
import { spawn } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";

/** What ripgrep may say without its answer being wrong: a loop cut, a link that leads nowhere. */
const HARMLESS = /File system loop found|No such file or directory|^$/;

export async function rg(cwd: string, args: readonly string[]): Promise<Buffer> {
  const child = spawn(rgPath, ["--no-config", ...args], {
    cwd,
    env: { HOME: process.env["HOME"] },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
  const fault = Buffer.concat(said)
    .toString()
    .split("\n")
    .find((line) => !HARMLESS.test(line));
  if (fault !== undefined) throw new Error(`rg ${args.join(" ")}: ${fault}`);
  return Buffer.concat(output);
}

/** Paths that `rg --files` lists, as latin1 strings: one character a byte, whatever the bytes are. */
export async function rgFiles(cwd: string, args: readonly string[]): Promise<string[]> {
  const output = await rg(cwd, ["--files", "--null", "--sort=path", ...args]);
  return output.toString("latin1").split("\0").slice(0, -1).map(withoutDot);
}

export function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
