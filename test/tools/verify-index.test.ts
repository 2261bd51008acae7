/** What the comparison of an index with disk and ripgrep finds, with indexes that are wrong on purpose. */
import { openSync, closeSync, readdirSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { indexFolder } from "../../src/index/places.ts";
import type { Ask, AskedFind, ListedAnswer } from "../../src/index/ask.ts";
import type { Asked, TreeIndex } from "../../src/index/tree-index.ts";
import { type Verification, verifyIndex } from "../../src/tools/verify-index.ts";
import { randomNumbers, randomPattern } from "../../src/tools/random-patterns.ts";
import { indexed } from "../index/indexed.ts";
import { tree } from "../support/tree.ts";

const FILES = {
  "root/a.ts": "export const needle = 1;\n",
  "root/b.ts": "const other = needle;\nexport default other;\n",
  "root/c.ts": "needle thread needle\n",
};

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly verify: (wrong: (index: TreeIndex) => TreeIndex) => Promise<Verification>;
}

async function place(): Promise<Place> {
  const ground = tree(FILES);
  const root = join(ground, "root");
  const env = { ...process.env, QUARRY_CACHE_DIR: join(ground, "cache") };
  const folder = indexFolder(root, env);
  const { source, close } = await indexed(root, {}, folder);
  onTestFinished(close);
  const verify = (wrong: (index: TreeIndex) => TreeIndex): Promise<Verification> => {
    const right = source.current();
    if (right === undefined) throw new Error("There is no index");
    const index = wrong(right);
    const options = {
      root,
      env,
      patterns: 20,
      seed: 5,
      signal: new AbortController().signal,
      onProgress: () => {},
    };
    return verifyIndex({ index, source: { ...source, current: () => index } }, options);
  };
  return { root, folder, verify };
}

/** An index that does not tell of one file. */
function hiding(name: string): (index: TreeIndex) => TreeIndex {
  return (index) => ({
    ...index,
    list: async (find: AskedFind): Promise<ListedAnswer> => {
      const answer = await index.list(find);
      if (answer.kind === "unable") return answer;
      return { ...answer, entries: answer.entries.filter(({ path }) => path !== name) };
    },
    ask: async (ask: Ask): Promise<Asked> => {
      const answer = await index.ask(ask);
      if (answer.kind === "unable") return answer;
      return {
        ...answer,
        first: { ...answer.first, hits: answer.first.hits.filter(({ path }) => path !== name) },
      };
    },
  });
}

describe("An index that is compared with the disk and with ripgrep", () => {
  test("has no difference when it is right", async () => {
    const { verify } = await place();
    const verified = await verify((index) => index);
    expect(verified).toMatchObject({ files: 3, patterns: 20, differences: [] });
    expect(verified.byIndex).toBeGreaterThan(10);
  });

  test("has one for each pattern whose answer lacks a file, and says which", async () => {
    const { verify } = await place();
    const { differences } = await verify(hiding("c.ts"));
    expect(differences.length).toBeGreaterThan(1);
    expect(differences[0]).toEqual({
      what: "The index has 2 files, ripgrep lists 3",
      request: null,
      missing: ["c.ts"],
      extra: [],
    });
    for (const { what, missing, request } of differences.slice(1)) {
      expect([what, missing]).toEqual(["The answers differ", ["c.ts"]]);
      expect(request?.pattern).toMatch(/\S/);
    }
  });

  test("has one where it counts files that are not there, or does not answer", async () => {
    const { verify } = await place();
    const counted = await verify((index) => ({
      ...index,
      list: async (find) => {
        const answer = await index.list(find);
        if (answer.kind === "unable") return answer;
        return { ...answer, entries: [...answer.entries, { path: "d.ts", kind: "file", mtimeMs: 0 }] };
      },
    }));
    expect(counted.differences.map(({ what }) => what)).toEqual(["The index has 4 files, ripgrep lists 3"]);
    const silent = await verify((index) => ({
      ...index,
      list: async () => ({ kind: "unable", why: "tired" }),
      ask: async () => ({ kind: "unable", why: "tired" }),
    }));
    expect(silent.differences[0]?.what).toBe("The index did not answer: tired");
    expect(silent.fallbacks).toEqual([{ why: "tired", count: 20 }]);
  });

  test("is not asked for what no pattern may hold, such as the NUL of a binary file", () => {
    const file = join(tree({ binary: "needle\0thread\nplain words\n" }), "binary");
    const random = randomNumbers(1);
    const patterns = Array.from({ length: 500 }, () => randomPattern(file, random)?.pattern ?? "");
    expect(patterns.filter((pattern) => pattern.includes("\0"))).toEqual([]);
    expect(patterns.filter((pattern) => pattern.includes("plain"))).not.toEqual([]);
  });

  test("has one where a saved page is damaged", async () => {
    const { folder, verify } = await place();
    const segment = readdirSync(folder).find((name) => name.startsWith("segment-")) ?? "";
    flip(join(folder, segment), 10);
    const { differences } = await verify((index) => ({
      ...index,
      ask: (ask) => index.ask(ask).catch(() => ({ kind: "unable" as const, why: "damaged" })),
    }));
    expect(differences[0]?.what).toMatch(new RegExp(`^${segment} cannot be read: `));
  });
});

function flip(path: string, at: number): void {
  const fd = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  writeSync(fd, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, at);
  closeSync(fd);
}
