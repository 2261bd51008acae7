import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cannotCrash, crash, meddle, type Fault, type Recorded, record } from "./crash.ts";

/** The long run does every call; here those that decide. */
const KILLED: readonly (readonly [Fault["thread"], string, number])[] = [
  ["main", "mkdir", 1],
  ["main", "link", 1],
  ["pool", "fdatasync", 1],
  ["pool", "fsync", 4],
  ["main", "rename", 1],
  ["pool", "fsync", 6],
  ["main", "rename", 2],
  ["main", "pwrite64", 1],
  ["main", "link", 2],
  ["main", "unlink", 1],
  ["main", "unlink", 2],
  ["main", "unlink", 4],
];

const why = cannotCrash();

describe.skipIf(why !== null)(`a commit of three files${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test("is all old or all new after it was killed", async () => {
    const recorded: Recorded = await record();
    const seen = new Set<string>();
    for (const [thread, call, nth] of KILLED) {
      const { files, left, said } = await crash({ thread, call, nth, inject: "signal=KILL" }, recorded);
      seen.add(files);
      expect({ call, nth, left, said }).toEqual({ call, nth, left: [], said: null });
    }
    expect([...seen].toSorted()).toEqual(["all new", "all old"]);
  });

  test("is all old when a call fails, and says so", async () => {
    const recorded = await record();
    for (const [thread, call, nth] of [
      ["pool", "pwrite64", 2],
      ["main", "rename", 2],
      ["main", "link", 2],
    ] as const) {
      const { files, left, said } = await crash({ thread, call, nth, inject: "error=ENOSPC" }, recorded);
      expect({ call, files, left, code: said?.split(" ")[0] }).toEqual({
        call,
        files: "all old",
        left: [],
        code: "WRITE_FAILED",
      });
    }
  });

  test("finds what was appended between the last look and the rename, and lets it stand", async () => {
    const { said, files, left } = await meddle("rename", 2, (folder) => {
      appendFileSync(join(folder, "a.txt"), "theirs\n");
    });
    expect(said).toMatch(/^FILE_CHANGED /);
    expect(files).toEqual(["A old\ntheirs\n", "B old\n", "B old\n", null]);
    expect(left).toEqual([]);
  });

  test("tells of a file that was replaced between the last look and the rename", async () => {
    const { said, files, left } = await meddle("rename", 2, (folder) => replace(join(folder, "a.txt")));
    expect(said).toBe("done, overwrote");
    expect(files).toEqual(["A new\n", "B is new, and longer\n", "B is new, and longer\n", "C new\n"]);
    expect(left).toEqual([]);
  });

  test("keeps what was appended to a file that is written in place", async () => {
    const { said, files, left } = await meddle("pwrite64", 1, (folder) => {
      appendFileSync(join(folder, "b2.txt"), "theirs\n");
    });
    expect(said).toMatch(/^FILE_CHANGED /);
    expect(files).toEqual(["A old\n", "B old\ntheirs\n", "B old\ntheirs\n", null]);
    expect(left).toEqual([]);
  });

  test("finds that a file was replaced while it was written in place", async () => {
    const { said, files, left } = await meddle("pwrite64", 1, (folder) => replace(join(folder, "b.txt")));
    expect(said).toMatch(/^FILE_CHANGED /);
    expect(files).toEqual(["A old\n", "theirs\n", "B old\n", null]);
    expect(left).toEqual([]);
  });
});

function replace(path: string): void {
  writeFileSync(`${path}.theirs`, "theirs\n");
  renameSync(`${path}.theirs`, path);
}
