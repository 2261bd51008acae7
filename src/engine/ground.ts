import type { FilePath } from "../model/match.ts";
import type { IndexSource } from "../index/open-indexes.ts";
import type { Guard } from "./guard.ts";

/** What a run stands on besides its query: the process's environment, the caller's signal, a session's policy. */
export interface Ground {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
  /** When the whole call must be over, by `performance.now()`; without one, each run has its query's time. */
  readonly deadline?: number | undefined;
  /** Say what the ignore rules left out. */
  readonly explain?: boolean | undefined;
  /** The index of the session's root, once there is one. */
  readonly index?: IndexSource | undefined;
  /** Withholds files from the answer. */
  readonly guard?: Guard | undefined;
  /** Told of each file or folder as the walk finds it, whatever the order of the answer. */
  readonly onFound?: ((file: FilePath, kind: "file" | "folder") => void) | undefined;
  /** Told how many texts were looked at, where it is known how many there are. */
  readonly onLooked?: ((done: number, total: number) => void) | undefined;
}

/** For a call that begins now: what has changed is taken in while the call is read. */
export function begun(source: IndexSource | undefined): IndexSource | undefined {
  const index = source?.current();
  if (source === undefined || index === undefined) return source;
  const now = index.begun();
  // Another one may come in its place.
  return { ...source, current: () => (source.current() === index ? now : source.current()) };
}

/** The time a run may take, of what its query and the whole call have; 0 when there is none left. */
export function timeLeft(timeoutMs: number, { deadline }: Ground): number {
  const left = deadline === undefined ? timeoutMs : deadline - performance.now();
  return Math.max(0, Math.min(timeoutMs, left));
}
