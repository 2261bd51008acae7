import { lstatSync } from "node:fs";
import { DISTRUSTED_YOUNG, EARLY_CLOCK } from "../model/limits.ts";
import type { Feed } from "./feed/feed.ts";
import { watchRules } from "./feed/rules-watch.ts";
import { keyBelow, keyOnDisk, type PathKey } from "./path-key.ts";
import type { Survey, Surveyor } from "./survey.ts";

/**
 * A list of the tree that is begun before the tree is watched, so that both take their time together. It counts if no
 * folder and no rule has changed since shortly before: then it says what it would have said afterwards. Begun by
 * `keeper.ts` at a start, taken by `tree.ts`.
 */
export interface EarlyList {
  /** null: something has changed, or the list is not whole. */
  readonly take: (feed: Feed) => Promise<Survey | null>;
}

/** Below a repository's folder. */
const EXCLUDE = "info/exclude";

export function listEarly(root: string, env: NodeJS.ProcessEnv, surveyor: Surveyor): EarlyList {
  const rules = watchRules({ root, env });
  const before = rules.fingerprint();
  const began = Date.now();
  const ticked = performance.now();
  const listed = surveyor.list().catch(() => null);
  const ageOf = (key: PathKey): "old" | "young" | "none" => {
    try {
      const info = lstatSync(keyOnDisk(root, key), { throwIfNoEntry: false });
      if (info === undefined) return "none";
      return Math.max(info.ctimeMs, info.mtimeMs) < began - DISTRUSTED_YOUNG ? "old" : "young";
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === "ENOTDIR" ? "none" : "young";
    }
  };
  const isOld = (key: PathKey): boolean => ageOf(key) === "old";
  /** A rule of a repository that is written to in its place changes no folder. */
  const isExcludeYoung = (key: PathKey): boolean => ageOf(keyBelow(key, EXCLUDE)) === "young";
  return {
    take: async (feed) => {
      // What changes from now on is told by the feed, also if the list goes on. A clock that was set tells nothing.
      const passed = Date.now() - began - (performance.now() - ticked);
      if (Math.abs(passed) > EARLY_CLOCK || rules.fingerprint() !== before) return null;
      for (const key of feed.folders()) if (!isOld(key)) return null;
      for (const key of feed.noted()) if (!isOld(key) || isExcludeYoung(key)) return null;
      return listed;
    },
  };
}
