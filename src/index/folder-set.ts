import type { Ignored } from "../ripgrep/faults.ts";
import { comparePaths } from "../workspace/path-order.ts";
import { type Keyed, type Named, NameList, type NameText, rangeOf } from "./name-list.ts";
import { type Ordered, ordered, type Ordering } from "./ordered.ts";
import { type PathKey, pathOfKey, splitKey } from "./path-key.ts";
import { isOfRepository } from "./rules.ts";

/**
 * The folders of a tree that ripgrep's walk enters, empty ones too: ripgrep lists none, but says which it leaves out.
 * Kept by `tree.ts`, asked by `query/listed.ts` and `query/scope-files.ts`.
 */

interface Folder extends Keyed {
  rank: number;
}

const BY_PATH: Ordering<Folder> = {
  compare: (one, other) => comparePaths(one.key, other.key),
  place: (folder, at) => {
    folder.rank = at;
  },
  placeOf: ({ rank }) => rank,
};

export class FolderSet implements Named {
  #byKey = new Map<PathKey, Folder>();
  /** Made when it is first asked for: a whole tree comes before that. */
  #byPath: Ordered<Folder> | null = null;
  #names = new NameList();
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

  byPath(): readonly Keyed[] {
    this.#byPath ??= ordered(BY_PATH, this.#byKey.values());
    return this.#byPath.list();
  }

  names(): NameText {
    return this.#names.text(this.byPath());
  }

  range(start: string): readonly [from: number, to: number] {
    return rangeOf(this.byPath(), start);
  }

  has(key: PathKey): boolean {
    return key === "" || this.#byKey.has(key);
  }

  /** Every folder on disk, those above before those below; and what the rules left out of them. */
  replace(folders: Iterable<PathKey>, ignored: readonly Ignored[] | null): void {
    this.#byKey = new Map();
    this.#byPath = null;
    this.#names = new NameList();
    this.#version += 1;
    this.#known = ignored !== null;
    if (ignored === null) return;
    const left = new Set(ignored.map(({ path }) => path));
    for (const key of folders) if (key !== "") this.add(key, left);
  }

  /** Whether the walk enters it. */
  add(key: PathKey, left: ReadonlySet<string>): boolean {
    if (!this.has(splitKey(key).folder) || isOfRepository(key) || left.has(pathOfKey(key).path)) return false;
    if (this.#byKey.has(key)) return true;
    const folder: Folder = { key, rank: -1 };
    this.#byKey.set(key, folder);
    this.#byPath?.add(folder);
    this.#names.came(key);
    this.#version += 1;
    return true;
  }

  /** With all below; whether there were any. */
  remove(folders: ReadonlySet<PathKey>): boolean {
    const gone = new Set([...folders].filter((folder) => this.#byKey.has(folder)));
    if (gone.size === 0) return false;
    this.#version += 1;
    for (const [key, folder] of this.#byKey) {
      // Those above come first.
      if (gone.has(key) || gone.has(splitKey(key).folder)) {
        gone.add(key);
        this.#byKey.delete(key);
        this.#byPath?.remove(folder);
        this.#names.went(key);
      }
    }
    return true;
  }
}
