/** Opens an index and waits until it can answer, and shows how far it is. For `quarry index build` and `verify`. */
import { size } from "../format/count.ts";
import { type OpenedIndex, openIndex } from "../index/open-indexes.ts";
import { indexSettings } from "../index/settings.ts";
import type { IndexStatus } from "../index/status.ts";
import { UPDATE_PAUSE } from "../model/limits.ts";
import type { Progress } from "./index-progress.ts";
import { refused } from "./index-tree.ts";
import type { Io } from "./io.ts";

/** What it does, by words of one width. Searches are answered by the time it saves. */
const STEPS = { starting: "Listing ", building: "Indexing", ready: "Saving  " } as const;

/** Open and able to answer; null: interrupted, and let go. @throws ROOT_REFUSED when it cannot be built */
export async function openReady(tree: string, io: Io, progress: Progress): Promise<OpenedIndex | null> {
  const opened = await openIndex(tree, indexSettings({ use: "now" }, io.env), io.env);
  // Its thread may take a moment to tell anything.
  progress.show(STEPS.starting, 0, null);
  try {
    const status = await showing(opened, progress, () => ready(opened, io.signal));
    if (status !== null && status.phase !== "ready") throw refused(tree, status.why);
    if (status !== null) return opened;
  } catch (cause) {
    await opened.source.release();
    throw cause;
  }
  await opened.source.release();
  return null;
}

/**
 * Waits until it is saved, or for Ctrl-C. What is saved is one segment, which takes a search the least time: over a large
 * tree that takes as long as a good part of the build.
 */
export async function untilSaved(opened: OpenedIndex, io: Io, progress: Progress): Promise<void> {
  const status = await opened.index.status();
  showStatus(status, progress);
  await showing(opened, progress, () => Promise.race([opened.index.settled(), interrupted(io.signal)]));
}

async function showing<T>({ index }: OpenedIndex, progress: Progress, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const look = async (): Promise<void> => {
    const status = await index.status();
    // One that comes late would be drawn behind the end.
    if (!isOver) showStatus(status, progress);
  };
  const timer = setInterval(() => void look(), UPDATE_PAUSE);
  try {
    return await work();
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}

function showStatus({ phase, files, textBytes, progress: built }: IndexStatus, progress: Progress): void {
  if (phase !== "starting" && phase !== "building" && phase !== "ready") return;
  const { done, total } = built ?? { done: files, total: phase === "ready" ? files : null };
  progress.show(STEPS[phase], done, total, textBytes === 0 ? "" : size(textBytes));
}

async function ready({ index }: OpenedIndex, signal: AbortSignal): Promise<IndexStatus | null> {
  const ended = await Promise.race([index.started(), interrupted(signal)]);
  return ended === "aborted" ? null : index.status();
}

/** Ctrl-C. */
function interrupted(signal: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
}
