import { describe, expect, test } from "vitest";
import { cannotCrash, crash, type Fault, type Recorded, record } from "./crash.ts";

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
});
