import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { find, type FindRequest } from "../../src/quarry.ts";
import { children, eventually } from "../support/processes.ts";
import { FOLDER, link, rawPath, touch, tree } from "../support/tree.ts";

/** Paths in order, folders with a slash at their end. */
async function paths(root: string, request: Partial<FindRequest> = {}): Promise<string[]> {
  const { hits } = await find({ root, order: "path", ...request }).collect();
  return hits.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
}

describe("find", () => {
  it("gives files and folders, empty ones too, or one kind of them", async () => {
    const root = tree({ "a/b/c": "", "a/d": FOLDER, "e f": FOLDER, g: "" });
    expect(await paths(root)).toEqual(["a/", "a/b/", "a/b/c", "a/d/", "e f/", "g"]);
    expect(await paths(root, { kinds: "files" })).toEqual(["a/b/c", "g"]);
    expect(await paths(root, { kinds: "folders" })).toEqual(["a/", "a/b/", "a/d/", "e f/"]);
  });

  it("holds folders to the same rules as files", async () => {
    const root = tree({
      ".git": FOLDER,
      ".gitignore": "build/\n*.log/\nodd?name\n",
      "build/x": "",
      "d/build": FOLDER,
      "x.log": FOLDER,
      "d/keep": FOLDER,
      ".hidden/x": "",
      ".svn": FOLDER,
      "odd\nname/x": "",
      "日本/build/y": "",
    });
    const folders = { kinds: "folders" } as const;
    expect(await paths(root, folders)).toEqual([".hidden/", "d/", "d/keep/", "日本/"]);
    expect(await paths(root, { ...folders, hidden: false })).toEqual(["d/", "d/keep/", "日本/"]);
    expect(await paths(root, { ...folders, exclude: "keep" })).toEqual([".hidden/", "d/", "日本/"]);
    expect(await paths(root, { ...folders, skipFolders: "d" })).toEqual([".hidden/", "日本/"]);
    expect(await paths(root, { ...folders, ignore: "off", hidden: false })).toEqual([
      "build/",
      "d/",
      "d/build/",
      "d/keep/",
      "odd\nname/",
      "x.log/",
      "日本/",
      "日本/build/",
    ]);
    expect(await paths(root, { ...folders, paths: "build" })).toEqual([]);
  });

  it("takes globs, as paths and as what to include", async () => {
    const root = tree({ "src/a.ts": "", "src/d/b.ts": "", "c.ts": "", "lib.ts/x": "" });
    expect(await paths(root, { paths: "*.ts" })).toEqual(["c.ts", "lib.ts/", "src/a.ts", "src/d/b.ts"]);
    expect(await paths(root, { paths: "src/*.ts" })).toEqual(["src/a.ts"]);
    expect(await paths(root, { paths: "src/*" })).toEqual(["src/a.ts", "src/d/"]);
    expect(await paths(root, { include: "*.ts", kinds: "files" })).toEqual([
      "c.ts",
      "src/a.ts",
      "src/d/b.ts",
    ]);
    expect(await paths(root, { include: "d/", kinds: "folders" })).toEqual(["src/d/"]);
    expect(await paths(root, { types: "ts" })).toEqual(["c.ts", "src/a.ts", "src/d/b.ts"]);
  });

  it("gives a file that a path names", async () => {
    const root = tree({ a: "", ".ignore": "a\n", "-": "", "[x]": "" });
    expect(await paths(root, { paths: ["a", "-", "[x]"] })).toEqual(["-", "[x]", "a"]);
    await expect(paths(root, { paths: "nope" })).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  });

  it("gives the newest first, with the path to break ties, and its time", async () => {
    const root = tree({ a: "", b: "", c: "", d: FOLDER });
    for (const [name, seconds] of [
      ["a", 100],
      ["b", 300],
      ["c", 100],
      ["d", 200],
    ] as const)
      touch(root, name, seconds);
    const { hits } = await find({ root }).collect();
    expect(hits).toEqual([
      { path: "b", kind: "file", mtimeMs: 300_000 },
      { path: "d", kind: "folder", mtimeMs: 200_000 },
      { path: "a", kind: "file", mtimeMs: 100_000 },
      { path: "c", kind: "file", mtimeMs: 100_000 },
    ]);
    expect((await find({ root, order: "none" }).collect()).hits).toHaveLength(4);
  });

  it("gives a part, says whether there is more and how much there is", async () => {
    const root = tree({ a: "", b: "", c: "", d: "" });
    const part = await find({ root, order: "path", skip: 1, limit: 2 }).collect();
    expect(part.hits.map(({ path }) => path)).toEqual(["b", "c"]);
    expect(part.summary).toMatchObject({
      entries: 2,
      totalEntries: 4,
      more: true,
      partial: false,
      engine: "ripgrep",
    });
    const rest = await find({ root, order: "path", skip: 2, limit: 2 }).collect();
    expect(rest.summary).toMatchObject({ entries: 2, more: false });
  });

  it("gives names that are not UTF-8, with their bytes", async () => {
    const root = tree();
    for (const byte of [0xfe, 0xff]) writeFileSync(rawPath(root, [0x61, byte]), "");
    const { hits } = await find({ root, order: "path" }).collect();
    expect(hits.map(({ path, pathBytes }) => [path, pathBytes])).toEqual([
      ["a�", Buffer.from([0x61, 0xfe]).toString("base64")],
      ["a�", Buffer.from([0x61, 0xff]).toString("base64")],
    ]);
    expect(hits.every(({ mtimeMs }) => mtimeMs > 0)).toBe(true);
  });

  it("follows links on request, and cuts and names loops, inside the root and outside", async () => {
    const outside = tree({ "real/a/x": "", link: link("real"), "real/loop": link(".") });
    const root = tree({ "d/e/f": "", "d/e/up": link("../.."), "d/to": link("e") });
    expect(await paths(root)).toEqual(["d/", "d/e/", "d/e/f"]);
    expect(await paths(root, { follow: true })).toEqual(["d/", "d/e/", "d/e/f", "d/to/", "d/to/f"]);
    const { hits, summary } = await find({
      root,
      follow: true,
      paths: join(outside, "link"),
      order: "path",
    }).collect();
    expect(hits.map(({ path }) => path)).toEqual([join(outside, "link/a"), join(outside, "link/a/x")]);
    expect(summary.notices.map(({ code }) => code)).toEqual(["LOOP_CUT"]);
  });

  it("leaves out files over a size, also when a path names one", async () => {
    const root = tree({ small: "x", large: "x".repeat(100) });
    expect(await paths(root, { maxFileSize: 10 })).toEqual(["small"]);
    expect(await paths(root, { maxFileSize: 10, paths: ["large", "small"] })).toEqual(["small"]);
    expect((await find({ root, maxFileSize: 10 }).collect()).summary.skipped).toMatchObject({ tooLarge: 1 });
  });

  it("whose time is up gives what it found by then, and leaves no process", async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`d${at % 50}/f${at}`, ""])));
    const { hits, summary } = await find({ root, timeoutMs: 1 }).collect();
    expect(summary.entries).toBe(hits.length);
    expect(summary).toMatchObject({ partial: true, totalEntries: null, notices: [{ code: "TIMED_OUT" }] });
    expect(await eventually(() => children().length === 0, 1000)).toBe(true);
  });

  it("that is left early, or aborted while it is read, leaves no process", async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`f${at}`, ""])));
    for await (const entry of find({ root, order: "none" })) {
      expect(entry.kind).toBe("file");
      break;
    }
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      for await (const entry of find({ root, signal: abort.signal })) {
        expect(entry.kind).toBe("file");
        abort.abort();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: "ABORTED" });
    expect(await eventually(() => children().length === 0, 1000)).toBe(true);
  });
});
