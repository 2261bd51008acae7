/** Who is alive, asked of the kernel. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Processes whose parent is this one, those not yet reaped among them. */
export function children(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === process.pid);
}

function parentOf(pid: number): number | null {
  const stat = statOf(pid);
  // The name in brackets may hold anything, brackets too.
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Alive, and not merely waiting to be reaped. */
export function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat[stat.lastIndexOf(")") + 2] !== "Z";
}

function statOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
}

/** Open descriptors of this process. */
export function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

/** Waits until something holds, for at most so long; whether it came to hold. */
export async function eventually(holds: () => boolean, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) return false;
    await sleep(20);
  }
  return true;
}
