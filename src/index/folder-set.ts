import type { Ignored } from "../ripgrep/faults.ts";
import { type PathKey, pathOfKey, splitKey } from "./path-key.ts";
import { isOfRepository } from "./rules.ts";

/**
 * The folders of a tree that ripgrep's walk enters, empty ones too: ripgrep lists none, but says which it leaves out.
 * Kept by `tree.ts`, asked by `query/listed.ts`.
 */
export class FolderSet {
  #keys = new Set<PathKey>();
  #known = false;
  #version = 0;

  /** Another whenever one came or went. */
  get version(): number {
    return this.#version;
  }

  /** False where too much was left out to be told. */
  get known(): boolean {
    return this.#known;
  }

  values(): IterableIterator<PathKey> {
    return this.#keys.values();
  }

  has(key: PathKey): boolean {
    return key === "" || this.#keys.has(key);
  }

  /** Every folder on disk, those above before those below; and what the rules left out of them. */
  replace(folders: Iterable<PathKey>, ignored: readonly Ignored[] | null): void {
    this.#keys = new Set();
    this.#version += 1;
    this.#known = ignored !== null;
    if (ignored === null) return;
    const left = new Set(ignored.map(({ path }) => path));
    for (const key of folders) if (key !== "") this.add(key, left);
  }

  /** Whether the walk enters it. */
  add(key: PathKey, left: ReadonlySet<string>): boolean {
    if (!this.has(splitKey(key).folder) || isOfRepository(key) || left.has(pathOfKey(key).path)) return false;
    this.#keys.add(key);
    this.#version += 1;
    return true;
  }

  /** With all below. */
  remove(folders: ReadonlySet<PathKey>): void {
    const gone = new Set([...folders].filter((folder) => this.#keys.has(folder)));
    if (gone.size === 0) return;
    this.#version += 1;
    for (const key of this.#keys) {
      // Those above come first.
      if (gone.has(key) || gone.has(splitKey(key).folder)) {
        gone.add(key);
        this.#keys.delete(key);
      }
    }
  }
}
