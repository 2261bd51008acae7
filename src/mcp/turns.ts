/**
 * Whose call runs next. So many run at once in a process; where more want to, those who wait get a turn each in a
 * circle, whoever asked how often, and nobody holds the last ones while others may come. Called by `client-ground.ts`.
 */
import { ToolError } from "../model/errors.ts";

export interface TurnBounds {
  /** Turns there are. */
  readonly count: number;
  /** Turns that one may hold. */
  readonly share: number;
  /** Calls of one that may wait; those beyond are told to come again. */
  readonly waiting: number;
}

/** Resolves when the turn has come, with what ends it. @throws SERVER_BUSY, ABORTED */
export type Turns = (who: object, signal: AbortSignal | undefined) => Promise<() => void>;

export function fairTurns({ count, share, waiting }: TurnBounds): Turns {
  let free = count;
  const held = new Map<object, number>();
  /** Who waits, those first who have waited longest for a turn. */
  const queues = new Map<object, (() => void)[]>();

  const mayRun = (who: object): boolean => free > 0 && (held.get(who) ?? 0) < share;
  const take = (who: object): (() => void) => {
    free -= 1;
    held.set(who, (held.get(who) ?? 0) + 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      free += 1;
      const left = (held.get(who) ?? 0) - 1;
      if (left > 0) held.set(who, left);
      else held.delete(who);
      next();
    };
  };
  const next = (): void => {
    for (const [who, queue] of queues) {
      if (!mayRun(who)) continue;
      queues.delete(who);
      const turn = queue.shift();
      if (queue.length > 0) queues.set(who, queue);
      turn?.();
      return;
    }
  };
  const leave = (who: object, turn: () => void): void => {
    const left = (queues.get(who) ?? []).filter((one) => one !== turn);
    if (left.length > 0) queues.set(who, left);
    else queues.delete(who);
  };

  return async (who, signal) => {
    if (signal?.aborted === true) throw aborted();
    const queue = queues.get(who) ?? [];
    if (queue.length === 0 && mayRun(who)) return take(who);
    if (queue.length >= waiting) throw busy(waiting);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        leave(who, turn);
        reject(aborted());
      };
      const turn = (): void => {
        signal?.removeEventListener("abort", abort);
        // Taken here and not by whoever waits: nobody may come in between.
        resolve(take(who));
      };
      queue.push(turn);
      queues.set(who, queue);
      signal?.addEventListener("abort", abort, { once: true });
    });
  };
}

function aborted(): ToolError {
  return new ToolError("ABORTED", "The call was aborted before its turn");
}

function busy(waiting: number): ToolError {
  return new ToolError("SERVER_BUSY", `There are ${waiting} calls of this client that wait for their turn`, {
    hint: "Wait for their answers, then make this call again",
  });
}
