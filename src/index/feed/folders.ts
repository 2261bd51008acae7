/**
 * The watched folders of a tree. A folder is watched, then read, then its folders likewise: what comes into being in
 * between is found by the reading or told by the watch. A folder that may be another than before is watched and read
 * anew with all below it, whatever its inode says, because inodes are used again. Called by `feed.ts`, one change at
 * a time; links are never followed.
 */
import type { FSWatcher } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { TURN } from "../../model/limits.ts";
import { keyBelow, keyOnDisk, type PathKey, splitKey } from "../path-key.ts";
import type { EventQueue, Heard } from "./queue.ts";
import { type FolderEntry, kindAt, readFolder } from "./read-folder.ts";

export interface Folder {
  readonly key: PathKey;
  readonly name: string;
  /** Those that are entered; null for none. */
  children: Map<string, Folder> | null;
  /** null before it is watched, and where permissions forbid it. */
  watcher: FSWatcher | null;
}

export interface FoldersOptions {
  readonly root: string;
  readonly queue: EventQueue;
  readonly enters: (key: PathKey) => boolean;
  /** Names whose paths are remembered. */
  readonly notes: ReadonlySet<string>;
  readonly heard: (folder: Folder, ...event: Parameters<Heard>) => void;
  /** A folder that could be neither watched nor left out. */
  readonly failed: (folder: Folder, code: string) => void;
  /** Folders that may be watched. */
  readonly most: number;
}

/** Gone before we came: its parent's watch tells. */
const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);
/** Nobody reads what is in it, ripgrep neither; other permissions are told by the folder above. */
const CLOSED = new Set(["EACCES", "EPERM"]);

export class Folders {
  readonly #options: FoldersOptions;
  readonly #root: Folder = { key: "", name: "", children: null, watcher: null };
  /** Watches whose folder is another by now, or none. */
  #retired: FSWatcher[] = [];
  #stopped = false;
  #watched = 0;
  /** Where the names that are to be remembered were met since the root was entered; some may be gone. */
  readonly noted: Set<PathKey> = new Set();
  /** Without a watch, because permissions forbid it. */
  readonly unreadable: Set<Folder> = new Set();

  constructor(options: FoldersOptions) {
    this.#options = options;
  }

  get watched(): number {
    return this.#watched;
  }

  /** Watches everything anew. The old watches end only when `closeRetired` is called. */
  async enterRoot(): Promise<void> {
    this.#drop(this.#root);
    this.noted.clear();
    this.#stopped = false;
    await this.#walk(this.#root, null);
  }

  /** A path that may be another thing than before. Calls `found` for all that is below it, if it is a folder to enter. */
  async enter(key: PathKey, found: (key: PathKey) => void): Promise<"entered" | "left" | "none"> {
    const { folder, name } = splitKey(key);
    const parent = this.#at(folder);
    if (parent === null) return "none";
    const before = parent.children?.get(name);
    if (before !== undefined) this.#drop(before);
    parent.children?.delete(name);
    const kind = kindAt(keyOnDisk(this.#options.root, key));
    if (kind === "other" || !this.#options.enters(key)) return before === undefined ? "none" : "left";
    const child = addChild(parent, name);
    if (kind === "closed") this.unreadable.add(child);
    else await this.#walk(child, found);
    return "entered";
  }

  /** Every folder that is entered, those above before those below. */
  *keys(): Generator<PathKey> {
    const open = [this.#root];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      yield folder.key;
      for (const child of folder.children?.values() ?? []) open.push(child);
    }
  }

  /** Ends the watches of what is no more. Those that another name took over in the meantime stay alive with it. */
  closeRetired(): void {
    if (this.#retired.length > 0) this.#options.queue.unwatch(this.#retired);
    this.#retired = [];
  }

  get hasRetired(): boolean {
    return this.#retired.length > 0;
  }

  close(): void {
    this.#stopped = true;
    this.#drop(this.#root);
    this.closeRetired();
  }

  #at(key: PathKey): Folder | null {
    if (key === "") return this.#root;
    let folder: Folder | undefined = this.#root;
    for (const name of key.split("/")) folder = folder?.children?.get(name);
    return folder ?? null;
  }

  #drop(top: Folder): void {
    const open = [top];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (folder.watcher !== null) {
        this.#retired.push(folder.watcher);
        this.#watched--;
      }
      folder.watcher = null;
      this.unreadable.delete(folder);
      for (const child of folder.children?.values() ?? []) open.push(child);
      folder.children = null;
    }
  }

  async #walk(top: Folder, found: ((key: PathKey) => void) | null): Promise<void> {
    const open = [top];
    let began = performance.now();
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      if (this.#stopped) return;
      this.#look(folder, found, open);
      if (performance.now() - began < TURN) continue;
      await turn();
      began = performance.now();
    }
  }

  #look(folder: Folder, found: ((key: PathKey) => void) | null, open: Folder[]): void {
    const entries = this.#watchAndRead(folder);
    for (const entry of entries) {
      const key = keyBelow(folder.key, entry.name);
      found?.(key);
      if (this.#options.notes.has(entry.name)) this.noted.add(key);
      if (entry.isDirectory() && this.#options.enters(key)) open.push(addChild(folder, entry.name));
    }
  }

  #watchAndRead(folder: Folder): readonly FolderEntry[] {
    const { root, queue, heard, most } = this.#options;
    const path = keyOnDisk(root, folder.key);
    try {
      if (this.#watched >= most) throw Object.assign(new Error("Too many watches"), { code: "ENOSPC" });
      folder.watcher = queue.watch(path, (kind, name) => heard(folder, kind, name));
      this.#watched++;
      return readFolder(path);
    } catch (error) {
      this.#refused(folder, (error as NodeJS.ErrnoException).code ?? String(error));
      return [];
    }
  }

  #refused(folder: Folder, code: string): void {
    if (folder.key !== "" && CLOSED.has(code)) {
      this.unreadable.add(folder);
    } else if (folder.key === "" || !GONE.has(code)) {
      // Without the root, or with a hole in the tree, nothing that is told is worth anything.
      this.#stopped = true;
      this.#options.failed(folder, code);
    }
  }
}

function addChild(parent: Folder, name: string): Folder {
  const child: Folder = { key: keyBelow(parent.key, name), name, children: null, watcher: null };
  parent.children ??= new Map();
  parent.children.set(name, child);
  return child;
}
