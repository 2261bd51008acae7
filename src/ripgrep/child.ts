import { type ChildProcess, spawn } from "node:child_process";
import { ToolError } from "../model/errors.ts";
import { type Binary, binaryEnvironment, resolveBinary } from "./binary.ts";
import { endGroup, startGuarded } from "./group.ts";
import { pour, type Stdin } from "./stdin.ts";
import { stopwatch } from "./stopwatch.ts";

/**
 * The life of one ripgrep process: started in a group of its own with stdin closed or a text in it, ended by whoever
 * had enough, by the clock or by the caller's signal, and never left behind, not even when Node exits.
 * The file that starts ripgrep; `signing.ts` starts what makes it run on macOS.
 */

export type StopReason = "enough" | "timeout" | "abort";

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why we ended it, if we did. */
  readonly stopped: StopReason | null;
}

export interface ChildOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The text to read; without one, stdin is closed. */
  readonly stdin: Stdin | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onOutput: (chunk: Buffer) => void;
  readonly onError: (chunk: Buffer) => void;
}

export interface Child {
  readonly binary: Binary;
  /** Settles when the process is gone and all it wrote was passed on, or at once when it is stopped. */
  readonly ended: Promise<Ending>;
  readonly stop: (reason: StopReason) => void;
  /** Hold its output back, and let it come again. Its clock stands still meanwhile: the reader takes that time. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** The time it took of its own, in milliseconds. */
  readonly spent: () => number;
}

export async function startChild(options: ChildOptions): Promise<Child> {
  const binary = await resolveBinary(options.env === process.env ? undefined : options.env);
  if (process.platform === "darwin") await (await import("./signing.ts")).signRipgrep(binary);
  if (options.signal?.aborted) throw aborted(options.signal);
  const child = spawnBinary(binary, options);
  let stopped: StopReason | null = null;
  let closed = false;
  let settle: (ending: Ending) => void = () => {};

  const stop = (reason: StopReason): void => {
    // A process that is gone may have left others behind, which hold its output open.
    if (stopped !== null || closed) return;
    stopped = reason;
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
    endGroup(child);
    settle({ code: null, signal: null, stopped });
  };

  const clock = stopwatch(options.timeoutMs, () => stop("timeout"));
  const onAbort = (): void => stop("abort");
  options.signal?.addEventListener("abort", onAbort, { once: true });

  const ended = new Promise<Ending>((resolve, reject) => {
    settle = resolve;
    child.once("error", (error: NodeJS.ErrnoException) => reject(startError(binary, options.cwd, error)));
    child.once("close", (code, signal) => {
      closed = true;
      resolve({ code, signal, stopped });
    });
    if (options.stdin === undefined || child.stdin === null) return;
    pour(options.stdin, child.stdin).catch((error: NodeJS.ErrnoException) => {
      // Of one that was stopped nobody wants to know.
      reject(unreadable(error));
      stop("enough");
    });
  }).finally(() => {
    clock.pause();
    options.signal?.removeEventListener("abort", onAbort);
  });

  child.stdout?.on("data", options.onOutput);
  child.stderr?.on("data", options.onError);
  return {
    binary,
    ended,
    stop,
    pause: () => {
      clock.pause();
      child.stdout?.pause();
    },
    resume: () => {
      if (!closed && stopped === null) clock.resume();
      child.stdout?.resume();
    },
    spent: clock.spent,
  };
}

export function aborted(signal: AbortSignal | undefined): ToolError {
  return new ToolError("ABORTED", "The call was aborted", { cause: signal?.reason });
}

function spawnBinary(binary: Binary, options: ChildOptions): ChildProcess {
  try {
    return startGuarded(() =>
      spawn(binary.command, options.argv, {
        cwd: options.cwd,
        env: binaryEnvironment(binary, options.cwd, options.env),
        stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      }),
    );
  } catch (error) {
    throw startError(binary, options.cwd, error as NodeJS.ErrnoException);
  }
}

function unreadable(error: NodeJS.ErrnoException): ToolError {
  return new ToolError("PATH_UNREADABLE", `The open file could not be read: ${error.message}`, {
    hint: "Open it again, and keep it open until the search has ended",
    cause: error,
  });
}

function startError(binary: Binary, cwd: string, error: NodeJS.ErrnoException): ToolError {
  if (error.code === "E2BIG") {
    return new ToolError("INVALID_INPUT", "The pattern and the paths are too long for one command", {
      hint: "Shorten the pattern, or name folders instead of many files",
      cause: error,
    });
  }
  if (error.code === "ERR_INVALID_ARG_VALUE") {
    return new ToolError("INVALID_INPUT", "A pattern, path or glob holds a NUL character", {
      hint: "In a pattern, write it as \\x00",
      cause: error,
    });
  }
  const remedy =
    binary.mode === "system"
      ? "Repair the rg on PATH, or unset USE_BUILTIN_RIPGREP to use the bundled one"
      : "Reinstall the package, or install ripgrep and set USE_BUILTIN_RIPGREP=0";
  if (error.code === "ENOENT") {
    return new ToolError(
      "RIPGREP_MISSING",
      `ripgrep was not found at ${binary.path} (working folder ${cwd})`,
      {
        hint: remedy,
        cause: error,
      },
    );
  }
  return new ToolError(
    "RIPGREP_NOT_EXECUTABLE",
    `ripgrep at ${binary.path} did not start: ${error.message}`,
    {
      hint: remedy,
      cause: error,
    },
  );
}

/** Killed by somebody else before it said a word. */
export function killedError(binary: Binary, signal: string): ToolError {
  return new ToolError(
    "RIPGREP_NOT_EXECUTABLE",
    `ripgrep at ${binary.path} was killed at start (${signal})`,
    {
      hint:
        process.platform === "darwin"
          ? "macOS kills programs it does not trust: allow it in the security settings, or set USE_BUILTIN_RIPGREP=0 with a ripgrep of your own"
          : "Something on this system ends it: free memory, or look into the system's security log",
    },
  );
}
