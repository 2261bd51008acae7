/** A file is shown from its snapshot only while it cannot have changed. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { STAMP_SETTLES } from "../../src/model/limits.ts";
import { type Held, heldFile } from "../../src/tools/held-file.ts";
import { createPolicy, type Policy } from "../../src/workspace/policy.ts";
import { SnapshotStore } from "../../src/workspace/snapshots.ts";

let root = "";
let ground: { root: string; policy: Policy; snapshots: SnapshotStore };

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "quarry-held-")));
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, "d/a"), "one\n");
  utimesSync(join(root, "d/a"), 1_000, 1_000);
  const policy = await createPolicy({ root, globs: () => () => false });
  ground = { root, policy, snapshots: new SnapshotStore() };
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** As long after the last change as it takes. */
function later(): void {
  const now = Date.now() + STAMP_SETTLES + 10_000;
  vi.spyOn(Date, "now").mockReturnValue(now);
}

function held(): Held {
  const file = heldFile(ground, { path: "d/a" });
  if (file === null) throw new Error("it cannot be read");
  return file;
}

/** Shown as `walk-candidates.ts` shows it. */
function shown(): Buffer {
  const file = held();
  file.snapshot();
  return file.text.bytes;
}

describe("a file that was shown", () => {
  it("is not read again while it looks as it did", () => {
    later();
    const before = shown();
    expect(held().text.bytes).toBe(before);
    expect(held().snapshot()?.bytes).toBe(before);
  });

  it("is read again shortly after a change, however it looks", () => {
    const before = shown();
    expect(held().text.bytes).not.toBe(before);
  });

  it.each([
    ["appended to", () => appendFileSync(join(root, "d/a"), "two\n"), "one\ntwo\n"],
    [
      "overwritten with as many bytes, and its time set back",
      () => {
        writeFileSync(join(root, "d/a"), "two\n");
        utimesSync(join(root, "d/a"), 1_000, 1_000);
      },
      "two\n",
    ],
    [
      "replaced",
      () => {
        writeFileSync(join(root, "new"), "new\n");
        renameSync(join(root, "new"), join(root, "d/a"));
      },
      "new\n",
    ],
  ])("and then %s is read again", (_how, change, expected) => {
    later();
    shown();
    change();
    expect(String(held().text.bytes)).toBe(expected);
  });

  it("is not shown from outside, where a link took the place of its folder", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "quarry-outside-")));
    writeFileSync(join(outside, "a"), "secret\n");
    later();
    shown();
    renameSync(join(root, "d"), join(root, "e"));
    symlinkSync(outside, join(root, "d"));
    expect(heldFile(ground, { path: "d/a" })).toBeNull();
    rmSync(outside, { recursive: true });
  });

  it("is gone when it is gone", () => {
    later();
    shown();
    rmSync(join(root, "d/a"));
    expect(heldFile(ground, { path: "d/a" })).toBeNull();
  });
});
