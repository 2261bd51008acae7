/**
 * The entries of a folder that was opened and checked (`open.ts`), read through its descriptor where the system has
 * a path for that, so that a swapped link shows nothing else. Called by `tools/folder-tree.ts`.
 */
import { type Dirent, lstatSync, type Stats } from "node:fs";
import { type FileHandle, opendir, readlink } from "node:fs/promises";
import type { EntryKind } from "../model/folder-tree.ts";
import type { Opened } from "./open.ts";
import { codeOf } from "./real-path.ts";

export interface FolderEntry {
  readonly name: Buffer;
  readonly kind: EntryKind;
}

export interface OpenListing {
  readonly entries: readonly FolderEntry[];
  /** There are more, which were not read. */
  readonly cut: boolean;
  /** null: it is gone, or may not be looked at. */
  info(entry: FolderEntry): Stats | null;
  /** The text of a link; null: it is gone. */
  target(entry: FolderEntry): Promise<Buffer | null>;
}

/** Names that the system hands out at once. */
const HANDFUL = 1_024;

export async function listFolder(opened: Opened, most: number): Promise<OpenListing> {
  const place = await placeOf(opened);
  const entries: FolderEntry[] = [];
  // Names are bytes, which the types of opendir do not know.
  const folder = await opendir(place, { encoding: "buffer" as BufferEncoding, bufferSize: HANDFUL });
  let cut = false;
  for await (const entry of folder as unknown as AsyncIterable<Dirent<Buffer>>) {
    cut = entries.length === most;
    if (cut) break;
    entries.push({ name: entry.name, kind: kindOf(entry) });
  }
  const start = Buffer.concat([place, Buffer.from("/")]);
  const pathOf = ({ name }: FolderEntry): Buffer => Buffer.concat([start, name]);
  return {
    entries,
    cut,
    info: (entry) => {
      try {
        return lstatSync(pathOf(entry));
      } catch {
        return null;
      }
    },
    target: (entry) => readlink(pathOf(entry), { encoding: "buffer" }).catch(() => null),
  };
}

async function placeOf({ handle, realPath, realPathBytes }: Opened): Promise<Buffer> {
  const link = descriptorPath(handle);
  const isThere = await readlink(link).then(
    () => true,
    (cause: unknown) => codeOf(cause) !== "ENOENT",
  );
  if (isThere) return Buffer.from(link);
  return realPathBytes === undefined ? Buffer.from(realPath) : Buffer.from(realPathBytes, "base64");
}

function descriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

export function kindOf(entry: Dirent<Buffer> | Stats): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "pipe";
  return entry.isSocket() ? "socket" : "device";
}
