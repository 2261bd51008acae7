import { rmSync } from "node:fs";
import { join } from "node:path";
import { DISTRUSTED_YOUNG, FILES_PER_RUN } from "../model/limits.ts";
import { type Lock, tryLock } from "../workspace/lock.ts";
import type { Builders } from "./builders.ts";
import { type Entry, type Hold, holdOf } from "./entry.ts";
import type { FileTable } from "./file-table.ts";
import type { KeyOrder } from "./key-order.ts";
import { PRIVATE_NAME, readManifest, removeOthers, SEGMENT_NAME, writeManifest } from "./saved.ts";
import { openAhead, openHold, type SavedAhead } from "./saved-ahead.ts";
import type { IndexStatus } from "./status.ts";
import { type Take, takeTogether } from "./store/own-memory.ts";
import { openSegment } from "./store/segment.ts";

/**
 * The segments of a tree: taken from disk, built of what is in none, made one when they are many, saved. Of several
 * processes on one tree the one with the lock saves; the others take what it saved, and keep segments of their own
 * without a name, which go with them. Called by `keeper.ts`.
 */

export interface SegmentsOptions {
  readonly root: string;
  /** Where the index of this tree is saved. */
  readonly folder: string;
  readonly table: FileTable;
  readonly builders: Builders;
  /** Nobody else looks at the table meanwhile. */
  readonly exclusive: (work: () => Promise<void>) => Promise<void>;
}

/** How many times as large as all others a segment is that they are merged without. */
const LARGEST = 4;

type Trust = (entry: Entry, readAt: number) => boolean;

/** What was read long enough after its last change is what it then was. */
function wasReadLate({ ctimeMs }: Entry, readAt: number): boolean {
  return readAt - ctimeMs >= DISTRUSTED_YOUNG;
}

export class Segments {
  readonly #options: SegmentsOptions;
  #holds: readonly Hold[] = [];
  /** Those whose file has no name any more. */
  readonly #nameless = new Set<Hold>();
  /** What jobs are writing; the parts of one begin alike. */
  readonly #begun = new Set<string>();
  #ahead: SavedAhead | null = null;
  #lock: Lock | null = null;
  #taken = "";
  #last = 0;
  #closed = false;
  #progress: IndexStatus["progress"] = null;

  constructor(options: SegmentsOptions) {
    this.#options = options;
  }

  get holds(): readonly Hold[] {
    return this.#holds;
  }

  get progress(): IndexStatus["progress"] {
    return this.#progress;
  }

  get bytes(): number {
    return this.#holds.reduce((sum, { segment }) => sum + segment.bytes, 0);
  }

  /** This process is the one that saves. */
  get saves(): boolean {
    return this.#lock !== null;
  }

  /** Becomes the one that saves, if there is none. */
  async takeLock(): Promise<void> {
    if (this.#lock?.isHeld() === false) this.#lock = null;
    this.#lock ??= await tryLock(this.#options.folder);
  }

  /** Reads what `takeSaved` will take, before it is known what of it holds. Answers with the files that are in it. */
  openSaved(): KeyOrder {
    this.#ahead?.close();
    const taken = new Set(this.#holds.map(({ name }) => name));
    const names = this.#savedNames().filter((name) => !taken.has(name));
    this.#ahead = openAhead(this.#options.folder, names);
    return this.#ahead.order;
  }

  /** A file that has a place in the order of `openSaved`. At once, so that nothing else is kept of it meanwhile. */
  index(entry: Entry, place: number): void {
    const found = this.#ahead?.at(place) ?? null;
    if (found !== null) this.#options.table.index(found.hold, found.doc, wasReadLate, entry);
  }

  /** What was saved and still holds; nothing where it was taken before. */
  takeSaved(): void {
    const names = this.#savedNames();
    if (names.join() !== this.#taken) {
      const taken = new Set(this.#holds.map(({ name }) => name));
      for (const name of names) if (!taken.has(name)) this.#take(name);
      this.#taken = names.join();
    }
    // Another process has saved others since they were read.
    for (const hold of this.#ahead?.left() ?? []) this.#release(hold);
    this.#ahead?.close();
    this.#ahead = null;
    if (this.saves) this.#removeOthers(this.#holds.map(({ name }) => name));
  }

  #savedNames(): readonly string[] {
    const { folder, root } = this.#options;
    return readManifest(folder, root)?.segments ?? [];
  }

  #take(name: string): void {
    const hold = this.#ahead?.take(name) ?? openHold(this.#options.folder, name);
    if (hold !== null) this.#adopt(hold, "saved", wasReadLate);
  }

  /** Builds segments of all that is in none. */
  async indexRest(): Promise<void> {
    const { root, folder, table, builders, exclusive } = this.#options;
    const rest = table.byPath().filter((entry) => table.unindexed.has(entry));
    if (rest.length === 0) return;
    const jobs: Promise<void>[] = [];
    // They will be made one soon, if they are many.
    const take = takeTogether();
    this.#progress = { done: 0, total: rest.length };
    for (let from = 0; from < rest.length; from += FILES_PER_RUN) {
      const name = this.#newName();
      const keys = rest.slice(from, from + FILES_PER_RUN).map(({ key }) => key);
      const job = builders.run({ kind: "build", root, keys, path: join(folder, name) }).then((written) =>
        exclusive(async () => {
          // Heard of by now, what changed after it was read is not taken for what was read.
          for (const file of written)
            this.#adoptBuilt(file.slice(folder.length + 1), take, (entry, readAt) => readAt > entry.seenAt);
          const { done, total } = this.#progress ?? { done: 0, total: rest.length };
          this.#progress = { done: done + keys.length, total };
        }),
      );
      jobs.push(job.finally(() => this.#begun.delete(name)));
    }
    const results = await Promise.allSettled(jobs);
    this.#progress = null;
    const failed = results.find((result) => result.status === "rejected");
    this.#save();
    if (failed !== undefined) throw failed.reason;
  }

  /** Built when another process saved, which is no more. */
  get hasUnsaved(): boolean {
    return this.saves && this.#nameless.size > 0;
  }

  /** Makes one of several. A large one is left as it is until the others are a good part of it. */
  async merge(): Promise<void> {
    const { folder, builders, exclusive } = this.#options;
    const old = this.#mergeable();
    const name = this.#newName();
    const kept = old.map(({ entries }) => entries.flatMap((entry, doc) => (entry === null ? [] : [doc])));
    const job = builders.run({
      kind: "merge",
      segments: old.map(({ segment }) => segment.openPath),
      kept: kept.map((docs, at) => (docs.length === old[at]?.segment.docs.length ? null : docs)),
      path: join(folder, name),
    });
    await job.finally(() => this.#begun.delete(name));
    await exclusive(async () => {
      const merged = new Set(old);
      // Not those that have changed since: they are in no segment now.
      this.#adoptBuilt(
        name,
        takeTogether(),
        ({ hold, doc }, readAt) =>
          hold !== null && merged.has(hold) && hold.segment.docs.readAt(doc) === readAt,
      );
      this.#letGo((hold) => merged.has(hold));
      this.#save();
    });
  }

  #mergeable(): readonly Hold[] {
    const [largest, ...others] = [...this.#holds].sort(
      (one, other) => other.segment.bytes - one.segment.bytes,
    );
    const small = others.reduce((sum, { segment }) => sum + segment.bytes, 0);
    const keeps = largest !== undefined && !this.#nameless.has(largest) && others.length > 1;
    return keeps && small < largest.segment.bytes / LARGEST ? others : this.#holds;
  }

  /** Of a segment that is damaged every file is looked at from now on. */
  drop(path: string): void {
    this.#letGo(({ segment }) => segment.path === path || segment.openPath === path);
    this.#save();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#ahead?.close();
    for (const { segment } of this.#holds) segment.close();
    this.#holds = [];
    await this.#lock?.release();
    this.#lock = null;
  }

  #adoptBuilt(name: string, take: Take, trust: Trust): void {
    const path = join(this.#options.folder, name);
    if (this.#closed) rmSync(path, { force: true });
    else this.#adopt(holdOf(name, openSegment(path, take)), "built", trust);
  }

  #adopt(hold: Hold, origin: "saved" | "built", trust: Trust): void {
    const { folder, table } = this.#options;
    const { name } = hold;
    let used = 0;
    for (const [doc, entry] of hold.entries.entries())
      if (entry !== null || table.index(hold, doc, trust)) used += 1;
    const nameless = origin === "built" && (used === 0 || name.startsWith(PRIVATE_NAME));
    // Whoever has it open keeps it.
    if (nameless) rmSync(join(folder, name), { force: true });
    if (used === 0) {
      hold.segment.close();
      return;
    }
    if (nameless) this.#nameless.add(hold);
    this.#holds = [...this.#holds, hold];
    this.#letGo(({ entries }) => entries.every((entry) => entry === null));
  }

  #letGo(goes: (hold: Hold) => boolean): void {
    const gone = this.#holds.filter(goes);
    if (gone.length === 0) return;
    this.#holds = this.#holds.filter((hold) => !gone.includes(hold));
    for (const hold of gone) {
      this.#release(hold);
      hold.segment.close();
      this.#nameless.delete(hold);
    }
  }

  #release({ entries }: Hold): void {
    for (const entry of entries) if (entry !== null) this.#options.table.distrust(entry);
  }

  #newName(): string {
    this.#last += 1;
    const start = this.saves ? SEGMENT_NAME : `${PRIVATE_NAME}${process.pid}-`;
    const name = `${start}${Date.now().toString(36)}-${process.pid.toString(36)}-${this.#last.toString(36)}`;
    this.#begun.add(name);
    return name;
  }

  #removeOthers(segments: readonly string[]): void {
    const named = new Set(segments);
    const isBegun = (name: string): boolean => [...this.#begun].some((begun) => name.startsWith(begun));
    removeOthers(this.#options.folder, (name) => named.has(name) || isBegun(name));
  }

  /** What has a name. */
  #save(): void {
    // Another process may have taken the lock away, which could not see this one.
    if (this.#lock?.isHeld() === false) this.#lock = null;
    if (!this.saves) return;
    const { root, folder } = this.#options;
    const segments = this.#holds.filter((hold) => !this.#nameless.has(hold)).map(({ name }) => name);
    writeManifest(folder, { root, segments });
    this.#removeOthers(segments);
    this.#taken = segments.join();
  }
}
