/** What an index found before is told again as long as nothing changes, and only what is behind it is looked at. */
import { array, assert, asyncProperty, boolean, constantFrom, tuple } from "fast-check";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Ask, Hit, Page } from "../../src/index/ask.ts";
import type { Loss } from "../../src/index/feed/changes.ts";
import { openFeed } from "../../src/index/feed/feed.ts";
import { memory, ToldBefore } from "../../src/index/query/told.ts";
import type { Second } from "../../src/index/query/second.ts";
import { verifier } from "../../src/index/query/verify.ts";
import { TOLD_HITS } from "../../src/model/limits.ts";
import { PATTERN } from "../support/query.ts";
import { plant } from "../support/tree.ts";
import { type Indexed, indexed, WHOLE_TREE } from "./indexed.ts";

const FILES = 90;
const name = (at: number): string => `f${String(at).padStart(2, "0")}.c`;
const matches = (at: number): boolean => at % 3 !== 0;
const { root, remove } = plant(
  Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [name(at), matches(at) ? "one two\n" : "two one\n"]),
  ),
);
const all = Array.from({ length: FILES }, (_, at) => at)
  .filter(matches)
  .map(name);

/** Everything that can be is left to it, and counted. */
let looks = 0;
beforeEach(() => {
  looks = 0;
});
const second: Second = {
  isWorth: () => true,
  expect: () => {},
  look: async (pattern, given) => {
    looks += given.length;
    return given.map(verifier(root, pattern));
  },
  close: () => {},
};
const index = await indexed(root, { second });
afterAll(async () => {
  await index.close();
  remove();
});

const question: Ask = {
  pattern: { ...PATTERN, text: "one.*two", source: "one.*two" },
  order: "path",
  scope: WHOLE_TREE,
  wanted: null,
};

/** The first so many; null: all. */
async function asked(ask: Ask): Promise<readonly string[]> {
  const answer = await index.keeper.ask(ask);
  if (answer.kind === "unable") throw new Error(answer.why);
  const hits: Hit[] = [...answer.first.hits];
  let { end }: Page = answer.first;
  while (end === "no" && hits.length < (ask.wanted ?? Number.POSITIVE_INFINITY)) {
    const page: Page = await index.keeper.page(answer.cursor, 7);
    hits.push(...page.hits);
    ({ end } = page);
  }
  return hits.slice(0, ask.wanted ?? hits.length).map(({ path }) => path);
}

it("looks at nothing again for the same question, and only at what is behind for the next page", async () => {
  expect(await asked({ ...question, wanted: 20 })).toEqual(all.slice(0, 20));
  const first = looks;
  expect(first).toBeGreaterThan(0);
  expect(await asked({ ...question, wanted: 20 })).toEqual(all.slice(0, 20));
  expect(looks).toBe(first);
  expect(await asked(question)).toEqual(all);
  expect(looks).toBeLessThan(first + FILES);
  const whole = looks;
  expect(await asked(question)).toEqual(all);
  expect(looks).toBe(whole);
});

it("forgets it all when a file changes", async () => {
  expect(await asked(question)).toEqual(all);
  writeFileSync(join(root, name(3)), "one and two\n");
  expect(await asked(question)).toEqual([...all, name(3)].sort());
  rmSync(join(root, name(4)));
  expect(await asked(question)).toEqual([...all, name(3)].sort().filter((path) => path !== name(4)));
  writeFileSync(join(root, name(3)), "two one\n");
  writeFileSync(join(root, name(4)), "one two\n");
  expect(await asked(question)).toEqual(all);
});

it("keeps questions apart", async () => {
  expect(await asked(question)).toEqual(all);
  const scope = { ...question.scope, names: ["f1*"] };
  expect(await asked({ ...question, scope })).toEqual(all.filter((path) => path.startsWith("f1")));
  const pattern = { ...question.pattern, text: "two.*one" };
  expect(await asked({ ...question, pattern })).toEqual(
    Array.from({ length: FILES / 3 }, (_, at) => name(at * 3)),
  );
});

it("tells the same whatever was asked before, in either order, and whatever changed in between", async () => {
  const step = tuple(
    constantFrom(1, 5, 20, 60, null),
    constantFrom("path" as const, "mtime" as const),
    boolean(),
  );
  let made = 0;
  const law = asyncProperty(array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
    for (const [wanted, order, changes] of steps) {
      const path = join(root, "new.c");
      if (changes && ++made % 2 === 1) writeFileSync(path, "one two\n");
      else if (changes) rmSync(path);
      const expected = made % 2 === 1 ? [...all, "new.c"] : all;
      const told = await asked({ ...question, order, wanted });
      const whole = await asked({ ...question, order });
      expect(order === "path" ? whole : [...whole].sort()).toEqual(expected);
      expect(told).toEqual(whole.slice(0, wanted ?? whole.length));
    }
  });
  await assert(law, { numRuns: 30 });
});

it("keeps no more hits than are worth it", () => {
  const before = new ToldBefore();
  const hit = (at: number): Hit => ({ path: name(at), kind: "sure" });
  const kept = before.of(question, 1);
  for (let at = 0; at < TOLD_HITS; at++) kept.add(hit(at), at + 1);
  kept.keep();
  expect(before.of(question, 1).before).toMatchObject({ next: TOLD_HITS });
  kept.add(hit(TOLD_HITS), TOLD_HITS + 1);
  kept.keep();
  expect(before.of(question, 1).before).toMatchObject({ next: TOLD_HITS });
  expect(before.of(question, 2).before).toEqual(memory().before);
});

it("keeps nothing of a tree that has changed since", () => {
  const before = new ToldBefore();
  const late = before.of(question, 1);
  before.of(question, 2);
  late.add({ path: "a", kind: "sure" }, null);
  late.keep();
  expect(before.of(question, 2).before).toEqual(memory().before);
});

/** An index of a small tree of its own, whose feed fails while `state.fails`. */
async function failing(): Promise<{ ground: string; own: Indexed; state: { fails: boolean } }> {
  const planted = plant({ "a.txt": "one two\n", "b.txt": "two one\n" });
  const state = { fails: false };
  const own = await indexed(planted.root, {
    openFeed: async (options) => {
      const feed = await openFeed(options);
      const lost: Loss = { reason: "overflow", message: "events were lost" };
      return {
        ...feed,
        take: () => (state.fails ? { ...feed.take(), lost } : feed.take()),
        resync: async () => {
          if (state.fails) throw new Error("no watches are left");
          await feed.resync();
        },
      };
    },
  });
  onTestFinished(async () => {
    await own.close();
    planted.remove();
  });
  return { ground: planted.root, own, state };
}

it("of an index that failed and began again, nothing is told that was found before", async () => {
  const { ground, own, state } = await failing();
  const files = async (): Promise<readonly string[]> => {
    const answer = await own.keeper.ask(question);
    return answer.kind === "able" ? answer.first.hits.map(({ path }) => path) : [answer.why];
  };
  expect(await files()).toEqual(["a.txt"]);
  state.fails = true;
  expect(await files()).toEqual(["events were lost"]);
  while (own.keeper.status().phase !== "unable") await setTimeout(5);
  writeFileSync(join(ground, "a.txt"), "two one\n");
  writeFileSync(join(ground, "b.txt"), "one two\n");
  state.fails = false;
  await own.keeper.settled();
  // As many files as before, and so as many changes since the beginning.
  expect(await files()).toEqual(["b.txt"]);
});

it("where more are wanted than match for sure of what was found before, it goes on", async () => {
  const planted = plant(
    Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [name(at), `one two\n${at % 3 === 0 ? "\0" : ""}\n`]),
    ),
  );
  const own = await indexed(planted.root);
  onTestFinished(async () => {
    await own.close();
    planted.remove();
  });
  const end = async (wanted: number): Promise<string> => {
    const answer = await own.keeper.ask({ ...question, wanted });
    if (answer.kind === "unable") return answer.why;
    let sure = 0;
    for (let page = answer.first; ; page = await own.keeper.page(answer.cursor, 8)) {
      sure += page.hits.filter(({ kind }) => kind === "sure").length;
      if (page.end !== "no" || sure >= wanted) return `${Math.min(sure, wanted)} ${page.end}`;
    }
  };
  expect(await end(21)).toBe("21 no");
  expect(await end(26)).toBe("26 no");
  expect(await end(41)).toBe("40 yes");
});
