/** A list that was begun before the tree was watched counts only where nothing changed meanwhile. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeEach, expect, it } from "vitest";
import { type EarlyList, listEarly } from "../../src/index/early-list.ts";
import { type Feed, openFeed } from "../../src/index/feed/feed.ts";
import { isWatched, RULE_NAMES } from "../../src/index/rules.ts";
import { surveyHere } from "../../src/index/survey.ts";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-early-")));
const root = join(place, "tree");
let feed: Feed | null = null;

beforeEach(async () => {
  feed?.close();
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, ".gitignore"), "*.log\n");
  writeFileSync(join(place, ".gitignore"), "");
  mkdirSync(join(root, "n/.git/info"), { recursive: true });
  writeFileSync(join(root, "n/.git/info/exclude"), "");
  for (const name of ["a", "d/b", "d/c.log"]) writeFileSync(join(root, name), "x\n");
  await setTimeout(DISTRUSTED_YOUNG + 100);
});

afterAll(() => {
  feed?.close();
  rmSync(place, { recursive: true, force: true });
});

function begin(): EarlyList {
  const signal = new AbortController().signal;
  const options = { env: process.env, signal, timeoutMs: 10_000, explain: true };
  return listEarly(root, process.env, surveyHere(root, options));
}

async function watched(): Promise<Feed> {
  const cookies = mkdtempSync(join(place, "cookies-"));
  feed = await openFeed({ root, cookies, enters: isWatched, notes: RULE_NAMES });
  return feed;
}

async function filesAfter(change: () => void): Promise<readonly string[] | null> {
  const early = begin();
  await setTimeout(50);
  change();
  const list = await early.take(await watched());
  const files: string[] = [];
  await list?.look((key) => files.push(key));
  return list === null ? null : files.sort();
}

it("counts where nothing changed", async () => {
  expect(await filesAfter(() => {})).toEqual([".gitignore", "a", "d/b"]);
});

it("does not where a name came, also deep in the tree", async () => {
  expect(await filesAfter(() => writeFileSync(join(root, "d/new"), "x\n"))).toBeNull();
});

it("does not where a folder came or a name went", async () => {
  expect(await filesAfter(() => mkdirSync(join(root, "d/e")))).toBeNull();
  await setTimeout(DISTRUSTED_YOUNG + 100);
  feed?.close();
  expect(await filesAfter(() => rmSync(join(root, "a")))).toBeNull();
});

it("does not where an ignore file was written to, in the tree or above it", async () => {
  expect(await filesAfter(() => appendFileSync(join(root, ".gitignore"), "b\n"))).toBeNull();
  await setTimeout(DISTRUSTED_YOUNG + 100);
  feed?.close();
  expect(await filesAfter(() => writeFileSync(join(place, ".gitignore"), "b\n"))).toBeNull();
});

it("does not where the rules of a nested repository were written to in their place", async () => {
  expect(await filesAfter(() => appendFileSync(join(root, "n/.git/info/exclude"), "b\n"))).toBeNull();
});
