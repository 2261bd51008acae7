/** A tree that is looked at in a thread of its own is seen as it is seen here. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joined, type KeyOrder, keysOf, NO_ORDER } from "../../src/index/key-order.ts";
import type { ListOptions } from "../../src/index/listing.ts";
import { type Survey, type Surveyor, surveyHere } from "../../src/index/survey.ts";
import { surveyInThread } from "../../src/index/survey-in-thread.ts";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";
import { indexed } from "./indexed.ts";
import { askBoth, differenceIn, isIndexed } from "./question.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-survey-")));
const root = join(place, "tree");
const ending = new AbortController();

beforeAll(() => {
  mkdirSync(join(root, "d/é"), { recursive: true });
  for (const name of ["a", "d/b c", "d/é/ü", "d/line\nbreak", "x.log"])
    writeFileSync(join(root, name), `needle ${name}\n`);
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x41])]), "needle bytes\n");
  writeFileSync(join(root, ".ignore"), "*.log\n");
  writeFileSync(join(root, "empty"), "");
  linkSync(join(root, "a"), join(root, "d/second"));
  symlinkSync("a", join(root, "link"));
  utimesSync(join(root, "a"), 1.5, 2.25);
});

afterAll(() => {
  ending.abort();
  rmSync(place, { recursive: true, force: true });
});

function orderOf(keys: readonly string[]): KeyOrder {
  const starts = [0];
  for (const key of keys) starts.push((starts.at(-1) ?? 0) + key.length);
  return { bytes: Buffer.from(keys.join(""), "latin1"), starts: Uint32Array.from(starts) };
}

function options(signal: AbortSignal = ending.signal): ListOptions {
  return { env: process.env, signal, timeoutMs: 20_000, explain: true };
}

async function listed(surveyor: Surveyor): Promise<Survey> {
  const survey = await surveyor.list();
  if (survey === null) throw new Error("not listed");
  return survey;
}

async function seen({ look }: Survey, order: KeyOrder = NO_ORDER): Promise<unknown[]> {
  const rows: [string, unknown][] = [];
  const places: number[] = [];
  await look((key, info, place) => {
    const { size, mtimeMs, ctimeMs, ino, nlink } = info ?? {};
    rows.push([
      key,
      info === undefined ? "gone" : { size, mtimeMs, ctimeMs, ino, nlink, file: info.isFile() },
    ]);
    places.push(place);
  }, order);
  // Those that have a place first, in its order.
  const placed = places.filter((place) => place !== -1);
  expect(placed).toEqual(placed.toSorted((one, other) => one - other));
  expect(places.slice(placed.length).every((place) => place === -1)).toBe(true);
  const keys = [...keysOf(order)];
  for (const [at, place] of placed.entries()) expect(rows[at]?.[0]).toBe(keys[place]);
  return rows.sort(([one], [other]) => (one < other ? -1 : 1));
}

describe("a survey in a thread", () => {
  it("is the one that is made here, of every name and every kind", async () => {
    const [here, there] = [
      await listed(surveyHere(root, options())),
      await listed(surveyInThread(root, options())),
    ];
    expect({ ...there, look: 0 }).toEqual({ ...here, look: 0 });
    const rows = await seen(here);
    expect(rows).toHaveLength(here.count);
    expect(here.count).toBe(8);
    expect(await seen(there)).toEqual(rows);
  });

  it.each([
    ["some of its files, others, and one twice", ["x", "d/b c", "a", "d/none", "a", "\xffA"]],
    ["none of its files", ["x", "y"]],
    [
      "all of its files",
      ["\xffA", ".ignore", "a", "d/b c", "d/line\nbreak", "d/second", "d/\xc3\xa9/\xc3\xbc", "empty"],
    ],
  ])("tells the same in an order that has %s", async (_, keys) => {
    const order = orderOf(keys);
    const here = await listed(surveyHere(root, options()));
    const there = await listed(surveyInThread(root, options()));
    const rows = await seen(here);
    expect(await seen(here, order)).toEqual(rows);
    expect(await seen(there, order)).toEqual(rows);
  });

  it("looks when it is told to, and not before", async () => {
    const survey = await listed(surveyInThread(root, options()));
    rmSync(join(root, "empty"));
    rmSync(join(root, "d/b c"));
    mkdirSync(join(root, "d/b c"));
    const rows = new Map((await seen(survey)) as [string, unknown][]);
    writeFileSync(join(root, "empty"), "");
    expect(rows.get("empty")).toBe("gone");
    expect(rows.get("d/b c")).toMatchObject({ file: false });
  });

  it("ends when nobody wants it any more", async () => {
    const stopped = new AbortController();
    const surveyor = surveyInThread(root, options(stopped.signal));
    stopped.abort();
    expect(await surveyor.list().catch(() => null)).toBeNull();
  });

  it("of a tree that is not there is none", async () => {
    const surveyor = surveyInThread(join(place, "nowhere"), options());
    expect(await surveyor.list().catch(() => null)).toBeNull();
    surveyor.close();
  });
});

it("An index that starts with one knows what changed while it was away", async () => {
  const folder = join(place, "index");
  await sleep(DISTRUSTED_YOUNG + 100);
  const before = await indexed(root, {}, folder);
  await before.close();
  writeFileSync(join(root, "d/é/ü"), "other words\n");
  writeFileSync(join(root, "new"), "a new needle\n");
  rmSync(join(root, "a"));
  const after = await indexed(root, { surveyedApart: 0 }, folder);
  try {
    for (const asked of ["needle", "other", "bytes|new"]) {
      const outcome = await askBoth(after, root, process.env, { asked, order: "path" });
      expect(isIndexed(outcome.first)).toBe(true);
      expect(differenceIn(outcome)).toBeNull();
    }
  } finally {
    await after.close();
  }
});

it("Orders that are joined are one behind the other", () => {
  const parts = [["a", "bc"], [], ["d"]];
  expect([...keysOf(joined(parts.map(orderOf)))]).toEqual(parts.flat());
  expect([...keysOf(joined([]))]).toEqual([]);
});
