/** One question put to an index and to ripgrep on the same quiet tree: for the files of a pattern, and for all names with their times. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Find, findEntries } from "../../src/engine/find.ts";
import { findTree, type TreeFind } from "../../src/engine/find-tree.ts";
import type { Ground } from "../../src/engine/ground.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { searchTree } from "../../src/engine/search-tree.ts";
import { indexedScope } from "../../src/index/listing.ts";
import type { IndexSource } from "../../src/index/open-indexes.ts";
import type { FindQuery, Query } from "../../src/model/query.ts";
import { PATTERN, QUERY } from "../support/query.ts";
import type { Indexed } from "./indexed.ts";
import { filesOf } from "./search-law.ts";

export interface Question {
  readonly asked: string;
  readonly order: Query["order"];
  /** Of the names that are asked for, and the files that are searched. @default all */
  readonly glob?: string;
  /** The same is asked by a call that has begun before the changes; what it says is of a time between, and not compared. */
  readonly early?: boolean;
}

export interface Said {
  readonly engine: string;
  readonly why: string;
  readonly files: readonly string[];
  readonly names: readonly string[];
}

/** What the index says, if it may then what it says once it can, and what ripgrep says. */
export interface Outcome {
  readonly first: Said;
  readonly again: Said | null;
  readonly ripgrep: Said;
}

export async function askBoth(
  index: Indexed,
  root: string,
  env: NodeJS.ProcessEnv,
  question: Question,
  begun?: IndexSource,
): Promise<Outcome> {
  if (begun !== undefined) await askIndex({ source: begun }, root, env, question);
  const first = await askIndex(index, root, env, question);
  const ripgrep = await askRipgrep(root, env, question);
  if (first.engine === "index" || !(await ready(index))) return { first, again: null, ripgrep };
  return { first, again: await askIndex(index, root, env, question), ripgrep };
}

/** The first answer that is not ripgrep's; null where none is. */
export function differenceIn({ first, again, ripgrep }: Outcome): { said: Said; ripgrep: Said } | null {
  for (const said of again === null ? [first] : [first, again]) {
    if (said.files.join("\n") !== ripgrep.files.join("\n")) return { said, ripgrep };
    if (said.names.join("\n") !== ripgrep.names.join("\n")) return { said, ripgrep };
  }
  return null;
}

/** The index could answer; how far it did is a matter of how busy the machine is. */
export function isIndexed({ engine, why }: Said): boolean {
  return engine !== "ripgrep" || why === "ripgrep is quicker for this pattern";
}

export async function askIndex(
  { source }: Pick<Indexed, "source">,
  root: string,
  env: NodeJS.ProcessEnv,
  question: Question,
): Promise<Said> {
  const { query, names } = queriesOf(root, question);
  const ground: Ground = { env, signal: undefined, index: source };
  const found = searchTree(query, planScope(query), ground);
  const files = await filesOf(found);
  const listed = await entriesOf(findTree(names, planScope(names), ground));
  return { engine: found.used().engine, why: found.used().engineWhy, files, names: listed };
}

export async function askRipgrep(root: string, env: NodeJS.ProcessEnv, question: Question): Promise<Said> {
  const { query, names } = queriesOf(root, question);
  const ground: Ground = { env, signal: undefined };
  return {
    engine: "ripgrep",
    why: "",
    files: await filesOf(searchFiles(query, planScope(query), ground)),
    names: await entriesOf(findEntries(names, planScope(names), ground)),
  };
}

function queriesOf(
  root: string,
  { asked, order, glob }: Question,
): { readonly query: Query; readonly names: FindQuery } {
  const query: Query = {
    ...QUERY,
    ...indexedScope(root),
    engine: "auto",
    include: glob === undefined ? [] : [glob],
    mode: "files",
    order,
    pattern: { ...PATTERN, text: asked, source: asked },
  };
  return { query, names: { ...query, kinds: "all", limit: null, skip: 0 } };
}

async function entriesOf(find: Find | TreeFind): Promise<readonly string[]> {
  const entries: string[] = [];
  for await (const some of find) {
    for (const { path, kind, mtimeMs } of [some].flat())
      entries.push(`${kind === "folder" ? `${path}/` : path} ${mtimeMs}`);
  }
  return entries;
}

/** Whether it can answer after a while. */
export async function ready({ keeper }: Pick<Indexed, "keeper">): Promise<boolean> {
  for (let turn = 0; turn < 2_000 && ["starting", "building"].includes(keeper.status().phase); turn++) {
    await sleep(2);
  }
  return keeper.status().phase === "ready";
}
