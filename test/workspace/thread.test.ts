import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Ask } from "../../src/index/ask.ts";
import { collect } from "../cli/helpers.ts";
import { WHOLE_TREE } from "../index/indexed.ts";
import { PATTERN } from "../support/query.ts";
import { tree } from "../support/tree.ts";

const CHILD = fileURLToPath(new URL("thread-child.mjs", import.meta.url));

const ASK: Ask = {
  pattern: { ...PATTERN, text: "one.*two" },
  order: "path",
  scope: WHOLE_TREE,
  wanted: 1,
};

/** As many files as make an index start one more thread. */
function manyFiles(): string {
  return tree(Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`f${at}.c`, "one and two\n"])));
}

describe("A thread that is ended, at whatever moment,", () => {
  it.each([
    ["builder", () => "."],
    ["nowhere", () => "."],
    ["index", manyFiles],
  ])("has ended, and leaves no descriptor open: %s", async (what, root) => {
    const argv = [CHILD, what, root(), tree(), JSON.stringify(ASK)];
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
    const { code, stdout, stderr } = await collect(child);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({ left: [], held: Array.from({ length: 30 }, () => true) });
  });
});
