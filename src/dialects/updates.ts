/** Tells whoever waits how far a call is, and not more often than is of use. */
import { UPDATE_PAUSE } from "../model/limits.ts";
import { type CallOptions, textResult } from "./result.ts";

/** How far a call is. */
export interface Progress {
  readonly done: number;
  /** Where it is known. */
  readonly total?: number;
}

/** `text` is made only when it is sent. */
export function updates(onUpdate: CallOptions["onUpdate"]): (progress: Progress, text: () => string) => void {
  if (onUpdate === undefined) return () => {};
  let last = performance.now();
  return (progress, text) => {
    const now = performance.now();
    if (now - last < UPDATE_PAUSE) return;
    last = now;
    onUpdate(textResult(text(), progress));
  };
}
