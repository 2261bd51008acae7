/**
 * Names that come and go while a question is taken in: a folder that comes behind the feed's last look and before the
 * tree's is in the tree and not yet watched.
 */
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openFeed } from "../../src/index/feed/feed.ts";
import type { Keeper } from "../../src/index/keeper.ts";
import { PATTERN } from "../support/query.ts";
import { plant } from "../support/tree.ts";
import { indexed, listed, WHOLE_TREE } from "./indexed.ts";

/** An index in whose tree a folder of the name comes at that moment. */
async function withFolderBetween(name: string): Promise<{ keeper: Keeper; place: string }> {
  const { root, remove } = plant({ "src/a.c": "needle\n", ".ignore": "build/\n" });
  onTestFinished(remove);
  const place = join(root, name);
  let comes = false;
  const { keeper, close } = await indexed(root, {
    openFeed: async (options) => {
      const feed = await openFeed(options);
      return {
        ...feed,
        settle: async () => {
          await feed.settle();
          if (comes) mkdirSync(place);
          comes = false;
        },
      };
    },
  });
  onTestFinished(close);
  // It is heard of, and nothing is there when the feed looks.
  mkdirSync(place);
  rmdirSync(place);
  comes = true;
  await told(keeper);
  return { keeper, place };
}

async function told(keeper: Keeper): Promise<readonly string[]> {
  const answer = await listed(keeper, { scope: WHOLE_TREE, kinds: "all", order: "path", limit: null });
  if (answer.kind === "unable") throw new Error(answer.why);
  return answer.entries.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
}

async function found(keeper: Keeper): Promise<readonly string[]> {
  const answer = await keeper.ask({ pattern: PATTERN, order: "path", scope: WHOLE_TREE, wanted: null });
  if (answer.kind === "unable") throw new Error(answer.why);
  return answer.first.hits.map(({ path }) => path);
}

const REST = [".ignore", "src/", "src/a.c"];

it("such a folder is told as long as it is there", async () => {
  const { keeper, place } = await withFolderBetween("src/lock");
  expect(await told(keeper)).toEqual([...REST, "src/lock/"]);
  rmdirSync(place);
  expect(await told(keeper)).toEqual(REST);
  mkdirSync(place);
  expect(await told(keeper)).toEqual([...REST, "src/lock/"]);
});

it("such a folder is forgotten when it goes before the feed has met it", async () => {
  const { keeper, place } = await withFolderBetween("src/lock");
  rmdirSync(place);
  expect(await told(keeper)).toEqual(REST);
});

it("such a folder becomes the file that takes its name", async () => {
  const { keeper, place } = await withFolderBetween("src/lock");
  rmdirSync(place);
  writeFileSync(place, "needle\n");
  expect(await told(keeper)).toEqual([...REST, "src/lock"]);
  expect(await found(keeper)).toEqual(["src/a.c", "src/lock"]);
});

it("such a folder that a rule leaves out hides no file that takes its name", async () => {
  const { keeper, place } = await withFolderBetween("build");
  rmdirSync(place);
  writeFileSync(place, "needle\n");
  expect(await told(keeper)).toEqual([".ignore", "build", "src/", "src/a.c"]);
  expect(await found(keeper)).toEqual(["build", "src/a.c"]);
});
