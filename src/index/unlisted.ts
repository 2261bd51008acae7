import { lstatSync, readdirSync, type Stats } from "node:fs";
import { INDEX_IGNORED } from "../model/limits.ts";
import type { FileTable } from "./file-table.ts";
import type { FolderSet } from "./folder-set.ts";
import { isIn } from "./left-out.ts";
import { keyBelow, keyOnDisk, type PathKey, splitKey } from "./path-key.ts";

/**
 * What lies in the folders that ripgrep's walk enters, and is not in the tree: what ignore rules leave out, links, pipes.
 * A walk meets it, so that a glob may deny it. Read from disk when somebody asks for the first time, then kept by what
 * the feed tells. Kept by `tree.ts`, asked by `query/withheld.ts`.
 */

/** `other`: a link or a pipe, which no walk lists, whether a rule leaves it out or not. */
export type UnlistedKind = "file" | "folder" | "other";

export class Unlisted {
  readonly #root: string;
  readonly #table: FileTable;
  readonly #folders: FolderSet;
  /** null before somebody has asked. */
  #kinds: Map<PathKey, UnlistedKind> | null = null;
  #version = 0;

  constructor(root: string, table: FileTable, folders: FolderSet) {
    this.#root = root;
    this.#table = table;
    this.#folders = folders;
  }

  /** Another whenever something came or went. */
  get version(): number {
    return this.#version;
  }

  /** null: too much, or nobody knows the folders. */
  kinds(): ReadonlyMap<PathKey, UnlistedKind> | null {
    if (!this.#folders.known) return null;
    this.#kinds ??= this.#read();
    return this.#kinds.size > INDEX_IGNORED ? null : this.#kinds;
  }

  /** The tree is listed anew. */
  forget(): void {
    this.#kinds = null;
    this.#version += 1;
  }

  /** These paths may be otherwise, and these folders others, or none; the tree has been told. */
  take(touched: ReadonlySet<PathKey>, folders: ReadonlySet<PathKey>): void {
    const kinds = this.#kinds;
    if (kinds === null) return;
    if (folders.size > 0) {
      for (const key of kinds.keys()) if (isIn(key, folders)) this.#set(kinds, key, null);
    }
    for (const key of touched) this.#set(kinds, key, this.#kindAt(key));
  }

  #set(kinds: Map<PathKey, UnlistedKind>, key: PathKey, kind: UnlistedKind | null): void {
    if ((kinds.get(key) ?? null) === kind) return;
    this.#version += 1;
    if (kind === null) kinds.delete(key);
    else kinds.set(key, kind);
  }

  /** null: it is in the tree, or not there, or in no folder that is entered. */
  #kindAt(key: PathKey): UnlistedKind | null {
    if (this.#table.get(key) !== undefined || !this.#folders.has(splitKey(key).folder)) return null;
    try {
      const info = lstatSync(keyOnDisk(this.#root, key), { throwIfNoEntry: false });
      return info === undefined || this.#folders.has(key) ? null : kindOf(info);
    } catch {
      // A folder on the way is none any more, which is told, or is closed to us and to ripgrep.
      return null;
    }
  }

  #read(): Map<PathKey, UnlistedKind> {
    const kinds = new Map<PathKey, UnlistedKind>();
    this.#readFolder("", kinds);
    for (const { key } of this.#folders.byPath()) {
      if (kinds.size > INDEX_IGNORED) break;
      this.#readFolder(key, kinds);
    }
    return kinds;
  }

  /** Only what is not known is looked at. */
  #readFolder(folder: PathKey, kinds: Map<PathKey, UnlistedKind>): void {
    for (const name of namesIn(keyOnDisk(this.#root, folder))) {
      const key = keyBelow(folder, name);
      const kind = this.#folders.has(key) ? null : this.#kindAt(key);
      if (kind !== null) kinds.set(key, kind);
    }
  }
}

function kindOf(info: Stats): UnlistedKind {
  if (info.isFile()) return "file";
  return info.isDirectory() ? "folder" : "other";
}

/** With one character for each byte. Nothing where a folder is gone, which is told, or is closed to us. */
function namesIn(path: string | Buffer): readonly string[] {
  try {
    return readdirSync(path, "latin1");
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(code)) return [];
    throw cause;
  }
}
