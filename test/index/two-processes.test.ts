/** Several processes on one tree: one saves, the others read it and keep their own changes; whoever ends, it stays sound. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { readManifest, SEGMENT_NAME } from "../../src/index/saved.ts";
import { DISTRUSTED_YOUNG, UNINDEXED_WORTH } from "../../src/model/limits.ts";
import { tree } from "../support/tree.ts";
import { ageCookies } from "./kill.ts";
import { type KeeperProcess, keeperProcess } from "./keeper-process.ts";
import { write } from "./mutation-ground.ts";
import { differenceIn, isIndexed, type Question } from "./question.ts";
import { faultsOf } from "./saved-ground.ts";

const QUESTIONS: readonly Question[] = [
  { asked: "needle", order: "path" },
  { asked: "changed [0-9]+", order: "mtime" },
];
const FILES = 2 * UNINDEXED_WORTH;

interface Two {
  readonly root: string;
  readonly folder: string;
  readonly writer: KeeperProcess;
  readonly reader: KeeperProcess;
}

/** The first of them saves. */
async function two(): Promise<Two> {
  const root = tree();
  const folder = tree();
  for (let file = 0; file < FILES; file++) write(root, `d${file % 5}/f${file}`, `needle ${file}\n`);
  await sleep(DISTRUSTED_YOUNG + 100);
  const open = async (): Promise<KeeperProcess> => {
    const one = await keeperProcess({ root, folder, env: process.env });
    onTestFinished(() => one.kill());
    await one.started;
    return one;
  };
  const writer = await open();
  const reader = await open();
  expect(await writer.status()).toMatchObject({ phase: "ready", savedByAnother: false });
  expect(await reader.status()).toMatchObject({ phase: "ready", savedByAnother: true, unindexed: 0 });
  return { root, folder, writer, reader };
}

/** Every answer is the index's, and ripgrep's. */
async function areRight(...processes: readonly KeeperProcess[]): Promise<void> {
  for (const one of processes) {
    for (const question of QUESTIONS) {
      const outcome = await one.ask(question);
      expect(differenceIn(outcome)).toBeNull();
      expect(isIndexed(outcome.first)).toBe(true);
    }
  }
}

let changes = 0;

/** So much that both have a segment to make of it. */
async function changeMuch({ root, writer, reader }: Two): Promise<void> {
  changes += 1;
  for (let file = 0; file < FILES; file += 2) {
    write(root, `new${changes}/f${file}`, `needle changed ${file}\n`);
    if (file % 8 === 0) write(root, `d${file % 5}/f${file}`, `needle, changed ${changes}\n`);
  }
  rmSync(join(root, `d${changes % 5}`), { recursive: true });
  await areRight(writer, reader);
  await Promise.all([writer.settled(), reader.settled()]);
  await areRight(writer, reader);
}

/** Segments that no manifest names, while the processes are open. */
function orphans({ root, folder }: Pick<Two, "root" | "folder">): readonly string[] {
  const named = readManifest(folder, root)?.segments ?? [];
  return readdirSync(folder).filter((name) => name.startsWith(SEGMENT_NAME) && !named.includes(name));
}

/** Opened once more, it is all taken from what was saved. */
async function isSaved({ root, folder }: Two): Promise<void> {
  ageCookies(join(folder, "cookies"));
  const again = await keeperProcess({ root, folder, env: process.env });
  onTestFinished(() => again.kill());
  await areRight(again);
  expect(await again.status()).toMatchObject({ savedByAnother: false });
  await again.close();
  expect(faultsOf(folder, root)).toEqual([]);
}

describe("Two processes on one tree", () => {
  it("both answer right while files change, and leave no segment that nobody names", async () => {
    const both = await two();
    for (let time = 0; time < 3; time++) {
      await changeMuch(both);
      expect(orphans(both)).toEqual([]);
    }
    await both.reader.close();
    await areRight(both.writer);
    await both.writer.close();
    expect(faultsOf(both.folder, both.root)).toEqual([]);
    await isSaved(both);
  });

  it("when the one that saves is closed, the other saves what it has", async () => {
    const both = await two();
    await changeMuch(both);
    await both.writer.close();
    await both.reader.settled();
    expect(await both.reader.status()).toMatchObject({ savedByAnother: false, segments: 1 });
    await areRight(both.reader);
    await both.reader.close();
    expect(faultsOf(both.folder, both.root)).toEqual([]);
    await isSaved(both);
  });

  it("when the one that saves is killed, the other takes over", async () => {
    const both = await two();
    await changeMuch(both);
    both.writer.signal("SIGSTOP");
    write(both.root, "late", "needle changed 1\n");
    await both.writer.kill();
    await areRight(both.reader);
    await both.reader.settled();
    expect(await both.reader.status()).toMatchObject({ savedByAnother: false });
    expect(orphans(both)).toEqual([]);
    await areRight(both.reader);
    await both.reader.close();
    await isSaved(both);
  });
});
