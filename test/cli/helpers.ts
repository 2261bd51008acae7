/** What the tests of the command line share: small trees on disk, runs in this process, runs of the built program. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";

export const PROGRAM: string = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A folder with these files, gone after the test. */
export function tree(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "quarry-cli-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One run in this process, in a pipe unless told otherwise. */
export async function quarry(cwd: string, argv: readonly string[], io: Partial<Io> = {}): Promise<Ran> {
  const stdout = new Sink();
  const stderr = new Sink();
  const code = await run(argv, {
    stdin: Readable.from([]),
    stdout,
    stderr,
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    env: { TERM: "xterm" },
    cwd,
    signal: new AbortController().signal,
    ...io,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

export class Sink extends Writable {
  #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** The built program as a process of its own, by a shell command in which `quarry` stands for it. */
export function shell(cwd: string, command: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const script = command.replaceAll(/\bquarry\b/g, `'${process.execPath}' '${PROGRAM}'`);
  return collect(spawn("bash", ["-c", script], { cwd, env: { ...process.env, ...env } }));
}

/** Everything a process says until it is gone. */
export function collect(child: ReturnType<typeof spawn>): Promise<Ran> {
  const parts = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (parts.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (parts.stderr += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...parts }));
  });
}

/** The objects of a `--json` answer: the results, and the summary that ends it. */
export function objects(stdout: string): { results: Json[]; summary: Json } {
  const all = stdout
    .trimEnd()
    .split("\n")
    .map((line): Json => JSON.parse(line));
  return { results: all.slice(0, -1), summary: all.at(-1) ?? {} };
}

export type Json = Readonly<Record<string, unknown>>;
