/** Tells whoever waits how far a call is, and not more often than is of use. */
import { UPDATE_PAUSE } from "../model/limits.ts";
import { type CallOptions, textResult } from "./result.ts";

/** `text` is made only when it is sent. */
export function updates(onUpdate: CallOptions["onUpdate"]): (text: () => string) => void {
  if (onUpdate === undefined) return () => {};
  let last = performance.now();
  return (text) => {
    const now = performance.now();
    if (now - last < UPDATE_PAUSE) return;
    last = now;
    onUpdate(textResult(text(), {}));
  };
}
