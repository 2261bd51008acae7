import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { collect } from "../cli/helpers.ts";
import { zip } from "../sources/build.ts";
import { databaseBytes } from "../sources/sqlite/build.ts";
import { link, tree } from "../support/tree.ts";
import { cacheEnv } from "./workspaces.ts";

/** Nothing outlives a call of read, edit or write: no descriptor, process, worker, temporary file, timer. */

const CHILD = fileURLToPath(new URL("leaks-child.mjs", import.meta.url));

interface Leaks {
  readonly before: { readonly descriptors: number; readonly threads: number };
  readonly after: { readonly children: number; readonly descriptors: number; readonly threads: number };
  readonly outcomes: { readonly answers: number; readonly errors: number; readonly aborted: number };
  /** Kinds of calls after which something was open. */
  readonly open: readonly number[];
}

function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

async function planted(): Promise<string> {
  const several = Array.from({ length: 10 }, (_, at) => [`d/f${at}.txt`, "one\ntwo\nthree\n"]);
  return tree({
    ...Object.fromEntries(several),
    "a.ts": "function f() {\n  return 1;\n}\n".repeat(60),
    "a.zip": zip([{ name: "m", data: "needle\n" }]),
    "bad.zip": "no archive",
    "a.db": await databaseBytes("CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1, 'x')"),
    "bad.db": "SQLite format 3\0 and no more",
    "a.ipynb": "{",
    "c.txt": "<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n",
    "l.txt": link("d/f0.txt"),
    large: Buffer.alloc(33 * 1024 * 1024, `${"x".repeat(1_000)}\n`),
  });
}

describe("After many calls of read, edit and write, aborted ones and errors among them", () => {
  it.each([
    ["close", 300, 20],
    ["leave", 60, 2],
  ])("nothing is left, and the process ends by itself: %s", async (ending, turns, least) => {
    const root = await planted();
    const before = listing(root);
    const temporary = tree();
    const cache = cacheEnv();
    const env = { ...cache, TMPDIR: temporary };
    const child = spawn(process.execPath, [CHILD, root, ending, `${turns}`], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { code, stdout, stderr } = await collect(child);
    expect([code, stderr]).toEqual([0, ""]);
    const said = JSON.parse(stdout) as Leaks;
    for (const number of Object.values(said.outcomes)) expect(number).toBeGreaterThan(least);
    expect(said.open).toEqual([]);
    expect(said.after.children).toBe(0);
    expect(said.after.descriptors).toBeLessThanOrEqual(said.before.descriptors);
    expect(said.after.threads).toBeLessThanOrEqual(said.before.threads);
    expect(listing(root)).toEqual(before);
    expect(listing(temporary)).toEqual([]);
    // Folders may stay. A workspace that nobody closed leaves its own, which is swept later; never a lock or a journal.
    const left = filesBelow(cache["QUARRY_CACHE_DIR"] ?? "");
    expect(left.filter((name) => ending === "close" || /lock|journal|commit/.test(name))).toEqual([]);
  });
});
