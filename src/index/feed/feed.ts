/**
 * The change feed of one tree, on Linux: which paths have changed since the last look, and that none is missing. Each
 * folder is watched; `settle` waits until every change that was made before the call has been heard, and looks at the
 * folders that came; `take` hands out what was heard. It never reads a file. Used by the index's worker.
 */
import { basename } from "node:path";
import { FEED_MANY, FEED_TOLD } from "../../model/limits.ts";
import { type Barrier, type OpenBarrier, openBarrier } from "./barrier.ts";
import { type Changes, type Gathered, type Loss, type LossReason, nothingYet } from "./changes.ts";
import { type Folder, Folders } from "./folders.ts";
import { type Ground, openGround } from "./ground.ts";
import { keyBelow, type PathKey, pathOfKey } from "../path-key.ts";
import { createQueue, type EventQueue, inotifyLimit, threadQueue } from "./queue.ts";

export interface FeedOptions {
  /** The real path of the tree. */
  readonly root: string;
  /** A private folder outside the tree, or one that `enters` refuses, for the barrier's cookies. */
  readonly cookies: string;
  /** Whether a folder is watched, and what is in it told. Asked for each folder below the root, by its key. */
  readonly enters: (key: PathKey) => boolean;
  /** Names whose paths are remembered. @default none */
  readonly notes?: ReadonlySet<string>;
  /** Called when many paths have been written to since the last `take` or `sift`, and again when as many more have. */
  readonly onMany?: () => void;
  /** Lower than the system's, in tests. */
  readonly limits?: {
    readonly events?: number;
    readonly watches?: number;
    readonly told?: number;
    readonly many?: number;
  };
  /** Another one, in tests. */
  readonly barrier?: OpenBarrier;
}

export interface Feed {
  /** When it answers, every change made before the call is in what `take` gives, or `take` says what was lost. */
  readonly settle: () => Promise<void>;
  /** What was heard since the last take and was not sifted. Each change is told once: there is one who takes. */
  readonly take: () => Changes;
  /**
   * Takes of the paths that were heard of since it was last called, and were only written to, those that `wants` says. No
   * more than `most` are put to it; whether there are others.
   */
  readonly sift: (most: number, wants: (key: PathKey) => boolean) => boolean;
  /** Forgets what was heard and lost, and watches the whole tree anew; look at everything when it is done. */
  readonly resync: () => Promise<void>;
  /** Looks at a folder as if it were new: for when `enters` answers otherwise than before. */
  readonly rescan: (key: PathKey) => Promise<void>;
  readonly status: () => FeedStatus;
  /**
   * Counts what was heard, taken or not: as long as it is the same, once it is settled, every folder on disk and what is in
   * it is what it was; null where folders are not watched, because permissions forbid it.
   */
  readonly heard: () => number | null;
  /** The folders that are watched, those above before those below. */
  readonly folders: () => Iterable<PathKey>;
  /** Where names that are to be remembered are, or were. */
  readonly noted: () => Iterable<PathKey>;
  /** Leaves no watch, descriptor or file behind. */
  readonly close: () => void;
}

export interface FeedStatus {
  readonly watchedFolders: number;
  /** Folders that permissions close to us. */
  readonly unreadableFolders: number;
  /** What the system allows a user, over all programs; null where it does not say. */
  readonly watchLimit: number | null;
  readonly lost: Loss | null;
}

/** When it answers, the tree is watched: what is looked at from now on is kept up to date by what is told. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const feed = new TreeFeed(options);
  try {
    await feed.resync();
  } catch (error) {
    feed.close();
    throw error;
  }
  return {
    settle: () => feed.settle(),
    take: () => feed.take(),
    sift: (most, wants) => feed.sift(most, wants),
    resync: () => feed.resync(),
    rescan: (key) => feed.rescan(key),
    status: () => feed.status(),
    heard: () => feed.heard(),
    folders: () => feed.folders(),
    noted: () => feed.noted(),
    close: () => feed.close(),
  };
}

/** Too many watches, instances or descriptors. */
const LIMITS = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"]);

class TreeFeed {
  readonly #options: FeedOptions;
  readonly #queue: EventQueue;
  readonly #folders: Folders;
  readonly #ground: Ground;
  readonly #rootName: string;
  readonly #endOverflow: () => void;
  #barrier: Barrier | null = null;
  #gathered: Gathered = nothingYet();
  /** Paths that may have become another thing, or a folder. */
  #suspects = new Set<PathKey>();
  /** Of what is gathered, the paths that were written to and that nobody has sifted; and those that were taken so. */
  #unsifted: PathKey[] = [];
  #sifted = new Set<PathKey>();
  #lost: Loss | null = null;
  /** Its own events say so; or something in it has its name. */
  #rootMoved = false;
  #closed = false;
  #heard = 0;
  /** A cookie that was written when watches were closed. */
  #probe: Promise<void> = Promise.resolve();
  /** One thing at a time changes which folders are watched. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: FeedOptions) {
    const { root, limits, enters, notes = new Set<string>() } = options;
    this.#options = options;
    this.#queue = limits?.events === undefined ? threadQueue() : createQueue(limits.events);
    this.#endOverflow = this.#queue.onOverflow(() =>
      this.#lose("overflow", "The system dropped file events"),
    );
    this.#rootName = Buffer.from(basename(root)).toString("latin1");
    this.#ground = openGround(root);
    this.#folders = new Folders({
      root,
      enters,
      notes,
      queue: this.#queue,
      heard: (folder, kind, name) => this.#hear(folder, kind, name),
      failed: (folder, code) => this.#failed(folder, code),
      most: limits?.watches ?? Number.POSITIVE_INFINITY,
    });
  }

  async settle(): Promise<void> {
    // A resync may be on its way, behind which there is something to wait for again.
    if (this.#lost !== null) await this.#work;
    if (this.#lost !== null || this.#closed) return;
    await this.#passBarrier();
    await this.#probe;
    await this.#then(() => this.#enterSuspects());
    if (this.#lost === null && !this.#closed) this.#checkGround();
  }

  take(): Changes {
    const gathered = this.#gathered;
    const sifted = this.#sifted;
    this.#gathered = nothingYet();
    this.#forgetSifted();
    return { ...gathered, sifted, lost: this.#lost };
  }

  sift(most: number, wants: (key: PathKey) => boolean): boolean {
    const { touched } = this.#gathered;
    for (const key of this.#unsifted.splice(0, most)) {
      if (this.#suspects.has(key) || !wants(key)) continue;
      touched.delete(key);
      this.#sifted.add(key);
    }
    return this.#unsifted.length > 0;
  }

  resync(): Promise<void> {
    return this.#then(async () => {
      const isBroken = this.#barrier === null || this.#lost?.reason === "barrier";
      this.#lost = null;
      this.#forgetHeard();
      if (isBroken) this.#openBarrier();
      this.#ground.accept();
      this.#rootMoved = false;
      await this.#folders.enterRoot();
      this.#closeRetired();
      if (this.#lost === null && !this.#closed) this.#checkGround();
    });
  }

  rescan(key: PathKey): Promise<void> {
    return key === "" ? this.resync() : this.#then(() => this.#enter(key).then(() => this.#closeRetired()));
  }

  status(): FeedStatus {
    return {
      watchedFolders: this.#folders.watched,
      unreadableFolders: this.#folders.unreadable.size,
      watchLimit: this.#watchLimit(),
      lost: this.#lost,
    };
  }

  heard(): number | null {
    return this.#folders.unreadable.size === 0 ? this.#heard : null;
  }

  folders(): Iterable<PathKey> {
    return this.#folders.keys();
  }

  noted(): Iterable<PathKey> {
    return this.#folders.noted;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#endOverflow();
    this.#folders.close();
    this.#barrier?.close();
    this.#ground.close();
  }

  #then(step: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.#closed ? undefined : step()));
    this.#work = done.catch((error: unknown) => {
      // Whatever it was about, it was not finished.
      this.#lose("unreadable", String(error));
    });
    return done;
  }

  #hear(folder: Folder, kind: "rename" | "change", name: string): void {
    this.#heard += 1;
    if (this.#lost !== null) return;
    const key = keyBelow(folder.key, name);
    if (kind === "change") {
      this.#hearOfWrite(key);
      return;
    }
    this.#touch(key);
    this.#suspects.add(key);
    // Its own name: it was deleted, moved or unmounted, unless something in it has the same name.
    if (name === folder.name) this.#suspects.add(folder.key);
    if (folder.key === "" && name === this.#rootName) this.#rootMoved = true;
  }

  /** A path is told ahead once between two takes, however often it is written to: nobody may be asking for it. */
  #hearOfWrite(key: PathKey): void {
    const isKnown = this.#gathered.touched.has(key) || this.#sifted.has(key);
    this.#touch(key);
    if (isKnown || this.#lost !== null) return;
    this.#unsifted.push(key);
    const { limits, onMany } = this.#options;
    if (this.#unsifted.length % (limits?.many ?? FEED_MANY) === 0) onMany?.();
  }

  #touch(key: PathKey): void {
    if (this.#lost !== null) return;
    const { touched } = this.#gathered;
    touched.add(key);
    if (touched.size > (this.#options.limits?.told ?? FEED_TOLD)) {
      this.#lose("too-many", `More than ${touched.size - 1} paths changed`);
    }
  }

  #forgetHeard(): void {
    this.#gathered = nothingYet();
    this.#suspects = new Set();
    this.#forgetSifted();
  }

  #forgetSifted(): void {
    this.#unsifted = [];
    this.#sifted = new Set();
  }

  async #passBarrier(): Promise<void> {
    const barrier = this.#barrier;
    const passage = (await barrier?.pass()) ?? "broken";
    if (this.#closed || passage === "passed") return;
    // Another one was put up in the meantime: this one could not be passed any more.
    if (barrier !== this.#barrier) await this.#passBarrier();
    else if (passage === "overflow") this.#lose("overflow", "The system dropped file events");
    else this.#lose("barrier", `No event comes from ${this.#options.cookies}`);
  }

  async #enterSuspects(): Promise<void> {
    if (this.#lost !== null || this.#suspects.size === 0) return;
    const suspects = [...this.#suspects].sort((a, b) => a.length - b.length);
    this.#suspects = new Set();
    const entered = new Set<PathKey>();
    for (const key of suspects) {
      // What is below a folder that was just read has been read with it.
      if (this.#lost !== null || this.#closed) break;
      if (!isBelowAny(key, entered) && (await this.#enter(key))) entered.add(key);
    }
    this.#closeRetired();
  }

  /** What is below is told together with the folder, whoever takes in the meantime. */
  async #enter(key: PathKey): Promise<boolean> {
    const below: PathKey[] = [];
    const outcome = await this.#folders.enter(key, (found) => below.push(found));
    if (outcome === "none" || this.#lost !== null) return false;
    this.#gathered[outcome === "entered" ? "entered" : "gone"].add(key);
    this.#touch(key);
    for (const found of below) this.#touch(found);
    return outcome === "entered";
  }

  /** Events on their way from a closed watch are in no count of ours; that none was dropped so far, a cookie tells. */
  #closeRetired(): void {
    if (!this.#folders.hasRetired || this.#closed) return;
    if (this.#lost === null) this.#probe = this.#passBarrier();
    this.#folders.closeRetired();
  }

  #openBarrier(): void {
    this.#barrier?.close();
    this.#barrier = null;
    try {
      this.#barrier = (this.#options.barrier ?? openBarrier)(this.#queue, this.#options.cookies);
    } catch (error) {
      const { code = String(error), syscall } = error as NodeJS.ErrnoException;
      // A full disk has the same code as too many watches.
      if (syscall === "watch" && LIMITS.has(code)) this.#loseByLimit(code);
      else this.#lose("barrier", `No cookie can be put into ${this.#options.cookies}: ${code}`);
    }
  }

  #checkGround(): void {
    const changed = this.#ground.changed(this.#rootMoved);
    if (changed !== null) this.#lose(changed.reason, changed.message);
  }

  #failed({ key }: Folder, code: string): void {
    if (LIMITS.has(code)) this.#loseByLimit(code);
    else if (key === "" && code === "ENOENT") this.#lose("root-gone", `${this.#options.root} is not there`);
    else this.#lose("unreadable", `The folder ${pathOfKey(key).path} cannot be watched: ${code}`);
  }

  #loseByLimit(code: string): void {
    const watched = this.#folders.watched;
    const limit = this.#watchLimit();
    this.#lose("watch-limit", `The system refused to watch more than ${watched} folders: ${code}`, {
      watched,
      ...(limit === null ? {} : { limit }),
    });
  }

  #watchLimit(): number | null {
    return this.#options.limits?.watches ?? inotifyLimit("max_user_watches");
  }

  /** The first reason stays: the others follow from it, or are found when everything is looked at. */
  #lose(reason: LossReason, message: string, more: Pick<Loss, "watched" | "limit"> = {}): void {
    if (this.#lost !== null) return;
    this.#lost = { reason, message, ...more };
    this.#forgetHeard();
  }
}

function isBelowAny(key: PathKey, folders: ReadonlySet<PathKey>): boolean {
  if (folders.size === 0) return false;
  for (let slash = key.lastIndexOf("/"); slash > 0; slash = key.lastIndexOf("/", slash - 1)) {
    if (folders.has(key.slice(0, slash))) return true;
  }
  return false;
}
