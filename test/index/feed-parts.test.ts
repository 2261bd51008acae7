import { mkdirSync, utimesSync, writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, constantFrom, pre, property, string, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { openBarrier } from "../../src/index/feed/barrier.ts";
import { keyOfPath, keyOnDisk, pathOfKey, splitKey } from "../../src/index/path-key.ts";
import { createQueue } from "../../src/index/feed/queue.ts";
import { lookAtEach, readFolder } from "../../src/index/feed/read-folder.ts";
import { FOLDER, link, rawPath, tree } from "../support/tree.ts";

test("a key says every path, and comes back from what is shown", () => {
  assert(
    property(uint8Array({ minLength: 1, min: 1 }), (bytes) => {
      const key = Buffer.from(bytes).toString("latin1");
      // The root, which no name below it is.
      pre(key !== ".");
      expect(keyOfPath(pathOfKey(key))).toBe(key);
      expect(Buffer.from(keyOnDisk("/root", key))).toEqual(Buffer.concat([Buffer.from("/root/"), bytes]));
    }),
  );
  assert(
    property(string({ minLength: 1, unit: constantFrom("a", "é", "😀", "/", ".") }), (path) => {
      expect(pathOfKey(keyOfPath({ path })).path).toBe(path);
    }),
  );
  expect(pathOfKey("")).toEqual({ path: "." });
  expect(splitKey("a/b/c")).toEqual({ folder: "a/b", name: "c" });
  expect(splitKey("c")).toEqual({ folder: "", name: "c" });
});

test("where the file system does not say what an entry is, a look at each says the same", () => {
  const root = tree({ "folder/x": FOLDER, file: "x", link: link("folder") });
  mkdirSync(rawPath(root, [0xe9, 0xff]));
  const listed = (entries: ReturnType<typeof readFolder>): string[] =>
    entries.map((entry) => `${entry.name} ${entry.isDirectory()}`).sort();
  const each = listed(lookAtEach(Buffer.from(root)));
  expect(each).toEqual(["file false", "folder true", "link false", "\xe9\xff true"]);
  expect(listed(readFolder(root))).toEqual(each);
});

test("what a killed process left of its cookies is swept away after a day", async () => {
  const folder = tree({ "feed-abcdef/rest": "", "feed-ABCDEF/rest": "", "other/rest": "" });
  const old = Date.now() / 1000 - 2 * 24 * 60 * 60;
  for (const name of ["feed-abcdef", "other"]) utimesSync(join(folder, name), old, old);
  const barrier = openBarrier(createQueue(100), folder);
  expect(await barrier.pass()).toBe("passed");
  barrier.close();
  writeFileSync(join(folder, "last"), "");
  expect(readdirSync(folder).sort()).toEqual(["feed-ABCDEF", "last", "other"]);
});
