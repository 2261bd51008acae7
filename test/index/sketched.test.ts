/** A large file that an index told of is shown without being held: the same page, the same tags, and edits that hold. */
import { array, assert, asyncProperty, constantFrom, record } from "fast-check";
import { appendFileSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { SKETCHED_FILE, SNAPSHOT_BYTES, STAMP_SETTLES } from "../../src/model/limits.ts";
import { createWorkspace, type Workspace } from "../../src/quarry.ts";
import { createPolicy } from "../../src/workspace/policy.ts";
import * as readNow from "../../src/workspace/read-now.ts";
import * as sketch from "../../src/workspace/sketch.ts";
import { Sketches } from "../../src/workspace/sketches.ts";
import { SnapshotStore } from "../../src/workspace/snapshots.ts";
import { sketchedView } from "../../src/tools/sketched-view.ts";
import { plant } from "../support/tree.ts";

vi.mock(import("../../src/workspace/sketch.ts"), { spy: true });
vi.mock(import("../../src/workspace/read-now.ts"), { spy: true });

/** Together more than a session holds; one behind a mark, one with returns, one that does not end in a newline. */
const FILES = 9;
const names = Array.from({ length: FILES }, (_, file) => `large${file}.h`);
const MARKED = 60;
const contentOf = (file: number): string => {
  const lines: string[] = [];
  for (let [line, size] = [0, 0]; size < SKETCHED_FILE; line++) {
    const rare = line % 30_011 === 77 + file ? " needle_rare größe" : "";
    const some = line % 1_009 === 17 ? ' call_some("text", 0x1f);' : "";
    const long = line % 20_000 === 50 ? "long ".repeat(3_000) : "";
    // Each block of these begins with what is no byte order mark there.
    const marked = file === 5 && line < MARKED ? `\ufeffmark_${line}_${"x".repeat(600)}` : "";
    const text = `${marked}${long}#define FIELD_${line * 31 + file} 0x${(line * file).toString(16)}${rare}${some}`;
    size += text.length + 1;
    lines.push(text);
  }
  return (file === 4 ? "\ufeff" : "") + lines.join(file === 2 ? "\r\n" : "\n") + (file === 3 ? "" : "\n");
};
/** Its cells have other line numbers than its text. */
const notebook = JSON.stringify(
  {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: Array.from({ length: 30_000 }, (_, cell) => ({
      cell_type: "code",
      execution_count: null,
      id: `c${cell}`,
      metadata: {},
      outputs: [],
      source: [`cell_${cell} = ${cell === 20_000 ? "note_rare" : cell}\n`, "pass"],
    })),
  },
  null,
  1,
);
/** Of lines that are a block each. */
const wide = Array.from(
  { length: 2_000 },
  (_, line) => `${line % 8 === 0 ? "wide_needle " : ""}${"w ".repeat(4_100)}`,
).join("\n");
const tree = plant({
  "wide.h": wide,
  "large.ipynb": notebook,
  ...Object.fromEntries(names.map((name, file) => [name, contentOf(file)])),
  "small.c": "needle_rare here\n",
});
const { root } = tree;
const cache = plant({});
const env = { ...process.env, QUARRY_CACHE_DIR: join(cache.root, "cache") };
let withIndex: Workspace;
let without: Workspace;
const made = vi.mocked(sketch.sketchOf);

beforeAll(async () => {
  for (const name of [...names, "large.ipynb", "wide.h"])
    utimesSync(join(root, name), 1_700_000_000, 1_700_000_000);
  withIndex = await createWorkspace({ root, env, index: "now" });
  without = await createWorkspace({ root, env, index: "off" });
  while ((await withIndex.indexStatus())?.phase !== "ready") await setTimeout(20);
  // As long after the last change as it takes.
  const since = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => since() + STAMP_SETTLES + 10_000);
}, 60_000);
beforeEach(() => made.mockClear());
afterAll(async () => {
  vi.restoreAllMocks();
  await withIndex.close();
  await without.close();
  tree.remove();
  cache.remove();
});

async function said(
  { tools }: Workspace,
  pattern: string,
  more: { readonly context?: number; readonly paths?: string } = {},
): Promise<{ readonly text: string; readonly matches: number; readonly files: readonly string[] }> {
  const { content, details } = await tools.search({ pattern, ...more });
  if (!("engine" in details)) throw new Error(content[0].text);
  return { text: content[0].text, matches: details.matchCount, files: details.files };
}

const tagOf = (text: string, name: string): string =>
  new RegExp(`${name.replace(".", "\\.")}#([0-9A-F]{4})`).exec(text)?.[1] ?? "";

async function edited(...patch: string[]): Promise<string> {
  const { content } = await withIndex.tools.edit({ input: patch.join("\n") });
  return content[0].text;
}

it("a page is that of a workspace without an index, and no file is read whole a second time", async () => {
  const step = record({
    pattern: constantFrom(
      "needle_rare",
      String.raw`call_some\("\w+", 0x[0-9a-f]+\)`,
      "größe",
      String.raw`^#define FIELD_31 `,
      "needle_rare|FIELD_775",
      "(?i)NEEDLE_RARE",
      String.raw`FIELD_\d+ 0x0 needle`,
      "no_such_word",
    ),
    context: constantFrom(0, 1, 4, 500),
  });
  const law = asyncProperty(array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
    for (const { pattern, context } of steps)
      expect(await said(withIndex, pattern, { context })).toEqual(await said(without, pattern, { context }));
  });
  await said(withIndex, "needle_rare");
  await assert(law, { numRuns: 12 });
  expect(made.mock.calls.length).toBe(FILES);
}, 120_000);

it("nothing is taken for a byte order mark where a part begins", async () => {
  for (let line = 0; line < MARKED; line++) {
    const pattern = String.raw`\x{FEFF}mark_${line}_|needle_rare größe`;
    const paths = "large5*";
    expect(await said(withIndex, pattern, { paths })).toEqual(await said(without, pattern, { paths }));
  }
}, 60_000);

it("no more is read than there is, however many lines are wanted around each of many matches", async () => {
  vi.mocked(readNow.fillNow).mockClear();
  const asked = { pattern: "wide_needle", "-C": 500, output_mode: "content" } as const;
  const claude = await createWorkspace({ root, env, index: "now", dialect: "claude" });
  const other = await createWorkspace({ root, env, index: "off", dialect: "claude" });
  try {
    while ((await claude.indexStatus())?.phase !== "ready") await setTimeout(20);
    const { content } = await claude.tools.Grep(asked);
    expect(content[0]?.text).toBe((await other.tools.Grep(asked)).content[0]?.text);
    const read = vi.mocked(readNow.fillNow).mock.calls.reduce((sum, [, memory]) => sum + memory.length, 0);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(2 * wide.length + SKETCHED_FILE);
  } finally {
    await claude.close();
    await other.close();
  }
}, 60_000);

it("its tag holds in an edit, also when a page was more than a session holds", async () => {
  expect(FILES * SKETCHED_FILE).toBeGreaterThan(SNAPSHOT_BYTES);
  const { text } = await said(withIndex, "needle_rare");
  for (const name of ["large0.h", "large5.h", "small.c"]) {
    const path = join(root, name);
    const lines = readFileSync(path, "utf8").split("\n");
    const line = lines.findIndex((row) => row.includes("needle_rare")) + 1;
    const answer = await edited(`¶${name}#${tagOf(text, name)}`, `replace ${line}..${line}:`, "+// gone");
    expect(answer).toContain(`¶${name}#`);
    expect(readFileSync(path, "utf8")).toBe(lines.with(line - 1, "// gone").join("\n"));
  }
}, 60_000);

it("lines that were not shown are refused, and so are all when the file has changed", async () => {
  const { text } = await said(withIndex, "needle_rare");
  const tag = tagOf(text, "large6.h");
  const unseen = await edited(`¶large6.h#${tag}`, "replace 500..500:", "+// gone");
  expect(unseen).toContain("[LINE_NOT_SHOWN]");
  const other = tagOf(text, "large7.h");
  appendFileSync(join(root, "large7.h"), "more\n");
  const before = readFileSync(join(root, "large7.h"), "utf8");
  const changed = await edited(`¶large7.h#${other}`, "replace 85..85:", "+// gone");
  expect(changed).toContain(
    `[FILE_CHANGED] large7.h has changed since tag ${other} was given, and is too large`,
  );
  expect(readFileSync(join(root, "large7.h"), "utf8")).toBe(before);
  // What was shown in refusing it is enough for the next one.
  const again = await edited(`¶large7.h#${tagOf(changed, "large7.h")}`, "replace 85..85:", "+// gone");
  expect(again).not.toContain("[");
}, 60_000);

it("what was read of it before is not pushed out, and lines shown by either may be edited", async () => {
  await withIndex.tools.read({ path: "large8.h:200-205" });
  const { text } = await said(withIndex, "needle_rare");
  const path = join(root, "large8.h");
  const lines = readFileSync(path, "utf8").split("\n");
  const line = lines.findIndex((row) => row.includes("needle_rare")) + 1;
  const patch = [`¶large8.h#${tagOf(text, "large8.h")}`, `replace ${line}..${line}:`, "+// one"];
  const answer = await edited(...patch, "replace 203..203:", "+// two");
  expect(answer).not.toContain("[");
  const wanted = lines
    .with(line - 1, "// one")
    .with(202, "// two")
    .join("\n");
  expect(readFileSync(path, "utf8")).toBe(wanted);
}, 60_000);

it("a tag of a notebook's cells does not come to mean its text when it is let go", async () => {
  const read = await withIndex.tools.read({ path: "large.ipynb:1-5" });
  const cells = tagOf(read.content[0].text, "large.ipynb");
  const { text } = await said(withIndex, "note_rare");
  expect(tagOf(text, "large.ipynb")).toMatch(/^[0-9A-F]{4}$/);
  expect(tagOf(text, "large.ipynb")).not.toBe(cells);
  for (const name of names) await withIndex.tools.read({ path: `${name}:1-2` });
  const answer = await edited(`¶large.ipynb#${cells}`, "replace 2..2:", "+print(1)");
  expect(answer).toContain(
    `[TAG_UNKNOWN] Tag ${cells} of large.ipynb is from too long ago: what was shown under it has been let go, though`,
  );
  expect(readFileSync(join(root, "large.ipynb"), "utf8")).toBe(notebook);
}, 60_000);

it("is opened as any other where it is smaller, looks otherwise, has just changed, or its lines do not match", async () => {
  const path = join(root, "large1.h");
  const policy = await createPolicy({ root, globs: () => () => false });
  const session = { root, policy, snapshots: new SnapshotStore(), sketches: new Sketches() };
  const { size, mtimeMs, ctimeMs, ino } = statSync(path);
  const where = { size, mtimeMs, ctimeMs, ino, parts: [0, 4096] };
  const hit = { path: "large1.h", line: 1, text: "x", submatches: [], before: [], after: [] };
  const view = (
    given: object,
    now: () => (typeof hit)[] | null = () => [hit],
    of: object = session,
  ): unknown =>
    sketchedView(
      {
        file: { path: "large1.h" },
        lines: 0,
        where: { ...where, ...given },
        chunks: () => {
          throw new Error("not asked");
        },
      },
      {
        session: { ...session, ...of },
        searcher: { now },
        matches: 5,
        around: { before: 1, after: 3 },
        tags: true,
      },
    );
  expect(view({})).toMatchObject({
    matches: [hit],
    version: { tag: expect.stringMatching(/^[0-9A-F]{4}$/) },
  });
  expect(session.snapshots.size).toMatchObject({ files: 0, bytes: 0, labels: 1 });
  expect(view({ size: SKETCHED_FILE - 1 })).toBeNull();
  expect(view({ mtimeMs: 5 })).toBeNull();
  expect(view({ ctimeMs: Date.now() })).toBeNull();
  expect(view({ parts: [size - 10, 4096] })).toBeNull();
  expect(view({}, () => null)).toBeNull();
  expect(view({}, () => [])).toBeNull();
  expect(view({}, undefined, { sketches: null })).toBeNull();
  expect(() =>
    view({}, () => {
      throw new Error("aborted");
    }),
  ).toThrow("aborted");
  writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, -1), Buffer.from([0xff])]));
  const now = statSync(path);
  expect(view({ size: now.size, mtimeMs: now.mtimeMs, ctimeMs: now.ctimeMs, ino: now.ino })).toBeNull();
});
