import type { Worker } from "node:worker_threads";
import { INDEX_CLOSE, INDEX_YOUNG, KNOWN_MATCHERS } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import type { Answer, Ask, AskedFind, ListedAnswer, Page } from "./ask.ts";
import type { KeeperOptions } from "./keeper.ts";
import { endedStatus, type IndexStatus } from "./status.ts";
import type { Called, Moment, Reply } from "./messages.ts";
import { type PackedList, unpacked } from "./packed-list.ts";
import type { PathKey } from "./path-key.ts";
import { plainTexts } from "../regex/plain-texts.ts";
import { remember } from "../regex/recent.ts";
import { endThread, startThread } from "../workspace/thread.ts";

/**
 * The index of one tree, as its owner has it: questions go to its thread, and nothing of it runs here. `engine/` asks
 * it; `open-indexes.ts` opens one for each tree.
 */

export interface TreeIndex {
  readonly root: string;
  /**
   * The same for one call that begins now: what has changed is taken in at once, while the call is read, and answers are
   * of this moment or a later one.
   */
  readonly begun: () => TreeIndex;
  /** This will be asked: what the pattern takes can be made meanwhile. */
  readonly prepare: (pattern: Pattern) => void;
  /** With every change in it that was made before, or before the call that began. */
  readonly ask: (ask: Ask) => Promise<Asked>;
  readonly list: (find: AskedFind) => Promise<ListedAnswer>;
  /** What the ignore rules leave out; null where that is not known as it is now. */
  readonly leftOut: () => Promise<readonly Ignored[] | null>;
  /** These paths were changed by a tool of ours, before this call. */
  readonly wrote: (keys: readonly PathKey[]) => void;
  readonly status: () => Promise<IndexStatus>;
  /** Resolves when it can answer, or cannot be. */
  readonly started: () => Promise<void>;
  /** Resolves when nothing is left to be done behind the answers. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

type Able = Extract<Answer, { kind: "able" }>;

/** An answer, and the way to what is behind its first files. */
export type Asked =
  | Exclude<Answer, Able>
  | (Omit<Able, "cursor"> & {
      /** The next files, at most so many; `end` when there are no more. */
      readonly next: (count: number) => Promise<Page>;
      /** Nothing more will be asked, and what is going on is not needed. */
      readonly drop: () => void;
    });

export interface Cursors {
  readonly page: (cursor: number, count: number) => Promise<Page>;
  readonly drop: (cursor: number) => void;
}

export function askedOf(answer: Answer, { page, drop }: Cursors): Asked {
  if (answer.kind === "unable") return answer;
  const { cursor, ...told } = answer;
  return { ...told, next: (count) => page(cursor, count), drop: () => drop(cursor) };
}

export function openTreeIndex(options: KeeperOptions): TreeIndex {
  const thread = startThread(import.meta.url, "index-thread", {
    given: options,
    resourceLimits: { maxYoungGenerationSizeMb: INDEX_YOUNG },
  });
  // Whoever waits for an answer is waited for; the index by itself keeps no program running.
  thread.unref();
  const calls = callsTo(thread);
  const prepared = new Map<string, true>();
  const cursors: Cursors = {
    // Without its thread there are no more hits, and ripgrep goes on.
    page: (cursor, count) =>
      calls.call({ kind: "page", cursor, count }).then(
        (page) => page as Page,
        () => ({ hits: [], end: "gave-up" }),
      ),
    drop: (cursor) => calls.tell({ kind: "drop", cursor }),
  };
  let moments = 0;
  const asking = (since: Moment | null): Pick<TreeIndex, "ask" | "list"> => ({
    ask: async (ask) => {
      const answer = await calls.call({ kind: "ask", ask, since }).catch(unable);
      return askedOf(answer as Answer, cursors);
    },
    list: async (find) =>
      unpacked((await calls.call({ kind: "list", find, since }).catch(unable)) as PackedList),
  });
  const index: TreeIndex = {
    ...asking(null),
    root: options.root,
    begun: () => {
      const moment = ++moments;
      calls.tell({ kind: "refresh", moment });
      return { ...index, ...asking(moment) };
    },
    prepare: (pattern) => {
      // A plain text takes no longer than the message.
      if (plainTexts(pattern) !== null) return;
      const key = JSON.stringify(pattern);
      const known = prepared.has(key);
      remember(prepared, key, true, KNOWN_MATCHERS);
      if (known) return;
      calls.tell({ kind: "prepare", pattern });
    },
    leftOut: () =>
      calls.call({ kind: "left-out" }).then(
        (left) => left as readonly Ignored[] | null,
        () => null,
      ),
    wrote: (keys) => calls.tell({ kind: "wrote", keys }),
    status: () =>
      calls.call({ kind: "status" }).then(
        (status) => status as IndexStatus,
        (cause: Error) => endedStatus(cause.message),
      ),
    started: async () => {
      await calls.call({ kind: "started" });
    },
    settled: async () => {
      await calls.call({ kind: "settled" });
    },
    close: async () => {
      // What it is at may take long, and nothing of it is needed any more.
      const late = setTimeout(() => void endThread(thread), INDEX_CLOSE);
      await calls.call({ kind: "close" }).catch(() => {});
      clearTimeout(late);
      await endThread(thread);
    },
  };
  return index;
}

function unable(cause: unknown): Extract<Answer, { kind: "unable" }> {
  return { kind: "unable", why: cause instanceof Error ? cause.message : String(cause) };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

interface Calls {
  readonly call: (call: Called["call"]) => Promise<unknown>;
  /** Nobody waits for what comes of it. */
  readonly tell: (call: Called["call"]) => void;
}

function callsTo(thread: Worker): Calls {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: Error | null = null;

  const end = (cause: Error): void => {
    ended = cause;
    for (const { reject } of waiting.values()) reject(cause);
    waiting.clear();
    thread.unref();
  };
  thread.on("message", (reply: Reply) => {
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) thread.unref();
    if ("fault" in reply) one?.reject(new Error(reply.fault));
    else one?.resolve(reply.value);
  });
  thread.on("error", end);
  thread.on("exit", () => end(new Error("The index has ended")));

  return {
    tell: (call) => {
      if (ended === null) thread.postMessage({ id: null, call } satisfies Called);
    },
    call: (call) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        last += 1;
        if (waiting.size === 0) thread.ref();
        waiting.set(last, { resolve, reject });
        thread.postMessage({ id: last, call } satisfies Called);
      }),
  };
}
