import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { isAbandoned } from "../workspace/lock.ts";
import { isAlive } from "../workspace/owner.ts";
import { SEGMENT_FORMAT } from "./store/segment-writer.ts";

/**
 * The index of one tree on disk: segments, and a manifest that names those that count, replaced by rename. What the
 * manifest does not name is left over from a build that did not end. Written and read by `segments.ts`.
 */

export interface Manifest {
  readonly root: string;
  readonly segments: readonly string[];
}

const NAME = "manifest";
const DRAFT = `${NAME}.draft`;

/** null: there is none, or none that can be trusted. */
export function readManifest(folder: string, root: string): Manifest | null {
  try {
    const text = readFileSync(join(folder, NAME), "utf8");
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    if (Number(text.slice(0, end)) !== crc32(body)) return null;
    const { format, ...manifest } = JSON.parse(body) as Manifest & { readonly format: number };
    return format === SEGMENT_FORMAT && manifest.root === root ? manifest : null;
  } catch {
    return null;
  }
}

/** Of all that the manifest names, as far as it is there. */
export function savedBytes(folder: string, root: string): number {
  const sizes = (readManifest(folder, root)?.segments ?? []).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The segments are on the disk before. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const body = JSON.stringify({ format: SEGMENT_FORMAT, ...manifest });
  const draft = join(folder, DRAFT);
  rmSync(draft, { force: true });
  const fd = openSync(draft, "wx", 0o600);
  try {
    writeSync(fd, `${crc32(body)}\n${body}`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, join(folder, NAME));
}

/** A segment's name begins like this, and so that of one which is never saved, before its process. */
export const SEGMENT_NAME = "segment-";
export const PRIVATE_NAME = "private-";

/** Removes segments that nobody names, and what processes left that have ended. Who has one open keeps it. */
export function removeOthers(folder: string, isNamed: (name: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const over = name.startsWith(SEGMENT_NAME)
      ? !isNamed(name)
      : name === DRAFT || isAbandoned(name) || isOrphan(name);
    if (over) rmSync(join(folder, name), { force: true });
  }
}

function isOrphan(name: string): boolean {
  const [, pid] = /^private-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}
