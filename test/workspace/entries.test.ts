import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { cleanEntry, readEntries } from "../../src/workspace/entries.ts";
import { readInput } from "../../src/workspace/selectors.ts";
import { type Files, tree } from "../support/tree.ts";

/** Entries read over a real tree, with selectors understood, as the tools do. */
async function entries(files: Files, paths: string | readonly string[]): Promise<string[]> {
  const root = tree(files);
  const onDisk = async (path: string): Promise<boolean> =>
    existsSync(isAbsolute(path) ? path : join(root, path)) || path === "docs://README.md";
  const exists = async (entry: string): Promise<boolean> => {
    try {
      return await onDisk((await readInput(entry, onDisk)).path);
    } catch (cause) {
      if (cause instanceof ToolError) return false;
      throw cause;
    }
  };
  return readEntries(paths, { home: "/home/me", exists });
}

const FILES: Files = { "a.ts": "", "b.ts": "", "src/c.ts": "", "test/d.ts": "" };

describe("Entries", () => {
  it.each<[string | string[], string[]]>([
    ["a.ts", ["a.ts"]],
    [
      ["a.ts", "src"],
      ["a.ts", "src"],
    ],
    ["a.ts,b.ts", ["a.ts", "b.ts"]],
    ["a.ts, b.ts", ["a.ts", "b.ts"]],
    ["a.ts;b.ts;", ["a.ts", "b.ts"]],
    ["a.ts,missing.ts", ["a.ts", "missing.ts"]],
    ["missing,gone", ["missing,gone"]],
    ["a.ts b.ts", ["a.ts", "b.ts"]],
    ["a.ts\n b.ts\tsrc", ["a.ts", "b.ts", "src"]],
    ["a.ts missing.ts", ["a.ts missing.ts"]],
    ["a.ts, b.ts src", ["a.ts", "b.ts", "src"]],
    ["src/*.ts,test/*.ts", ["src/*.ts", "test/*.ts"]],
    ["src/*.ts test/*.ts", ["src/*.ts", "test/*.ts"]],
    ["*.ts,*.tsx", ["*.ts", "*.tsx"]],
    ["src/*.{ts,tsx}", ["src/*.{ts,tsx}"]],
    ["src/*.{ts,tsx},a.ts", ["src/*.{ts,tsx}", "a.ts"]],
    ["[a,b].ts", ["[a,b].ts"]],
    ["a.ts:5-16,960-973", ["a.ts:5-16,960-973"]],
    ["a.ts:5-16,960-973,b.ts", ["a.ts:5-16,960-973", "b.ts"]],
    ["a.ts:5-16,960-973:raw;b.ts:-3", ["a.ts:5-16,960-973:raw", "b.ts:-3"]],
    ["docs://README.md,a.ts", ["docs://README.md", "a.ts"]],
    ['"a.ts"', ["a.ts"]],
    ["'a.ts'", ["a.ts"]],
    ["`a.ts`", ["a.ts"]],
    ['  "a.ts"  ', ["a.ts"]],
    ['"a.ts","b.ts"', ["a.ts", "b.ts"]],
    ['"a.ts" "b.ts"', ["a.ts", "b.ts"]],
    ['"a.ts,b.ts"', ["a.ts", "b.ts"]],
  ])("are read: %j", async (given, expected) => {
    expect(await entries(FILES, given)).toEqual(expected);
  });

  it.each(["a.ts,b.ts", "a.ts b.ts", "a;b", '"a.ts"', "it's", " blank ", "a.ts:1", "a,b,c.ts:5"])(
    "that exist as a whole are never taken apart: %j",
    async (name) => {
      expect(await entries({ ...FILES, [name]: "" }, name)).toEqual([name]);
    },
  );

  it("keep a comma inside quotes", async () => {
    expect(await entries({ "x,y.ts": "", "b.ts": "" }, '"x,y.ts", "b.ts"')).toEqual(["x,y.ts", "b.ts"]);
    expect(await entries({ "it's.ts": "", "b.ts": "" }, "it's.ts,b.ts")).toEqual(["it's.ts", "b.ts"]);
  });

  it("expand ~ and file://, also in parts", async () => {
    expect(await entries(FILES, ["~", "~/x", "~me", "./~"])).toEqual([
      "/home/me",
      "/home/me/x",
      "~me",
      "./~",
    ]);
    expect(await entries(FILES, "a.ts,~/x")).toEqual(["a.ts", "/home/me/x"]);
    const clean = (text: string, platform: NodeJS.Platform = "linux"): string =>
      cleanEntry(text, { home: "/h", platform });
    expect(clean("file:///a/b%20c.ts:5-6")).toBe("/a/b c.ts:5-6");
    expect(clean("FILE://localhost/a/*.ts?")).toBe("/a/*.ts?");
    expect(clean('"file:///a"')).toBe("/a");
    expect(clean("file:///C:/x/y", "win32")).toBe("C:/x/y");
    expect(clean("~\\x", "win32")).toBe("/h\\x");
    // What this leads to is the policy's to judge.
    expect(clean("file:///a/%2e%2e/%2e%2e/etc/passwd")).toBe("/a/../../etc/passwd");
    expect(clean("file:////server/share", "win32")).toBe("//server/share");
  });

  it.each(["file://host/x", "file://x", "file:///%zz", "file://"])(
    "refuse a URL of no file here: %s",
    async (url) => {
      await expect(entries(FILES, url)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    },
  );

  it.each<{ paths: string | string[] }>([
    { paths: "" },
    { paths: "  " },
    { paths: '""' },
    { paths: "' '" },
    { paths: [] },
    { paths: ["a.ts", ""] },
  ])("that are empty are an error: %j", async ({ paths }) => {
    await expect(entries(FILES, paths)).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("of a hostile length are read to an end", async () => {
    let read = 0;
    for (const text of [
      "'',".repeat(200_000),
      "a,".repeat(300_000),
      '"'.repeat(300_001),
      "{".repeat(300_000),
    ]) {
      await entries({}, text).catch(() => {});
      read++;
    }
    expect(read).toBe(4);
  });
});
