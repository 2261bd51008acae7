/** Lets so many through at once; the others wait for their turn, or for their signal. */
import { ToolError } from "../model/errors.ts";

/** Resolves when the turn has come, with what ends it. */
export function semaphore(count: number): (signal: AbortSignal | undefined) => Promise<() => void> {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = (): (() => void) => {
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
  };
  return async (signal) => {
    if (free > 0) {
      free -= 1;
      return release();
    }
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(new ToolError("ABORTED", "The call was aborted before its turn"));
      };
      const turn = (): void => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      waiting.push(turn);
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted === true) abort();
    });
    return release();
  };
}
