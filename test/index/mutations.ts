/**
 * The mutation machine: a small tree is changed in every way that a tree can be, and after each change the index is
 * asked what ripgrep is asked. Whatever the index says is compared with ripgrep on the tree as it then is.
 */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Arbitrary, array, constantFrom, integer, oneof, record } from "fast-check";
import type { Ground } from "../../src/engine/ground.ts";
import { type Find, findEntries } from "../../src/engine/find.ts";
import { findTree } from "../../src/engine/find-tree.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { searchTree } from "../../src/engine/search-tree.ts";
import { indexedScope } from "../../src/index/listing.ts";
import type { KeeperParts } from "../../src/index/keeper.ts";
import type { FindQuery, Query } from "../../src/model/query.ts";
import { PATTERN, QUERY } from "../support/query.ts";
import { type Indexed, indexed } from "./indexed.ts";
import { filesOf } from "./search-law.ts";

const WORDS = ["alpha", "bravo", "delta", "gamma"] as const;
const PATHS = [
  "a",
  "b.log",
  ".h",
  "d/a",
  "d/b.log",
  "d/e/a",
  "d/e/f/b",
  "x/a",
  "x/d/a",
  "x/d/e/a",
  "build/a",
] as const;
/** These have another name outside the tree from the start. */
const LINKED = ["a", "d/e/a", "x/d/a"] as const;
const FOLDERS = ["d", "d/e", "d/e/f", "x", "x/d", "x/d/e", "build", "new", "new/deep"] as const;
const RULES = ["", "*.log\n", "build/\n", "/d/e\n", "a\n", "!a\n", "x/d/\n", "alpha\n.h\n"] as const;
const IGNORE_FILES = [".gitignore", ".ignore", "d/.gitignore", "x/.ignore", ".rgignore"] as const;

const path = constantFrom(...PATHS);
const folder = constantFrom(...FOLDERS);
const word = constantFrom(...WORDS);

export type Step =
  | { readonly op: "write" | "append" | "same-size" | "nested"; readonly path: string; readonly word: string }
  | {
      readonly op: "truncate" | "delete" | "touch-back" | "hard-link" | "write-through";
      readonly path: string;
      readonly word: string;
    }
  | { readonly op: "rename"; readonly path: string; readonly to: string }
  | {
      readonly op: "move" | "move-out" | "move-in" | "remove-tree" | "replace-tree";
      readonly path: string;
      readonly to: string;
    }
  | { readonly op: "symlink"; readonly path: string; readonly to: string }
  | { readonly op: "rules"; readonly path: string; readonly text: string }
  | { readonly op: "burst"; readonly count: number; readonly word: string }
  | { readonly op: "restart" };

const step: Arbitrary<Step> = oneof(
  {
    weight: 6,
    arbitrary: record({ op: constantFrom("write", "append", "same-size", "nested"), path, word }),
  },
  {
    weight: 4,
    arbitrary: record({
      op: constantFrom("truncate", "delete", "touch-back", "hard-link", "write-through"),
      path,
      word,
    }),
  },
  { weight: 2, arbitrary: record({ op: constantFrom("rename"), path, to: path }) },
  {
    weight: 3,
    arbitrary: record({
      op: constantFrom("move", "move-out", "move-in", "remove-tree", "replace-tree"),
      path: folder,
      to: folder,
    }),
  },
  { weight: 1, arbitrary: record({ op: constantFrom("symlink"), path, to: path }) },
  {
    weight: 1,
    arbitrary: record({
      op: constantFrom("rules"),
      path: constantFrom(...IGNORE_FILES),
      text: constantFrom(...RULES),
    }),
  },
  { weight: 1, arbitrary: record({ op: constantFrom("burst"), count: integer({ min: 10, max: 60 }), word }) },
  { weight: 1, arbitrary: record({ op: constantFrom("restart") }) },
);

export interface Round {
  readonly steps: readonly Step[];
  readonly asked: string;
  readonly order: Query["order"];
}

/** Some changes, then a question. */
export const rounds: Arbitrary<readonly Round[]> = array(
  record({
    steps: array(step, { minLength: 1, maxLength: 3 }),
    asked: constantFrom(...WORDS, "a[lm]", "(?i)BRAVO|delta"),
    order: constantFrom<Query["order"]>("path", "mtime"),
  }),
  { minLength: 5, maxLength: 12 },
);

export interface Counted {
  steps: number;
  asked: number;
  byIndex: number;
}

/** What the index said and what ripgrep says, where they differ; null where they never do. */
export async function play(
  played: readonly Round[],
  counted: Counted,
  parts: Partial<KeeperParts> = {},
): Promise<{
  readonly asked: Round;
  readonly index: readonly string[];
  readonly ripgrep: readonly string[];
} | null> {
  const place = mkdtempSync(join(tmpdir(), "quarry-mutations-"));
  const root = join(place, "tree");
  const outside = join(place, "outside");
  const saved = join(place, "index");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(outside);
  for (const [at, path] of PATHS.entries()) write(root, path, `${WORDS[at % WORDS.length]} here\n`);
  for (const path of LINKED) linkSync(join(root, path), join(outside, nameOutside(path)));
  let index: Indexed = await indexed(root, parts, saved);
  try {
    for (const round of played) {
      for (const step of round.steps) {
        counted.steps += 1;
        if (step.op === "restart") {
          await index.close();
          index = await indexed(root, parts, saved);
        } else quietly(() => change(root, outside, step));
      }
      const query: Query = {
        ...QUERY,
        ...indexedScope(root),
        engine: "auto",
        mode: "files",
        order: round.order,
        pattern: { ...PATTERN, text: round.asked, source: round.asked },
      };
      const ground: Ground = { env: process.env, signal: undefined };
      const found = searchTree(query, planScope(query), { ...ground, index: index.source });
      const files = await filesOf(found);
      counted.asked += 1;
      if (found.used().engine === "index") counted.byIndex += 1;
      else await ready(index);
      const expected = await filesOf(searchFiles(query, planScope(query), ground));
      if (files.join("\n") !== expected.join("\n")) return { asked: round, index: files, ripgrep: expected };
      const names: FindQuery = { ...query, kinds: "all", limit: null, skip: 0 };
      const listed = await entriesOf(findTree(names, planScope(names), { ...ground, index: index.source }));
      const walked = await entriesOf(findEntries(names, planScope(names), ground));
      if (listed.join("\n") !== walked.join("\n")) return { asked: round, index: listed, ripgrep: walked };
    }
    return null;
  } finally {
    await index.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function entriesOf(find: Find): Promise<readonly string[]> {
  const entries: string[] = [];
  for await (const { path, kind } of find) entries.push(kind === "folder" ? `${path}/` : path);
  return entries;
}

async function ready({ keeper }: Indexed): Promise<void> {
  for (let turn = 0; turn < 1_000 && keeper.status().phase === "building"; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A step that cannot be made on the tree as it is changes nothing. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause;
  }
}

let outsiders = 0;

function nameOutside(path: string): string {
  return `linked-${path.replaceAll("/", "-")}`;
}

function change(root: string, outside: string, step: Exclude<Step, { op: "restart" }>): void {
  switch (step.op) {
    case "write":
      return write(root, step.path, `${step.word} written\n`);
    case "append":
      return appendFileSync(join(root, step.path), `${step.word} appended\n`);
    case "same-size":
      // Every word has five letters.
      return overwrite(join(root, step.path), step.word);
    case "nested":
      return write(root, `new/deep/${step.word}/${step.path}`, `${step.word} nested\n`);
    case "truncate":
      return truncateSync(join(root, step.path), 0);
    case "delete":
      return rmSync(join(root, step.path));
    case "touch-back": {
      const file = join(root, step.path);
      const { atimeMs, mtimeMs } = statSync(file);
      overwrite(file, step.word);
      return utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
    }
    case "hard-link":
      return linkSync(join(root, step.path), join(root, `${step.path}-${step.word}`));
    case "write-through": {
      const through = [join(outside, nameOutside(step.path)), join(root, `${step.path}-${step.word}`)];
      return through.filter(existsSync).forEach((other) => overwrite(other, step.word));
    }
    case "rename":
      return renameSync(join(root, step.path), join(root, step.to));
    case "move":
      return renameSync(join(root, step.path), join(root, step.to));
    case "move-out":
      return renameSync(join(root, step.path), join(outside, `tree-${outsiders++}`));
    case "move-in": {
      const made = join(outside, `made-${outsiders++}`);
      write(made, "a", "alpha moved\n");
      write(made, "e/b.log", "bravo moved\n");
      return renameSync(made, join(root, step.path));
    }
    case "remove-tree":
      return rmSync(join(root, step.path), { recursive: true });
    case "replace-tree":
      rmSync(join(root, step.path), { recursive: true });
      write(root, `${step.path}/a`, "gamma replaced\n");
      return write(root, `${step.path}/e/a`, "delta replaced\n");
    case "symlink":
      rmSync(join(root, step.path));
      return symlinkSync(join(root, step.to), join(root, step.path));
    case "rules":
      return write(root, step.path, step.text);
    case "burst":
      for (let at = 0; at < step.count; at++) write(root, `new/burst-${at}`, `${step.word} ${at}\n`);
      return;
    default:
      step satisfies never;
  }
}

function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The first bytes, in place. */
function overwrite(file: string, word: string): void {
  const fd = openSync(file, "r+");
  try {
    writeSync(fd, word, 0);
  } finally {
    closeSync(fd);
  }
}
