/** Where an index says that a large file matches: the page is the same as without it, whatever happens to the file. */
import { array, assert, asyncProperty, boolean, constantFrom, nat, record } from "fast-check";
import { hash } from "node:crypto";
import { appendFileSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Hit } from "../../src/index/ask.ts";
import { type Look, whereOf } from "../../src/index/query/look.ts";
import { WHERE_LEAST } from "../../src/model/limits.ts";
import { createWorkspace, type Workspace } from "../../src/quarry.ts";
import { partsOf } from "../../src/tools/held-file.ts";
import { textMatcher } from "../../src/regex/matcher.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { PATTERN } from "../support/query.ts";
import { plant } from "../support/tree.ts";
import { indexed, WHOLE_TREE } from "./indexed.ts";

/** Of many blocks, with words that are in one of them, in some, and in all; some behind a mark, and with long lines. */
const LINES = 4_000;
const contentOf = (file: number): string =>
  Array.from({ length: LINES }, (_, line) => {
    const rare = line === 1_234 + file * 7 ? " needle_rare größe" : "";
    const some = line % (900 + file) === 17 ? ' call_some("text", 0x1f);' : "";
    return `${line === 50 ? "long ".repeat(3_000) : ""}int field_${line * 31 + file};${rare}${some}`;
  }).join(file % 3 === 0 ? "\r\n" : "\n");
const names = Array.from({ length: 9 }, (_, file) => `f${file}.c`);
const { root, remove } = plant(
  Object.fromEntries(names.map((name, file) => [name, `${file === 4 ? "\ufeff" : ""}${contentOf(file)}`])),
);
const cache = plant({});
const env = { ...process.env, QUARRY_CACHE_DIR: join(cache.root, "cache") };
let withIndex: Workspace;
let without: Workspace;

beforeAll(async () => {
  // Older than what is distrusted for being young.
  for (const name of names) utimesSync(join(root, name), 1_700_000_000, 1_700_000_000);
  withIndex = await createWorkspace({ root, env, index: "now" });
  without = await createWorkspace({ root, env, index: "off" });
  while ((await withIndex.indexStatus())?.phase !== "ready") await setTimeout(20);
}, 60_000);
afterAll(async () => {
  await withIndex.close();
  await without.close();
  remove();
  cache.remove();
});

async function said({ tools }: Workspace, pattern: string, context: number): Promise<unknown> {
  const { content, details } = await tools.search({ pattern, context });
  if (!("engine" in details)) throw new Error(content[0].text);
  return { text: content[0].text, matches: details.matchCount, files: details.files };
}

const PATTERNS = [
  "needle_rare",
  "needle_rare|field_77",
  String.raw`call_some\("\w+", 0x[0-9a-f]+\)`,
  String.raw`\bfield_3\d*;`,
  "größe",
  String.raw`^int field_31;$`,
  String.raw`field_\d+; needle`,
  "(?i)NEEDLE_RARE",
  "no_such_word",
];

it("a page is that of a workspace without an index, call after call and after every change", async () => {
  const step = record({
    pattern: constantFrom(...PATTERNS),
    context: nat(3),
    changes: boolean(),
    file: nat(8),
  });
  let made = 0;
  const law = asyncProperty(array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
    for (const { pattern, context, changes, file } of steps) {
      const path = join(root, names[file] ?? "");
      // What stood anywhere stands elsewhere, or there is more of it.
      if (changes && ++made % 2 === 0) appendFileSync(path, `\nint needle_rare, field_77${made};\n`);
      else if (changes) writeFileSync(path, `// ${made}\n`.repeat(made * 40) + readFileSync(path, "utf8"));
      expect(await said(withIndex, pattern, context)).toEqual(await said(without, pattern, context));
    }
  });
  await assert(law, { numRuns: 25 });
}, 120_000);

it("an index tells of a large file where it matches, and of one that has changed it does not", async () => {
  writeFileSync(join(root, "f8.c"), contentOf(8));
  const index = await indexed(root);
  const hits = async (): Promise<readonly Hit[]> => {
    const answer = await index.keeper.ask({
      pattern: { ...PATTERN, text: "needle_rare" },
      order: "path",
      scope: { ...WHOLE_TREE, names: ["f8.c"] },
      wanted: null,
    });
    return answer.kind === "able" ? answer.first.hits : [];
  };
  try {
    const [hit] = await hits();
    const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, "f8.c"));
    expect(hit?.where).toMatchObject({ size, mtimeMs, ctimeMs, ino });
    const { parts = [] } = hit?.where ?? {};
    const told = parts.flatMap((from, at) => (at % 2 === 0 ? [[from, from + (parts[at + 1] ?? 0)]] : []));
    const bytes = readFileSync(join(root, "f8.c"));
    expect(told.map(([from, to]) => bytes.subarray(from, to).includes("needle_rare"))).toContain(true);
    expect(told.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0)).toBeLessThan(size / 2);
    appendFileSync(join(root, "f8.c"), "more\n");
    expect((await hits()).map(({ where }) => where)).toEqual([undefined]);
  } finally {
    await index.close();
  }
}, 60_000);

it("a file that is rewritten while it is searched is shown whole, as it was or as it is", async () => {
  const path = join(root, "f0.c");
  const filling = (word: string): string => `int ${word};\n`.repeat(6_000);
  const versions = [
    `int moving;\n${filling("other")}`,
    `int moving;\n${filling("other")}int moving;\n${filling("same")}`,
  ];
  const matchesOf = new Map(
    versions.map((text) => [
      hash("sha256", Buffer.from(text)).slice(0, 4).toUpperCase(),
      text.split("moving").length - 1,
    ]),
  );
  writeFileSync(path, versions[0] ?? "");
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const again = await createWorkspace({
    root,
    env: { ...env, QUARRY_CACHE_DIR: join(cache.root, "other") },
    index: "now",
  });
  const seen = new Set<number>();
  try {
    while ((await again.indexStatus())?.phase !== "ready") await setTimeout(20);
    // Now and then it is rewritten between the index's answer and the look at it.
    for (let turn = 0; turn < 60; turn++) {
      await again.tools.search({ pattern: "moving" });
      const call = again.tools.search({ pattern: "moving" });
      await setTimeout(turn % 4 === 0 ? 1 : 0);
      writeFileSync(path, versions[(turn + 1) % 2] ?? "");
      const { content, details } = await call;
      const [, tag = ""] = /f0\.c#([0-9A-F]{4})/.exec(content[0].text) ?? [];
      expect(details).toMatchObject({ files: ["f0.c"], matchCount: matchesOf.get(tag) });
      seen.add(matchesOf.get(tag) ?? 0);
    }
  } finally {
    await again.close();
  }
  expect(seen).toEqual(new Set([1, 2]));
}, 60_000);

it("nothing is said of where a small file matches, or one of which most may", () => {
  const look: Look = {
    key: "a",
    size: WHERE_LEAST,
    mtimeMs: 1,
    ctimeMs: 2,
    ino: 3,
    parts: [0, 100, 900, 100],
  };
  expect(whereOf(look)).toEqual({
    size: WHERE_LEAST,
    mtimeMs: 1,
    ctimeMs: 2,
    ino: 3,
    parts: [0, 100, 900, 100],
  });
  expect(whereOf({ ...look, size: WHERE_LEAST - 1 })).toBeNull();
  expect(whereOf({ ...look, parts: [0, WHERE_LEAST] })).toBeNull();
  expect(whereOf({ ...look, parts: null })).toBeNull();
});

it("what is said of a file holds only while it looks the same", () => {
  const where = { size: 9, mtimeMs: 1, ctimeMs: 2, ino: 3, parts: [0, 4] };
  expect(partsOf({ stamp: { size: 9, mtimeMs: 1, ctimeMs: 2, ino: 3 } }, where)).toEqual([0, 4]);
  expect(partsOf({ stamp: where }, undefined)).toBeNull();
  expect(partsOf({ stamp: null }, where)).toBeNull();
  for (const other of ["size", "mtimeMs", "ctimeMs", "ino"]) {
    expect(partsOf({ stamp: { ...where, [other]: 7 } }, where)).toBeNull();
  }
});

it("only the parts of a text are searched, and its lines are counted as ever", () => {
  const bytes = Buffer.from("one\ntwo\none\nthree one\n");
  const matcher = textMatcher({ ...PATTERN, text: "one" });
  const lines = (parts: readonly number[] | null): readonly number[] | undefined =>
    matcher.kind === "undecided"
      ? undefined
      : matcher.inBytes?.(bytes, textLines(bytes), 9, parts)?.map(({ line }) => line);
  expect(lines(null)).toEqual([1, 3, 4]);
  expect(lines([4, 8])).toEqual([3]);
  expect(lines([0, 4, 12, 10])).toEqual([1, 4]);
  expect(lines([])).toEqual([]);
});
