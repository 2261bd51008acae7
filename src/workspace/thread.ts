import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from "node:worker_threads";

export interface ThreadOptions extends Pick<WorkerOptions, "resourceLimits"> {
  /** What the thread's `given()` returns. */
  readonly given?: unknown;
  readonly moved?: readonly ArrayBuffer[];
}

/** What every thread is handed; taken by `thread-side.ts`. */
export interface Handed {
  readonly given: unknown;
  /** Hears from the thread when it has loaded. */
  readonly loading: MessagePort;
}

interface Life {
  /** Also by its end. */
  readonly loaded: Promise<void>;
  readonly ended: Promise<void>;
}

/** What this thread has started and has not ended. */
const LIVING = new Map<Worker, Life>();

/**
 * Starts a thread whose module lies beside its caller's. Built, that is JavaScript. From sources (tests, `npm run dev`)
 * it is TypeScript, which Node 20 loads in no thread by itself: there it starts through tsx, which only those who have
 * the sources have. Nothing that it prints reaches the caller's terminal. Ended by `endThread`.
 */
export function startThread(
  caller: string,
  name: string,
  { given, moved = [], ...limits }: ThreadOptions,
): Worker {
  const { port1: here, port2: loading } = new MessageChannel();
  const handed: Handed = { given, loading };
  const options: WorkerOptions = {
    ...limits,
    workerData: handed,
    transferList: [loading, ...moved],
    stdout: true,
    stderr: true,
    execArgv: [],
  };
  const thread = begin(caller, name, options);
  LIVING.set(thread, lifeOf(thread, here));
  return thread;
}

function lifeOf(thread: Worker, port: MessagePort): Life {
  const ended = new Promise<void>((resolve) => {
    thread.once("exit", () => {
      LIVING.delete(thread);
      port.close();
      resolve();
    });
  });
  const said = new Promise<void>((resolve) => {
    port.once("message", () => {
      port.close();
      resolve();
    });
    // By itself it keeps no program running.
    port.unref();
  });
  return { loaded: Promise.race([said, ended]), ended };
}

function begin(caller: string, name: string, options: WorkerOptions): Worker {
  if (!caller.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, caller), options);
  const entry = JSON.stringify(new URL(`./${name}.ts`, caller).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${entry}); });`;
  return new Worker(start, { ...options, eval: true });
}

/**
 * Ends a thread, whatever it is doing, once it has loaded: what Node has open to load a module from when a thread is
 * terminated, it never closes.
 */
export async function endThread(thread: Worker): Promise<void> {
  thread.ref();
  await LIVING.get(thread)?.loaded;
  await thread.terminate();
}

/** Until all that this thread has started have ended: they end with it, and then in whatever they are doing. */
export async function threadsEnded(): Promise<void> {
  await Promise.all([...LIVING.values()].map(({ ended }) => ended));
}
