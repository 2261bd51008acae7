/** Files that are looked at by two threads: the same verdicts, in the same order, whatever becomes of the second. */
import { assert, array, boolean, constantFrom, double, nat, property, record, string } from "fast-check";
import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { Entry, type Hold, holdOf } from "../../src/index/entry.ts";
import { indexedScope } from "../../src/index/listing.ts";
import type { Candidate } from "../../src/index/query/candidates.ts";
import { matchingBlocks } from "../../src/index/query/evaluate.ts";
import { type Look, lookOf, packLooks, unpackLooks } from "../../src/index/query/look.ts";
import { lookedAt } from "../../src/index/query/looking.ts";
import { openSecond, type Second } from "../../src/index/query/second.ts";
import { newShares, takeParts } from "../../src/index/query/shares.ts";
import { verifier } from "../../src/index/query/verify.ts";
import { openSegment } from "../../src/index/store/segment.ts";
import { SECOND_EXPECTED, SECOND_FROM, SECOND_LEAST, SECOND_WORTH } from "../../src/model/limits.ts";
import type { Pattern } from "../../src/model/query.ts";
import { gramsOf } from "../../src/regex/grams.ts";
import { PATTERN } from "../support/query.ts";
import { FOLDER, plant } from "../support/tree.ts";
import { indexed, listed } from "./indexed.ts";
import { place, segmentOf } from "./store.ts";

const FILES = 500;
const name = (at: number): string => `f${at}.c`;
const names = Array.from({ length: FILES }, (_, at) => name(at));
const { root, remove } = plant(
  Object.fromEntries(names.map((path, at) => [path, at % 50 === 49 ? "one two\n" : "two one\n"])),
);
afterAll(remove);

const open: Second[] = [];
afterEach(() => {
  for (const second of open.splice(0)) second.close();
});

const pattern: Pattern = { ...PATTERN, text: "one.*two", source: "one.*two" };
const candidates = names.map((key): Candidate => {
  const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, key));
  const entry = new Entry(key, { size, mtimeMs, ctimeMs, ino }, false, { at: 0 });
  return { entry, blocks: null };
});
const lookAt = (at: number): Look => lookOf(candidates[at] as Candidate, true);

/** Every file with its verdict, and how many of them the second thread looked at. */
async function all(second: Second): Promise<{ told: readonly string[]; theirs: number }> {
  let theirs = 0;
  const looking = lookedAt(root, pattern, candidates[Symbol.iterator](), FILES, {
    ...second,
    // These files take no time.
    isWorth: (looked) => second.isWorth(looked, SECOND_WORTH),
    look: async (given, looks, shares) => {
      const verdicts = await second.look(given, looks, shares);
      theirs += verdicts?.length ?? 0;
      return verdicts;
    },
  });
  const told: string[] = [];
  for (;;) {
    const one = await looking.next(3);
    if (one === null) break;
    told.push(`${one.entry.key} ${one.verdict}`);
  }
  expect(looking.tally()).toEqual({ count: FILES, hits: FILES / 50 });
  return { told, theirs };
}

async function ready(second: Second): Promise<Second> {
  open.push(second);
  while (!second.isWorth(SECOND_FROM, SECOND_WORTH)) await setTimeout(5);
  return second;
}

describe("With a second thread", () => {
  const expected = names.map((path, at) => `${path} ${at % 50 === 49 ? "matches" : "nothing"}`);

  it("files get the verdicts that they get without it, in order", async () => {
    const second = await ready(openSecond(root, 2));
    // How much is its share depends on what else the machine does.
    for (let theirs = 0; theirs === 0; ) {
      const both = await all(second);
      expect(both.told).toEqual(expected);
      ({ theirs } = both);
    }
    const alone = await all(openSecond(root, 1));
    expect(alone).toEqual({ told: expected, theirs: 0 });
  }, 60_000);

  it("one that comes late finds nothing to look at, and is not waited for", async () => {
    const second = await ready(openSecond(root, 2));
    const never = await all({ ...second, look: () => new Promise(() => {}) });
    expect(never).toEqual({ told: expected, theirs: 0 });
    const shares = newShares();
    const parts = [...takeParts(shares, FILES, "front")];
    expect(parts.flatMap(([from, to]) => names.slice(from, to))).toEqual(names);
    expect(
      await second.look(
        pattern,
        names.map((_, at) => lookAt(at)),
        shares,
      ),
    ).toEqual([]);
  }, 60_000);

  it("every file is in one share, whoever takes when", () => {
    assert(
      property(array(boolean(), { maxLength: 60 }), nat({ max: 300 }), (turns, count) => {
        const shares = newShares();
        const [front, back] = [takeParts(shares, count, "front"), takeParts(shares, count, "back")];
        const taken = turns.map((isFront) => (isFront ? front : back).next().value ?? []);
        const rest = [...front, ...back];
        const files = [...taken, ...rest].flatMap(([from = 0, to = 0]) =>
          Array.from({ length: to - from }, (_, at) => from + at),
        );
        expect(files.toSorted((one, other) => one - other)).toEqual(
          Array.from({ length: count }, (_, at) => at),
        );
      }),
    );
  });

  it("nothing is lost where it ends in the middle", async () => {
    const second = await ready(openSecond(root, 2));
    let calls = 0;
    const { told } = await all({
      ...second,
      look: (given, looks, shares) => {
        // What it has taken by then nobody else will take.
        takeParts(shares, looks.length, "back").next();
        const answer = calls === 0 ? Promise.resolve(null) : second.look(given, looks, shares);
        calls += 1;
        if (calls === 2) second.close();
        return answer;
      },
    });
    expect(told).toEqual(expected);
    expect(calls).toBe(2);
  }, 60_000);

  it("a file that comes into another segment while it ends is looked at where it was to be", async () => {
    const { root: ground, remove } = place();
    onTestFinished(remove);
    // Of each only the last block matches.
    const contents = names.map((_, at) => Buffer.from(`${"two\n".repeat(4_000)}one two ${at}\n`));
    const segment = openSegment(segmentOf(ground, "before", contents));
    onTestFinished(segment.close);
    const before = holdOf("before", segment);
    const { docs } = segment;
    // Another with the same files, of which the blocks have other numbers.
    const moved = {
      starts: docs.starts.map((start) => start + 1),
      stampAt: (doc: number) => docs.stampAt(doc),
      mtimeAt: (doc: number) => docs.mtimeAt(doc),
      kindAt: (doc: number) => docs.kindAt(doc),
      lengthOf: (block: number) => docs.lengthOf(block - 1),
    };
    const after = { ...before, segment: { ...segment, docs: moved } } as unknown as Hold;
    const held = Array.from(before.segment.docs, ({ key }, doc): Candidate => {
      const entry = new Entry(key, before.segment.docs.stampAt(doc), false, { at: 0 });
      entry.holdBy(before, doc);
      return { entry, blocks: matchingBlocks(gramsOf(pattern).query, before) };
    });
    const looking = lookedAt(ground, pattern, held[Symbol.iterator](), FILES, {
      ...openSecond(ground, 1),
      isWorth: () => true,
      look: async (_, looks, shares) => {
        takeParts(shares, looks.length, "back").next();
        await setTimeout(0);
        for (const [doc, { entry }] of held.entries()) entry.holdBy(after, doc);
        return null;
      },
    });
    const told = new Set<string | undefined>();
    for (let at = 0; at < SECOND_LEAST; at++) told.add((await looking.next(FILES))?.verdict);
    expect([...told]).toEqual(["matches"]);
  }, 60_000);

  it("its thread ends when nobody asks, and is started again", async () => {
    const second = await ready(openSecond(root, 2, 300));
    expect(await second.look(pattern, [lookAt(49), lookAt(50)], newShares())).toEqual(["matches", "nothing"]);
    await setTimeout(1_500);
    expect(await second.look(pattern, [lookAt(49)], newShares())).toBeNull();
    await ready(second);
    const verdict = verifier(root, pattern)(lookAt(49));
    expect(await second.look(pattern, [lookAt(49)], newShares())).toEqual([verdict]);
  }, 60_000);

  it("none is wanted for a few files, nor on one core", () => {
    expect(openSecond(root, 1).isWorth(SECOND_FROM, SECOND_WORTH)).toBe(false);
    const second = openSecond(root, 2);
    open.push(second);
    expect(second.isWorth(SECOND_FROM - 1, SECOND_WORTH)).toBe(false);
  });

  it("that thread is there before it is asked where many files are expected", async () => {
    const second = openSecond(root, 2);
    open.push(second);
    second.expect(SECOND_EXPECTED - 1);
    expect(await second.look(pattern, [lookAt(49)], newShares())).toBeNull();
    second.expect(SECOND_EXPECTED);
    expect(await second.look(pattern, [lookAt(49)], newShares())).toEqual(["matches"]);
    const alone = openSecond(root, 1);
    alone.expect(SECOND_EXPECTED);
    expect(await alone.look(pattern, [lookAt(49)], newShares())).toBeNull();
  }, 60_000);

  it("that thread is told of changed files before these are looked at", async () => {
    const tree = plant({ "a.c": "one\n", "b.c": "one\n" });
    const expected: number[] = [];
    const { keeper, close } = await indexed(tree.root, {
      second: { ...openSecond(tree.root, 1), expect: (files) => expected.push(files) },
    });
    try {
      for (const path of ["a.c", "b.c", "c.c"]) writeFileSync(join(tree.root, path), "two\n");
      const scope = { ...indexedScope(tree.root), names: [] };
      await listed(keeper, { scope, kinds: "files", order: "path", limit: null });
      expect(expected).toEqual([3]);
    } finally {
      await close();
      tree.remove();
    }
  });
});

describe("A file that is looked at whole", () => {
  it.each([0, 3, 8, 100_000])("is what it is now, whatever it was: of %i bytes", (size) => {
    expect(verifier(root, pattern)({ ...lookAt(49), size, parts: null })).toBe("matches");
    expect(verifier(root, pattern)({ ...lookAt(48), size, parts: null })).toBe("nothing");
  });

  it("is nothing where it is none any more", () => {
    const tree = plant({ folder: FOLDER });
    onTestFinished(tree.remove);
    execFileSync("mkfifo", [join(tree.root, "pipe")]);
    for (const key of ["folder", "pipe", "gone"]) {
      expect(verifier(tree.root, pattern)({ ...lookAt(49), key, parts: null })).toBe("nothing");
    }
  });
});

it("What is to be looked at comes through whole", () => {
  const number = double({ noNaN: true, min: 0 });
  const look = record({
    key: string().map((text) => Buffer.from(text).toString("latin1").replaceAll("\0", "0")),
    size: number,
    mtimeMs: number,
    ctimeMs: number,
    ino: number,
    parts: constantFrom(null, [], [0, 10], [5, 20, 100, 3]),
  });
  assert(
    property(array(look), (looks) => {
      expect(unpackLooks(packLooks(looks))).toEqual(looks);
    }),
  );
});
