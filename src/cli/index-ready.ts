/** Opens an index and waits until it can answer, with a progress bar. For `quarry index build` and `verify`. */
import { size } from "../format/count.ts";
import { type OpenedIndex, openIndex } from "../index/open-indexes.ts";
import { indexSettings } from "../index/settings.ts";
import type { IndexStatus } from "../index/status.ts";
import { UPDATE_PAUSE } from "../model/limits.ts";
import type { Typed } from "./arguments.ts";
import { openProgress } from "./index-progress.ts";
import { refused } from "./index-tree.ts";
import type { Io } from "./io.ts";

/** As wide as the word that comes behind it. */
const LISTING = "Listing ";

/** Open and able to answer; null: interrupted, and let go. @throws ROOT_REFUSED when it cannot be built */
export async function openReady(tree: string, typed: Typed, io: Io): Promise<OpenedIndex | null> {
  const opened = await openIndex(tree, indexSettings({ use: "now" }, io.env), io.env);
  const progress = openProgress(io, typed);
  // Its thread may take a moment to tell anything.
  progress.show(LISTING, 0, null);
  try {
    const status = await ready(opened, io.signal, (now) => {
      const { done, total } = now.progress ?? { done: now.files, total: null };
      const text = now.textBytes === 0 ? "" : size(now.textBytes);
      progress.show(now.phase === "starting" ? LISTING : "Indexing", done, total, text);
    });
    if (status !== null && status.phase !== "ready") throw refused(tree, status.why);
    if (status !== null) return opened;
  } catch (cause) {
    await opened.source.release();
    throw cause;
  } finally {
    progress.end();
  }
  await opened.source.release();
  return null;
}

async function ready(
  { index }: OpenedIndex,
  signal: AbortSignal,
  show: (status: IndexStatus) => void,
): Promise<IndexStatus | null> {
  const timer = setInterval(() => void index.status().then(show), UPDATE_PAUSE);
  try {
    const ended = await Promise.race([index.started(), interrupted(signal)]);
    return ended === "aborted" ? null : await index.status();
  } finally {
    clearInterval(timer);
  }
}

/** Ctrl-C. */
export function interrupted(signal: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
}
