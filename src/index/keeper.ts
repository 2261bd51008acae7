import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  DISTRUSTED_YOUNG,
  FILES_PER_RUN,
  FILES_PER_TURN,
  INDEX_FIRST_HITS,
  INDEX_IGNORED,
  INDEX_LIST_TIME,
  INDEX_PAUSE,
  INDEX_SEGMENTS,
  LINKED_FILES,
  NEW_FOLDERS_AT_ONCE,
  UNINDEXED_FILES,
  UNINDEXED_WORTH,
} from "../model/limits.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import type { Answer, Ask, Page } from "./ask.ts";
import { type Builders, openBuilders } from "./builders.ts";
import type { Changes } from "./feed/changes.ts";
import { type Feed, openFeed } from "./feed/feed.ts";
import { unheardMounts } from "./feed/mounts.ts";
import { type RulesWatch, watchRules } from "./feed/rules-watch.ts";
import { type Entry, FileTable, type Hold, holdOf, sameStamp } from "./file-table.ts";
import { indexedScope, listFiles } from "./listing.ts";
import { keyOfPath, keyOnDisk, type PathKey, pathOfKey, splitKey } from "./path-key.ts";
import { type Cursor, openCursor } from "./query/cursor.ts";
import { readManifest, removeOthers, SEGMENT_NAME, writeManifest } from "./saved.ts";
import type { Doc } from "./store/docs.ts";
import { openSegment } from "./store/segment.ts";
import type { IndexStatus, Phase } from "./status.ts";

/**
 * Keeps the index of one tree as the tree is: lists it, builds and saves segments, hears of changes, and answers only
 * when everything that changed before the question has been taken in. Lives in a thread of its own (`index-thread.ts`).
 */

export interface KeeperOptions {
  /** The real path of the tree. */
  readonly root: string;
  /** Where the index of this tree is saved; ours alone. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Other ones in tests. */
export interface KeeperParts {
  readonly builders: Builders;
  readonly openFeed: typeof openFeed;
}

/** These, wherever they lie, change what ripgrep lists. */
const RULES = new Set([".gitignore", ".ignore", ".rgignore", ".git", ".jj"]);
const NOT_ENTERED = new Set(indexedScope("").exclude);

export class Keeper {
  readonly #options: KeeperOptions;
  readonly #table: FileTable = new FileTable();
  readonly #parts: KeeperParts;
  readonly #ending: AbortController = new AbortController();
  readonly #cursors = new Map<number, Cursor>();
  /** Of the rules outside the tree, when it was listed. */
  readonly #rules: RulesWatch;
  #fingerprint = "";
  #holds: readonly Hold[] = [];
  #feed: Feed | null = null;
  #phase: Phase = "starting";
  #why = "The index is being built";
  /** Counts every change of the table. */
  #generation = 0;
  #lastCursor = 0;
  #lastSegment = 0;
  /** One after the other: whatever looks at the feed or changes the table. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  /** Files that are there and not in the tree, by the rules as they are. */
  readonly #leftOut = new Set<PathKey>();
  /** What the rules left out when the tree was listed; null: too much to keep. */
  #ignored: readonly Ignored[] | null = null;
  #catchingUp = false;

  constructor(options: KeeperOptions, parts: Partial<KeeperParts> = {}) {
    this.#options = options;
    this.#parts = { builders: parts.builders ?? openBuilders(), openFeed: parts.openFeed ?? openFeed };
    this.#rules = watchRules(options);
  }

  /** Resolves when the index can answer, or cannot be. */
  async start(): Promise<void> {
    const { root, folder } = this.#options;
    try {
      const [unheard] = unheardMounts(root);
      if (unheard !== undefined) throw new Error("Changes of this file system are not told of reliably");
      const cookies = join(folder, "cookies");
      mkdirSync(cookies, { recursive: true, mode: 0o700 });
      this.#feed = await this.#parts.openFeed({ root, cookies, enters });
      await this.#exclusive(async () => {
        await this.#sweep();
        this.#takeSaved();
      });
      this.#phase = "building";
      await this.#indexRest();
      if (this.#phase === "building") this.#phase = "ready";
      this.#later();
    } catch (cause) {
      this.#fail(cause);
    }
  }

  status(): IndexStatus {
    return {
      phase: this.#phase,
      why: this.#phase === "ready" ? "" : this.#why,
      files: this.#table.size,
      textBytes: 0,
      unindexed: this.#table.unindexed.size,
      progress: null,
      segments: this.#holds.length,
      bytes: this.#holds.reduce((sum, { segment }) => sum + segment.bytes, 0),
      watchedFolders: this.#feed?.status().watchedFolders ?? 0,
      generation: this.#generation,
      savedByAnother: false,
    };
  }

  /** With every change in it that was made before the call. */
  async ask(ask: Ask): Promise<Answer> {
    const opened = await this.#exclusive(async () => {
      const why = (await this.#refresh()) ?? this.#outside(ask);
      if (why !== null) return { why };
      const cursor = openCursor(this.#options.root, ask, this.#table, this.#holds);
      const id = ++this.#lastCursor;
      this.#cursors.set(id, cursor);
      return { id, generation: this.#generation, tooLarge: cursor.tooLarge };
    });
    if ("why" in opened) return { kind: "unable", why: opened.why };
    const { id, generation, tooLarge } = opened;
    return { kind: "able", cursor: id, generation, tooLarge, first: await this.page(id, INDEX_FIRST_HITS) };
  }

  async page(cursor: number, count: number): Promise<Page> {
    const open = this.#cursors.get(cursor);
    if (open === undefined) return { hits: [], end: "gave-up" };
    const page = await open.next(count);
    if (page.end !== "no") this.#cursors.delete(cursor);
    return page;
  }

  /** What the ignore rules leave out; null where that is not known as it is now. */
  leftOut(): readonly Ignored[] | null {
    return this.#phase === "ready" && this.#leftOut.size === 0 ? this.#ignored : null;
  }

  drop(cursor: number): void {
    this.#cursors.delete(cursor);
  }

  async close(): Promise<void> {
    this.#phase = "closed";
    this.#why = "The index is closed";
    this.#ending.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#parts.builders.close();
    await this.#turn.catch(() => {});
    this.#feed?.close();
    for (const { segment } of this.#holds) segment.close();
    this.#holds = [];
  }

  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  #fail(cause: unknown): void {
    if (this.#phase === "closed") return;
    this.#phase = "unable";
    this.#why = cause instanceof Error ? cause.message : String(cause);
  }

  /** Takes in what changed; why that cannot be done now, or null. */
  async #refresh(): Promise<string | null> {
    const feed = this.#feed;
    if (this.#phase !== "ready" || feed === null) return this.#why;
    try {
      return await this.#takeIn(feed);
    } catch (cause) {
      // Such as a folder that nobody may look into any more.
      return this.#startAgain(cause instanceof Error ? cause.message : String(cause));
    }
  }

  async #takeIn(feed: Feed): Promise<string | null> {
    await feed.settle();
    const changes = feed.take();
    if (changes.lost !== null) return this.#startAgain(changes.lost.message);
    if (this.#rules.fingerprint() !== this.#fingerprint) return this.#startAgain("Ignore rules have changed");
    if (this.#table.linked.size > LINKED_FILES) return "Too many files have several names";
    if (this.#lookAtLinked() === "rules") return this.#startAgain("Ignore rules have changed");
    const again = await this.#apply(changes);
    if (again !== null) return this.#startAgain(again);
    if (this.#table.unindexed.size > UNINDEXED_FILES) return "Many files have changed and are being indexed";
    return null;
  }

  /** A target in which nothing is listed may be one that the ignore rules leave out, until it is named. */
  #outside({ scope: { targets } }: Ask): string | null {
    const unknown = targets.find(({ path }) => !this.#table.holds(path === "." ? "" : keyOfPath({ path })));
    return unknown === undefined ? null : `Nothing in ${unknown.path} is indexed`;
  }

  /** Writes through another name of a file are not told of. */
  #lookAtLinked(): "files" | "rules" {
    for (const entry of Array.from(this.#table.linked)) {
      const info = this.#stat(entry.key);
      const changed = info === undefined || !sameStamp(entry, info);
      if (changed && RULES.has(splitKey(entry.key).name)) return "rules";
      this.#look(entry.key, "as it was");
    }
    return "files";
  }

  /** Nothing where a folder on the way is gone or is none; what nobody may look at is listed anew. */
  #stat(key: PathKey): Stats | undefined {
    try {
      return lstatSync(keyOnDisk(this.#options.root, key), { throwIfNoEntry: false });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
      throw cause;
    }
  }

  /** Takes a file as it is now. `touched`: also where it looks the same. */
  #look(key: PathKey, expected: "touched" | "as it was"): "file" | "none" {
    const info = this.#stat(key);
    const known = this.#table.get(key);
    if (info?.isFile() !== true) {
      if (known !== undefined) this.#generation += 1;
      this.#table.remove(key);
      return "none";
    }
    const young = Date.now() - info.ctimeMs < DISTRUSTED_YOUNG;
    if (known === undefined || expected === "touched" || young || !sameStamp(known, info)) {
      this.#table.put(key, info, info.nlink > 1);
      this.#generation += 1;
      // Of a name that was given to it, the others are not told.
      if (info.nlink > 1 && this.#phase === "ready") this.#lookAtNames(key, info.ino);
    }
    return "file";
  }

  #lookAtNames(key: PathKey, ino: number): void {
    for (const entry of Array.from(this.#table.values())) {
      if (entry.ino === ino && !entry.linked && entry.key !== key) this.#look(entry.key, "touched");
    }
  }

  /** Why all must be listed anew, or null. */
  async #apply({ touched, entered, gone }: Changes): Promise<string | null> {
    if (touched.size === 0 && gone.size === 0) return null;
    for (const key of touched) {
      const { name } = splitKey(key);
      if (RULES.has(name) || key.endsWith(".git/info/exclude")) return "Ignore rules have changed";
    }
    const fresh: PathKey[] = [];
    for (const key of touched) {
      if (isInside(key)) continue;
      if (this.#table.get(key) !== undefined) this.#look(key, "touched");
      else fresh.push(key);
    }
    if (gone.size > 0 || entered.size > 0) {
      this.#leftOut.clear();
      this.#ignored = null;
    }
    this.#dropBelow(gone, () => true);
    this.#dropBelow(entered, (key) => !touched.has(key));
    this.#later();
    return this.#addNew(fresh);
  }

  /** Of what is new, ripgrep says what is in the tree. */
  async #addNew(fresh: readonly PathKey[]): Promise<string | null> {
    const { root } = this.#options;
    const stamps = new Map<PathKey, Stats>();
    const places = new Map<PathKey, PathKey[]>();
    for (const key of fresh) {
      const info = this.#stat(key);
      if (info?.isFile() !== true) {
        this.#leftOut.delete(key);
        continue;
      }
      // Written through this name, a file of the tree has changed.
      if (info.nlink > 1) this.#lookAtNames(key, info.ino);
      if (this.#leftOut.has(key)) continue;
      stamps.set(key, info);
      let { folder } = splitKey(key);
      // ripgrep is told of a folder by a text.
      while (folder !== "" && !(this.#table.holds(folder) && isText(folder))) ({ folder } = splitKey(folder));
      places.set(folder, [...(places.get(folder) ?? []), key]);
    }
    if (places.size > NEW_FOLDERS_AT_ONCE) return "Many folders have new files";
    for (const [folder, keys] of places) {
      const depths = keys.map((key) => key.split("/").length);
      const maxDepth = Math.max(...depths) - (folder === "" ? 0 : folder.split("/").length);
      const listed = await listFiles(root, folder, { ...this.#listing(), maxDepth });
      if (listed === null) return "The tree could not be listed";
      for (const key of keys) {
        if (listed.files.has(key)) this.#look(key, "touched");
        else this.#leaveOut(key, stamps.get(key));
      }
    }
    return null;
  }

  /** Only one that was there all the time while the tree was listed: a name that comes and goes may be in the tree. */
  #leaveOut(key: PathKey, before: Stats | undefined): void {
    const now = this.#stat(key);
    if (before === undefined || now === undefined || !sameStamp(before, now)) return;
    if (this.#leftOut.size >= INDEX_IGNORED) this.#leftOut.clear();
    this.#leftOut.add(key);
  }

  /** Forgets what was below these folders, without a look: a link may stand there now, and lead to the same. */
  #dropBelow(folders: ReadonlySet<PathKey>, goes: (key: PathKey) => boolean): void {
    if (![...folders].some((folder) => this.#table.holds(folder))) return;
    for (const key of this.#table.keys()) {
      for (let { folder } = splitKey(key); ; { folder } = splitKey(folder)) {
        if (folders.has(folder) && goes(key)) {
          this.#table.remove(key);
          this.#generation += 1;
          break;
        }
        if (folder === "") break;
      }
    }
  }

  #listing(): { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal; readonly timeoutMs: number } {
    return { env: this.#options.env, signal: this.#ending.signal, timeoutMs: INDEX_LIST_TIME };
  }

  /** Lists all anew behind the answers, which are ripgrep's until then. */
  #startAgain(why: string): string {
    this.#phase = "building";
    this.#why = why;
    void this.#exclusive(async () => {
      await this.#feed?.resync();
      await this.#sweep();
      this.#phase = "ready";
      this.#later();
    }).catch((cause: unknown) => this.#fail(cause));
    return why;
  }

  /** Every file of the tree, as it is now. What changes meanwhile is told by the feed. */
  async #sweep(): Promise<void> {
    this.#fingerprint = this.#rules.fingerprint();
    const listing = await listFiles(this.#options.root, "", { ...this.#listing(), explain: true });
    if (listing === null) throw new Error("The tree could not be listed");
    const { files: listed, ignored } = listing;
    this.#ignored = ignored.length > INDEX_IGNORED ? null : ignored;
    this.#leftOut.clear();
    let looked = 0;
    for (const key of listed) {
      this.#look(key, "as it was");
      looked += 1;
      if (looked % FILES_PER_TURN === 0) await setImmediate();
    }
    for (const key of this.#table.keys()) if (!listed.has(key)) this.#table.remove(key);
    this.#generation += 1;
  }

  /** What was saved and still holds. */
  #takeSaved(): void {
    const { folder, root } = this.#options;
    const manifest = readManifest(folder, root);
    for (const name of manifest?.segments ?? []) {
      try {
        this.#adopt(name, (_, { readAt, ctimeMs }) => readAt - ctimeMs >= DISTRUSTED_YOUNG);
      } catch {
        // Damaged, or gone: its files are indexed anew.
      }
    }
    if (manifest !== null) removeOthers(folder, { root, segments: this.#holds.map(({ name }) => name) });
  }

  #adopt(name: string, holds: (entry: Entry, doc: Doc) => boolean): void {
    const hold = holdOf(name, openSegment(join(this.#options.folder, name)));
    let used = 0;
    for (let doc = 0; doc < hold.segment.docs.length; doc++)
      if (this.#table.index(hold, doc, holds)) used += 1;
    if (used === 0) hold.segment.close();
    else this.#holds = [...this.#holds, hold];
  }

  /** Builds segments of all that is in none. */
  async #indexRest(): Promise<void> {
    const { root, folder } = this.#options;
    const keys = this.#table
      .byPath()
      .filter((entry) => this.#table.unindexed.has(entry))
      .map(({ key }) => key);
    const jobs: Promise<void>[] = [];
    for (let from = 0; from < keys.length; from += FILES_PER_RUN) {
      const path = join(folder, this.#newName());
      const part = keys.slice(from, from + FILES_PER_RUN);
      const job = this.#parts.builders.run({ kind: "build", root, keys: part, path }).then((written) =>
        this.#exclusive(async () => {
          // Heard of by now, what changed after it was read is not taken for what was read.
          for (const file of written)
            this.#adopt(file.slice(folder.length + 1), (entry, { readAt }) => readAt > entry.seenAt);
        }),
      );
      jobs.push(job);
    }
    await Promise.all(jobs);
    this.#save();
  }

  #newName(): string {
    this.#lastSegment += 1;
    return `${SEGMENT_NAME}${Date.now().toString(36)}-${process.pid.toString(36)}-${this.#lastSegment.toString(36)}`;
  }

  #save(): void {
    const { root, folder } = this.#options;
    const manifest = { root, segments: this.#holds.map(({ name }) => name) };
    writeManifest(folder, manifest);
  }

  /** Brings the segments up to date when there has been quiet for a while. */
  #later(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#catchUp(), INDEX_PAUSE);
    this.#timer.unref();
  }

  async #catchUp(): Promise<void> {
    if (this.#catchingUp || this.#phase !== "ready") return;
    this.#catchingUp = true;
    try {
      // Sorted now, and not while somebody waits.
      this.#table.byAge();
      if (this.#table.unindexed.size >= UNINDEXED_WORTH) await this.#indexRest();
      if (this.#holds.length > INDEX_SEGMENTS) await this.#mergeAll();
    } catch {
      // A full disk: what is not indexed is looked at, and it is tried again after the next change.
    } finally {
      this.#catchingUp = false;
    }
  }

  async #mergeAll(): Promise<void> {
    const { folder } = this.#options;
    const old = this.#holds;
    const name = this.#newName();
    const kept = old.map(({ entries }) => entries.flatMap((entry, doc) => (entry === null ? [] : [doc])));
    await this.#parts.builders.run({
      kind: "merge",
      segments: old.map((hold) => join(folder, hold.name)),
      kept: kept.map((docs, at) => (docs.length === old[at]?.segment.docs.length ? null : docs)),
      path: join(folder, name),
    });
    await this.#exclusive(async () => {
      const merged = new Set(old);
      this.#holds = this.#holds.filter((hold) => !merged.has(hold));
      // Not those that have changed since: they are in no segment now.
      this.#adopt(
        name,
        ({ hold, doc }, { readAt }) =>
          hold !== null && merged.has(hold) && hold.segment.docs[doc]?.readAt === readAt,
      );
      this.#save();
      for (const { segment } of old) segment.close();
      removeOthers(folder, { root: this.#options.root, segments: this.#holds.map((hold) => hold.name) });
    });
  }
}

/** Of version control only where its ignore rules are. */
function enters(key: PathKey): boolean {
  const names = key.split("/");
  const at = names.findIndex((name) => NOT_ENTERED.has(name));
  if (at === -1) return true;
  return (
    names[at] === ".git" && (at === names.length - 1 || (names[at + 1] === "info" && at === names.length - 2))
  );
}

/** In a folder that no index holds. */
function isInside(key: PathKey): boolean {
  return key.split("/").some((name) => NOT_ENTERED.has(name));
}

/** A name that is UTF-8, as most are. */
function isText(key: PathKey): boolean {
  return pathOfKey(key).pathBytes === undefined;
}
