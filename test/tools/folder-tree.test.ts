import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type TreeText, treeText } from "../../src/format/tree-text.ts";
import type { LineRange } from "../../src/model/selector.ts";
import { readFolderTree } from "../../src/tools/folder-tree.ts";
import { openSession, type Session, type SessionOptions } from "../../src/workspace/session.ts";
import { cacheEnv } from "../dialects/workspaces.ts";
import { descriptors } from "../support/processes.ts";
import { FOLDER, link, rawPath, touch, tree } from "../support/tree.ts";
import { codeOf, globs } from "../workspace/ground.ts";

const NOW = 1_800_000_000_000;
const PAGE = { lines: 3000, bytes: 50 * 1024 };

async function session(root: string, options: Partial<SessionOptions> = {}): Promise<Session> {
  const opened = await openSession({ root, globs, env: cacheEnv(), ...options });
  onTestFinished(() => opened.close());
  return opened;
}

interface Asked {
  readonly path?: string;
  readonly options?: Partial<SessionOptions>;
  readonly budget?: typeof PAGE;
  readonly lines?: LineRange;
}

async function shown(root: string, asked: Asked = {}): Promise<TreeText> {
  const ground = await session(root, asked.options);
  const read = await readFolderTree(ground, asked.path ?? ".", ground.policy, undefined);
  return treeText(read, NOW, asked.budget ?? PAGE, asked.lines);
}

async function rows(root: string, asked: Asked = {}): Promise<string[]> {
  return (await shown(root, asked)).text.split("\n");
}

function aged(root: string, ages: Readonly<Record<string, number>>): void {
  for (const [path, seconds] of Object.entries(ages)) touch(root, path, NOW / 1000 - seconds);
}

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`big/f${String(at).padStart(2, "0")}`, ""]));

describe("A folder as a tree", () => {
  it("shows two levels, newest first, with sizes and ages", async () => {
    const root = tree({
      "src/a.ts": "x".repeat(1500),
      "src/deep/below.ts": "",
      "old.md": "12",
      "b.md": "",
      "a.md": "",
    });
    aged(root, {
      "src/deep": 7200,
      "src/a.ts": 180,
      src: 3 * 86400,
      "old.md": 800 * 86400,
      "b.md": 5,
      "a.md": 5,
    });
    expect(await rows(root)).toEqual([
      "# ./",
      "a.md  0B 5s",
      "b.md  0B 5s",
      "src/  3d",
      "  a.ts  1.5K 3m",
      "  deep/  2h",
      "old.md  2B 2y",
    ]);
    const [heading, first] = await rows(root, { path: "src/" });
    expect([heading, first]).toEqual(["# src/", "a.ts  1.5K 3m"]);
    expect(await rows(root, { path: "src" })).toContainEqual(expect.stringMatching(/^ {2}below\.ts {2}0B /));
  });

  it("shows the newest twelve of a folder below, and the call that shows the rest", async () => {
    const root = tree({ ...many(49), "sub/big/x": "" });
    aged(root, { "big/f40": 1 });
    touch(root, "big/f41", NOW / 1000 + 60);
    for (let at = 0; at < 40; at++) touch(root, `big/f${String(at).padStart(2, "0")}`, NOW / 1000 - 100 - at);
    for (let at = 42; at < 49; at++) touch(root, `big/f${at}`, NOW / 1000 - 1000);
    const listed = await rows(root);
    const at = listed.findIndex((row) => row.startsWith("big/"));
    expect(listed.slice(at + 1, at + 14)).toEqual([
      "  f41  0B 0s",
      "  f40  0B 1s",
      ...Array.from({ length: 10 }, (_, n) => `  f0${n}  0B 1m`),
      "  … 37 more: read big/",
    ]);
    expect((await rows(root, { path: "big" })).length).toBe(50);
  });

  it("shows links with where they lead, if that may be seen, and enters none", async () => {
    const outside = tree({ "secret/x": "" });
    const root = tree({
      "real/inside.ts": "",
      file: link("real/inside.ts"),
      folder: link("real"),
      gone: link("nowhere"),
      out: link(join(outside, "secret")),
      denied: link(".env"),
      loop: link("loop"),
      ".env": "",
    });
    const listed = await rows(root, { options: { deny: [".env"] } });
    expect(listed).toEqual(
      expect.arrayContaining([
        "file -> real/inside.ts",
        "folder -> real/",
        "gone -> nowhere (missing)",
        "out -> (outside)",
        "denied -> (outside)",
        "loop -> (outside)",
      ]),
    );
    expect(listed.join("\n")).not.toMatch(/secret|\.env/);
    expect(listed).toHaveLength(9);
  });

  it("leaves out what the policy denies, and does not call such a folder empty", async () => {
    const root = tree({ "keys/a.pem": "", "keys/b.pem": "", "src/a.ts": "", "private/x": "" });
    const listed = await rows(root, { options: { deny: ["*.pem", "/private"] } });
    expect(listed.map((row) => row.replace(/(?<=\/) {2}\w+/, ""))).toEqual(
      expect.arrayContaining(["src/", "keys/ (nothing to show: 2 denied)"]),
    );
    expect(listed.join()).not.toMatch(/pem|private/);
  });

  it("denies by the name of a link that leads to the folder", async () => {
    const root = tree({ "real/a.ts": "", "real/b.ts": "", alias: link("real") });
    expect((await rows(root, { path: "alias", options: { deny: ["alias/a.ts"] } })).join()).not.toContain(
      "a.ts",
    );
    expect((await rows(root, { path: "alias", options: { deny: ["real/a.ts"] } })).join()).not.toContain(
      "a.ts",
    );
    expect((await rows(root, { path: "alias" })).join()).toContain("a.ts");
  });

  it("lists version control, and does not enter it; ignored and hidden files are there", async () => {
    const root = tree({ ".git/HEAD": "", ".gitignore": "dist\n", "dist/out.js": "", ".hg": FOLDER });
    const names = (await rows(root)).map((row) => row.replace(/(?<=\S) {2}\S.*$/, ""));
    expect(names.toSorted()).toEqual(["# ./", ".git/", ".gitignore", ".hg/", "dist/", "  out.js"].toSorted());
    expect((await rows(root, { path: ".git" }))[1]).toMatch(/^HEAD {2}/);
  });

  it("names empty folders, unreadable ones, pipes", async () => {
    const root = tree({ empty: FOLDER, closed: FOLDER });
    execFileSync("mkfifo", [join(root, "pipe")]);
    aged(root, { empty: 60, closed: 60, pipe: 60 });
    chmodSync(join(root, "closed"), 0);
    onTestFinished(() => chmodSync(join(root, "closed"), 0o700));
    const closed = process.getuid?.() === 0 ? "closed/  1m (empty directory)" : "closed/  1m (unreadable)";
    expect(await rows(root)).toEqual(["# ./", closed, "empty/  1m (empty directory)", "pipe  1m (pipe)"]);
    expect(await rows(root, { path: "empty" })).toEqual(["# empty/", "(empty directory)"]);
  });

  it("prints no name that could be taken for something else", async () => {
    const root = tree({
      "a\nb": "",
      "# x": "",
      "x  9K 1s": "",
      "to -> there": "",
      "… 3 more": "",
      " pad": "",
    });
    writeFileSync(rawPath(root, [0x66, 0xff]), "");
    const names = (await rows(root)).slice(1).map((row) => row.replace(/ {2}0B \S+$/, ""));
    expect(names.toSorted()).toEqual(
      ['" pad"', '"# x"', '"a\\nb"', '"f\\xff"', '"to -> there"', '"x  9K 1s"', '"… 3 more"'].toSorted(),
    );
  });

  it("a folder whose name is not UTF-8 is entered, and the rest of it has no call", async () => {
    const root = tree();
    const folder = rawPath(root, [0x64, 0xff]);
    mkdirSync(folder);
    for (let at = 0; at < 13; at++) writeFileSync(Buffer.concat([folder, Buffer.from(`/f${at}`)]), "");
    const listed = await rows(root);
    expect(listed).toHaveLength(15);
    expect(listed.at(-1)).toBe("  … 1 more");
  });

  it("folders of very many entries are listed by name", async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`many/f${at}`, "x"])));
    const listed = await rows(root);
    expect(listed.slice(2, 4)).toEqual(["  f0", "  f1"]);
    expect(listed.at(-1)).toBe("  … 989 more, by name: read many/");
    expect((await rows(root, { path: "many" }))[1]).toMatch(/^f\d+ {2}1B /);
  });

  it("refuses what is no folder, is not there, or may not be read", async () => {
    const root = tree({ "a.ts": "", "private/x": "" });
    const ground = await session(root, { deny: ["private"] });
    const read = (path: string): Promise<string> =>
      codeOf(readFolderTree(ground, path, ground.policy, undefined));
    expect(await read("a.ts")).toBe("NOT_A_FOLDER");
    expect(await read("gone")).toBe("PATH_NOT_FOUND");
    expect(await read("private")).toBe("PATH_DENIED");
    expect(await read("/etc")).toBe("PATH_OUTSIDE");
  });

  it("ends when it is aborted, and leaves no descriptor open", async () => {
    const root = tree({ ...many(20), "a/b": "" });
    const ground = await session(root);
    const before = descriptors();
    await readFolderTree(ground, ".", ground.policy, undefined);
    expect(await codeOf(readFolderTree(ground, ".", ground.policy, AbortSignal.abort()))).toBe("ABORTED");
    expect(descriptors()).toBe(before);
  });

  it("shows nothing of a folder behind a link that is swapped while it reads (T4)", async () => {
    const outside = tree({ "canary/treasure": "" });
    const root = tree({ "open/harmless": "" });
    const ground = await session(root);
    const [place, swap] = [join(root, "open"), join(root, "swap")];
    const stop = new AbortController();
    const racer = (async () => {
      while (!stop.signal.aborted) {
        renameSync(place, swap);
        symlinkSync(join(outside, "canary"), place);
        await new Promise((resolve) => setImmediate(resolve));
        unlinkSync(place);
        renameSync(swap, place);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    let texts = "";
    for (let round = 0; round < 200; round++) {
      const read = await readFolderTree(ground, ".", ground.policy, undefined).catch(() => null);
      if (read !== null) texts += treeText(read, NOW, PAGE).text;
    }
    stop.abort();
    await racer;
    expect(texts).toContain("harmless");
    expect(texts).not.toContain("treasure");
  });
});

describe("Pages of a tree", () => {
  it("add up to the whole, and each says how the next is asked for", async () => {
    const root = tree({ ...many(30), "more/x": "", "more/y": "", z: "" });
    const whole = await shown(root);
    expect(whole.totalLines).toBe(whole.shownLines);
    const lines: string[] = [];
    let first = 1;
    for (;;) {
      const page = await shown(root, { budget: { lines: 4, bytes: 1000 }, lines: { first, last: null } });
      const body = page.text.split("\n\n")[0]?.split("\n").slice(1) ?? [];
      lines.push(...body.filter((row) => !row.endsWith("(continued)")));
      expect(page.totalLines).toBe(whole.totalLines);
      const next = /Use \.\/:(\d+)- for the next\]$/.exec(page.text)?.[1];
      if (next === undefined) break;
      expect(Number(next)).toBe(first + page.shownLines);
      first = Number(next);
    }
    expect(lines).toEqual(whole.text.split("\n").slice(1));
  });

  it("keep within the bytes, and say which folder they go on in", async () => {
    const root = tree(many(13));
    const page = await shown(root, { lines: { first: 3, last: 5 } });
    expect(page.text).toMatch(/^# \.\/\nbig\/ {2}\S+ \(continued\)\n {2}f\d+ /);
    expect(page.shownLines).toBe(3);
    expect(page.text).not.toContain("Use");
    const small = await shown(root, { budget: { lines: 100, bytes: 120 } });
    expect(Buffer.byteLength(small.text)).toBeLessThanOrEqual(120);
    expect(small.text).toContain(`Use ./:${small.shownLines + 1}- for the next`);
    expect((await shown(root, { lines: { first: 50, last: null } })).text).toBe(
      "# ./\n\n[./ has 14 lines here, and 50 is past them]",
    );
  });
});
