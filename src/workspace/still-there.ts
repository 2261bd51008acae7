/**
 * Whether what a walk has found is still there and may be named: a link on the way may have been turned elsewhere
 * between the walk and its judgement, and back. Each folder is opened once, judged by where its descriptor really is,
 * and its entries are looked for below the descriptor, which leaves no gap; a list of thousands takes no longer than
 * its times do. Where there is no such path every entry is resolved by its name, and judged by that.
 * Globs on the names themselves were judged by the walk (`sieve.ts`). Called by `tools/agent-find.ts`.
 */
import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { TURN } from "../model/limits.ts";
import type { Policy } from "./policy.ts";
import { splitName } from "./sieve.ts";

/** Absolute; bytes where the name is not UTF-8. */
type Place = string | Buffer;

/** For each of the paths; the event loop gets its turn in between. */
export async function stillThere(policy: Policy, paths: readonly Place[]): Promise<boolean[]> {
  const there = paths.map(() => false);
  let since = performance.now();
  for (const { folder, members } of byFolder(paths)) {
    const entered = enter(policy, folder);
    try {
      for (const at of members) {
        there[at] = entered.holds(paths[at] as Place);
        if (performance.now() - since < TURN) continue;
        await setImmediate();
        since = performance.now();
      }
    } finally {
      entered.close();
    }
  }
  return there;
}

/** The same of one path. */
export function isStillThere(policy: Policy, path: Place): boolean {
  const entered = enter(policy, splitName(path).parent);
  try {
    return entered.holds(path);
  } finally {
    entered.close();
  }
}

interface Group {
  readonly folder: Place;
  /** Where they stand in the list. */
  readonly members: number[];
}

function byFolder(paths: readonly Place[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const [at, path] of paths.entries()) {
    const { parent: folder } = splitName(path);
    const key = typeof folder === "string" ? folder : `\0${folder.toString("latin1")}`;
    const group = groups.get(key) ?? { folder, members: [] };
    group.members.push(at);
    groups.set(key, group);
  }
  return groups.values();
}

interface Entered {
  readonly holds: (path: Place) => boolean;
  readonly close: () => void;
}

// Absent on Windows, where there is no path for a descriptor either.
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

function enter(policy: Policy, folder: Place): Entered {
  const opened = process.platform === "linux" ? openHere(folder) : null;
  if (opened === null) return { holds: (path) => holdsByName(policy, path), close: () => {} };
  const { fd, realPath } = opened;
  return { holds: (path) => holdsBelow(policy, fd, realPath, path), close: () => closeSync(fd) };
}

/** null: it cannot be opened, or nobody says where it is. */
function openHere(folder: Place): { readonly fd: number; readonly realPath: string } | null {
  const fd = attempt(() => openSync(folder, FLAGS));
  if (fd === null) return null;
  const realPath = attempt(() => readlinkSync(`/proc/self/fd/${fd}`));
  if (realPath !== null) return { fd, realPath };
  closeSync(fd);
  return null;
}

function holdsBelow(policy: Policy, fd: number, realPath: string, path: Place): boolean {
  const start = `/proc/self/fd/${fd}/`;
  const { name, bytes } = splitName(path);
  const info = attempt(() =>
    lstatSync(bytes === null ? start + name : Buffer.concat([Buffer.from(start), bytes])),
  );
  if (info === null) return false;
  if (info.isSymbolicLink()) return holdsByName(policy, path);
  return policy.allowsReal(realPath + sep + name, info.isDirectory() ? "folder" : "file");
}

/** By where it leads, which is also how a link to a folder is judged. */
function holdsByName(policy: Policy, path: Place): boolean {
  const real = attempt(() => realpathSync.native(path));
  if (real === null) return false;
  const info = attempt(() => statSync(real));
  return policy.allowsReal(real, info?.isDirectory() === true ? "folder" : "file");
}

function attempt<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    return null;
  }
}
