/**
 * Opens a file of the session's ground: checked, opened, and then judged again by what was really opened, because
 * a link may be swapped between a check and an open. Read, search and edit all come through here.
 * Linux says where a descriptor really is (`/proc/self/fd`), which leaves no gap. Elsewhere the path is resolved
 * after the open and must be the same device and inode; a swap there and back in between would go unseen.
 * Pipes and devices answer at once: they are refused before, opened without waiting, and refused after.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { ToolError } from "../model/errors.ts";
import type { Policy } from "./policy.ts";
import { codeOf } from "./real-path.ts";

export interface Opened {
  /** The caller closes it. */
  readonly handle: FileHandle;
  /** Where it really is, or was if `deleted`. */
  readonly realPath: string;
  /** The raw bytes of `realPath` in base64, only when they are not UTF-8. */
  readonly realPathBytes?: string;
  readonly stat: Stats;
  /** It was unlinked or replaced since it was opened; what is read is the old content. */
  readonly deleted: boolean;
}

type Kind = "file" | "folder";

// Absent on Windows.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A regular file. The path is relative to the policy's root or absolute; bytes only when absolute. */
export function openFile(
  policy: Policy,
  path: string | Buffer,
  platform: NodeJS.Platform = process.platform,
): Promise<Opened> {
  return openVerified(policy, path, "file", platform);
}

/** A folder, to work in through its descriptor. */
export function openFolder(
  policy: Policy,
  path: string | Buffer,
  platform: NodeJS.Platform = process.platform,
): Promise<Opened> {
  return openVerified(policy, path, "folder", platform);
}

async function openVerified(
  policy: Policy,
  path: string | Buffer,
  kind: Kind,
  platform: NodeJS.Platform,
): Promise<Opened> {
  const allowed = await policy.check(path);
  const name = path.toString();
  if (allowed.kind === null) throw missing(name);
  if (allowed.kind !== kind) throw wrongKind(name, kind, allowed.kind);
  const onDisk = typeof path === "string" ? allowed.path : path;
  const handle = await open(onDisk, FLAGS).catch((cause: unknown) => {
    throw openFault(name, kind, cause);
  });
  try {
    const info = await handle.stat();
    const isKind = kind === "file" ? info.isFile() : info.isDirectory();
    if (!isKind) throw wrongKind(name, kind, info.isDirectory() ? "folder" : "other");
    const link = platform === "linux" ? await linkOf(handle) : null;
    const place = await (link === null ? placeByName(info, onDisk) : placeByLink(info, link));
    if (place === null || !policy.allowsReal(place.realPath, kind)) throw swapped(name);
    return { handle, stat: info, ...place };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

type Place = Pick<Opened, "realPath" | "realPathBytes" | "deleted">;

/** null where there is no /proc. */
function linkOf(handle: FileHandle): Promise<Buffer | null> {
  return readlink(`/proc/self/fd/${handle.fd}`, { encoding: "buffer" }).catch(() => null);
}

async function placeByLink(info: Stats, link: Buffer): Promise<Place | null> {
  const gone = await wasDeleted(link, info);
  const bytes = gone ? link.subarray(0, link.length - DELETED.length) : link;
  // A descriptor outside this mount namespace reads "(unreachable)/…".
  return bytes[0] === 0x2f ? { ...named(bytes), deleted: gone } : null;
}

const DELETED = Buffer.from(" (deleted)");

/** The kernel appends a word to the name of a file that is gone; a file may also be called so. */
async function wasDeleted(link: Buffer, info: Stats): Promise<boolean> {
  if (!link.subarray(-DELETED.length).equals(DELETED)) return false;
  const there = await lstat(link).catch(() => null);
  return there === null || there.ino !== info.ino || there.dev !== info.dev;
}

async function placeByName(info: Stats, path: string | Buffer): Promise<Place | null> {
  const real = await realpath(path, { encoding: "buffer" }).catch(() => null);
  if (real === null) return null;
  const there = await stat(real).catch(() => null);
  if (there === null || there.ino !== info.ino || there.dev !== info.dev) return null;
  return { ...named(real), deleted: false };
}

function named(bytes: Buffer): Pick<Opened, "realPath" | "realPathBytes"> {
  const realPath = bytes.toString();
  if (Buffer.from(realPath).equals(bytes)) return { realPath };
  return { realPath, realPathBytes: bytes.toString("base64") };
}

/** The whole file, or null if it has more bytes than that. */
export async function readWhole({ handle, stat }: Opened, limit: number): Promise<Buffer | null> {
  if (stat.size > limit) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  // One byte more than expected: a file that is done says so in the next, empty read.
  for (let size = stat.size + 1; ; size = 64 * 1024) {
    const chunk = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await handle.read(chunk, 0, size, length);
    if (bytesRead === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    length += bytesRead;
    if (length > limit) return null;
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function missing(name: string): ToolError {
  return new ToolError("PATH_NOT_FOUND", `Path not found: ${name}`, { hint: "Check the spelling" });
}

function wrongKind(name: string, wanted: Kind, found: Kind | "other"): ToolError {
  if (wanted === "folder") return new ToolError("NOT_A_FOLDER", `${name} is no folder`);
  return new ToolError("NOT_A_FILE", `${name} is ${found === "folder" ? "a folder" : "no regular file"}`, {
    hint: found === "folder" ? "Name a file in it" : "Pipes, sockets and devices are not read",
  });
}

function openFault(name: string, kind: Kind, cause: unknown): ToolError {
  const code = codeOf(cause);
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return missing(name);
  if (code === "ENXIO") return wrongKind(name, kind, "other");
  return new ToolError("PATH_UNREADABLE", `${name} cannot be opened: ${code}`, {
    hint: "Check its permissions",
    cause,
  });
}

function swapped(name: string): ToolError {
  return new ToolError("PATH_DENIED", `${name} led out of the allowed folders when it was opened`, {
    hint: "Something changes its links; try again when that has ended",
  });
}
