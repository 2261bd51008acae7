/**
 * macOS kills a program that only its linker signed. The bundled ripgrep comes like that, so before it is started
 * for the first time it is signed anew, and the mark of a download is taken off. The system's ripgrep is never
 * touched. What goes wrong here is not told: if ripgrep does not start, that is. Loaded by `child.ts`, on macOS only.
 */
import { execFile } from "node:child_process";
import { SIGNING_TIME } from "../model/limits.ts";
import type { Binary } from "./binary.ts";

/** Starts a program and gives back how it ended and all that it printed. It is ended when the signal fires. */
export type Runner = (
  program: string,
  argv: readonly string[],
  signal: AbortSignal,
) => Promise<{ readonly code: number | null; readonly output: string }>;

/** By full name: PATH may lead into a repository. */
const CODESIGN = "/usr/bin/codesign";
const XATTR = "/usr/bin/xattr";

export type Signer = (binary: Binary) => Promise<void>;

/** Signs once, however many ask and whenever; all of them wait for it, and no longer than this. Never rejects. */
export function createSigner(platform: NodeJS.Platform, run: Runner, timeMs: number = SIGNING_TIME): Signer {
  let signed: Promise<void> | null = null;
  return async ({ mode, path }) => {
    if (platform !== "darwin" || mode !== "builtin") return;
    signed ??= within(timeMs, (signal) => sign(path, (program, ...argv) => run(program, argv, signal)));
    await signed;
  };
}

type Step = (program: string, ...argv: readonly string[]) => ReturnType<Runner>;

async function sign(path: string, step: Step): Promise<void> {
  const { code, output } = await step(CODESIGN, "-vv", "-d", path);
  if (code !== 0 || !output.includes("linker-signed")) return;
  const kept = "--preserve-metadata=entitlements,requirements,flags,runtime";
  await step(CODESIGN, "--sign", "-", "--force", kept, path);
  await step(XATTR, "-d", "com.apple.quarantine", path);
}

/** Done, failed or out of time: it is over. A program that hangs is ended. */
async function within(timeMs: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs);
  });
  await Promise.race([work(end.signal).catch(() => {}), over]);
  clearTimeout(timer);
  end.abort();
}

const SYSTEM = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };

const runProgram: Runner = (program, argv, signal) =>
  new Promise((resolve) => {
    const options = { signal, killSignal: "SIGKILL" as const, env: SYSTEM };
    execFile(program, argv, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });

/** The one signer of this process. */
export const signRipgrep: Signer = createSigner(process.platform, runProgram);
