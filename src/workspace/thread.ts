import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from "node:worker_threads";

export interface ThreadOptions extends Pick<WorkerOptions, "resourceLimits"> {
  /** What the thread's `given()` returns. */
  readonly given?: unknown;
  readonly moved?: readonly ArrayBuffer[];
}

/** What every thread is handed; taken by `thread-side.ts`. */
export interface Handed {
  readonly given: unknown;
  /** Hears from the thread when it has loaded, and is closed by its end. */
  readonly loading: MessagePort;
}

const LOADED = new WeakMap<Worker, Promise<void>>();

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
  LOADED.set(thread, loadedOrEnded(here));
  return thread;
}

function loadedOrEnded(port: MessagePort): Promise<void> {
  return new Promise((resolve) => {
    port.once("close", resolve);
    port.once("message", () => port.close());
    // By itself it keeps no program running.
    port.unref();
  });
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
  await LOADED.get(thread);
  await thread.terminate();
}
