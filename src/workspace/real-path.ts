/**
 * Where a path really leads, every link resolved, also when it leads to nothing yet: then the nearest existing
 * ancestor is resolved and the rest appended, and a dangling link is followed to where its target would be.
 * The policy compares these. Never throws.
 */
import { basename, dirname, isAbsolute, join, parse, sep } from "node:path";
import { type Disk, patient } from "./disk.ts";

export interface RealPath {
  readonly path: string;
  /** null: there is such a file. Otherwise the error code of the call that ended the walk, such as ENOENT. */
  readonly fault: string | null;
}

/** As Linux does. */
const LINKS = 40;

export async function resolveReal(absolute: string, disk: Disk = patient): Promise<RealPath> {
  try {
    return { path: await disk.realpath(absolute), fault: null };
  } catch {
    return (await missingName(absolute, disk)) ?? walk(absolute, disk);
  }
}

/** Most of what is not there is a new name or a glob in a folder that is: no need to go down to it step by step. */
async function missingName(absolute: string, disk: Disk): Promise<RealPath | null> {
  const name = basename(absolute);
  if (name === "" || name === "." || name === "..") return null;
  const folder = await disk.realpath(dirname(absolute)).catch(() => null);
  if (folder === null) return null;
  const path = join(folder, name);
  const fault = await disk.lstat(path).then(() => null, codeOf);
  return fault === null ? null : { path, fault };
}

async function walk(absolute: string, disk: Disk): Promise<RealPath> {
  let { root: current } = parse(absolute);
  const left = segments(absolute.slice(current.length));
  for (let links = 0; left.length > 0; ) {
    const name = left.shift() as string;
    if (name === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, name);
    const info = await disk.lstat(next).catch((cause: unknown) => codeOf(cause));
    if (typeof info === "string") return { path: join(next, ...left), fault: info };
    if (!info.isSymbolicLink()) {
      current = next;
      continue;
    }
    links += 1;
    if (links > LINKS) return { path: join(next, ...left), fault: "ELOOP" };
    const target = await disk.readlink(next).catch((cause: unknown) => ({ fault: codeOf(cause) }));
    if (typeof target !== "string") return { path: join(next, ...left), fault: target.fault };
    if (isAbsolute(target)) current = parse(target).root;
    left.unshift(...segments(isAbsolute(target) ? target.slice(current.length) : target));
  }
  return { path: current, fault: null };
}

function segments(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]/ : "/").filter((name) => name !== "" && name !== ".");
}

/** The code of a failed file call. */
export function codeOf(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === "string" ? code : "UNKNOWN";
}

/** The part of a path below a folder: "" for the folder itself, null outside it. Whole components count. */
export function pathBelow(folder: string, path: string): string | null {
  if (path === folder) return "";
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return path.startsWith(start) ? path.slice(start.length) : null;
}
