/**
 * The mutation machine: a small tree is changed in every way that a tree can be, and after some changes the index is
 * asked what ripgrep is asked. Whatever the index says is compared with ripgrep on the tree as it then is. The index
 * is in this process, or in one of its own that is stopped and killed as well.
 */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type Arbitrary, array, constantFrom, integer, oneof, record } from "fast-check";
import { begun } from "../../src/engine/ground.ts";
import type { AskedFind } from "../../src/index/ask.ts";
import { inotifyLimit } from "../../src/index/feed/queue.ts";
import { openFeed } from "../../src/index/feed/feed.ts";
import type { KeeperParts } from "../../src/index/keeper.ts";
import type { IndexSource } from "../../src/index/open-indexes.ts";
import { type Indexed, indexed, WHOLE_TREE } from "./indexed.ts";
import { type ChildOptions, type KeeperProcess, keeperProcess } from "./keeper-process.ts";
import { type Grounds, type MutationGround, WORDS } from "./mutation-ground.ts";
import { type Change, change, make, permission } from "./mutation-steps.ts";
import { askBoth, differenceIn, type Outcome, type Question } from "./question.ts";

type Step = Change | OwnStep | ProcessStep;

/** Closed and opened again. */
interface OwnStep {
  readonly op: "restart";
}

/** `after`: milliseconds from a question to its end. */
type ProcessStep = { readonly op: "stop" | "flood" } | { readonly op: "kill"; readonly after: number | null };

export interface Round extends Question {
  readonly steps: readonly Step[];
  /**
   * Made behind the steps while these are taken in, when they were heard of and are not looked at, and then once more; in
   * this process only. `again`: the last step.
   */
  readonly late?: Change | "again";
}

export interface Played {
  readonly rounds: readonly Round[];
  /** With queues that a burst fills. */
  readonly tight: boolean;
}

const restart: Arbitrary<OwnStep> = constantFrom({ op: "restart" as const });
const inProcess = oneof({ weight: 20, arbitrary: change }, { weight: 1, arbitrary: restart });

/** Some changes, then a question. */
export const rounds: Arbitrary<Played> = playedOf(inProcess);

/** Each of these costs a process, so that more is done with it. */
export const processRounds: Arbitrary<Played> = playedOf(
  oneof(
    { weight: 24, arbitrary: change },
    { weight: 6, arbitrary: constantFrom<ProcessStep>({ op: "stop" }) },
    { weight: 1, arbitrary: constantFrom<ProcessStep>({ op: "flood" }) },
    { weight: 1, arbitrary: restart },
    {
      weight: 2,
      arbitrary: record({
        op: constantFrom("kill" as const),
        after: oneof(constantFrom(null), integer({ min: 0, max: 60 })),
      }),
    },
  ),
);

/** For a process that permissions bind. */
export const closedRounds: Arbitrary<Played> = playedOf(
  oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: permission }),
);

function playedOf(step: Arbitrary<Step>): Arbitrary<Played> {
  return record({
    tight: oneof({ weight: 3, arbitrary: constantFrom(false) }, constantFrom(true)),
    rounds: array(
      record(
        {
          steps: array(step, { minLength: 1, maxLength: 3 }),
          asked: constantFrom(...WORDS, "a[lm]", "(?i)BRAVO|delta"),
          order: constantFrom<Question["order"]>("path", "mtime"),
          // Few, so that the same is asked again after names have come and gone.
          glob: constantFrom("**/a", "d/**"),
          early: constantFrom(true),
          late: oneof(change, constantFrom("again" as const)),
        },
        { requiredKeys: ["steps", "asked", "order"] },
      ),
      { minLength: 5, maxLength: 12 },
    ),
  });
}

/** Milliseconds. */
const EARLY = 4;

export interface Counted {
  steps: number;
  asked: number;
  byIndex: number;
}

/** What the index said and what ripgrep says, where they differ; null where they never do. */
type Difference = (ReturnType<typeof differenceIn> & { readonly asked: Round }) | null;

interface Subject {
  /** A call that will ask begins. */
  readonly begin: () => Promise<unknown>;
  readonly late: (step: Change) => Promise<void>;
  readonly ask: (round: Round) => Promise<Outcome>;
  readonly step: (step: OwnStep | ProcessStep) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function play(
  grounds: Grounds,
  played: Played,
  counted: Counted,
  parts: Partial<KeeperParts> = {},
): Promise<Difference> {
  return playOn(grounds, played, counted, (ground) => ownSubject(ground, played.tight, parts));
}

export function playInProcess(
  grounds: Grounds,
  played: Played,
  counted: Counted,
  user: number | null = null,
): Promise<Difference> {
  return playOn(grounds, played, counted, (ground) => processSubject(ground, played.tight, user));
}

async function playOn(
  grounds: Grounds,
  { rounds }: Played,
  counted: Counted,
  open: (ground: MutationGround) => Promise<Subject>,
): Promise<Difference> {
  const ground = await grounds.next();
  const subject = await open(ground);
  try {
    for (const round of rounds) {
      if (round.early === true) {
        await subject.begin();
        // What was before is taken in.
        await sleep(EARLY);
      }
      for (const [at, step] of round.steps.entries()) {
        counted.steps += 1;
        if (isOfSubject(step)) await subject.step(step);
        else make(ground, step);
        // Now and then what has happened is heard of before all of it has.
        if (at % 3 === 2) await setImmediate();
      }
      const late = round.late === "again" ? round.steps.findLast(isOfTree) : round.late;
      if (late !== undefined) await subject.late(late);
      // What has happened is heard of, and taken in by the next call.
      if (round.early === true) await sleep(EARLY);
      const outcome = await subject.ask(round);
      counted.asked += 1;
      if ((outcome.again ?? outcome.first).engine === "index") counted.byIndex += 1;
      const difference = differenceIn(outcome);
      if (difference !== null) return { ...difference, asked: round };
    }
    return null;
  } finally {
    await subject.close();
    ground.remove();
  }
}

function isOfTree(step: Step): step is Change {
  return !isOfSubject(step);
}

function isOfSubject(step: Step): step is OwnStep | ProcessStep {
  return ["restart", "stop", "flood", "kill"].includes(step.op);
}

const ANY: AskedFind = { scope: WHOLE_TREE, kinds: "files", order: "path", limit: 1 };

/** Paths that are looked at before anybody asks. */
const LOOSE: NonNullable<ChildOptions["limits"]> = { many: 3 };
/** Paths told at once, and events in the queue, fewer than a burst makes. */
const TIGHT: NonNullable<ChildOptions["limits"]> = { ...LOOSE, told: 25, events: 60 };

async function ownSubject(
  ground: MutationGround,
  tight: boolean,
  parts: Partial<KeeperParts>,
): Promise<Subject> {
  const { root, saved, env } = ground;
  let late: Change | undefined;
  const openLate: typeof openFeed = async (given) => {
    const feed = await (parts.openFeed ?? openFeed)({ ...given, limits: tight ? TIGHT : LOOSE });
    const settle = async (): Promise<void> => {
      await feed.settle();
      if (late !== undefined) make(ground, late);
      late = undefined;
    };
    return { ...feed, settle };
  };
  const open = (): Promise<Indexed> => indexed(root, { ...parts, openFeed: openLate }, saved, env);
  let index = await open();
  let early: IndexSource | undefined;
  return {
    begin: async () => {
      early = begun(index.source);
    },
    late: async (step) => {
      late = step;
      await index.keeper.list(ANY);
      late = undefined;
      make(ground, step);
    },
    ask: (round) => askBoth(index, root, env, round, round.early === true ? early : undefined),
    step: async () => {
      await index.close();
      index = await open();
      early = undefined;
    },
    close: () => index.close(),
  };
}

async function processSubject(
  { root, saved, env }: MutationGround,
  tight: boolean,
  user: number | null,
): Promise<Subject> {
  const open = (): Promise<KeeperProcess> =>
    keeperProcess({ root, folder: saved, env, user, limits: tight ? TIGHT : LOOSE });
  let index = await open();
  return {
    begin: async () => {
      index.signal("SIGCONT");
      await index.begin();
    },
    late: async () => {},
    ask: async (round) => {
      index.signal("SIGCONT");
      return index.ask(round);
    },
    step: async (step) => {
      if (step.op === "stop") index.signal("SIGSTOP");
      else if (step.op === "flood") await flood(root, index);
      else {
        index.signal("SIGCONT");
        if (step.op === "kill") await killed(index, step.after);
        else await index.close();
        index = await open();
      }
    },
    close: () => index.kill(),
  };
}

async function killed(index: KeeperProcess, after: number | null): Promise<void> {
  if (after !== null) {
    index.ask({ asked: "alpha", order: "path" }).catch(() => {});
    await sleep(after);
  }
  await index.kill();
}

/** More events than the system's queue holds, which nobody reads. */
async function flood(root: string, index: KeeperProcess): Promise<void> {
  // It may have been stopped before.
  index.signal("SIGCONT");
  await index.started;
  index.signal("SIGSTOP");
  const most = inotifyLimit("max_queued_events") ?? 0;
  for (let at = 0; at <= most; at++) {
    // Two events that follow one another and are the same are one.
    quietly(() => utimesSync(join(root, at % 2 === 0 ? "a" : "x/a"), at, at));
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is not there.
  }
}
