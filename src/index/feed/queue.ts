/**
 * The system's queue of file events, of which this thread has one: libuv puts all watches of a loop on one inotify
 * descriptor and empties it in one go. Its events come in the order of the changes. When the queue is full the
 * system drops events and says so, but libuv does not pass it on; so we count. A full queue is delivered in one
 * drain, hence a drain of as many events as it holds may have lost some. Used by `folders.ts` and `barrier.ts`.
 */
import { type FSWatcher, readFileSync, watch } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";

/**
 * `rename`: a name came or went, or it is a folder that got other attributes. `change`: content or attributes of
 * anything else. A folder's own event has the name that the folder had when it was first watched.
 */
export type Heard = (kind: "rename" | "change", name: string) => void;

export interface EventQueue {
  /** Throws what the system answers, ENOSPC where there are too many watches. Names have a character for each byte. */
  readonly watch: (folder: string | Buffer, heard: Heard) => FSWatcher;
  /** Ends watches, whatever is on its way from them. */
  readonly unwatch: (watchers: readonly FSWatcher[]) => void;
  /** Looks at the drain that is just over, before anybody relies on it. */
  readonly endDrain: () => void;
  /** Calls back when events may have been lost; the answer ends that. */
  readonly onOverflow: (listener: () => void) => () => void;
}

/** What the system allows, or null where it does not say. */
export function inotifyLimit(name: "max_queued_events" | "max_user_watches"): number | null {
  try {
    const value = Number(readFileSync(`/proc/sys/fs/inotify/${name}`, "latin1"));
    return Number.isInteger(value) && value > 0 ? value : null;
  } catch {
    return null;
  }
}

/** The kernel's own default, where it does not say. */
const QUEUED_EVENTS = 16_384;

let shared: EventQueue | undefined;

/** The queue of this thread: all feeds of it fill the same one. */
export function threadQueue(): EventQueue {
  shared ??= createQueue(inotifyLimit("max_queued_events") ?? QUEUED_EVENTS);
  return shared;
}

/** Tests lower the limit. */
export function createQueue(limit: number): EventQueue {
  const listeners = new Set<() => void>();
  let drained = 0;
  let draining = false;
  let unheard = 0;

  function overflow(): void {
    for (const listener of listeners) listener();
  }

  // The phase of the loop behind the one that reads events: the drain is over then.
  function afterEvents(): void {
    draining = false;
    endDrain();
  }

  function endDrain(): void {
    const full = drained + unheard >= limit;
    drained = 0;
    if (full) overflow();
  }

  function count(): void {
    drained++;
    if (draining) return;
    draining = true;
    setImmediate(afterEvents);
  }

  // The last event of a watch, that it is ignored from now on, takes a place in the queue and reaches nobody. It is out
  // of the queue after the next drain, which is counted at the end of the next turn or the one after.
  async function expectUnheard(events: number): Promise<void> {
    unheard += events;
    for (let turns = 0; turns < 3; turns++) await turn();
    unheard -= events;
  }

  return {
    watch(folder, heard) {
      const watcher = watch(folder, { encoding: "latin1", persistent: false }, (kind, name) => {
        count();
        if (name === null) overflow();
        else heard(kind, name);
      });
      watcher.on("error", overflow);
      return watcher;
    },
    unwatch(watchers) {
      for (const watcher of watchers) watcher.close();
      void expectUnheard(watchers.length);
    },
    endDrain,
    onOverflow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
