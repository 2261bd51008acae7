/** A call that says when it began is answered as of then, without waiting for the changes again. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createWorkspace } from "../../src/quarry.ts";
import type { Ask } from "../../src/index/ask.ts";
import { openFeed } from "../../src/index/feed/feed.ts";
import { INDEX_MOMENTS } from "../../src/model/limits.ts";
import { PATTERN } from "../support/query.ts";
import { plant } from "../support/tree.ts";
import { type Indexed, indexed, WHOLE_TREE } from "./indexed.ts";

const ask: Ask = {
  pattern: PATTERN,
  order: "path",
  scope: WHOLE_TREE,
  wanted: null,
};

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** An index, and how often its feed was asked for what had changed. */
async function open(): Promise<{ root: string; index: Indexed; settled: () => number }> {
  const { root, remove } = plant({ "a.txt": "needle\n", "b.txt": "hay\n" });
  ends.push(remove);
  let settled = 0;
  const index = await indexed(root, {
    openFeed: async (options) => {
      const feed = await openFeed(options);
      return {
        ...feed,
        settle: () => {
          settled += 1;
          return feed.settle();
        },
      };
    },
  });
  ends.push(index.close);
  return { root, index, settled: () => settled };
}

async function files({ keeper }: Indexed, moment: number | null): Promise<readonly string[]> {
  const answer = await keeper.ask(ask, moment);
  return answer.kind === "able" ? answer.first.hits.map(({ path }) => path) : [answer.why];
}

it("every change before the moment is in the answer, and is waited for once", async () => {
  const { root, index, settled } = await open();
  for (let moment = 1; moment <= 20; moment++) {
    const path = join(root, `new-${moment}.txt`);
    writeFileSync(path, "needle\n");
    const before = settled();
    index.keeper.refresh(moment);
    expect(await files(index, moment)).toEqual(["a.txt", `new-${moment}.txt`]);
    expect(settled()).toBe(before + 1);
    rmSync(path);
  }
});

it("without a moment, or with one that is forgotten, what has changed is taken in now", async () => {
  const { root, index } = await open();
  index.keeper.refresh(1);
  for (let moment = 2; moment <= INDEX_MOMENTS + 1; moment++) index.keeper.refresh(moment);
  await files(index, 2);
  writeFileSync(join(root, "b.txt"), "needle\n");
  expect(await files(index, 1)).toEqual(["a.txt", "b.txt"]);
  writeFileSync(join(root, "c.txt"), "needle\n");
  expect(await files(index, null)).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(await files(index, 7_777)).toEqual(["a.txt", "b.txt", "c.txt"]);
});

it("where ignore rules had changed by the moment, the index does not answer", async () => {
  const { root, index } = await open();
  writeFileSync(join(root, ".ignore"), "a.txt\n");
  index.keeper.refresh(1);
  expect(await files(index, 1)).toEqual(["Ignore rules have changed"]);
});

it("a workspace sees whatever was written before its call, call after call", async () => {
  const [{ root, remove }, cache] = [plant({ "a.txt": "needle\n" }), plant({})];
  ends.push(remove, cache.remove);
  const env = { ...process.env, QUARRY_CACHE_DIR: join(cache.root, "cache") };
  const workspace = await createWorkspace({ root, env, index: "now" });
  ends.push(() => workspace.close());
  let byIndex = 0;
  for (let turn = 0; turn < 200; turn++) {
    const [present, absent] = turn % 2 === 0 ? ["new.txt", "other.txt"] : ["other.txt", "new.txt"];
    writeFileSync(join(root, present), "needle\n");
    rmSync(join(root, absent), { force: true });
    // Begun before it is waited for, as an agent that asks for two things at once does.
    const [found, listed] = await Promise.all([
      workspace.tools.search({ pattern: "needle" }),
      workspace.tools.find({ paths: "*.txt" }),
    ]);
    expect(found.details).toMatchObject({ files: ["a.txt", present].sort() });
    expect(listed.details).toMatchObject({ fileCount: 2 });
    if ("engine" in found.details && found.details.engine === "index") byIndex += 1;
  }
  expect(byIndex).toBeGreaterThan(100);
});
