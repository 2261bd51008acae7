import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread of this room. Built, it is JavaScript beside its caller. From sources (tests, `npm run dev`) it is
 * TypeScript, which Node 20 loads in no thread by itself: there it starts through tsx, which only those who have the
 * sources have.
 */
export function startThread(name: "index-thread" | "build-thread", workerData: unknown): Worker {
  const options: WorkerOptions = { workerData, stdout: true, stderr: true, execArgv: [] };
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(`./${name}.js`, import.meta.url), options);
  const entry = JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href);
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${entry}); });`;
  return new Worker(start, { ...options, eval: true });
}
