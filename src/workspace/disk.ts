import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

/**
 * What is asked of a disk while a path is taken apart. `patient` gives up the turn for every question, as it must where
 * a disk may be slow or gone; `prompt` answers at once, in a thirtieth of the time, where it is known to be a local
 * one. Both fail alike.
 */
export interface Disk {
  readonly stat: (path: string) => Promise<Stats>;
  readonly lstat: (path: string) => Promise<Stats>;
  readonly realpath: (path: string) => Promise<string>;
  readonly readlink: (path: string) => Promise<string>;
}

export const patient: Disk = {
  stat: (path) => stat(path),
  lstat: (path) => lstat(path),
  realpath: (path) => realpath(path),
  readlink: (path) => readlink(path),
};

export const prompt: Disk = {
  stat: async (path) => statSync(path, MISSING) ?? notThere(path),
  lstat: async (path) => lstatSync(path, MISSING) ?? notThere(path),
  realpath: async (path) => realpathSync.native(path),
  readlink: async (path) => readlinkSync(path),
};

const MISSING = { throwIfNoEntry: false } as const;

/** Without the errors of the system, which cost more than the question. */
function notThere(path: string): never {
  throw Object.assign(new Error(`ENOENT: ${path} is not there`), { code: "ENOENT" });
}

/** The same disk for one input: what it means is found out in several steps, and each asks about the same few paths. */
export function askedOnce(disk: Disk): Disk {
  return {
    stat: once(disk.stat),
    lstat: once(disk.lstat),
    realpath: once(disk.realpath),
    readlink: once(disk.readlink),
  };
}

function once<T>(ask: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (path) => {
    const answer = answers.get(path) ?? ask(path);
    answers.set(path, answer);
    return answer;
  };
}

/** Whether a path below a folder leads over a link, behind which there may be any disk. */
export function leadsOverLink(folder: string, below: string): boolean {
  let at = folder;
  for (const name of below.split(sep)) {
    at = join(at, name);
    const kind = kindOf(at);
    if (kind !== "plain") return kind === "link";
  }
  return false;
}

function kindOf(path: string): "plain" | "link" | "none" {
  try {
    const info = lstatSync(path, MISSING);
    if (info === undefined) return "none";
    return info.isSymbolicLink() ? "link" : "plain";
  } catch {
    return "none";
  }
}
