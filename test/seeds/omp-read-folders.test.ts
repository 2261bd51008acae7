/**
 * seeds/omp-read.md, "Directory listings" and the resolution of missing paths, and issue 4: a folder as a tree, `/` as
 * the root, and where a path that is not there may be meant. The tree itself is tested in test/tools/folder-tree.test.ts.
 *
 * Without a test: remote mounts that are not searched (there are none).
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { databaseBytes } from "../sources/sqlite/build.ts";
import { FOLDER, type Files, touch } from "../support/tree.ts";
import { tag } from "./agent.ts";
import { reader } from "./reader.ts";

const DAY = 86_400;

function children(folder: string, count: number): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${folder}/f${String(at).padStart(4, "0")}.txt`, "x\n"]),
  );
}

describe("A folder", () => {
  it("is a tree of two levels, newest first, with sizes and ages", async () => {
    const { read, root, details } = await reader({
      "old.md": "12345",
      "src/a.ts": "x".repeat(2048),
      "src/deep/hidden.ts": "",
    });
    const now = Date.now() / 1000;
    for (const [path, age] of [
      ["old.md", 3 * DAY],
      ["src/a.ts", 2 * 3600 + 60],
      ["src/deep/hidden.ts", 20 * DAY],
      ["src/deep", 5 * DAY],
      ["src", 3 * 3600 + 60],
    ] as const) {
      touch(root, path, now - age);
    }
    expect(await read(".")).toBe("# ./\nsrc/  3h\n  a.ts  2.0K 2h\n  deep/  5d\nold.md  5B 3d");
    expect(await read("src")).toBe("# src/\na.ts  2.0K 2h\ndeep/  5d\n  hidden.ts  0B 20d");
    expect(await details("src")).toMatchObject({ kind: "folder", isDirectory: true, path: "src", tag: null });
  });

  it("the root is whole, below it 12 children of each folder, and the call for the rest is named", async () => {
    const { read } = await reader({ ...children("top", 40), ...children("top/sub", 15) });
    const rows = (await read("top")).split("\n");
    expect(rows.filter((row) => /^f\d+/.test(row))).toHaveLength(40);
    expect(rows.filter((row) => /^ {2}f\d+/.test(row))).toHaveLength(12);
    expect(rows.at(-1)).not.toContain("[");
    const [, call = ""] = /… 3 more: read (.*)$/m.exec(rows.join("\n")) ?? [];
    expect((await read(call)).split("\n")).toHaveLength(1 + 15);
  });

  it("that is empty says so", async () => {
    const { read } = await reader({ empty: FOLDER });
    expect(await read("empty")).toBe("# empty/\n(empty directory)");
    expect(await read(".")).toMatch(/^# \.\/\nempty\/ {2}\S+ \(empty directory\)$/);
  });

  it("a range of lines is one of its rows; longer ones go on by the line that is named", async () => {
    const { read } = await reader(children("big", 3100));
    expect((await read("big:2-3")).split("\n")).toHaveLength(3);
    const seen: string[] = [];
    for (let next: string | null = "big"; next !== null; ) {
      const text = await read(next);
      seen.push(...text.split("\n").filter((row) => /^f\d+/.test(row)));
      next = /Use (.*) for the next\]$/.exec(text)?.[1] ?? null;
    }
    const names = seen.map((row) => row.slice(0, 5)).sort();
    expect(names).toEqual(Array.from({ length: 3100 }, (_, at) => `f${String(at).padStart(4, "0")}`));
  });

  it("a selector that it has no lines for is refused", async () => {
    const { unread, read } = await reader(children("src", 3));
    for (const selector of ["raw", "conflicts", "1-2,5-6", "-2"]) {
      expect((await unread(`src:${selector}`)).text).toBe(
        "[SELECTOR_INVALID] src is a folder, of which only one range is shown. Use src:50- to go on in a long one.",
      );
    }
    expect(await read("src:9-")).toBe("# src/\n\n[src/ has 3 lines here, and 9 is past them]");
  });

  it("every name that it prints can be read back", async () => {
    const names = [
      "a b.txt",
      '"q".txt',
      " lead.txt",
      "new\nline.txt",
      "# head.txt",
      "[n]",
      "x  y.txt",
      "a -> b",
    ];
    const { read } = await reader(
      Object.fromEntries(names.map((name) => [name, `${name.length} ${name.split("\n")[0]}\n`])),
    );
    const printed = (await read(".")).split("\n").slice(1);
    expect(printed).toHaveLength(names.length);
    const texts = await Promise.all(printed.map((row) => read(row.replace(/ {2}\d+B \S+$/, ""))));
    expect(texts.map((text) => text.slice(text.indexOf("\n") + 3)).sort()).toEqual(
      names.map((name) => `${name.length} ${name.split("\n")[0]}`).sort(),
    );
  });

  it("/ is the root, ./ and its own path too", async () => {
    const { read, root } = await reader({ "a.txt": "" });
    const text = await read(".");
    for (const path of ["/", "./", root, `${root}/`]) expect(await read(path)).toBe(text);
    expect(await read("/:1-1")).toBe(text);
  });

  it.skipIf(process.getuid?.() === 0)("that may not be entered is an error that says so", async () => {
    const { unread, read, root } = await reader({ "closed/a.txt": "" });
    chmodSync(join(root, "closed"), 0);
    expect(await unread("closed")).toMatchObject({ code: "PATH_UNREADABLE" });
    expect(await read(".")).toMatch(/closed\/ .*\(unreadable\)/);
    chmodSync(join(root, "closed"), 0o755);
  });

  it("what the policy denies is not in it, and what a link leads to outside is not said", async () => {
    const { read, unread, root } = await reader({ "a.txt": "", ".env": "secret" }, { deny: [".env"] });
    symlinkSync("/etc", join(root, "etc"));
    const text = await read(".");
    expect(text).not.toContain(".env");
    expect(text).toContain("etc -> (outside)");
    expect(await unread("etc/passwd")).toMatchObject({ code: "PATH_OUTSIDE" });
    expect(await unread(".env")).toMatchObject({ code: "PATH_DENIED" });
    expect(await unread("../")).toMatchObject({ code: "PATH_OUTSIDE" });
  });
});

describe("A path that is not there", () => {
  it("is taken for the one path that ends with it, and the answer says so", async () => {
    const { read, details } = await reader({ "packages/app/src/config.ts": "one\ntwo\n", "other.ts": "" });
    expect(await read("src/config.ts:2-2")).toBe(
      `[src/config.ts was not found; this is packages/app/src/config.ts, the one path that fits]\n¶packages/app/src/config.ts#${tag("one\ntwo\n")}\n1:one\n2:two`,
    );
    expect(await details("config.ts")).toMatchObject({
      path: "packages/app/src/config.ts",
      suffixResolution: { from: "config.ts", to: "packages/app/src/config.ts" },
    });
    expect(await read("config.ts:raw:1-1")).toMatch(/\]\none$/);
  });

  it("edit takes the heading that such an answer prints", async () => {
    const { details, edit, file } = await reader({ "deep/below/a.txt": "one\n" });
    const { path, tag: mark } = await details("a.txt");
    await edit(`¶${path}#${mark}`, "replace 1..1:", "+ONE");
    expect(file("deep/below/a.txt")).toBe("ONE\n");
  });

  it("a folder is found so, too", async () => {
    const { read } = await reader({ "packages/app/src/a.ts": "" });
    expect(await read("app/src")).toMatch(
      /^\[app\/src was not found; this is packages\/app\/src\/?, the one path that fits\]\n# packages\/app\/src\/\na\.ts/,
    );
  });

  it("an archive and a database are found so, with what stands behind their colons", async () => {
    const { read } = await reader({
      "dist/out/lib.zip": zip([{ name: "src/a.txt", data: "one\ntwo\n" }]),
      "data/app.db": await databaseBytes("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (7)"),
    });
    expect(await read("lib.zip:src/a.txt:2-2")).toBe(
      "[lib.zip was not found; this is dist/out/lib.zip, the one path that fits]\n¶dist/out/lib.zip:src/a.txt\n1|one\n2|two",
    );
    expect(await read("app.db:t:7")).toBe(
      "[app.db was not found; this is data/app.db, the one path that fits]\nid | 7",
    );
    expect(await read("app.db?q=SELECT id FROM t")).toMatch(/fits\]\nid\n--\n7$/);
  });

  it("of several that end so none is taken: they are offered, three at most", async () => {
    const { unread } = await reader(
      Object.fromEntries(["a", "b", "c", "d"].map((folder) => [`${folder}/config.ts`, ""])),
    );
    const { code, text } = await unread("config.ts");
    expect(code).toBe("PATH_NOT_FOUND");
    expect(text).toMatch(/^\[PATH_NOT_FOUND\] Path not found: config\.ts\. Did you mean (\S+, ){2}\S+\?$/);
  });

  it("otherwise the nearest names are offered, and each can be read", async () => {
    const { unread, read } = await reader({ "src/config.ts": "x\n", "src/convert.ts": "y\n", "z.md": "" });
    const { hint } = await unread("src/confg.ts:5");
    const [first = ""] = /^Did you mean (.*)\?$/.exec(hint ?? "")?.[1]?.split(", ") ?? [];
    expect(first).toBe("src/config.ts");
    expect(await read(first)).toContain("1:x");
  });

  it("and where nothing comes near, find is named", async () => {
    const { unread } = await reader({ "a.md": "" });
    expect((await unread("zzzzzz/qqqqqqqqq.java")).text).toBe(
      "[PATH_NOT_FOUND] Path not found: zzzzzz/qqqqqqqqq.java. find looks for names.",
    );
  });

  it("a name spelled with other letters for the same is found: composed or not, apostrophes, blanks", async () => {
    const { read, root } = await reader({});
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d/cafe\u0301.txt"), "nfd\n");
    writeFileSync(join(root, "d/Screenshot 2026-01-02 at 9.41\u202fAM.txt"), "shot\n");
    writeFileSync(join(root, "d/it\u2019s.txt"), "curly\n");
    expect(await read("d/caf\u00e9.txt")).toContain("1:nfd");
    expect(await read("d/Screenshot 2026-01-02 at 9.41 AM.txt")).toContain("1:shot");
    expect(await read("d/it's.txt")).toContain("1:curly");
  });

  it("what the policy withholds is neither taken nor offered", async () => {
    const { unread } = await reader({ "secret/config.ts": "x", "a.md": "" }, { deny: ["secret"] });
    expect((await unread("config.ts")).text).toBe(
      "[PATH_NOT_FOUND] Path not found: config.ts. find looks for names.",
    );
  });
});
