import type { ChildProcess } from "node:child_process";
import { KILL_GRACE } from "../model/limits.ts";

/**
 * Process groups, and the promise that none outlives us: not when it was ended, not when Node exits, and not
 * when Node dies of a signal that nobody else handles.
 */

/** Processes that are alive now; whatever is left when Node exits is killed with it. */
const alive = new Set<ChildProcess>();

/** Starts a process that leads a group of its own. */
export function startGuarded(start: () => ChildProcess): ChildProcess {
  // Before it starts: a signal that comes in between is then handled after.
  listen();
  try {
    const child = start();
    if (child.pid === undefined) return child;
    alive.add(child);
    child.once("exit", () => {
      alive.delete(child);
      unlisten();
    });
    return child;
  } finally {
    unlisten();
  }
}

function listen(): void {
  if (alive.size > 0) return;
  process.once("exit", killAll);
  for (const signal of DEADLY) process.on(signal, onDeadlySignal);
}

function unlisten(): void {
  if (alive.size > 0) return;
  process.off("exit", killAll);
  for (const signal of DEADLY) process.off(signal, onDeadlySignal);
}

/** Signals that end Node without an `exit` event, unless somebody listens to them. */
const DEADLY = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Where nobody else listens, Node dies of it as it would have, but not before its children. */
function onDeadlySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onDeadlySignal);
  process.kill(process.pid, signal);
}

function killAll(): void {
  for (const child of alive) signalGroup(child, "SIGKILL");
}

/** SIGTERM to the group, and SIGKILL if it is still there after a while, or to whatever outlives its leader. */
export function endGroup(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) {
    signalGroup(child, "SIGKILL");
    return;
  }
  signalGroup(child, "SIGTERM");
  const escalation = setTimeout(() => signalGroup(child, "SIGKILL"), KILL_GRACE);
  escalation.unref();
  child.once("exit", () => {
    clearTimeout(escalation);
    signalGroup(child, "SIGKILL");
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}
