/** Names that are asked for again are told again only as long as nothing may be otherwise: the times of folders too. */
import { chmodSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AskedFind, ListedAnswer } from "../../src/index/ask.ts";
import { ListedBefore } from "../../src/index/query/listed-before.ts";
import { TOLD_QUESTIONS } from "../../src/model/limits.ts";
import { type Files, FOLDER, plant } from "../support/tree.ts";
import { indexed, WHOLE_TREE } from "./indexed.ts";

const ask = (limit: number | null = null): AskedFind => ({
  scope: WHOLE_TREE,
  kinds: "all",
  order: "mtime",
  limit,
});

describe("What is told of a tree", () => {
  const files: Files = { "src/a.c": "one\n", "src/deep/b.c": "two\n", empty: FOLDER };

  const changes: readonly (readonly [what: string, change: (root: string) => void])[] = [
    ["a folder got another time", (root) => utimesSync(join(root, "src/deep"), 5, 5)],
    ["the root got another time", (root) => utimesSync(root, 5, 5)],
    ["a folder came", (root) => mkdirSync(join(root, "empty/new"))],
    ["a folder went", (root) => rmSync(join(root, "empty"), { recursive: true })],
    ["a file came", (root) => writeFileSync(join(root, "src/deep/c.c"), "three\n")],
    ["a file that is left out came", (root) => writeFileSync(join(root, "src/deep/c.o"), "three\n")],
    ["a file was written to", (root) => writeFileSync(join(root, "src/a.c"), "other\n")],
    ["a file got another time", (root) => utimesSync(join(root, "src/a.c"), 5, 5)],
    ["a folder may be entered by nobody else", (root) => chmodSync(join(root, "src/deep"), 0o700)],
  ];

  it.each(changes)("is the tree as it is, asked twice before and once after %s", async (_, change) => {
    const { root, remove } = plant({ ...files, ".ignore": "*.o\n" });
    onTestFinished(remove);
    const { keeper, close } = await indexed(root);
    onTestFinished(close);
    const told = async (): Promise<ReadonlyMap<string, number>> => {
      const answer = await keeper.list(ask());
      if (answer.kind === "unable") throw new Error(answer.why);
      return new Map(answer.entries.map(({ path, mtimeMs }) => [path, mtimeMs]));
    };
    const before = await told();
    expect(await told()).toEqual(before);
    change(root);
    const after = await told();
    expect(await told()).toEqual(after);
    for (const [path, mtimeMs] of after)
      expect([path, statSync(join(root, path)).mtimeMs]).toEqual([path, mtimeMs]);
    const there = (path: string): boolean =>
      statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
    expect([...before.keys()].filter((path) => there(path) && !after.has(path))).toEqual([]);
  });
});

describe("An answer is told again", () => {
  const answer = (total: number): ListedAnswer => ({
    kind: "able",
    entries: [],
    total,
    generation: 1,
    faults: [],
  });
  const counting = (): {
    readonly listed: ListedBefore;
    readonly of: (at: string | null, limit?: number) => number;
  } => {
    const listed = new ListedBefore();
    let made = 0;
    return {
      listed,
      of: (moment, limit = 1) => {
        const told = listed.of(ask(limit), moment, () => answer((made += 1)));
        return told.kind === "able" ? told.total : -1;
      },
    };
  };

  it("to the same question at the same moment, and to no other", () => {
    const { of } = counting();
    expect([of("1 1"), of("1 1"), of("1 1", 2), of("1 1", 2), of("1 1")]).toEqual([1, 1, 2, 2, 1]);
    expect([of("1 2"), of("1 1"), of("2 1"), of("2 1")]).toEqual([3, 4, 5, 5]);
  });

  it("never where nobody knows whether anything is otherwise", () => {
    const { of } = counting();
    expect([of(null), of(null), of("1 1"), of(null), of("1 1")]).toEqual([1, 2, 3, 4, 5]);
  });

  it("for the last few questions", () => {
    const { of } = counting();
    for (let limit = 0; limit <= TOLD_QUESTIONS; limit += 1) of("1 1", limit);
    expect([of("1 1", TOLD_QUESTIONS), of("1 1", 0)]).toEqual([TOLD_QUESTIONS + 1, TOLD_QUESTIONS + 2]);
  });
});
