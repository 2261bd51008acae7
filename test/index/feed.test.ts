import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Changes } from "../../src/index/feed/changes.ts";
import { openFeed } from "../../src/index/feed/feed.ts";
import { FOLDER, link, rawPath, tree } from "../support/tree.ts";
import { lookAt, missed, snapshot, watched } from "./feed-ground.ts";

function touched(changes: Changes): string[] {
  return [...changes.touched].sort();
}

describe("what one change tells", () => {
  const cases: Readonly<Record<string, (root: string) => void>> = {
    "a new file": (root) => writeFileSync(join(root, "a/new"), "x"),
    "an overwrite of the same size": (root) => writeFileSync(join(root, "a/file"), "two\n"),
    "an overwrite with its times put back": (root) => {
      writeFileSync(join(root, "a/file"), "two\n");
      utimesSync(join(root, "a/file"), 1, 1);
    },
    "an append": (root) => appendFileSync(join(root, "a/file"), "more"),
    "a truncation": (root) => truncateSync(join(root, "a/file"), 1),
    "a deletion": (root) => unlinkSync(join(root, "a/file")),
    "a change of mode": (root) => chmodSync(join(root, "a/file"), 0o600),
    "a rename": (root) => renameSync(join(root, "a/file"), join(root, "a/other")),
    "a rename over another file": (root) => renameSync(join(root, "a/file"), join(root, "b/file")),
    "a hard link": (root) => linkSync(join(root, "a/file"), join(root, "b/linked")),
    "a link": (root) => symlinkSync("../b", join(root, "a/link")),
    "a link that leads elsewhere": (root) => {
      symlinkSync("b", join(root, "next"));
      renameSync(join(root, "next"), join(root, "link"));
    },
    "a folder in place of a file": (root) => {
      unlinkSync(join(root, "a/file"));
      mkdirSync(join(root, "a/file"));
      writeFileSync(join(root, "a/file/inner"), "x");
    },
    "a file in place of a folder": (root) => {
      rmSync(join(root, "deep"), { recursive: true });
      writeFileSync(join(root, "deep"), "x");
    },
    "a link in place of a folder": (root) => {
      renameSync(join(root, "deep"), join(root, "moved"));
      symlinkSync("moved", join(root, "deep"));
    },
    "nested folders": (root) => {
      mkdirSync(join(root, "x/y/z"), { recursive: true });
      writeFileSync(join(root, "x/y/z/file"), "x");
    },
    "a tree that moves within": (root) => renameSync(join(root, "deep"), join(root, "a/deeper")),
    "two trees that change places": (root) => {
      renameSync(join(root, "deep"), join(root, "third"));
      renameSync(join(root, "a"), join(root, "deep"));
      renameSync(join(root, "third"), join(root, "a"));
    },
    "a tree that is deleted and made again": (root) => {
      rmSync(join(root, "deep"), { recursive: true });
      mkdirSync(join(root, "deep/er"), { recursive: true });
      writeFileSync(join(root, "deep/er/other"), "x");
    },
  };

  test.each(Object.entries(cases))("%s", async (_, change) => {
    const { root, look } = await watched({
      "a/file": "one\n",
      "b/file": "three\n",
      "deep/er/file": "x",
      link: link("a"),
    });
    const before = snapshot(root);
    change(root);
    const changes = await look();
    const after = snapshot(root);
    expect(after).not.toEqual(before);
    expect(missed(before, after, changes)).toEqual([]);
    expect(changes.lost).toBeNull();
    // And what it has become is watched as well.
    for (const key of after.keys()) chmodSync(join(root, key), 0o700);
    expect(missed(after, snapshot(root), await look())).toEqual([]);
  });
});

test("nothing is told of a quiet tree, and nothing twice", async () => {
  const { root, look } = await watched({ "a/file": "x" });
  expect(touched(await look())).toEqual([]);
  writeFileSync(join(root, "a/file"), "y");
  expect(touched(await look())).toEqual(["a/file"]);
  expect(touched(await look())).toEqual([]);
});

test("nested folders that are made and filled at once are told in full, 200 times", async () => {
  const { root, look } = await watched();
  const missing: string[] = [];
  for (let round = 0; round < 200; round++) {
    mkdirSync(join(root, `r${round}/b/c`), { recursive: true });
    writeFileSync(join(root, `r${round}/b/c/file`), "x");
    const { touched } = await look();
    if (!touched.has(`r${round}/b/c/file`)) missing.push(`r${round}`);
    writeFileSync(join(root, `r${round}/b/c/file`), "y");
    if (!(await look()).touched.has(`r${round}/b/c/file`)) missing.push(`r${round} again`);
  }
  expect(missing).toEqual([]);
});

test("a tree that moves in is told with all below it, and one that moves out as gone", async () => {
  const outside = tree({ "in/er/file": "x" });
  const { root, look } = await watched({ "out/er/file": "x" });
  renameSync(join(outside, "in"), join(root, "in"));
  renameSync(join(root, "out"), join(outside, "out"));
  const changes = await look();
  expect(touched(changes)).toEqual(expect.arrayContaining(["in", "in/er", "in/er/file", "out"]));
  expect([...changes.entered]).toEqual(["in"]);
  expect([...changes.gone]).toEqual(["out"]);
  // What happens to it out there is nobody's concern here.
  writeFileSync(join(outside, "out/er/file"), "y");
  expect(touched(await look())).toEqual([]);
});

test("what a link leads to is not watched", async () => {
  const outside = tree({ file: "x" });
  const { root, look } = await watched({ link: link(outside) });
  writeFileSync(join(outside, "file"), "y");
  expect(touched(await look())).toEqual([]);
  writeFileSync(join(root, "link/file"), "z");
  expect(touched(await look())).toEqual([]);
});

test("folders that are not entered are told by themselves, not with what is in them", async () => {
  const { root, look } = await watched({ ".git/HEAD": "x" }, { enters: (key) => !key.endsWith(".git") });
  writeFileSync(join(root, ".git/HEAD"), "y");
  expect(touched(await look())).toEqual([]);
  mkdirSync(join(root, "sub/.git"), { recursive: true });
  writeFileSync(join(root, "sub/.git/HEAD"), "y");
  expect(touched(await look())).toEqual(["sub", "sub/.git"]);
});

test("a folder is entered and left when the rules change and it is looked at again", async () => {
  let enters = true;
  const { root, feed, look } = await watched({ "out/file": "x" }, { enters: () => enters });
  enters = false;
  await feed.rescan("out");
  expect([...feed.take().gone]).toEqual(["out"]);
  writeFileSync(join(root, "out/file"), "y");
  expect(touched(await look())).toEqual([]);
  enters = true;
  await feed.rescan("out");
  expect(touched(feed.take())).toEqual(["out", "out/file"]);
});

test("names that are no UTF-8 are told byte by byte", async () => {
  const { root, look } = await watched();
  mkdirSync(rawPath(root, [0x66, 0xff]));
  writeFileSync(Buffer.concat([rawPath(root, [0x66, 0xff]), Buffer.from("/é")]), "x");
  expect(touched(await look())).toEqual(["f\xff", "f\xff/\xc3\xa9"]);
  writeFileSync(Buffer.concat([rawPath(root, [0x66, 0xff]), Buffer.from("/é")]), "y");
  expect(touched(await look())).toEqual(["f\xff/\xc3\xa9"]);
});

test("a folder with other permissions is looked at again with all below it", async () => {
  const { root, look } = await watched({ "a/b/file": "x" });
  chmodSync(join(root, "a"), 0o500);
  const changes = await look();
  expect([...changes.entered]).toEqual(["a"]);
  expect(touched(changes)).toEqual(expect.arrayContaining(["a", "a/b", "a/b/file"]));
});

test("a folder with the name of what is in it", async () => {
  const { root, look } = await watched({ "a/a/a": FOLDER });
  rmSync(join(root, "a/a/a"), { recursive: true });
  writeFileSync(join(root, "a/a/a"), "x");
  expect(touched(await look())).toContain("a/a/a");
  writeFileSync(join(root, "a/a/b"), "x");
  expect(touched(await look())).toContain("a/a/b");
});

test("settling many times at once answers each", async () => {
  const { root, feed } = await watched({ file: "x" });
  const told = new Set<string>();
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      writeFileSync(join(root, `f${index}`), "x");
      await feed.settle();
      for (const key of feed.take().touched) told.add(key);
    }),
  );
  expect(told.size).toBe(50);
});

test("closing leaves no watch, no file and no descriptor behind, also in the middle of opening", async () => {
  const descriptors = (): number => readdirSync("/proc/self/fd").length;
  const root = tree(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d${index}/f`, "x"])));
  const cookies = tree();
  const first = await openFeed({ root, cookies, enters: () => true });
  first.close();
  const before = { descriptors: descriptors(), watches: watches() };
  const feed = await openFeed({ root, cookies, enters: () => true });
  expect(watches()).toBe(before.watches + 302);
  const resync = feed.resync();
  feed.close();
  await resync;
  await feed.settle();
  expect({ descriptors: descriptors(), watches: watches() }).toEqual(before);
  expect(readdirSync(cookies)).toEqual([]);
});

/** Watches of this process, over all its inotify descriptors. */
function watches(): number {
  return readdirSync("/proc/self/fdinfo").reduce((sum, name) => {
    try {
      return sum + readFileSync(`/proc/self/fdinfo/${name}`, "latin1").split("inotify wd:").length - 1;
    } catch {
      return sum;
    }
  }, 0);
}

test("a feed that is resynced tells as one that was just opened", async () => {
  const { root, feed } = await watched({ "a/file": "x" });
  renameSync(join(root, "a"), join(root, "b"));
  await feed.resync();
  await lookAt(feed);
  writeFileSync(join(root, "b/file"), "y");
  expect(touched(await lookAt(feed))).toEqual(["b/file"]);
  expect(feed.status()).toMatchObject({ watchedFolders: 2, unreadableFolders: 0, lost: null });
});
