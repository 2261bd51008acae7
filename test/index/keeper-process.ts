/** An index in a process of its own, to be stopped and killed, to share a saved index, or to run as another user. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FeedOptions } from "../../src/index/feed/feed.ts";
import type { IndexStatus } from "../../src/index/status.ts";
import type { Outcome, Question } from "./question.ts";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const CHILD = fileURLToPath(new URL("./keeper-child.ts", import.meta.url));

export interface ChildOptions {
  readonly root: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Another user, once it is loaded. */
  readonly user: number | null;
  readonly builders: "inline" | "threads";
  readonly limits: NonNullable<FeedOptions["limits"]> | null;
}

export type Call =
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "begin" | "status" | "settled" | "close" };

export interface KeeperProcess {
  readonly pid: number;
  readonly ask: (question: Question) => Promise<Outcome>;
  /** A call that will ask begins. */
  readonly begin: () => Promise<unknown>;
  readonly status: () => Promise<IndexStatus>;
  /** Resolves when nothing is left to be done behind the answers. */
  readonly settled: () => Promise<void>;
  /** Resolves when the index can answer, or cannot be. */
  readonly started: Promise<unknown>;
  readonly signal: (signal: "SIGSTOP" | "SIGCONT") => void;
  /** Resolves when it is no more. */
  readonly kill: () => Promise<void>;
  /** Closes the index, then ends. */
  readonly close: () => Promise<void>;
}

/** When it answers, the index is about to be started. */
export async function keeperProcess(
  options: Pick<ChildOptions, "root" | "folder" | "env"> & Partial<ChildOptions>,
): Promise<KeeperProcess> {
  const all: ChildOptions = { user: null, builders: "inline", limits: null, ...options };
  const child = spawn(process.execPath, ["--import", TSX, CHILD, JSON.stringify(all)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  const heard = hearing(child);
  await heard.next();
  const started = heard.next();
  // Whoever kills it does not wait for it.
  started.catch(() => {});
  const call = async (call: Call): Promise<unknown> => {
    await started;
    child.send(call);
    return heard.next();
  };
  return {
    pid: child.pid ?? 0,
    started,
    ask: async (question) => (await call({ kind: "ask", question })) as Outcome,
    begin: () => call({ kind: "begin" }),
    status: async () => (await call({ kind: "status" })) as IndexStatus,
    settled: async () => void (await call({ kind: "settled" })),
    signal: (signal) => void child.kill(signal),
    kill: () => ended(child, "SIGKILL"),
    close: async () => {
      await call({ kind: "close" });
      await ended(child, "SIGTERM");
    },
  };
}

async function ended(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** What the child says, in turn. */
function hearing(child: ChildProcess): { readonly next: () => Promise<unknown> } {
  const said: unknown[] = [];
  const waiting: { resolve: (value: unknown) => void; reject: (cause: Error) => void }[] = [];
  let gone: Error | null = null;
  child.on("message", (message) => {
    const first = waiting.shift();
    if (first === undefined) said.push(message);
    else first.resolve(message);
  });
  child.on("exit", (code, signal) => {
    gone = new Error(`The index's process has ended: ${signal ?? code}`);
    for (const { reject } of waiting.splice(0)) reject(gone);
  });
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (said.length > 0) resolve(said.shift());
        else if (gone !== null) reject(gone);
        else waiting.push({ resolve, reject });
      }),
  };
}
