/** Where many files change, they are looked at before anybody asks, and what happens to them then is seen all the same. */
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { openFeed } from "../../src/index/feed/feed.ts";
import { FEED_MANY, INDEX_PAUSE } from "../../src/model/limits.ts";
import { PATTERN } from "../support/query.ts";
import { plant } from "../support/tree.ts";
import { type Indexed, indexed, WHOLE_TREE } from "./indexed.ts";

const names = Array.from({ length: FEED_MANY }, (_, at) => `folder/${String(at).padStart(4, "0")}.txt`);
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Writes to every file, and waits until all of them were looked at: each raises the generation. */
async function writtenTo({ keeper }: Indexed, write: (name: string) => void): Promise<void> {
  const { generation } = keeper.status();
  for (const name of names) write(name);
  await expect
    .poll(() => keeper.status().generation, { timeout: 10_000, interval: 5 })
    .toBeGreaterThanOrEqual(generation + names.length);
}

/** An index of a tree of which every file was written to since, and what its feed had left to tell when it was asked. */
async function changed(): Promise<{ root: string; index: Indexed; left: () => number }> {
  const { root, remove } = plant(Object.fromEntries(names.map((name) => [name, "hay\n"])));
  ends.push(remove);
  let left = -1;
  const index = await indexed(root, {
    openFeed: async (options) => {
      const feed = await openFeed(options);
      return {
        ...feed,
        take: () => {
          const changes = feed.take();
          left = changes.touched.size;
          return changes;
        },
      };
    },
  });
  ends.push(index.close);
  expect(index.keeper.status().unindexed).toBe(0);
  await writtenTo(index, (name) => writeFileSync(join(root, name), "needle\n"));
  return { root, index, left: () => left };
}

async function files({ keeper }: Indexed): Promise<readonly string[]> {
  const found: string[] = [];
  const scope = WHOLE_TREE;
  const answer = await keeper.ask({ pattern: PATTERN, order: "path", scope, wanted: null });
  if (answer.kind === "unable") return [answer.why];
  for (let page = answer.first; ; page = await keeper.page(answer.cursor, names.length)) {
    found.push(...page.hits.map(({ path }) => path));
    if (page.end !== "no") return found;
  }
}

it("what could not be looked at ends nothing, and is looked at when somebody asks", async () => {
  const { root, remove } = plant(Object.fromEntries(names.map((name) => [name, "hay\n"])));
  ends.push(remove);
  const index = await indexed(root);
  ends.push(index.close);
  for (const name of names) writeFileSync(join(root, name), "needle\n");
  renameSync(join(root, "folder"), join(root, "elsewhere"));
  // A name that leads to itself cannot be looked through.
  symlinkSync("folder", join(root, "folder"));
  await setTimeout(100);
  expect(index.keeper.status().phase).toBe("ready");
  expect(await files(index)).toEqual([expect.stringMatching(/^ELOOP/)]);
  const moved = names.map((name) => name.replace("folder", "elsewhere"));
  await expect.poll(() => files(index), { timeout: 10_000 }).toEqual(moved);
});

it("a file is looked at ahead once, however often it is written to", async () => {
  const { root, index } = await changed();
  await files(index);
  await index.keeper.settled();
  expect(index.keeper.status().unindexed).toBe(0);
  await writtenTo(index, (name) => writeFileSync(join(root, name), "hay\n"));
  // As if it were time: nobody has asked since.
  await index.keeper.settled();
  expect(index.keeper.status().unindexed).toBe(0);
  for (const name of names) writeFileSync(join(root, name), "needle\n");
  await setTimeout(200);
  expect(index.keeper.status().unindexed).toBe(0);
  expect(await files(index)).toEqual(names);
});

it("what was indexed before anybody asked is looked at once more: somebody may have gone on writing through memory", async () => {
  const { index } = await changed();
  await index.keeper.settled();
  expect(index.keeper.status().unindexed).toBe(0);
  expect(await files(index)).toEqual(names);
  expect(index.keeper.status().unindexed).toBe(names.length);
});

it("what was looked at ahead is indexed soon after somebody asked, also if nothing was left to look at", async () => {
  const { index, left, root } = await changed();
  await files(index);
  await setTimeout(INDEX_PAUSE * 1.5);
  expect(index.keeper.status().unindexed).toBe(0);
  // One event each.
  await writtenTo(index, (name) => appendFileSync(join(root, name), "more\n"));
  await files(index);
  expect(left()).toBe(0);
  await expect.poll(() => index.keeper.status().unindexed, { timeout: 5_000 }).toBe(0);
});

it("files that are written to are known when somebody asks", async () => {
  const { index, left } = await changed();
  expect(await files(index)).toEqual(names);
  // The last one may be told of once more.
  expect(left()).toBeLessThan(names.length);
});

it("what happens to them afterwards is in the answer", async () => {
  const { root, index } = await changed();
  const [first = "", second = "", third = "", ...others] = names;
  writeFileSync(join(root, first), "hay\n");
  rmSync(join(root, second));
  renameSync(join(root, third), join(root, "moved.txt"));
  expect(await files(index)).toEqual([...others, "moved.txt"]);
});

it("a folder that became a link is none of the tree, whatever was seen through it", async () => {
  const { root, index } = await changed();
  const { root: elsewhere, remove } = plant({ kept: "" });
  ends.push(remove);
  renameSync(join(root, "folder"), join(elsewhere, "folder"));
  symlinkSync(join(elsewhere, "folder"), join(root, "folder"));
  for (const name of names) writeFileSync(join(elsewhere, name), "needle again\n");
  mkdirSync(join(root, "other"));
  writeFileSync(join(root, "other/a.txt"), "needle\n");
  expect(await files(index)).toEqual(["other/a.txt"]);
});

it("an ignore file among them is no file like the others", async () => {
  const { root, index } = await changed();
  for (const name of names) writeFileSync(join(root, name), "needle\n");
  writeFileSync(join(root, ".ignore"), "folder\n");
  expect(await files(index)).toEqual(["Ignore rules have changed"]);
});
