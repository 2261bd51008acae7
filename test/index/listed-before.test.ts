/** Names that are asked for again are told again only as long as nothing may be otherwise: the times of folders too. */
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AskedFind, AskedScope } from "../../src/index/ask.ts";
import type { Keeper } from "../../src/index/keeper.ts";
import { packed, type PackedList } from "../../src/index/packed-list.ts";
import { ListedBefore } from "../../src/index/query/listed-before.ts";
import { TOLD_HITS, TOLD_QUESTIONS } from "../../src/model/limits.ts";
import type { Terms } from "../../src/workspace/judge.ts";
import { type Files, FOLDER, plant } from "../support/tree.ts";
import { indexed, listed, WHOLE_TREE } from "./indexed.ts";

const ask = (limit: number | null = null): AskedFind => ({
  scope: WHOLE_TREE,
  kinds: "all",
  order: "mtime",
  limit,
});

describe("What is told of a tree", () => {
  const files: Files = { "src/a.c": "one\n", "src/deep/b.c": "two\n", empty: FOLDER, ".ignore": "*.o\n" };

  async function asked(): Promise<{
    readonly root: string;
    readonly keeper: Keeper;
    /** The same question each time; as of a moment. */
    readonly told: (since?: number | null) => Promise<Told>;
    /** As nobody has asked before. */
    readonly anew: () => Promise<Told>;
  }> {
    const { root, remove } = plant(files);
    onTestFinished(remove);
    const { keeper, close } = await indexed(root);
    onTestFinished(close);
    const put = async (limit: number | null, since: number | null): Promise<Told> => {
      const answer = await listed(keeper, ask(limit), since);
      if (answer.kind === "unable") throw new Error(answer.why);
      return { total: answer.total, times: answer.entries.map(({ path, mtimeMs }) => [path, mtimeMs]) };
    };
    let unheardOf = 1_000;
    return {
      root,
      keeper,
      told: (since = null) => put(null, since),
      anew: () => put((unheardOf += 1), null),
    };
  }

  /** `then`: what the answer has then and had not before. */
  type Change = readonly [what: string, change: (root: string) => void, then: readonly string[]];
  const changes: readonly Change[] = [
    ["a folder got another time", (root) => utimesSync(join(root, "src/deep"), 5, 5), ["src/deep"]],
    ["a folder came", (root) => mkdirSync(join(root, "empty/new")), ["empty/new"]],
    ["a folder came and another went", (root) => renameSync(join(root, "empty"), join(root, "e")), ["e"]],
    ["a folder went", (root) => rmSync(join(root, "empty"), { recursive: true }), []],
    ["a file came", (root) => writeFileSync(join(root, "src/deep/c.c"), "three\n"), ["src/deep/c.c"]],
    ["a file that is left out came", (root) => writeFileSync(join(root, "src/deep/c.o"), "3"), ["src/deep"]],
    ["a file went", (root) => rmSync(join(root, "src/a.c")), ["src"]],
    ["a file was written to", (root) => writeFileSync(join(root, "src/a.c"), "other\n"), ["src/a.c"]],
    ["a file got another time", (root) => utimesSync(join(root, "src/a.c"), 5, 5), ["src/a.c"]],
  ];

  it.each(changes)("is the tree as it is after %s", async (_, change, then) => {
    const { root, told, anew } = await asked();
    const before = await told();
    expect(await told()).toEqual(before);
    change(root);
    const after = await told();
    expect(after).not.toEqual(before);
    expect(after).toEqual(await anew());
    expect(await told()).toEqual(after);
    for (const [path, time] of after.times) expect(time).toBe(statSync(join(root, path)).mtimeMs);
    const had = new Map(before.times);
    const changed = after.times.filter(([path, time]) => had.get(path) !== time).map(([path]) => path);
    expect(changed).toEqual(expect.arrayContaining([...then]));
    expect(after.total).toBe(after.times.length);
  });

  it.each(changes)("is the tree as it is when in the middle of a call %s", async (_, change) => {
    const { root, keeper, told, anew } = await asked();
    for (const moment of [1, 2]) {
      keeper.refresh(moment);
      await sleep(20);
      if (moment === 2) change(root);
      // What happened is heard, and is not taken in: the call began before.
      await sleep(20);
      await told(moment);
    }
    expect(await told()).toEqual(await anew());
    for (const [path, time] of (await told()).times) expect(time).toBe(statSync(join(root, path)).mtimeMs);
  });
});

it("What a policy withholds is counted as it is when in the middle of a call it went", async () => {
  const { root, remove } = plant({ "a.c": "one\n", ".ignore": ".env\n", ".env": "" });
  onTestFinished(remove);
  const { keeper, close } = await indexed(root);
  onTestFinished(close);
  const withheld: Terms = {
    root,
    realRoot: root,
    deny: [".env"],
    letters: "case counts",
    anchors: [root],
    realAnchors: [root],
    folders: [root],
    withheld: [],
  };
  const denied = async (since: number | null): Promise<number> => {
    const scope: AskedScope = { ...WHOLE_TREE, exclude: withheld.deny, withheld };
    const answer = await listed(keeper, { ...ask(), scope }, since);
    return answer.kind === "able" ? answer.denied : -1;
  };
  expect(await denied(null)).toBe(1);
  keeper.refresh(1);
  await sleep(20);
  rmSync(join(root, ".env"));
  await sleep(20);
  await denied(1);
  expect(await denied(null)).toBe(0);
});

interface Told {
  readonly total: number;
  readonly times: readonly (readonly [path: string, time: number])[];
}

describe("An answer is told again", () => {
  const answer = (total: number, names: number): PackedList =>
    packed({
      kind: "able",
      entries: Array.from({ length: names }, (_, at) => ({ path: `a${at}`, kind: "file", mtimeMs: 0 })),
      total,
      denied: 0,
      generation: 1,
      faults: [],
    });
  /** Which making of an answer was told. */
  const counting = (names = 0): ((at: string | null, limit?: number) => number) => {
    const before = new ListedBefore();
    let made = 0;
    return (moment, limit = 1) => {
      const told = before.of(ask(limit), moment, () => answer((made += 1), names));
      return told.kind === "unable" ? -1 : told.total;
    };
  };

  it("to the same question at the same moment, and to no other", () => {
    const of = counting();
    expect([of("1 1"), of("1 1"), of("1 1", 2), of("1 1", 2), of("1 1")]).toEqual([1, 1, 2, 2, 1]);
    expect([of("1 2"), of("1 1"), of("2 1"), of("2 1")]).toEqual([3, 4, 5, 5]);
  });

  it("never where nobody knows whether anything is otherwise", () => {
    const of = counting();
    expect([of(null), of(null), of("1 1"), of(null), of("1 1")]).toEqual([1, 2, 3, 4, 5]);
  });

  it("for the last few questions", () => {
    const of = counting();
    for (let limit = 0; limit <= TOLD_QUESTIONS; limit += 1) of("1 1", limit);
    expect([of("1 1", TOLD_QUESTIONS), of("1 1", 0)]).toEqual([TOLD_QUESTIONS + 1, TOLD_QUESTIONS + 2]);
  });

  it("unless it is too long to be kept", () => {
    const [kept, made] = [counting(TOLD_HITS), counting(TOLD_HITS + 1)];
    expect([kept("1 1"), kept("1 1"), made("1 1"), made("1 1")]).toEqual([1, 1, 1, 2]);
  });
});
