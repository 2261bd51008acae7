import type { TreeIndex } from "../index/tree-index.ts";
import { INDEX_ANSWER } from "../model/limits.ts";
import { aborted } from "../ripgrep/child.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { type Ground, timeLeft } from "./ground.ts";

/** What an index answers, if it does soon: it may be busy with a list of the tree, which nobody waits for. */
export function inTime<T>(answer: Promise<T>, ground: Ground): Promise<T | typeof LATE> {
  const { signal } = ground;
  return new Promise((resolve, reject) => {
    const abort = (): void => settle(() => reject(aborted(signal)));
    const timer = setTimeout(() => settle(() => resolve(LATE)), timeLeft(INDEX_ANSWER, ground));
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      end();
    };
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    answer.then(
      (value) => settle(() => resolve(value)),
      (cause: unknown) => settle(() => reject(cause)),
    );
  });
}

/** What the ignore rules leave out, as far as the index says so soon; null: ask ripgrep. */
export async function knownLeftOut(index: TreeIndex, ground: Ground): Promise<readonly Ignored[] | null> {
  const told = await inTime(index.leftOut(), ground);
  return told === LATE ? null : (told as readonly Ignored[] | null);
}

const LATE = { kind: "unable", why: "the index took too long to answer" } as const;
