import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { SECOND_EXPECTED, SECOND_FROM, SECOND_IDLE, SECOND_WORTH, SECOND_YOUNG } from "../../model/limits.ts";
import type { Pattern } from "../../model/query.ts";
import { endThread, startThread } from "../../workspace/thread.ts";
import { type Look, packLooks } from "./look.ts";
import type { Shares } from "./shares.ts";
import type { SecondAsked, SecondTold } from "./second-thread.ts";
import type { Verdict } from "./verify.ts";

/**
 * A second pair of eyes: a thread that looks at files beside the index's own, where there are thousands to look at.
 * Started when it is wanted, ended when nobody has asked for a while. Called by `looking.ts`.
 */
export interface Second {
  /**
   * Whether it helps after so many files, where the rest would take one thread about so many milliseconds; where it
   * would and is not there yet, it is started.
   */
  readonly isWorth: (looked: number, ms: number) => boolean;
  /** So many files will have to be looked at: where that is much, it is started now, to be there by then. */
  readonly expect: (files: number) => void;
  /** Those of its share, which are the last of them; null where it ended before it could tell. */
  readonly look: (
    pattern: Pattern,
    looks: readonly Look[],
    shares: Shares,
  ) => Promise<readonly Verdict[] | null>;
  readonly close: () => void;
}

type Waiting = (verdicts: readonly Verdict[] | null) => void;

export function openSecond(
  root: string,
  cores: number = availableParallelism(),
  idleAfter: number = SECOND_IDLE,
): Second {
  let thread: Worker | null = null;
  let ready = false;
  /** Nobody helps: it was closed, or cannot be started. */
  let over = cores < 2;
  let waiting: Waiting[] = [];
  let idle: NodeJS.Timeout | null = null;

  const end = (): void => {
    if (thread !== null) void endThread(thread);
    thread = null;
    ready = false;
    if (idle !== null) clearTimeout(idle);
    idle = null;
    const left = waiting;
    waiting = [];
    for (const tell of left) tell(null);
  };

  const awaitIdle = (): void => {
    idle ??= setTimeout(() => {
      idle = null;
      if (waiting.length === 0) end();
    }, idleAfter).unref();
    idle.refresh();
  };

  const start = (): void => {
    const started = startThread(import.meta.url, "second-thread", {
      given: root,
      resourceLimits: { maxYoungGenerationSizeMb: SECOND_YOUNG },
    });
    started.unref();
    started.on("message", (told: SecondTold) => {
      if (thread !== started) return;
      if (told === "ready") ready = true;
      else waiting.shift()?.(told);
      if (waiting.length > 0) return;
      started.unref();
      awaitIdle();
    });
    const failed = (): void => {
      if (thread !== started) return;
      over = true;
      end();
    };
    started.on("error", failed);
    started.on("exit", failed);
    thread = started;
  };

  return {
    isWorth: (looked, ms) => {
      if (over || looked < SECOND_FROM || ms < SECOND_WORTH) return false;
      if (thread === null) start();
      awaitIdle();
      return ready;
    },
    expect: (files) => {
      if (over || files < SECOND_EXPECTED) return;
      if (thread === null) start();
      awaitIdle();
    },
    look: (pattern, looks, shares) =>
      new Promise((resolve) => {
        if (thread === null) {
          resolve(null);
          return;
        }
        awaitIdle();
        waiting.push(resolve);
        thread.ref();
        const asked: SecondAsked = { pattern, looks: packLooks(looks), shares };
        thread.postMessage(asked, [asked.looks.numbers.buffer]);
      }),
    close: () => {
      over = true;
      end();
    },
  };
}
