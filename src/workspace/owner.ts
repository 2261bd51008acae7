/**
 * Who wrote a lock or a journal, and whether that process has ended. A process id alone is not enough: ids are
 * used again, and mean nothing on another machine or in another container. Called by `lock.ts` and in `edit/commit/`.
 */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { OWNER_UNKNOWN } from "../model/limits.ts";
import { codeOf } from "./real-path.ts";

export interface Owner {
  /** The machine and the room of process ids on it, then one start of that machine: a short hash each. */
  readonly place: string;
  readonly boot: string;
  readonly pid: number;
  /** When it was started, in the kernel's ticks; "0" where the system does not say. */
  readonly start: string;
}

let own: Owner | null = null;

export function thisProcess(): Owner {
  own ??= {
    place: short(`${hostname()} ${textOf(() => readlinkSync("/proc/self/ns/pid"))}`),
    boot: short(textOf(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))),
    pid: process.pid,
    start: startOf(process.pid),
  };
  return own;
}

/** As part of a file's name. */
export function ownerName({ place, boot, pid, start }: Owner): string {
  return `${place}-${boot}-${pid}-${start}`;
}

const NAME = /^([0-9a-f]{8})-([0-9a-f]{8})-(\d{1,10})-(\d{1,20})$/;

export function readOwner(name: string): Owner | null {
  const [, place, boot, pid, start] = NAME.exec(name) ?? [];
  if (place === undefined || boot === undefined || pid === undefined || start === undefined) return null;
  return { place, boot, pid: Number(pid), start };
}

/** Of an owner that cannot be looked at from here, age decides: nobody takes so long over a write. */
export function hasEnded(owner: Owner, ageMs: number): boolean {
  const self = thisProcess();
  if (owner.place !== self.place) return ageMs > OWNER_UNKNOWN;
  if (owner.boot !== self.boot) return true;
  if (!isAlive(owner.pid)) return true;
  return owner.start !== startOf(owner.pid);
}

/** A process of another user is alive too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === "EPERM";
  }
}

function startOf(pid: number): string {
  const text = textOf(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The name in brackets may hold anything, brackets too; the start is the twentieth field after it.
  const start = text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
  return start !== undefined && /^\d+$/.test(start) ? start : "0";
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function short(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
