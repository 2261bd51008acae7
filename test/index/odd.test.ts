/** Trees in which an index went wrong once, each as small as it shows it. */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  chmodSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { searchTree } from "../../src/engine/search-tree.ts";
import { Keeper } from "../../src/index/keeper.ts";
import { indexedScope } from "../../src/index/listing.ts";
import { INDEX_BLOCK, LINKED_FILES } from "../../src/model/limits.ts";
import type { Query } from "../../src/model/query.ts";
import { lockOwner, tryLock } from "../../src/workspace/lock.ts";
import { PATTERN, QUERY } from "../support/query.ts";
import { indexed, inlineBuilders, listed, type Indexed } from "./indexed.ts";
import { filesOf } from "./search-law.ts";

const places: string[] = [];
const open: Indexed[] = [];

afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

interface Ground {
  readonly root: string;
  readonly outside: string;
  readonly write: (path: string, text: string) => void;
  readonly index: () => Promise<Indexed>;
}

function ground(files: Readonly<Record<string, string>>): Ground {
  const place = mkdtempSync(join(tmpdir(), "quarry-odd-"));
  places.push(place);
  const [root, outside] = [join(place, "tree"), join(place, "outside")];
  for (const folder of [root, outside]) mkdirSync(folder);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    root,
    outside,
    write,
    index: async () => {
      const index = await indexed(root, {}, join(place, "index"));
      open.push(index);
      return index;
    },
  };
}

interface Compared {
  readonly engine: string;
  readonly index: readonly string[];
  readonly ripgrep: readonly string[];
}

async function compared({ root }: Ground, { source }: Indexed, pattern = "needle"): Promise<Compared> {
  const query: Query = {
    ...QUERY,
    ...indexedScope(root),
    engine: "auto",
    mode: "files",
    order: "path",
    pattern: { ...PATTERN, text: pattern, source: pattern },
  };
  const ground = { env: process.env, signal: undefined };
  const found = searchTree(query, planScope(query), { ...ground, index: source });
  const index = await filesOf(found);
  return {
    engine: found.used().engine,
    index,
    ripgrep: await filesOf(searchFiles(query, planScope(query), ground)),
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !condition(); turn++) await setTimeout(5);
}

describe("An index", () => {
  it("forgets no change that it heard of while too many files had several names", async () => {
    const at = ground({});
    for (let number = 0; number <= LINKED_FILES; number++) {
      at.write(`f${number}`, "x\n");
      linkSync(join(at.root, `f${number}`), join(at.outside, `f${number}`));
    }
    const index = await at.index();
    at.write("new", "needle\n");
    expect(await compared(at, index)).toEqual({ engine: "ripgrep", index: ["new"], ripgrep: ["new"] });
    rmSync(join(at.root, "f0"));
    rmSync(join(at.root, "f1"));
    await index.keeper.start();
    expect(await compared(at, index)).toEqual({ engine: "index", index: ["new"], ripgrep: ["new"] });
  }, 60_000);

  it("does not look through a link that took the place of a folder", async () => {
    const at = ground({ "d/e/a": "needle\n", b: "needle\n" });
    const index = await at.index();
    appendFileSync(join(at.root, "d/e/a"), "more\n");
    renameSync(join(at.root, "d/e"), join(at.outside, "e"));
    symlinkSync(join(at.outside, "e"), join(at.root, "d/e"));
    chmodSync(join(at.root, "d"), 0o700);
    expect(await compared(at, index)).toEqual({ engine: "index", index: ["b"], ripgrep: ["b"] });
  });

  it("tells letters beyond ASCII from others", async () => {
    const at = ground({ a: "x-y\n", b: "x→é\n", c: "xéy\nx→→\n", d: "中中中\nx\n中-中\n" });
    expect(await compared(at, await at.index(), String.raw`\w\W\w`)).toEqual({
      engine: "index",
      index: ["a", "b", "d"],
      ripgrep: ["a", "b", "d"],
    });
  });

  it("takes a byte order mark for one only at the beginning of a file", async () => {
    const filler = `${"x".repeat(63)}\n`.repeat(INDEX_BLOCK / 64);
    const at = ground({ a: `${filler}\ufeffneedle\n`, b: "\ufeffneedle\n" });
    expect(await compared(at, await at.index(), "^needle")).toEqual({
      engine: "index",
      index: ["b"],
      ripgrep: ["b"],
    });
  });

  it("says that it is not ready without waiting until it is", async () => {
    const at = ground({ a: "needle\n" });
    const folder = mkdtempSync(join(tmpdir(), "quarry-odd-"));
    places.push(folder);
    const keeper = new Keeper(
      { root: at.root, folder, env: process.env, maxFiles: 10 },
      { builders: inlineBuilders },
    );
    const started = keeper.start();
    const scope = { ...indexedScope(at.root), names: [] };
    const asked = listed(keeper, { scope, kinds: "files", order: "path", limit: null });
    expect(await Promise.race([asked, started])).toMatchObject({ kind: "unable" });
    await keeper.close();
    expect(readdirSync(folder)).toEqual(["cookies"]);
    expect(readdirSync(join(folder, "cookies"))).toEqual([]);
  });

  it("of a tree that is too large holds neither a watch nor the lock", async () => {
    const at = ground({ a: "1", b: "2", c: "3" });
    const folder = mkdtempSync(join(tmpdir(), "quarry-odd-"));
    places.push(folder);
    const keeper = new Keeper(
      { root: at.root, folder, env: process.env, maxFiles: 2 },
      { builders: inlineBuilders },
    );
    await keeper.start();
    expect(keeper.status()).toMatchObject({ phase: "unable", watchedFolders: 0 });
    expect(keeper.status().why).toBe("More than 2 files are not indexed");
    expect(lockOwner(folder)).toBeNull();
    await keeper.close();
  });

  it("indexes what changed while it was indexing", async () => {
    const at = ground({ a: "needle\n" });
    const index = await at.index();
    for (let round = 0; round < 4; round++) {
      for (let number = 0; number < 20; number++) at.write(`r${round}-${number}`, "needle\n");
      await compared(at, index);
      await setTimeout(450);
    }
    await until(() => index.keeper.status().unindexed < 32);
    expect(index.keeper.status().unindexed).toBeLessThan(32);
  }, 60_000);

  it("goes on when its folder in the cache is removed", async () => {
    const at = ground({ a: "needle\n" });
    const index = await at.index();
    rmSync(index.folder, { recursive: true });
    expect((await compared(at, index)).index).toEqual(["a"]);
    await until(() => index.keeper.status().phase === "ready");
    expect(await compared(at, index)).toEqual({ engine: "index", index: ["a"], ripgrep: ["a"] });
  }, 60_000);
});

describe("Ignore rules are seen without an event in the tree:", () => {
  const cases: Readonly<Record<string, { before: (at: Ground) => void; change: (at: Ground) => void }>> = {
    "an ignore file behind a link": {
      before: (at) => {
        writeFileSync(join(at.outside, "rules"), "");
        symlinkSync(join(at.outside, "rules"), join(at.root, ".gitignore"));
      },
      change: (at) => writeFileSync(join(at.outside, "rules"), "*.log\n"),
    },
    "an ignore file by its other name": {
      before: (at) => {
        at.write(".ignore", "\n");
        linkSync(join(at.root, ".ignore"), join(at.outside, "rules"));
      },
      change: (at) => writeFileSync(join(at.outside, "rules"), "*.log\n"),
    },
    "a nested repository's info folder that is moved away": {
      before: (at) => {
        at.write("sub/.git/info/exclude", "*.log\n");
        at.write("sub/a.log", "needle\n");
      },
      change: (at) => renameSync(join(at.root, "sub/.git/info"), join(at.root, "sub/.git/off")),
    },
    "a nested repository's excludes behind a link": {
      before: (at) => {
        at.write("sub/.git/HEAD", "");
        at.write("sub/a.log", "needle\n");
        mkdirSync(join(at.outside, "info"));
        writeFileSync(join(at.outside, "info/exclude"), "");
        symlinkSync(join(at.outside, "info"), join(at.root, "sub/.git/info"));
      },
      change: (at) => writeFileSync(join(at.outside, "info/exclude"), "*.log\n"),
    },
    "the root's repository behind a link": {
      before: (at) => {
        rmSync(join(at.root, ".git"), { recursive: true });
        at.write(".gitignore", "*.log\n");
        mkdirSync(join(at.outside, "git"));
        symlinkSync(join(at.outside, "git"), join(at.root, ".git"));
      },
      change: (at) => rmSync(join(at.outside, "git"), { recursive: true }),
    },
    "a repository of another kind behind a link": {
      before: (at) => {
        rmSync(join(at.root, ".git"), { recursive: true });
        at.write("sub/.gitignore", "*.log\n");
        at.write("sub/a.log", "needle\n");
        mkdirSync(join(at.outside, "jj"));
        symlinkSync(join(at.outside, "jj"), join(at.root, "sub/.jj"));
      },
      change: (at) => rmSync(join(at.outside, "jj"), { recursive: true }),
    },
  };
  for (const [name, { before, change }] of Object.entries(cases)) {
    it(`in ${name}`, async () => {
      const at = ground({ ".git/HEAD": "", "a.log": "needle\n", b: "needle\n" });
      before(at);
      const index = await at.index();
      const first = await compared(at, index);
      expect(first.engine).toBe("index");
      change(at);
      const second = await compared(at, index);
      expect(second.index).toEqual(second.ripgrep);
      expect(second.ripgrep).not.toEqual(first.ripgrep);
      expect(second.engine).toBe("ripgrep");
    });
  }
});

describe("The lock of a saved index", () => {
  it("is taken over from nobody, and let go only by its owner", async () => {
    const { root } = ground({});
    writeFileSync(join(root, "lock"), "");
    const one = await tryLock(root);
    expect(one?.isHeld()).toBe(true);
    expect(await tryLock(root)).toBeNull();
    unlinkSync(join(root, "lock"));
    const other = await tryLock(root);
    expect([one?.isHeld(), other?.isHeld()]).toEqual([false, true]);
    await one?.release();
    expect(existsSync(join(root, "lock"))).toBe(true);
    await other?.release();
    expect(readdirSync(root)).toEqual([]);
  });

  it("of a process whose number another has by now is taken over", async () => {
    const { root } = ground({});
    const own = await tryLock(root);
    const [name = ""] = readFileSync(join(root, "lock"), "utf8").split(" ");
    writeFileSync(join(root, "lock"), `${name.replace(/\d+$/, "1")} before`);
    expect(lockOwner(root)).toBeNull();
    const taken = await tryLock(root);
    expect(taken?.isHeld()).toBe(true);
    expect(own?.isHeld()).toBe(false);
    await taken?.release();
  });
});
