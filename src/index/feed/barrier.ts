/**
 * The barrier: a file of our own gets another name and its own back, and when that event has come, every event of a
 * change before it has come, because the queue keeps their order. A rename costs a third of creating a file and works
 * on a full disk. Both renames are made before the queue can be read, so a cookie's name is never told by a later one.
 */
import {
  type FSWatcher,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { FEED_COOKIE_PAUSE, FEED_COOKIE_WAIT, FEED_TURNS, SESSION_ORPHANED } from "../../model/limits.ts";
import type { EventQueue } from "./queue.ts";

/** `overflow`: the queue was full when the cookie was written. `broken`: no cookie comes back at all. */
export type Passage = "passed" | "overflow" | "broken";

export interface Barrier {
  /** Writes its cookie before it returns. */
  readonly pass: () => Promise<Passage>;
  readonly close: () => void;
}

export type OpenBarrier = (queue: EventQueue, folder: string) => Barrier;

const OWN = /^feed-[A-Za-z0-9]{6}$/;

interface Cookie {
  back: boolean;
}

/** In a folder of its own below `folder`. Throws what the system answers. */
export function openBarrier(queue: EventQueue, folder: string): Barrier {
  sweep(folder);
  const own = mkdtempSync(join(folder, "feed-"));
  const cookies = new Map<string, Cookie>();
  const rest = join(own, "rest");
  let watcher: FSWatcher;
  try {
    writeFileSync(rest, "", { mode: 0o600 });
    watcher = queue.watch(own, (_, name) => {
      const cookie = cookies.get(name);
      if (cookie === undefined) return;
      cookie.back = true;
      cookies.delete(name);
    });
  } catch (cause) {
    rmSync(own, { recursive: true, force: true });
    throw cause;
  }
  let written = 0;

  function write(): Cookie | null {
    const name = `cookie-${written++}`;
    const cookie = { back: false };
    cookies.set(name, cookie);
    try {
      renameSync(rest, join(own, name));
      renameSync(join(own, name), rest);
      return cookie;
    } catch {
      cookies.delete(name);
      return null;
    }
  }

  /** In the phase of the loop behind the one that reads events: the drain that brought it is over. */
  async function comesBack(cookie: Cookie): Promise<boolean> {
    for (let turns = 0; turns < FEED_TURNS && !cookie.back; turns++) await turn();
    queue.endDrain();
    return cookie.back;
  }

  return {
    async pass() {
      const first = write();
      if (first === null) return "broken";
      if (await comesBack(first)) return "passed";
      // A full queue has been emptied by now: another cookie comes through, and the first cannot be behind it.
      const second = write();
      if (second === null) return "broken";
      const back = (await comesBack(second)) || (await comesLate(second));
      if (first.back) return "passed";
      return back ? "overflow" : "broken";
    },
    close() {
      queue.unwatch([watcher]);
      rmSync(own, { recursive: true, force: true });
    },
  };
}

async function comesLate(cookie: Cookie): Promise<boolean> {
  const until = performance.now() + FEED_COOKIE_WAIT;
  while (!cookie.back && performance.now() < until) await pause(FEED_COOKIE_PAUSE);
  return cookie.back;
}

/** What processes that were killed left behind. One that is in use and idle for a day makes itself a new one. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!OWN.test(name)) continue;
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info !== undefined && Date.now() - info.mtimeMs > SESSION_ORPHANED) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
