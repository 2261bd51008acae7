import { accessSync, constants, type Stats } from "node:fs";
import {
  DISTRUSTED_YOUNG,
  FAR_RULES,
  FILES_PER_TURN,
  INDEX_LIST_TIME,
  LINKED_FILES,
  NEW_FOLDERS_AT_ONCE,
} from "../model/limits.ts";
import type { Fault, Ignored } from "../ripgrep/faults.ts";
import { sameStamp } from "../workspace/stamp.ts";
import type { Changes } from "./feed/changes.ts";
import type { Feed } from "./feed/feed.ts";
import { type FarRules, type RulesWatch, watchRules } from "./feed/rules-watch.ts";
import type { Entry } from "./entry.ts";
import { FileTable } from "./file-table.ts";
import type { EarlyList } from "./early-list.ts";
import { FolderSet } from "./folder-set.ts";
import { type KeyOrder, NO_ORDER } from "./key-order.ts";
import { LeftOut } from "./left-out.ts";
import { type Listed, listFiles } from "./listing.ts";
import { keyOnDisk, type PathKey, pathOfKey, splitKey } from "./path-key.ts";
import { farRules, isOfRepository, isRules } from "./rules.ts";
import { SureNames } from "./sure-names.ts";
import { Unlisted } from "./unlisted.ts";
import { lookAt, type Seen, type Survey, surveyHere } from "./survey.ts";

/**
 * The files and folders of a tree as they are on disk: listed once by ripgrep's own walk, then kept by what the feed
 * tells. Called by `keeper.ts`, one thing at a time.
 */

export interface TreeOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Of more files than this there is no index. */
  readonly maxFiles: number;
}

/** `again`: all must be listed anew. `not now`: this question is ripgrep's. */
export type TakenIn =
  | { readonly kind: "fresh" }
  | { readonly kind: "again" | "not now"; readonly why: string };

/** An order in which files are looked for, and who is told of those that are there with their places in it. */
export interface Placed {
  readonly order: KeyOrder;
  readonly found: (entry: Entry, place: number) => void;
}

const NOTHING_PLACED: Placed = { order: NO_ORDER, found: () => {} };

type Expected = "touched" | "as it was" | "since it was read";

export class Tree {
  readonly table: FileTable = new FileTable();
  readonly folders: FolderSet = new FolderSet();
  readonly unlisted: Unlisted;
  readonly #options: TreeOptions;
  readonly #feed: Feed;
  readonly #rules: RulesWatch;
  readonly #sureNames: SureNames;
  #farRules: FarRules = { files: [], repositories: [] };
  /** Of the rules whose changes no event tells, when the tree was listed. */
  #fingerprint = "";
  /** Counts every change. */
  #generation = 0;
  readonly #leftOut = new LeftOut();
  #faults: readonly Fault[] = [];
  /** Inodes with several names that have changed, or have come. */
  #named = new Set<number>();
  /** Told by whoever wrote them. */
  #written = new Set<PathKey>();

  constructor(options: TreeOptions, feed: Feed) {
    this.#options = options;
    this.#feed = feed;
    this.unlisted = new Unlisted(options.root, this.table, this.folders);
    this.#rules = watchRules(options);
    this.#sureNames = new SureNames(options.root, this.#rules);
  }

  get generation(): number {
    return this.#generation;
  }

  /**
   * Another one whenever a file or folder may be otherwise than before; null where that is not told of all of them. What
   * was heard may not be taken in yet: what of it changes the tree, or what lies beside it, makes it another one then.
   */
  get moment(): string | null {
    const heard = this.#feed.heard();
    return heard === null ? null : `${this.#generation} ${this.unlisted.version} ${heard}`;
  }

  /** What the ignore rules leave out; null where that is not known as it is now. */
  get ignored(): readonly Ignored[] | null {
    return this.#leftOut.told;
  }

  /** Folders that could not be read when the tree was listed. */
  get faults(): readonly Fault[] {
    return this.#faults;
  }

  /** Paths that have been changed, whatever the feed will say. */
  tell(keys: readonly PathKey[]): void {
    for (const key of keys) this.#written.add(key);
  }

  /** Every file of the tree, as it is now. What changes meanwhile is told by the feed. */
  async list(early: EarlyList | null = null, placed: Placed = NOTHING_PLACED): Promise<void> {
    this.#farRules = farRules(this.#options.root, this.#feed.noted());
    this.#named.clear();
    if (this.#farRules.files.length + this.#farRules.repositories.length > FAR_RULES)
      throw new Error("Too many ignore rules lie outside the tree");
    this.#fingerprint = this.#rulesNow();
    this.#sureNames.renew();
    // Of rules elsewhere nobody knows what they were before.
    const known = this.#farRules.files.length + this.#farRules.repositories.length === 0;
    const before = known ? await early?.take(this.#feed) : null;
    const { count, ignored, faults, look } = before ?? (await this.#survey());
    if (count > this.#options.maxFiles) {
      throw new Error(`More than ${this.#options.maxFiles} files are not indexed`);
    }
    this.#faults = faults;
    this.#leftOut.replace(ignored);
    this.folders.replace(this.#feed.folders(), this.#leftOut.told);
    const unseen = new Set(this.table.keys());
    await look((key, seen, place) => {
      unseen.delete(key);
      const entry = this.#take(key, seen, "since it was read");
      if (place !== -1 && entry !== undefined) placed.found(entry, place);
    }, placed.order);
    for (const key of unseen) this.table.remove(key);
    this.unlisted.forget();
    this.#generation += 1;
  }

  async #survey(): Promise<Survey> {
    const { root, env, signal } = this.#options;
    const options = { env, signal, timeoutMs: INDEX_LIST_TIME, explain: true };
    const survey = await surveyHere(root, options).list();
    if (survey === null) throw new Error("The tree could not be listed");
    return survey;
  }

  /** Takes in every change that was made before the call. `expect` is told of how many before they are looked at. */
  async takeIn(expect: (changed: number) => void = () => {}): Promise<TakenIn> {
    // What is taken is told once, so that nothing may stand between it and the table.
    if (this.table.linked.size > LINKED_FILES)
      return { kind: "not now", why: "Too many files have several names" };
    await this.#feed.settle();
    const changes = this.#feed.take();
    if (changes.lost !== null) return { kind: "again", why: changes.lost.message };
    if (this.#rulesNow() !== this.#fingerprint) return RULES_CHANGED;
    if (this.#lookAtLinked() === "rules") return RULES_CHANGED;
    expect(changes.touched.size + this.table.unindexed.size);
    const again = await this.#apply(this.#withMore(changes));
    this.#lookAtNames();
    return again === null ? { kind: "fresh" } : { kind: "again", why: again };
  }

  /**
   * Looks at files that were written to, before anybody asks. Only at those that are known and still there: whatever else
   * was told of is left to be taken in, and what happens from now on is told again. Whether there are more to look at.
   */
  lookAhead(): boolean {
    return this.#feed.sift(FILES_PER_TURN, (key) => {
      if (this.table.get(key) === undefined || isRules(key)) return false;
      const info = this.#statIfOpen(key);
      if (info?.isFile() !== true) return false;
      this.#take(key, info, "touched");
      return true;
    });
  }

  /** Looks at a part of the files for changes that no event tells; the next place to look at, or null at the end. */
  lookAgain(from: number): number | null {
    const entries = this.table.byPath();
    const part = entries.slice(from, from + FILES_PER_TURN);
    for (const { key } of part) this.#look(key, "as it was");
    this.#lookAtNames();
    return from + part.length >= entries.length ? null : from + part.length;
  }

  /**
   * With what was written by us, and with what was looked at ahead and has been indexed since: it may have been read while
   * somebody still wrote to it through memory, which no event tells.
   */
  #withMore(changes: Changes): Changes {
    const indexed = Array.from(changes.sifted).filter((key) => (this.table.get(key)?.hold ?? null) !== null);
    if (this.#written.size === 0 && indexed.length === 0) return changes;
    const written = this.#written;
    this.#written = new Set();
    return { ...changes, touched: new Set([...changes.touched, ...indexed, ...written]) };
  }

  #rulesNow(): string {
    return this.#rules.fingerprint(this.#farRules);
  }

  async #listed(
    folder: PathKey,
    more: { readonly explain?: boolean; readonly maxDepth?: number },
  ): Promise<Listed> {
    const { root, env, signal } = this.#options;
    const listed = await listFiles(root, folder, { env, signal, timeoutMs: INDEX_LIST_TIME, ...more });
    if (listed === null) throw new Error("The tree could not be listed");
    return listed;
  }

  /** Writes through another name of a file are not told of. */
  #lookAtLinked(): "files" | "rules" {
    for (const entry of Array.from(this.table.linked)) {
      const info = this.#stat(entry.key);
      const changed = info === undefined || !sameStamp(entry, info);
      if (changed && isRules(entry.key)) return "rules";
      this.#look(entry.key, "as it was");
    }
    return "files";
  }

  #stat(key: PathKey): Stats | undefined {
    return lookAt(this.#options.root, key);
  }

  /** Where that cannot be said now, whoever asks will be told. */
  #statIfOpen(key: PathKey): Stats | undefined {
    try {
      return this.#stat(key);
    } catch {
      return undefined;
    }
  }

  #look(key: PathKey, expected: Expected): Entry | undefined {
    return this.#take(key, this.#stat(key), expected);
  }

  /**
   * Takes a file as it is now; undefined where there is none. `touched`: also where it looks the same. `since it was read`: events may be lost, and a
   * change within a tick of the clock from the one before it has no other time.
   */
  #take(key: PathKey, info: Seen | undefined, expected: Expected): Entry | undefined {
    const known = this.table.get(key);
    if (info?.isFile() !== true) {
      if (known !== undefined) this.#generation += 1;
      this.table.remove(key);
      return undefined;
    }
    const young = Date.now() - info.ctimeMs < DISTRUSTED_YOUNG;
    const sure = known !== undefined && (expected !== "since it was read" || !wasReadSoon(known));
    if (!sure || expected === "touched" || young || !sameStamp(known, info)) {
      this.#generation += 1;
      // Of a name that was given to it, the others are not told.
      if (info.nlink > 1 && expected !== "since it was read") this.#named.add(info.ino);
      return this.table.put(key, info, info.nlink > 1);
    }
    return known;
  }

  /** Files by the names that were known before another was given to them. */
  #lookAtNames(): void {
    if (this.#named.size === 0) return;
    const named = this.#named;
    this.#named = new Set();
    for (const entry of Array.from(this.table.values())) {
      if (named.has(entry.ino) && !entry.linked) this.#look(entry.key, "touched");
    }
    // Whoever was looked at has several names by now, or is another file.
    this.#named.clear();
  }

  /** Why all must be listed anew, or null. */
  async #apply({ touched, entered, gone }: Changes): Promise<string | null> {
    if (touched.size === 0 && gone.size === 0) return null;
    for (const key of touched) if (isRules(key)) return RULES_CHANGED.why;
    // Before anything is looked at: a link may stand there now, and lead to the same. What is found there is new.
    const other = new Set([...gone, ...entered]);
    if (other.size > 0) {
      // Which may now be readable.
      if (this.#faults.length > 0) return "Folders that could not be read may have changed";
      this.#dropBelow(other);
      if (this.folders.remove(other)) this.#generation += 1;
      this.#leftOut.removeBelow(other);
    }
    const fresh: PathKey[] = [];
    for (const key of touched) {
      if (this.table.get(key) !== undefined && this.#look(key, "touched") !== undefined) continue;
      if (!isOfRepository(key)) fresh.push(key);
    }
    const again = await this.#addNew(fresh, entered.size > 0);
    this.unlisted.take(touched, other);
    return again;
  }

  /** Of what is new, ripgrep says what is in the tree, unless there is no doubt. `deep`: folders are among it. */
  async #addNew(fresh: readonly PathKey[], deep: boolean): Promise<string | null> {
    const stamps = new Map<PathKey, Stats>();
    const places = new Map<PathKey, PathKey[]>();
    // Folders before what lies in them.
    for (const key of [...fresh].sort()) {
      const info = this.#stat(key);
      // One that came behind the feed's back is in no folder of the feed's, so that the feed does not tell that it went.
      if (info?.isDirectory() !== true && this.folders.remove(new Set([key]))) this.#generation += 1;
      if (info === undefined || !(info.isFile() || info.isDirectory())) {
        this.#leftOut.remove(key);
        continue;
      }
      // Written through this name, a file of the tree has changed.
      if (info.isFile() && info.nlink > 1) this.#named.add(info.ino);
      if (this.#leftOut.has(key, kindOf(info)) || (info.isDirectory() && this.folders.has(key))) continue;
      if (this.#isSure(key, info)) {
        if (info.isFile()) this.#look(key, "touched");
        else this.folders.add(key, NOTHING);
        this.#generation += 1;
        continue;
      }
      stamps.set(key, info);
      let { folder } = splitKey(key);
      // ripgrep is told of a folder by a text.
      while (folder !== "" && !(this.table.holds(folder) && isText(folder))) ({ folder } = splitKey(folder));
      places.set(folder, [...(places.get(folder) ?? []), key]);
    }
    if (places.size > NEW_FOLDERS_AT_ONCE) return "Many folders have new files";
    // What is left out in a folder that came and went meanwhile is not named.
    if (deep && places.size > 0) this.#leftOut.doubt();
    for (const [folder, keys] of places) await this.#addBelow(folder, keys, stamps);
    return null;
  }

  /**
   * ripgrep's walk enters a folder in which it lists a file, and all above it: one that a rule leaves out is not walked,
   * whatever a `!` says of what is in it. The walk begins at the root whatever the rules say.
   */
  #isSure(key: PathKey, info: Stats): boolean {
    const { folder } = splitKey(key);
    if (!(folder === "" || this.table.holds(folder) || this.folders.has(folder))) return false;
    if (info.isFile()) return this.#sureNames.has(key, "file");
    // One that nobody may look into is ripgrep's to tell.
    return this.folders.known && this.#sureNames.has(key, "folder") && isOpen(this.#options.root, key);
  }

  async #addBelow(
    folder: PathKey,
    keys: readonly PathKey[],
    stamps: ReadonlyMap<PathKey, Stats>,
  ): Promise<void> {
    const depth = keys.reduce((most, key) => Math.max(most, key.split("/").length), 0);
    const explain = keys.some((key) => stamps.get(key)?.isDirectory() === true);
    // What is left out in a folder is said when the folder is entered.
    const maxDepth = depth - (folder === "" ? 0 : folder.split("/").length) + (explain ? 1 : 0);
    const { files, ignored, faults } = await this.#listed(folder, { maxDepth, explain });
    if (faults.length > 0) throw new Error("A new folder cannot be read");
    const left = new Set(ignored.map(({ path }) => path));
    for (const key of keys) {
      const before = stamps.get(key);
      if (before?.isDirectory() === true) {
        if (!this.folders.add(key, left)) this.#leaveOut(key, before);
      } else if (files.has(key)) this.#look(key, "touched");
      else this.#leaveOut(key, before);
    }
    this.#generation += 1;
  }

  /** Only one that was there all the time while the tree was listed: a name that comes and goes may be in the tree. */
  #leaveOut(key: PathKey, before: Stats | undefined): void {
    const now = this.#stat(key);
    if (before === undefined || now === undefined) return;
    const same = before.isDirectory() ? before.ino === now.ino : sameStamp(before, now);
    if (same) this.#leftOut.add(key, kindOf(now));
    else this.#leftOut.unnamed();
  }

  #dropBelow(folders: ReadonlySet<PathKey>): void {
    // All of them before any is gone: they stand together by path, which each that goes would change.
    const files = [...folders]
      .filter((folder) => this.table.holds(folder))
      .flatMap((folder) => this.table.byPath().slice(...this.table.range(folder === "" ? "" : `${folder}/`)));
    for (const { key } of files) this.table.remove(key);
    if (files.length > 0) this.#generation += 1;
  }
}

function kindOf(info: Stats): "file" | "folder" {
  return info.isDirectory() ? "folder" : "file";
}

const NOTHING: ReadonlySet<string> = new Set();
const RULES_CHANGED = { kind: "again", why: "Ignore rules have changed" } as const;

function wasReadSoon({ hold, doc, ctimeMs }: Entry): boolean {
  const readAt = hold?.segment.docs.readAt(doc);
  return readAt !== undefined && readAt - ctimeMs < DISTRUSTED_YOUNG;
}

function isOpen(root: string, key: PathKey): boolean {
  try {
    accessSync(keyOnDisk(root, key), constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A name that is UTF-8, as most are. */
function isText(key: PathKey): boolean {
  return pathOfKey(key).pathBytes === undefined;
}
