/** An index that does not answer is not waited for: ripgrep does, and says why. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Ground } from "../../src/engine/ground.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchTree } from "../../src/engine/search-tree.ts";
import type { Query } from "../../src/model/query.ts";
import type { TreeIndex } from "../../src/index/tree-index.ts";
import { normaliseSearch } from "../../src/tools/normalise.ts";
import { plant } from "../support/tree.ts";
import { type Indexed, indexed } from "./indexed.ts";
import { filesOf } from "./search-law.ts";

const { root, remove } = plant({
  "a.txt": "needle\n",
  "b.txt": "hay\n",
  ".ignore": "c.txt\n",
  "c.txt": "",
  "d.txt": "needle\n",
});
let index: Indexed;
beforeAll(async () => {
  index = await indexed(root);
});
afterAll(async () => {
  await index.close();
  remove();
});

const never = (): Promise<never> => new Promise(() => {});

/** A search where the index is as given. */
async function searched(other: Partial<TreeIndex>): Promise<ReturnType<typeof searchTree>> {
  const { query } = await normaliseSearch({ pattern: "needle", root }, process.env);
  const asked: Query = { ...query, mode: "files", order: "path", binary: "ripgrep", reportBinary: false };
  const current = index.source.current() as TreeIndex;
  const source = { ...index.source, current: () => ({ ...current, ...other }) };
  const ground: Ground = { env: process.env, signal: undefined, index: source };
  return searchTree(asked, planScope(asked), ground);
}

it("which files match is ripgrep's to say", async () => {
  const quick = await searched({});
  expect(await filesOf(quick)).toEqual(["a.txt", "d.txt"]);
  expect(quick.used().engine).toBe("index");
  const late = await searched({ ask: never });
  expect(await filesOf(late)).toEqual(["a.txt", "d.txt"]);
  expect(late.used()).toMatchObject({
    engine: "ripgrep",
    engineWhy: "the index took too long to answer",
  });
});

it("what the ignore rules leave out is not known", async () => {
  const quick = await searched({});
  await filesOf(quick);
  expect(await quick.excluded()).not.toBeNull();
  const late = await searched({ leftOut: never });
  await filesOf(late);
  expect(await late.excluded()).toBeNull();
});

it("what it has not told is ripgrep's, and what it has is told once", async () => {
  const current = index.source.current() as TreeIndex;
  const ask: TreeIndex["ask"] = async (asked) => {
    const answer = await current.ask(asked);
    if (answer.kind === "unable") throw new Error(answer.why);
    return { ...answer, first: { hits: answer.first.hits.slice(0, 1), end: "gave-up" } };
  };
  const mixed = await searched({ ask });
  expect(await filesOf(mixed)).toEqual(["a.txt", "d.txt"]);
  expect(mixed.used()).toMatchObject({
    engine: "mixed",
    engineWhy: "ripgrep is quicker for this pattern",
  });
});
