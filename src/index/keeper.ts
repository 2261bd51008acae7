import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import {
  INDEX_AWAITED,
  INDEX_LARGE,
  INDEX_LIST_TIME,
  INDEX_MOMENTS,
  INDEX_LOOK_AGAIN,
  INDEX_PAUSE,
  INDEX_RETRY,
  INDEX_RETRY_MOST,
  INDEX_WAIT,
  UNINDEXED_FILES,
  UNINDEXED_WORTH,
} from "../model/limits.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { Alarm } from "./alarm.ts";
import type { Answer, Ask, AskedFind, AskedScope, Page } from "./ask.ts";
import { type Builders, openBuilders } from "./builders.ts";
import { listEarly } from "./early-list.ts";
import { type Feed, openFeed } from "./feed/feed.ts";
import { unheardMounts } from "./feed/mounts.ts";
import type { Moment } from "./messages.ts";
import { packed, type PackedList } from "./packed-list.ts";
import { keyOfPath, type PathKey } from "./path-key.ts";
import { remember } from "../regex/recent.ts";
import { openCursor } from "./query/cursor.ts";
import { Cursors } from "./query/cursors.ts";
import { ListedBefore } from "./query/listed-before.ts";
import { listedPage } from "./query/listed.ts";
import { openSecond, type Second } from "./query/second.ts";
import { ToldBefore } from "./query/told.ts";
import { Withheld } from "./query/withheld.ts";
import { isWatched, RULE_NAMES } from "./rules.ts";
import { savedBytes } from "./saved.ts";
import { Segments } from "./segments.ts";
import type { IndexStatus, Phase } from "./status.ts";
import { Damaged } from "./store/pages.ts";
import { surveyHere, type Surveyor } from "./survey.ts";
import { surveyInThread } from "./survey-in-thread.ts";
import { Tree } from "./tree.ts";
import { Upkeep } from "./upkeep.ts";

/**
 * Keeps the index of one tree: brings the files (`tree.ts`) and their segments (`segments.ts`) together, and answers
 * only when everything that changed before the question has been taken in. Lives in a thread of its own
 * (`index-thread.ts`).
 */

export interface KeeperOptions {
  /** The real path of the tree. */
  readonly root: string;
  /** Where the index of this tree is saved; ours alone. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** A tree of more files is left to ripgrep. */
  readonly maxFiles: number;
}

/** Other ones in tests. */
export interface KeeperParts {
  readonly builders: Builders;
  readonly openFeed: typeof openFeed;
  readonly second: Second;
  /** A saved index of more bytes is of a tree that is looked at in a thread of its own. */
  readonly surveyedApart: number;
  /** Memory, when much was taken and is needed no more. */
  readonly giveBack: () => void;
}

interface Open {
  readonly feed: Feed;
  readonly tree: Tree;
  readonly segments: Segments;
  /** Of this tree: another one counts its changes from the beginning. */
  readonly told: ToldBefore;
  readonly listed: ListedBefore;
  readonly withheld: Withheld;
}

interface Unable {
  readonly why: string;
}

export class Keeper {
  readonly #options: KeeperOptions;
  readonly #parts: KeeperParts;
  readonly #ending: AbortController = new AbortController();
  readonly #cursors = new Cursors();
  /** Of the last moments, why what had changed by then could not be taken in, or null. */
  readonly #moments = new Map<Moment, Promise<string | null>>();
  readonly #upkeep: Upkeep;
  /** When the segments are brought up to date. */
  readonly #alarm = new Alarm(() => void this.#catchUp());
  #open: Open | null = null;
  #starting: Promise<void> = Promise.resolve();
  #phase: Phase = "starting";
  #why = "The index is being built";
  /** One after the other: whatever looks at the feed or changes the table. */
  #turn: Promise<unknown> = Promise.resolve();
  #retry: number = INDEX_RETRY;
  #catchingUp: Promise<void> | null = null;
  /** The generation of the tree when somebody last asked. */
  #refreshed = 0;
  /** The feed has been listened to before, and heard of what was not looked at. */
  #isHeard = false;

  constructor(options: KeeperOptions, parts: Partial<KeeperParts> = {}) {
    this.#options = options;
    this.#parts = {
      builders: parts.builders ?? openBuilders(),
      openFeed: parts.openFeed ?? openFeed,
      second: parts.second ?? openSecond(options.root),
      surveyedApart: parts.surveyedApart ?? INDEX_LARGE,
      giveBack: parts.giveBack ?? ((): void => {}),
    };
    this.#upkeep = new Upkeep({
      exclusive: (work) => this.#exclusive(work),
      isReady: () => this.#phase === "ready",
      giveBack: this.#parts.giveBack,
    });
  }

  /** Resolves when the index can answer, or cannot be. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    try {
      const open = await this.#listed();
      this.#phase = "building";
      await this.#awaitSaved(open);
      await this.#indexRest(open);
      this.#parts.giveBack();
      this.#ready();
    } catch (cause) {
      await this.#fail(cause);
    }
  }

  /** With the files of the tree, and what was saved of them. The list itself is not held while an index is built. */
  async #listed(): Promise<Open> {
    const { root, env } = this.#options;
    const surveyor = this.#surveyor();
    try {
      const early = listEarly(root, env, surveyor);
      const open = await this.#opened();
      await this.#exclusive(async () => {
        const again = this.#isHeard;
        await this.#heard(open.feed);
        await open.segments.takeLock();
        const { tree, segments } = open;
        const order = segments.openSaved();
        await tree.list(again ? null : early, { order, found: (entry, at) => segments.index(entry, at) });
        segments.takeSaved();
      });
      return open;
    } finally {
      surveyor.close();
    }
  }

  /** A tree that was large when it was saved is looked at in a thread of its own. */
  #surveyor(): Surveyor {
    const { root, folder, env } = this.#options;
    const options = { env, signal: this.#ending.signal, timeoutMs: INDEX_LIST_TIME, explain: true };
    const isLarge = savedBytes(folder, root) > this.#parts.surveyedApart;
    return isLarge ? surveyInThread(root, options) : surveyHere(root, options);
  }

  /** Nothing is left to be done behind the answers. */
  async settled(): Promise<void> {
    await this.#catchUp();
  }

  status(): IndexStatus {
    const { feed, tree, segments } = this.#open ?? {};
    return {
      phase: this.#phase,
      why: this.#phase === "ready" ? "" : this.#why,
      files: tree?.table.size ?? 0,
      textBytes: tree?.table.bytes ?? 0,
      unindexed: tree?.table.unindexed.size ?? 0,
      progress: segments?.progress ?? null,
      segments: segments?.holds.length ?? 0,
      bytes: segments?.bytes ?? 0,
      watchedFolders: feed?.status().watchedFolders ?? 0,
      generation: tree?.generation ?? 0,
      savedByAnother: segments !== undefined && !segments.saves,
    };
  }

  /** With every change in it that was made before the call. */
  async ask(ask: Ask, since: Moment | null = null): Promise<Answer> {
    const opened = await this.#fresh(ask.scope, since, (open) => this.#cursorOf(ask, open));
    if ("why" in opened) return { kind: "unable", why: opened.why };
    const { id, ...told } = opened;
    return { kind: "able", cursor: id, ...told, first: await this.#cursors.first(id, ask.wanted) };
  }

  /** Names, of the tree as it is. */
  async list(ask: AskedFind, since: Moment | null = null): Promise<PackedList> {
    const listed = await this.#fresh(ask.scope, since, ({ tree, listed, withheld }) => {
      if (ask.kinds !== "files" && !tree.folders.known)
        return { why: "Too much is left out by ignore rules to know the folders" };
      const { moment, table, folders, generation, faults } = tree;
      const denied = withheld.ofFind(ask);
      if (typeof denied !== "number") return denied;
      const make = (): PackedList => {
        const page = listedPage(this.#options.root, ask, table, folders);
        return packed({ kind: "able", ...page, denied, generation, faults });
      };
      return listed.of(ask, moment, make);
    });
    return "kind" in listed ? listed : { kind: "unable", why: listed.why };
  }

  /** Takes in what has changed by a moment: whoever asks for the tree as it was then need not wait for it. */
  refresh(moment: Moment): void {
    if (this.#phase !== "ready") return;
    const taken = this.#exclusive(() => this.#refresh());
    taken.catch(() => {});
    remember(this.#moments, moment, taken, INDEX_MOMENTS);
  }

  /** Why what had changed by then is not known of, or null. What is known cannot have become less since. */
  #refreshedAt(moment: Moment | null): Promise<string | null> {
    const taken = moment === null ? undefined : this.#moments.get(moment);
    return taken === undefined || this.#phase !== "ready" ? this.#refresh() : taken;
  }

  /** What is told when all that changed is taken in and the tree is known where it is asked about. */
  #fresh<T extends object>(
    { targets }: AskedScope,
    since: Moment | null,
    tell: (open: Open) => T | Unable,
  ): Promise<T | Unable> {
    this.#upkeep.asked();
    // Nobody waits for a list of the tree.
    if (this.#phase !== "ready") return Promise.resolve({ why: this.#why });
    return this.#exclusive(async () => {
      const why = await this.#refreshedAt(since);
      const open = this.#open;
      if (why !== null || open === null) return { why: why ?? this.#why };
      const { table } = open.tree;
      // A target in which nothing is listed may be one that the ignore rules leave out, until it is named.
      const unknown = targets.find(({ path }) => !table.holds(keyOfPath({ path })));
      return unknown === undefined ? tell(open) : { why: `Nothing in ${unknown.path} is indexed` };
    });
  }

  #cursorOf(
    ask: Ask,
    { tree, segments, told, withheld }: Open,
  ):
    | Unable
    | ({ readonly id: number } & Pick<
        Extract<Answer, { kind: "able" }>,
        "generation" | "tooLarge" | "denied" | "faults"
      >) {
    const denied = withheld.ofSearch(ask.scope);
    if (typeof denied !== "number") return denied;
    try {
      const { second } = this.#parts;
      const { generation } = tree;
      // A write through another name may leave no trace within a tick of the clock: such a file is always looked at.
      const isSure = !Array.from(tree.table.linked).some(({ hold }) => hold === null);
      const memory = isSure ? told.of(ask, generation) : undefined;
      const cursor = openCursor(this.#options.root, ask, tree.table, segments.holds, second, memory);
      const id = this.#cursors.add(cursor);
      return { id, generation, tooLarge: cursor.tooLarge, denied, faults: tree.faults };
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause;
      segments.drop(cause.path);
      this.#later(0);
      return { why: "A part of the saved index was damaged and is built anew" };
    }
  }

  page(cursor: number, count: number): Promise<Page> {
    return this.#cursors.page(cursor, count);
  }

  drop(cursor: number): void {
    this.#cursors.drop(cursor);
  }

  /** What the ignore rules leave out; null where that is not known as it is now. */
  leftOut(): readonly Ignored[] | null {
    return this.#phase === "ready" ? (this.#open?.tree.ignored ?? null) : null;
  }

  /** Paths that were changed by whoever asks. */
  wrote(keys: readonly PathKey[]): void {
    this.#open?.tree.tell(keys);
  }

  async close(): Promise<void> {
    this.#phase = "closed";
    this.#why = "The index is closed";
    this.#ending.abort();
    this.#alarm.clear();
    this.#parts.second.close();
    await this.#parts.builders.close();
    await this.#starting;
    await this.#exclusive(() => this.#release());
  }

  async #release(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    this.#isHeard = false;
    open?.feed.close();
    await open?.segments.close();
  }

  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #opened(): Promise<Open> {
    if (this.#open !== null) return this.#open;
    const { root, folder, env, maxFiles } = this.#options;
    const cookies = this.#cookies();
    const feed = await this.#parts.openFeed({
      root,
      cookies,
      enters: isWatched,
      notes: RULE_NAMES,
      onMany: () => this.#lookAhead(),
    });
    if (this.#ending.signal.aborted) {
      feed.close();
      throw new Error(this.#why);
    }
    const tree = new Tree({ root, env, signal: this.#ending.signal, maxFiles }, feed);
    const segments = new Segments({
      root,
      folder,
      table: tree.table,
      builders: this.#parts.builders,
      exclusive: (work) => this.#exclusive(work),
    });
    this.#open = {
      feed,
      tree,
      segments,
      told: new ToldBefore(),
      listed: new ListedBefore(),
      withheld: new Withheld(tree),
    };
    return this.#open;
  }

  /** Somebody may have removed it. */
  #cookies(): string {
    const cookies = join(this.#options.folder, "cookies");
    mkdirSync(cookies, { recursive: true, mode: 0o700 });
    return cookies;
  }

  /** Another process may be building just what is wanted here. */
  async #awaitSaved({ tree, segments }: Open): Promise<void> {
    const end = performance.now() + INDEX_AWAITED;
    while (!segments.saves && tree.table.unindexed.size > UNINDEXED_FILES && performance.now() < end) {
      this.#why = "Another process is building the index";
      await sleep(INDEX_WAIT, undefined, { signal: this.#ending.signal });
      await this.#exclusive(async () => {
        await segments.takeLock();
        segments.takeSaved();
      });
    }
    this.#why = "The index is being built";
  }

  /** What could not be indexed is looked at by every search, unless it is too much. */
  async #indexRest({ tree, segments }: Open): Promise<void> {
    try {
      await segments.indexRest();
    } catch (cause) {
      if (tree.table.unindexed.size > UNINDEXED_FILES) throw cause;
    }
  }

  #ready(): void {
    if (this.#phase !== "building") return;
    this.#phase = "ready";
    this.#retry = INDEX_RETRY;
    this.#later(INDEX_PAUSE);
  }

  /** Tried again after a while: what stood against it may be over. Until then it holds no watch and no lock. */
  async #fail(cause: unknown): Promise<void> {
    if (this.#phase === "closed") return;
    this.#phase = "unable";
    this.#why = cause instanceof Error ? cause.message : String(cause);
    this.#alarm.clear();
    this.#later(this.#retry);
    this.#retry = Math.min(this.#retry * 2, INDEX_RETRY_MOST);
    await this.#exclusive(() => this.#release());
    // V8 does not know what segments take.
    this.#parts.giveBack();
  }

  /** Takes in what changed; why that cannot be done now, or null. */
  async #refresh(): Promise<string | null> {
    const open = this.#open;
    if (this.#phase !== "ready" || open === null) return this.#why;
    try {
      const taken = await open.tree.takeIn(this.#parts.second.expect);
      if (taken.kind === "again") return this.#startAgain(open, taken.why);
      if (taken.kind === "not now") return taken.why;
      // Also by what was looked at ahead.
      if (open.tree.generation !== this.#refreshed) this.#later(INDEX_PAUSE);
      this.#refreshed = open.tree.generation;
    } catch (cause) {
      // Such as a folder that nobody may look into any more.
      return this.#startAgain(open, cause instanceof Error ? cause.message : String(cause));
    }
    const many = open.tree.table.unindexed.size > UNINDEXED_FILES;
    return many ? "Many files have changed and are being indexed" : null;
  }

  /** Thousands of files change at once, and each takes its time to look at: whoever asks next need not wait for that. */
  #lookAhead(): void {
    const looked = this.#exclusive(async () => {
      // Behind all that was heard at once.
      await setImmediate();
      const { tree } = this.#open ?? {};
      if (this.#phase !== "ready" || tree === undefined) return;
      if (tree.lookAhead()) this.#lookAhead();
      this.#parts.second.expect(tree.table.unindexed.size);
    });
    // What it could not look at is left to whoever asks.
    looked.catch(() => {});
  }

  /** Lists all anew behind the answers, which are ripgrep's until then. */
  #startAgain(open: Open, why: string): string {
    this.#phase = "building";
    this.#why = why;
    void this.#exclusive(async () => {
      await this.#heard(open.feed);
      await open.tree.list();
    })
      .then(() => this.#ready())
      .catch((cause: unknown) => this.#fail(cause));
    return why;
  }

  /** Every change from now on is heard. */
  async #heard(feed: Feed): Promise<void> {
    const [unheard] = unheardMounts(this.#options.root);
    if (unheard !== undefined) throw new Error("Changes of this file system are not told of reliably");
    this.#cookies();
    if (this.#isHeard) await feed.resync();
    this.#isHeard = true;
    const { lost } = feed.status();
    if (lost !== null) throw new Error(lost.message);
  }

  #later(wait: number): void {
    if (!this.#ending.signal.aborted) this.#alarm.set(wait);
  }

  async #catchUp(): Promise<void> {
    const open = this.#open;
    if (this.#phase === "unable") {
      this.#phase = "starting";
      await this.start();
      return;
    }
    if (this.#phase !== "ready" || open === null) return;
    this.#catchingUp ??= this.#upkeep.run(open.tree, open.segments).finally(() => {
      this.#catchingUp = null;
    });
    try {
      await this.#catchingUp;
      const more = open.tree.table.unindexed.size >= UNINDEXED_WORTH;
      this.#later(more ? INDEX_PAUSE : INDEX_LOOK_AGAIN);
    } catch (cause) {
      // A full disk: what is not indexed is looked at, and it is tried again.
      if (cause instanceof Damaged) await this.#exclusive(async () => open.segments.drop(cause.path));
      this.#later(INDEX_RETRY);
    }
  }
}
