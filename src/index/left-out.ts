import { INDEX_IGNORED } from "../model/limits.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { keyOfPath, type PathKey, splitKey } from "./path-key.ts";

/**
 * What is there and not in the tree, by the rules as they are: what ripgrep said when it listed all, and the paths that
 * came since. Kept by `tree.ts`, which asks ripgrep about none of them again.
 */
export class LeftOut {
  readonly #came = new Map<PathKey, "file" | "folder">();
  /** null: too much to keep, or no longer so. */
  #listed: readonly Ignored[] | null = null;
  /** Folders that are others since the list was made, or none; it is gone through when somebody asks for it. */
  readonly #changed = new Set<PathKey>();

  /** With the rules that leave them out; null where that is not known as it is now. */
  get told(): readonly Ignored[] | null {
    if (this.#came.size > 0) return null;
    if (this.#changed.size > 0) {
      this.#listed = this.#listed?.filter(({ path }) => !isIn(keyOfPath({ path }), this.#changed)) ?? null;
      this.#changed.clear();
    }
    return this.#listed;
  }

  /** Where another kind of thing has its name by now, other rules may count. */
  has(key: PathKey, kind: "file" | "folder"): boolean {
    return this.#came.get(key) === kind;
  }

  /** All of it. */
  replace(listed: readonly Ignored[]): void {
    this.#came.clear();
    this.#changed.clear();
    this.#listed = listed.length > INDEX_IGNORED ? null : listed;
  }

  add(key: PathKey, kind: "file" | "folder"): void {
    // From here on they are more than can be named.
    if (this.#came.size >= INDEX_IGNORED) this.doubt();
    this.#came.set(key, kind);
  }

  remove(key: PathKey): void {
    this.#came.delete(key);
  }

  /** These folders are others by now, or none. */
  removeBelow(folders: ReadonlySet<PathKey>): void {
    for (const key of this.#came.keys()) if (isIn(key, folders)) this.#came.delete(key);
    for (const folder of folders) this.#changed.add(folder);
  }

  /** Something was left out that nobody has named. */
  doubt(): void {
    this.#came.clear();
    this.unnamed();
  }

  /** Something is left out and not remembered, so that it is asked about again. */
  unnamed(): void {
    this.#listed = null;
    this.#changed.clear();
  }
}

/** One of the folders, or in one. */
export function isIn(key: PathKey, folders: ReadonlySet<PathKey>): boolean {
  for (let at = key; ; { folder: at } = splitKey(at)) {
    if (folders.has(at)) return true;
    if (at === "") return false;
  }
}
