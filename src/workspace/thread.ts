import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread whose module lies beside its caller's. Built, that is JavaScript. From sources (tests, `npm run dev`)
 * it is TypeScript, which Node 20 loads in no thread by itself: there it starts through tsx, which only those who have
 * the sources have. Nothing that it prints reaches the caller's terminal.
 */
export function startThread(caller: string, name: string, options: WorkerOptions): Worker {
  const quiet: WorkerOptions = { ...options, stdout: true, stderr: true, execArgv: [] };
  if (!caller.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, caller), quiet);
  const entry = JSON.stringify(new URL(`./${name}.ts`, caller).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${entry}); });`;
  return new Worker(start, { ...quiet, eval: true });
}
