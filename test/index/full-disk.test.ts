/** A cache on a disk that is full: search goes on, the status says why, and the index is built once there is room. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { SEGMENT_NAME } from "../../src/index/saved.ts";
import { INDEX_RETRY, UNINDEXED_FILES, UNINDEXED_WORTH } from "../../src/model/limits.ts";
import { tree } from "../support/tree.ts";
import { eventually } from "../support/processes.ts";
import { type Indexed, indexing } from "./indexed.ts";
import { write } from "./mutation-ground.ts";
import { askIndex, askRipgrep, isIndexed, type Question } from "./question.ts";
import { answersOf, faultsOf } from "./saved-ground.ts";

const MiB = 1024 * 1024;
const QUESTION: Question = { asked: "needle [0-9]*7", order: "path" };

/** A disk of so many bytes; null where none can be mounted. */
function disk(size: number): string | null {
  const folder = tree();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder]);
  if (status !== 0) return null;
  // Also where a test that failed has left something open.
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  return folder;
}

/** But for so much. */
function fill(folder: string, whole: number, room: number): void {
  const filler = join(folder, "filler");
  for (let size = whole; size > 0; size -= 4096) {
    const { error } = attempt(() => writeFileSync(filler, Buffer.alloc(size - room)));
    if (error === null) return;
  }
}

function attempt(work: () => void): { readonly error: unknown } {
  try {
    work();
    return { error: null };
  } catch (error) {
    return { error };
  }
}

const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-mount-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]);
  if (status === 0) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  return status === 0;
})();

interface Filled {
  readonly root: string;
  readonly folder: string;
  readonly index: Indexed;
}

/** More of a tree than there is room for its index. */
function filled(room: number, files = UNINDEXED_WORTH * 4, size = MiB): Filled {
  const root = tree();
  for (let file = 0; file < files; file++) {
    const words = Array.from(
      { length: files > 1_000 ? 2 : 200 },
      (_, at) => `w${(file * 7919 + at * 104_729).toString(36)}`,
    );
    write(root, `f${file}`, `needle ${file}\n${words.join(" ")}\n`);
  }
  const folder = disk(size) ?? "";
  fill(folder, size, room);
  const index = indexing(root, {}, folder);
  onTestFinished(() => index.close());
  return { root, folder, index };
}

/** Whether it was the index that answered. */
async function isRight({ root, index }: Filled): Promise<boolean> {
  const said = await askIndex(index, root, process.env, QUESTION);
  expect(answersOf([said])).toEqual(answersOf([await askRipgrep(root, process.env, QUESTION)]));
  expect(said.files.length).toBeGreaterThan(5);
  return isIndexed(said);
}

/** Once there is room. Nothing else is left. */
async function isBuilt(ground: Filled): Promise<void> {
  const { root, folder, index } = ground;
  rmSync(join(folder, "filler"));
  await index.keeper.settled();
  expect(index.keeper.status()).toMatchObject({ phase: "ready", unindexed: 0 });
  expect(index.keeper.status().segments).toBeGreaterThan(0);
  expect(await isRight(ground)).toBe(true);
  await index.close();
  expect(faultsOf(folder, root)).toEqual([]);
}

afterEach(() => void vi.useRealTimers());

describe.skipIf(!canMount)("On a full disk (needs to mount one)", () => {
  it("ripgrep answers and the status says why, until there is room and it is tried again", async () => {
    const ground = filled(0);
    const { index } = ground;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await index.keeper.start();
    expect(index.keeper.status()).toMatchObject({ phase: "unable", why: expect.stringContaining("ENOSPC") });
    vi.advanceTimersByTime(INDEX_RETRY + 1);
    vi.useRealTimers();
    expect(await eventually(() => index.keeper.status().phase === "unable", 20_000)).toBe(true);
    expect(await isRight(ground)).toBe(false);
    await isBuilt(ground);
  });

  it("ripgrep answers for a large tree whose segments do not fit", async () => {
    const ground = filled(16 * 1024, UNINDEXED_FILES + 1_000, 64 * MiB);
    const { index, folder } = ground;
    await index.keeper.start();
    expect(index.keeper.status()).toMatchObject({ phase: "unable", why: expect.stringContaining("ENOSPC") });
    expect(await isRight(ground)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith(SEGMENT_NAME))).toEqual([]);
    await isBuilt(ground);
  });

  it("by itself it is tried again after a while", async () => {
    const ground = filled(0);
    const { index, folder } = ground;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await index.keeper.start();
    rmSync(join(folder, "filler"));
    vi.advanceTimersByTime(INDEX_RETRY + 1);
    vi.useRealTimers();
    expect(await eventually(() => index.keeper.status().phase === "ready", 20_000)).toBe(true);
    expect(await isRight(ground)).toBe(true);
  });

  it("a small tree is looked at without segments, and nothing is left of those that did not fit", async () => {
    const ground = filled(64 * 1024);
    const { index, folder } = ground;
    await index.keeper.start();
    expect(index.keeper.status()).toMatchObject({
      phase: "ready",
      segments: 0,
      unindexed: UNINDEXED_WORTH * 4,
    });
    expect(await isRight(ground)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith(SEGMENT_NAME))).toEqual([]);
    await isBuilt(ground);
  });
});
