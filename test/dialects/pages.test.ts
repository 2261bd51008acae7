import { setTimeout as sleep } from "node:timers/promises";
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  nat,
  oneof,
  option,
  record,
  string,
  type Arbitrary,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { QuarryTools } from "../../src/dialects/quarry/tools.ts";
import { type Match, search, type SearchDetails, type SearchInput } from "../../src/quarry.ts";
import type { Session } from "../../src/workspace/session.ts";
import { plant, tree } from "../support/tree.ts";
import { cacheEnv, found, type PrintedFile, readName, readPage, sessionOf, textOf } from "./workspaces.ts";

/**
 * The law of the pages: followed from the first to the last, they are every matching file once, in the order of the
 * library's search, each with its first matches, and the lines around them as they are in the file.
 */

const CAP = 51_200;
const OF_MANY = 20;
const PAGE = 2_000;
const LONGEST = 512;

type Contents = Readonly<Record<string, string>>;

interface Case {
  readonly files: Contents;
  readonly input: SearchInput;
  /** Files older than the clock's grain are shown as the walk found them, younger ones are searched again. */
  readonly aged: boolean;
}

interface Shown {
  readonly input: SearchInput;
  readonly text: string;
  readonly details: SearchDetails;
  readonly whole: string | null;
}

/** Every page, by the way that the answers themselves show. */
async function follow(tools: QuarryTools, session: Session, input: SearchInput): Promise<Shown[]> {
  const pages: Shown[] = [];
  for (let skip = 0; ; ) {
    const asked = { ...input, skip };
    const result = await tools.search(asked);
    const [text, details] = [textOf(result), found<SearchDetails>(result)];
    const { truncation } = details.meta;
    const id = truncation?.artifactId ?? null;
    pages.push({ input: asked, text, details, whole: id === null ? null : await session.artifacts.read(id) });
    const said = /Use skip=(\d+) for the next page\]$/.exec(text)?.[1];
    expect(said === undefined ? null : Number(said)).toBe(details.nextSkip);
    if (details.nextSkip === null) return pages;
    expect(details.nextSkip).toBe(skip + details.fileCount);
    expect(details.fileCount).toBeGreaterThan(0);
    skip = details.nextSkip;
  }
}

interface Known {
  readonly path: string;
  readonly matches: readonly Match[];
}

/** What the library finds, file by file. */
async function library(root: string, { pattern, multiline }: SearchInput): Promise<Known[]> {
  const { hits } = await search({ root, pattern, multiline: multiline ?? false, order: "path" }).collect();
  const files = new Map<string, Match[]>();
  for (const hit of hits) files.set(hit.path, [...(files.get(hit.path) ?? []), hit]);
  return [...files].map(([path, matches]) => ({ path, matches }));
}

async function check({ files, input, aged }: Case, env: NodeJS.ProcessEnv): Promise<Shown[]> {
  const { root, remove } = plant(files);
  const { session, tools } = await sessionOf(root, env);
  try {
    if (aged) await sleep(30);
    const known = await library(root, input);
    const pages = await follow(tools, session, input);
    const paths = known.map(({ path }) => path);
    expect(pages.flatMap(({ details }) => details.files)).toEqual(paths);
    for (const page of pages) {
      expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(CAP);
      expect(page.details.totalFiles).toBe(known.length);
      checkPage(page, files, known);
    }
    return pages;
  } finally {
    await session.close();
    remove();
  }
}

function checkPage(page: Shown, files: Contents, known: readonly Known[]): void {
  const { mode = "content" } = page.input;
  if (known.length === 0) expect(page.text).toBe("No matches found");
  else if (mode === "content") checkContent(page, files, known);
  else checkNames(page, known);
}

/** The printed lines of the modes that show no content. */
function checkNames({ input, text, details, whole }: Shown, known: readonly Known[]): void {
  const skip = input.skip ?? 0;
  const lines = (text.split("\n\n")[0] ?? "").split("\n");
  const expected = known.slice(skip, skip + details.fileCount);
  const counts = lines.map((line) => (input.mode === "count" ? /^(.*):(\d+)$/s.exec(line) : ["", line, "1"]));
  expect(counts.map((line) => readName(line?.[1] ?? ""))).toEqual(expected.map(({ path }) => path));
  const numbers = expected.map(({ matches }) => (input.mode === "count" ? linesOf(matches).size : 1));
  expect(counts.map((line) => Number(line?.[2]))).toEqual(numbers);
  expect(details.truncated).toBe(whole !== null);
  if (whole !== null) expect(whole.startsWith(lines.join("\n"))).toBe(true);
}

function checkContent(page: Shown, files: Contents, known: readonly Known[]): void {
  const { input, text, details, whole } = page;
  const skip = input.skip ?? 0;
  const printed = readPage(text);
  expect(printed.files.map(({ name }) => name)).toEqual(details.files);
  expect(printed.files.map(({ mark }) => mark)).toEqual(printed.files.map(() => "# "));
  const own = known.slice(skip, skip + (input.limit ?? 20));
  const allotted = shareOut(
    own.map(({ matches }) => Math.min(matches.length, OF_MANY)),
    PAGE,
  );
  expect(details.truncated).toBe(whole !== null);
  expect(printed.files.length < own.length || whole === null || own.length === 1).toBe(true);
  const complete = readPage(whole ?? text);
  expect(complete.files.map(({ name }) => name)).toEqual(own.map(({ path }) => path));
  for (const [at, file] of complete.files.entries()) {
    checkFile(file, files[file.name] ?? "", own[at]?.matches ?? [], allotted[at] ?? 0, input.context);
  }
  if (whole === null) return;
  expect(
    printed.notes.some((note) => note.endsWith(`the whole page is artifact://${artifactOf(page)}`)),
  ).toBe(true);
  // What is printed is how the whole begins; of a file by itself too large to fit, its first rows are.
  const [first, ...others] = printed.files;
  const rows = complete.files[0]?.rows ?? [];
  if (others.length > 0 || first?.rows.length === rows.length) {
    expect(printed.files).toEqual(complete.files.slice(0, printed.files.length));
  } else {
    expect(first?.rows).toEqual(rows.slice(0, first?.rows.length));
    checkRest(first, own[0]?.matches ?? []);
  }
  const body = text.slice(0, text.lastIndexOf("\n\n["));
  const upToNotes = body.replace(/\n\[More matches: [^\n]*\]$/, "");
  expect(whole.startsWith(upToNotes)).toBe(true);
}

function artifactOf({ details }: Shown): string | null {
  return details.meta.truncation?.artifactId ?? null;
}

/** A file of which a part is printed names where its next match is. */
function checkRest(file: PrintedFile | undefined, matches: readonly Match[]): void {
  const shown = new Set((file?.rows ?? []).flatMap((row) => (row?.hit === true ? [row.line] : [])));
  const next = matches.find((match) => [...linesOf([match])].some((line) => !shown.has(line)));
  expect(file?.rest ?? null).toEqual(next === undefined ? null : expect.stringMatching(`:${next.line}-$`));
}

/** One at a time, to each in turn. */
function shareOut(wanted: readonly number[], total: number): number[] {
  const given = wanted.map(() => 0);
  for (let left = total; left > 0; ) {
    const before = left;
    for (const [at, want] of wanted.entries()) {
      if (left > 0 && (given[at] ?? 0) < want) {
        given[at] = (given[at] ?? 0) + 1;
        left -= 1;
      }
    }
    if (left === before) break;
  }
  return given;
}

function linesOf(matches: readonly Match[]): Set<number> {
  return new Set(matches.flatMap(({ line, text }) => text.split("\n").map((_, at) => line + at)));
}

/** The lines of a file, by the rule. */
function split(content: string): string[] {
  const lines = content.split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => line.replace(/\r$/, "")), ...(last === "" ? [] : [last])];
}

function checkFile(
  file: PrintedFile,
  content: string,
  matches: readonly Match[],
  allotted: number,
  context: number | undefined,
): void {
  const lines = split(content);
  const [before, after] = [context ?? 1, context ?? 3];
  const shown = matches.slice(0, allotted);
  const rest = matches[allotted]?.line ?? null;
  const hits = linesOf(shown);
  const wanted = new Set(hits);
  for (const match of shown) {
    const last = Math.max(...linesOf([match]));
    for (let line = match.line - before; line < match.line; line += 1) wanted.add(line);
    const stop = Math.min(last + after, lines.length, (rest ?? Number.POSITIVE_INFINITY) - 1);
    for (let line = last + 1; line <= stop; line += 1) wanted.add(line);
  }
  const numbers = [...wanted].filter((line) => line >= 1).sort((one, other) => one - other);
  const expected = numbers.flatMap((line, at): (number | null)[] => {
    const gap = context !== 0 && at > 0 && line > (numbers[at - 1] ?? 0) + 1;
    return gap ? [null, line] : [line];
  });
  expect(file.rows.map((row) => row?.line ?? null)).toEqual(expected);
  for (const row of file.rows) {
    if (row === null) continue;
    expect([row.line, row.hit]).toEqual([row.line, hits.has(row.line)]);
    const text = lines[row.line - 1] ?? "";
    // A return within a line is spelled out.
    const spelled = text.replaceAll("\r", "\\r");
    if (text.length <= LONGEST) expect(row.text).toBe(spelled);
    else expect(spelled.includes(row.text.replace(/^…/, "").replace(/…$/, ""))).toBe(true);
  }
  expect(file.rest !== null).toBe(rest !== null);
  if (rest !== null) expect(file.rest?.endsWith(`:${rest}-`)).toBe(true);
}

const CHARACTERS = [
  "a",
  "b",
  "C",
  ".",
  "-",
  " ",
  "é",
  "e\u0301",
  "[",
  "]",
  "{",
  "*",
  "#",
  ",",
  ":",
  '"',
  "'",
  "\n",
  "\\",
  "😀",
  "￮",
  "~",
];
const segment = string({ unit: constantFrom(...CHARACTERS), minLength: 1, maxLength: 5 }).filter(
  (name) => name !== "." && name !== "..",
);
const path = array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

/** Without files that are folders too. */
function planted<T>(files: Readonly<Record<string, T>>): Record<string, T> {
  const kept = Object.entries(files).filter(
    ([name]) => !Object.keys(files).some((other) => other.startsWith(`${name}/`)),
  );
  return Object.fromEntries(kept);
}

function treeOf(content: Arbitrary<string>, most: number): Arbitrary<Contents> {
  return dictionary(path, content, { maxKeys: most, noNullPrototype: true }).map(planted);
}

const line = string({ unit: constantFrom("a", "b", "x", " ", "\t", "é", "😀", "\r", "["), maxLength: 8 });
const content = record({
  lines: array(line, { maxLength: 60 }),
  end: constantFrom("\n", "\r\n"),
  last: boolean(),
}).map(({ lines, end, last }) => lines.join(end) + (last && lines.length > 0 ? end : ""));

const PATTERNS = [
  "a",
  "ab",
  "x+",
  "^a",
  "b$",
  "é",
  ".",
  "^$",
  "a|b",
  "[ab]x",
  "(?i)A",
  "\\s",
  "(?-u:a)",
  "😀",
];
const small: Arbitrary<Case> = record({
  files: treeOf(content, 12),
  input: record({
    pattern: constantFrom(...PATTERNS),
    limit: option(integer({ min: 1, max: 6 }), { nil: undefined }),
    context: option(nat(5), { nil: undefined }),
    mode: constantFrom("content", "content", "content", "files", "count"),
  }),
  aged: boolean(),
});

/** Long lines and many matches: a page of them is over the cap. */
const longLine = record({
  hit: nat(3).map((of) => of === 0),
  fill: constantFrom("y", "ü", "界"),
  length: integer({ min: 300, max: 600 }),
}).map(({ hit, fill, length }) =>
  hit ? `${fill.repeat(length >> 1)}a${fill.repeat(length >> 1)}` : fill.repeat(length),
);
const large: Arbitrary<Case> = record({
  files: treeOf(
    oneof(
      { weight: 3, arbitrary: array(longLine, { minLength: 20, maxLength: 120, size: "max" }) },
      { weight: 1, arbitrary: array(line, { maxLength: 5 }) },
    ).map((lines) => lines.join("\n")),
    8,
  ),
  input: record({
    pattern: constant("a"),
    limit: option(integer({ min: 1, max: 30 }), { nil: undefined }),
    context: option(nat(5), { nil: undefined }),
  }),
  aged: boolean(),
});

describe("The pages of search, followed from the first to the last", () => {
  it("are every matching file once, in the library's order, each with its first matches", async () => {
    const env = cacheEnv();
    let [pages, several] = [0, 0];
    await assert(
      asyncProperty(small, async (given) => {
        const all = await check(given, env);
        pages += all.length;
        if (all.length > 1) several += 1;
      }),
      { numRuns: 150, endOnFailure: true },
    );
    expect(several).toBeGreaterThan(20);
    expect(pages).toBeGreaterThan(200);
  });

  it("are so for matches over several lines", async () => {
    const env = cacheEnv();
    const multiline = record({
      files: treeOf(content, 8),
      input: record({
        pattern: constantFrom("a\\n", "b\\n+x?", "a[^x]*b", "(?s)a.b", "\\n\\n", "x\\r?\\n a?"),
        multiline: constant(true),
        limit: option(integer({ min: 1, max: 4 }), { nil: undefined }),
        context: option(nat(3), { nil: undefined }),
      }),
      aged: boolean(),
    });
    await assert(
      asyncProperty(multiline, async (given) => void (await check(given, env))),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it("are so where the cap on an answer's text cuts them, and then the artifact is the whole page", async () => {
    const env = cacheEnv();
    let [cut, parts] = [0, 0];
    await assert(
      asyncProperty(large, async (given) => {
        for (const { text, whole } of await check(given, env)) {
          if (whole === null) continue;
          cut += 1;
          const [one, all] = [readPage(text).files, readPage(whole).files];
          if ((one[0]?.rows.length ?? 0) < (all[0]?.rows.length ?? 0)) parts += 1;
        }
      }),
      { numRuns: 40, endOnFailure: true },
    );
    expect(cut).toBeGreaterThan(10);
    expect(parts).toBeGreaterThan(0);
  });

  it("share 2,000 matches among 150 files of a page, so that none is left out", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`f${at}`, "a\n".repeat(at % 3 === 0 ? 40 : 5)]),
    );
    for (const context of [0, 2]) {
      const pages = await check(
        { files, input: { pattern: "a", limit: 200, context }, aged: true },
        cacheEnv(),
      );
      expect(pages).toHaveLength(1);
      expect(pages[0]?.details.matchCount).toBe(50 * 20 + 100 * 5);
    }
    const even = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, "a\n".repeat(40)]));
    const pages = await check({ files: even, input: { pattern: "a", limit: 200 }, aged: true }, cacheEnv());
    expect(pages[0]?.details.matchCount).toBe(PAGE);
    expect(pages[0]?.details.fileMatches.map(({ count }) => count)).toEqual(
      Array.from({ length: 150 }, (_, at) => (at < 50 ? 14 : 13)),
    );
  });

  it.each(["files", "count"] as const)("are cut in mode %s too, where the names are long", async (mode) => {
    const files = Object.fromEntries(
      Array.from({ length: 260 }, (_, at) => [`${"d".repeat(120)}/${"n".repeat(160)}${at}`, "a\na\n"]),
    );
    const pages = await check({ files, input: { pattern: "a", mode, limit: 200 }, aged: true }, cacheEnv());
    expect(pages.map(({ details }) => details.truncated)).toEqual([true, false]);
  });
});

describe("A file that is cut by the cap on an answer's text", () => {
  it("shows its first match whatever the context before it, and the call it names goes on", async () => {
    const lines = Array.from({ length: 400 }, (_, at) =>
      at % 50 === 0 && at > 250 ? "NEEDLE" : "y".repeat(420),
    );
    const { session, tools } = await sessionOf(tree({ "doc.md": lines.join("\n") }), cacheEnv());
    try {
      const seen: number[] = [];
      for (let paths: string | null = "doc.md"; paths !== null; ) {
        const result = await tools.search({ pattern: "NEEDLE", paths, context: 250 });
        const [file] = readPage(textOf(result)).files;
        const hits = (file?.rows ?? []).flatMap((row) => (row?.hit === true ? [row.line] : []));
        expect(hits.length).toBeGreaterThan(0);
        expect(result.details).toMatchObject({ matchCount: hits.length });
        seen.push(...hits);
        paths = file?.rest ?? null;
      }
      expect(seen).toEqual([301, 351]);
    } finally {
      await session.close();
    }
  });

  it("never ends in a gap, which stands between two lines", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => {
        const fill = "y".repeat(300 + at);
        const lines = Array.from({ length: 2_000 }, (_, line) => (line % 10 === 5 ? `hit ${fill}` : fill));
        return [`f${at}`, lines.join("\n")];
      }),
    );
    const { session, tools } = await sessionOf(tree(files), cacheEnv());
    try {
      for (const paths of Object.keys(files)) {
        const [file] = readPage(textOf(await tools.search({ pattern: "hit", paths }))).files;
        expect([paths, file?.rows.at(-1)]).not.toEqual([paths, null]);
        expect(file?.rest).not.toBeNull();
      }
    } finally {
      await session.close();
    }
  });
});

describe("The lines of the whole that a cut answer has", () => {
  it("are those that the details name, without what the answer says about itself", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`f${at}`, `hit ${"y".repeat(480)}\n`.repeat(20)]),
    );
    const { session, tools } = await sessionOf(tree(files), cacheEnv());
    try {
      const result = await tools.search({ pattern: "hit", context: 0 });
      const { truncation } = found<SearchDetails>(result).meta;
      const whole = (await session.artifacts.read(truncation?.artifactId ?? "")).split("\n");
      const last = truncation?.shownRange.last ?? 0;
      expect(truncation?.totalLines).toBe(whole.length);
      expect(textOf(result).split("\n").slice(0, last).at(-1)).toBe(whole[last - 1]);
    } finally {
      await session.close();
    }
  });
});

describe("A page that is past the end", () => {
  it("says how many files there are, and names no further page", async () => {
    const root = tree({ a: "x\n", b: "x\n" });
    const { session, tools } = await sessionOf(root, cacheEnv());
    try {
      const result = await tools.search({ pattern: "x", skip: 2 });
      expect(textOf(result)).toBe("No matches on this page: 2 files match, and skip=2 is past them");
      expect(found<SearchDetails>(result)).toMatchObject({ fileCount: 0, nextSkip: null, totalFiles: 2 });
    } finally {
      await session.close();
    }
  });
});
