/** What all saved indexes may take together: which trees go, and which stay. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boundIndexCache, removeIndex } from "../../src/index/cache-bound.ts";
import { indexFolder, indexHome, markUsed, savedTrees } from "../../src/index/places.ts";
import { SEGMENT_FORMAT } from "../../src/index/store/segment-writer.ts";
import { FOLDER, tree } from "../support/tree.ts";

const NONE: ReadonlySet<string> = new Set();

/** No process has this number: it is above what any system gives. */
const NOBODY = 2 ** 30;

interface Home {
  readonly env: NodeJS.ProcessEnv;
  /** A saved tree of 1,000 bytes, used so many minutes ago. */
  readonly save: (name: string, minutes: number, lock?: number) => Promise<string>;
  readonly left: () => string[];
}

function home(size: string): Home {
  const env = { QUARRY_CACHE_DIR: join(tree({ cache: FOLDER }), "cache"), QUARRY_INDEX_CACHE_SIZE: size };
  mkdirSync(indexHome(env), { recursive: true });
  return {
    env,
    save: async (name, minutes, lock) => {
      const folder = name.startsWith("v") ? join(indexHome(env), name) : indexFolder(name, env);
      mkdirSync(join(folder, "cookies", "feed-abcdef"), { recursive: true });
      await markUsed(folder, name);
      const bytes =
        1_000 - statSync(join(folder, "used")).size - (lock === undefined ? 0 : String(lock).length);
      writeFileSync(join(folder, "segment-1"), Buffer.alloc(bytes));
      if (lock !== undefined) writeFileSync(join(folder, "lock"), String(lock));
      const used = new Date(Date.now() - minutes * 60_000);
      utimesSync(join(folder, "used"), used, used);
      return folder;
    },
    left: () =>
      savedTrees(env)
        .map((saved) => saved.tree ?? "")
        .sort(),
  };
}

describe("The saved indexes of all trees", () => {
  it("stay where they are within the bound", async () => {
    const { env, save, left } = home("3K");
    for (const name of ["/a", "/b", "/c"]) await save(name, 1);
    expect(await boundIndexCache(env, NONE)).toEqual([]);
    expect(left()).toEqual(["/a", "/b", "/c"]);
  });

  it("lose the least recently used ones over it, and no more than needed", async () => {
    const { env, save, left } = home("2000");
    await save("/new", 1);
    const oldest = await save("/oldest", 30);
    const older = await save("/older", 20);
    await save("/old", 10);
    expect(await boundIndexCache(env, NONE)).toEqual([oldest, older]);
    expect(left()).toEqual(["/new", "/old"]);
    expect(readdirSync(indexHome(env))).toHaveLength(2);
  });

  it("lose those of another format first", async () => {
    const { env, save, left } = home("1000");
    await save("/mine", 60);
    const other = await save(`v${SEGMENT_FORMAT + 1}-0123`, 1);
    expect(await boundIndexCache(env, NONE)).toEqual([other]);
    expect(left()).toEqual(["/mine"]);
  });

  it("keep what a live process saves and what is open here, and not what a dead one saved", async () => {
    const { env, save, left } = home("0");
    await save("/live", 60, process.pid);
    const open = await save("/open", 60);
    await save("/dead", 1, NOBODY);
    await boundIndexCache(env, new Set([open]));
    expect(left()).toEqual(["/live", "/open"]);
  });

  it("lose what is left of a removal that was cut off", async () => {
    const { env, save } = home("8G");
    const kept = await save("/kept", 1);
    const half = join(indexHome(env), ".gone-0123");
    mkdirSync(half);
    await boundIndexCache(env, NONE);
    expect([existsSync(kept), existsSync(half)]).toEqual([true, false]);
  });

  it("are none where there is no cache, and a bound that is none is said", async () => {
    const env = { QUARRY_CACHE_DIR: join(tree({}), "nowhere") };
    expect(await boundIndexCache(env, NONE)).toEqual([]);
    expect(await removeIndex(indexFolder("/a", env))).toBe(false);
    await expect(boundIndexCache({ ...env, QUARRY_INDEX_CACHE_SIZE: "much" }, NONE)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: 'QUARRY_INDEX_CACHE_SIZE is "much", not a size in bytes, such as 500M or 8G',
    });
  });
});
