/**
 * Whose call runs next. So many run at once in a process; where more want to, those who wait get a turn each in a
 * circle, whoever asked how often, and nobody holds the last ones while others may come. Searches never have all of
 * them: a small read waits for no search, whoever makes them. Called by `client-ground.ts`.
 */
import { ToolError } from "../model/errors.ts";

export interface TurnBounds {
  /** Turns that searches may have. */
  readonly count: number;
  /** Turns beside those, for all other calls. */
  readonly kept: number;
  /** Turns that one may hold for its searches, and as many for the rest. */
  readonly share: number;
  /** Calls of one and a kind that may wait; those beyond are told to come again. */
  readonly waiting: number;
}

/** Whoever has a share: a client, or a name that several of its grounds have in common. */
export type Owner = object | string;

/** Resolves when the turn has come, with what ends it. @throws SERVER_BUSY, ABORTED */
export type Turns = (
  owner: Owner,
  signal: AbortSignal | undefined,
  kind: "search" | "other",
) => Promise<() => void>;

/** The calls of one that are of one kind. */
interface Line {
  readonly isSearch: boolean;
  held: number;
  readonly queue: (() => void)[];
}

export function fairTurns({ count, kept, share, waiting }: TurnBounds): Turns {
  let free = count + kept;
  let searches = 0;
  const lines = { search: new Map<Owner, Line>(), other: new Map<Owner, Line>() };
  /** Where somebody waits, those first who have waited longest for a turn. */
  const queues = new Set<Line>();

  const mayRun = ({ isSearch, held }: Line): boolean =>
    free > 0 && held < share && (!isSearch || searches < count);
  const reckon = (line: Line, by: 1 | -1): void => {
    free -= by;
    line.held += by;
    if (line.isSearch) searches += by;
  };
  const take = (line: Line, forget: () => void): (() => void) => {
    reckon(line, 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      reckon(line, -1);
      forget();
      next();
    };
  };
  const next = (): void => {
    for (const line of queues) {
      if (!mayRun(line)) continue;
      queues.delete(line);
      const turn = line.queue.shift();
      if (line.queue.length > 0) queues.add(line);
      turn?.();
      return;
    }
  };
  const leave = (line: Line, turn: () => void): void => {
    line.queue.splice(line.queue.indexOf(turn), 1);
    if (line.queue.length === 0) queues.delete(line);
  };

  return async (owner, signal, kind) => {
    if (signal?.aborted === true) throw aborted();
    const all = lines[kind];
    const line = all.get(owner) ?? { isSearch: kind === "search", held: 0, queue: [] };
    all.set(owner, line);
    const forget = (): void => {
      if (line.held === 0 && line.queue.length === 0) all.delete(owner);
    };
    if (line.queue.length === 0 && mayRun(line)) return take(line, forget);
    if (line.queue.length >= waiting) throw busy(waiting);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        leave(line, turn);
        forget();
        reject(aborted());
      };
      const turn = (): void => {
        signal?.removeEventListener("abort", abort);
        // Taken here and not by whoever waits: nobody may come in between.
        resolve(take(line, forget));
      };
      line.queue.push(turn);
      queues.add(line);
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
