// Engines in processes of their own: one JSON text a line each way. `startChild` asks; lines.mjs is the other side.
// A process of its own has its own memory to measure, and takes nobody along when it crashes.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { watchChild } from "../cleanup.mjs";

/** A call that takes longer is given up, and the engine with it. */
const PATIENCE = 300_000;

export function startChild(program, argv, options = {}) {
  const child = watchChild(spawn(program, argv, { stdio: ["pipe", "pipe", "pipe"], ...options }));
  const waiting = new Map();
  let last = 0;
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-2_000)));
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Peers print what they like.
    if (!line.startsWith('{"id":')) return;
    const { id, value, error } = JSON.parse(line);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  const ended = new Promise((resolve) => {
    child.once("close", (code, signal) => resolve(`it ended with ${code ?? signal}: ${said.trim()}`));
    child.once("error", (cause) => resolve(cause.message));
  });
  void ended.then((why) => {
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
    return why;
  });
  child.stdin.on("error", () => {});

  const ask = (op, input = {}) =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null || child.signalCode !== null) return reject(new Error("it has ended"));
      const id = ++last;
      const timer = setTimeout(() => {
        waiting.delete(id);
        child.kill("SIGKILL");
        reject(new Error(`${op} took over ${PATIENCE / 1000} s`));
      }, PATIENCE);
      const settle = (how) => (value) => {
        clearTimeout(timer);
        how(value);
      };
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      child.stdin.write(`${JSON.stringify({ id, op, ...input })}\n`);
    });
  const close = async () => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(timer);
  };
  return { ask, close, pid: child.pid };
}
