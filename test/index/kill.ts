/** Kills a process that builds an index, at any moment, and looks at what it leaves. */
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DISTRUSTED_YOUNG, FILES_PER_RUN, SESSION_ORPHANED } from "../../src/model/limits.ts";
import { eventually } from "../support/processes.ts";
import { indexed } from "./indexed.ts";
import { type ChildOptions, keeperProcess } from "./keeper-process.ts";
import { write } from "./mutation-ground.ts";
import { askIndex, askRipgrep, isIndexed, type Question, type Said } from "./question.ts";
import { eachMinute } from "../support/each-minute.ts";
import { answersOf, faultsOf, segmentsIn } from "./saved-ground.ts";

const QUESTION: Question = { asked: "needle 19[0-9]7$", order: "path" };

export interface KillGround {
  readonly root: string;
  readonly folder: string;
  readonly expected: Said;
  /** How long a build takes, about. */
  readonly buildMs: number;
  readonly remove: () => void;
}

/** A tree that takes several parts to build. */
export async function killGround(): Promise<KillGround> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-kill-")));
  const [root, folder] = [join(place, "tree"), join(place, "index")];
  for (let file = 0; file < FILES_PER_RUN * 1.5; file++) {
    write(root, `d${file % 20}/f${file}`, `needle ${file}\n${file % 7} other words of file ${file * 31}\n`);
  }
  await sleep(DISTRUSTED_YOUNG + 100);
  const child = await keeperProcess({ root, folder, env: process.env });
  const loaded = performance.now();
  await child.started;
  const buildMs = performance.now() - loaded;
  await child.close();
  rmSync(folder, { recursive: true });
  const expected = await askRipgrep(root, process.env, QUESTION);
  return { root, folder, expected, buildMs, remove: () => rmSync(place, { recursive: true, force: true }) };
}

export interface Left {
  readonly said: ReturnType<typeof answersOf>;
  /** The index could answer. */
  readonly able: boolean;
  readonly faults: readonly string[];
}

/** Kills it after so long, or so long after the first new segment is there. */
async function killed(
  { root, folder }: KillGround,
  moment: { readonly after: "start" | "segment"; readonly ms: number },
  builders: ChildOptions["builders"],
): Promise<void> {
  const before = segmentsIn(folder);
  const child = await keeperProcess({ root, folder, env: process.env, builders });
  let ended = false;
  void child.started.catch(() => {}).finally(() => (ended = true));
  const isNew = (name: string): boolean => !before.includes(name);
  if (moment.after === "segment") await eventually(() => ended || segmentsIn(folder).some(isNew), 60_000);
  await sleep(moment.ms);
  await child.kill();
}

/** Opens what is there a day later, asks, and closes it. */
async function opened({ root, folder }: KillGround): Promise<Left> {
  ageCookies(join(folder, "cookies"));
  const index = await indexed(root, {}, folder);
  const said = await askIndex(index, root, process.env, QUESTION);
  await index.close();
  return { said: answersOf([said]), able: isIndexed(said), faults: faultsOf(folder, root) };
}

/** Cookies are kept for a day, since they may be those of a process that lives. */
export function ageCookies(folder: string): void {
  if (!existsSync(folder)) return;
  const then = (Date.now() - 2 * SESSION_ORPHANED) / 1000;
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
}

/** Kills it so often and opens it each time; every second time it begins with nothing. */
export async function killOften(ground: KillGround, times: number): Promise<readonly Left[]> {
  const left: Left[] = [];
  const anyTime = (): Parameters<typeof killed>[1] => ({
    after: "start",
    ms: Math.random() * 1.2 * ground.buildMs,
  });
  const once = async (time: number): Promise<void> => {
    const moment = time % 2 === 0 ? ({ after: "segment", ms: Math.random() * 30 } as const) : anyTime();
    await killed(ground, moment, time % 3 === 2 ? "threads" : "inline");
    if (time % 4 === 3) await killed(ground, anyTime(), "inline");
    left.push(await opened(ground));
    if (time % 2 === 1) rmSync(ground.folder, { recursive: true });
  };
  await eachMinute(
    () => ({ killed: left.length }),
    async () => {
      for (let time = 0; time < times; time++) await once(time);
    },
  );
  return left;
}
