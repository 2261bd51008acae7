import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openFeed } from "../../src/index/feed/feed.ts";
import { parseMounts, unheardMounts } from "../../src/index/feed/mounts.ts";
import { inotifyLimit } from "../../src/index/feed/queue.ts";
import { FOLDER, tree } from "../support/tree.ts";
import { lookAt, watched } from "./feed-ground.ts";

/** As many events as the system's queue holds. Nobody reads it meanwhile, because the loop has no turn in between. */
function fillQueue(folder: string): void {
  const limit = inotifyLimit("max_queued_events") ?? 0;
  const paths = [join(folder, "one"), join(folder, "two")];
  for (const path of paths) writeFileSync(path, "x");
  // Equal events one after the other would be one.
  for (let index = 0; index < limit; index++) utimesSync(paths[index % 2] ?? "", 1, 1);
}

test("a burst of more events than the queue holds is reported as lost, until a resync", async () => {
  const { root, feed, look } = await watched({ a: FOLDER }, { limits: { events: 50 } });
  for (let index = 0; index < 60; index++) writeFileSync(join(root, `a/f${index}`), "x");
  expect((await look()).lost).toMatchObject({ reason: "overflow" });
  expect((await look()).lost).toMatchObject({ reason: "overflow" });
  await feed.resync();
  writeFileSync(join(root, "a/f1"), "y");
  const changes = await look();
  expect(changes.lost).toBeNull();
  expect([...changes.touched]).toContain("a/f1");
});

test("a queue that the system itself let overflow is noticed", async () => {
  const { root, feed, look } = await watched({ a: FOLDER, b: FOLDER });
  fillQueue(join(root, "a"));
  writeFileSync(join(root, "b/unheard"), "x");
  expect((await look()).lost).toMatchObject({ reason: "overflow" });
  await feed.resync();
  writeFileSync(join(root, "b/heard"), "x");
  expect([...(await look()).touched]).toEqual(["b/heard"]);
});

test("all feeds of a thread hear of an overflow, because they share the queue", async () => {
  const busy = await watched({ a: FOLDER });
  const quiet = await watched({ a: FOLDER });
  fillQueue(join(busy.root, "a"));
  writeFileSync(join(quiet.root, "a/unheard"), "x");
  expect((await quiet.look()).lost).toMatchObject({ reason: "overflow" });
  expect((await busy.look()).lost).toMatchObject({ reason: "overflow" });
});

test.each([0, 1, 2, 10])("an overflow by a folder that has left is noticed %i turns later", async (later) => {
  const outside = tree();
  let queueIsFull = false;
  const { root, look } = await watched(
    { "a/b": FOLDER, c: FOLDER },
    {
      enters(key) {
        // The feed has heard that the folder left, and is about to close its watch: these events reach nobody.
        if (key === "new") {
          fillQueue(join(outside, "a/b"));
          writeFileSync(join(root, "c/unheard"), "x");
          queueIsFull = true;
        }
        return true;
      },
    },
  );
  renameSync(join(root, "a"), join(outside, "a"));
  mkdirSync(join(root, "new"));
  await look();
  expect(queueIsFull).toBe(true);
  // The queue is emptied before the next cookie is written.
  for (let turns = 0; turns < later; turns++) await turn();
  expect((await look()).lost).toMatchObject({ reason: "overflow" });
});

test("more folders than may be watched are reported with both numbers", async () => {
  const { feed, look } = await watched(
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index}/f`, "x"])),
    { limits: { watches: 10 } },
  );
  expect((await look()).lost).toMatchObject({ reason: "watch-limit", watched: 10, limit: 10 });
  expect(feed.status()).toMatchObject({ watchedFolders: 10, watchLimit: 10 });
});

test("a folder that is one too many later is reported, and a resync that finds room is enough", async () => {
  const { root, feed, look } = await watched({ a: FOLDER, b: FOLDER }, { limits: { watches: 3 } });
  mkdirSync(join(root, "c"));
  expect((await look()).lost).toMatchObject({ reason: "watch-limit" });
  rmSync(join(root, "b"), { recursive: true });
  await feed.resync();
  expect((await look()).lost).toBeNull();
  writeFileSync(join(root, "c/file"), "x");
  expect([...(await look()).touched]).toEqual(["c/file"]);
});

test("more paths than are told one by one", async () => {
  const { root, feed, look } = await watched({}, { limits: { told: 10 } });
  for (let index = 0; index < 11; index++) writeFileSync(join(root, `f${index}`), "x");
  expect(await look()).toMatchObject({ lost: { reason: "too-many" }, touched: new Set() });
  await feed.resync();
  expect((await look()).lost).toBeNull();
});

test("a root that another took the place of, and one that is gone", async () => {
  const base = tree({ "root/a/file": "x", "other/a/file": "y" });
  const { root, feed, look } = await watched({}, { root: join(base, "root") });
  renameSync(root, join(base, "away"));
  expect((await look()).lost).toMatchObject({ reason: "root-gone" });
  renameSync(join(base, "other"), root);
  await feed.resync();
  writeFileSync(join(root, "a/file"), "z");
  expect([...(await look()).touched]).toContain("a/file");
  renameSync(root, join(base, "second"));
  renameSync(join(base, "away"), root);
  expect((await look()).lost).toMatchObject({ reason: "root-replaced" });
});

test("a root that was deleted and made again, also with the same inode", async () => {
  const base = tree({ "root/a": FOLDER });
  const { root, look } = await watched({}, { root: join(base, "root") });
  rmSync(root, { recursive: true });
  mkdirSync(root);
  expect((await look()).lost).toMatchObject({ reason: "root-replaced" });
});

test("a root that was moved away and back is the same", async () => {
  const base = tree({ "root/a": FOLDER });
  const { root, look } = await watched({}, { root: join(base, "root") });
  renameSync(root, join(base, "away"));
  writeFileSync(join(base, "away/a/file"), "x");
  renameSync(join(base, "away"), root);
  const changes = await look();
  expect(changes.lost).toBeNull();
  expect([...changes.touched]).toContain("a/file");
});

test("a root that is not there is reported when it is opened", async () => {
  const cookies = tree();
  const feed = await openFeed({ root: join(tree(), "none"), cookies, enters: () => true });
  onTestFinished(() => feed.close());
  expect((await lookAt(feed)).lost).toMatchObject({ reason: "root-gone" });
});

test("a look that is asked for before a resync is through waits for it, and for its own changes", async () => {
  const { root, feed, look } = await watched({ a: FOLDER }, { limits: { told: 3 } });
  for (let index = 0; index < 9; index++) writeFileSync(join(root, `f${index}`), "x");
  expect((await look()).lost).not.toBeNull();
  const resync = feed.resync();
  const looking = look();
  await resync;
  writeFileSync(join(root, "a/file"), "x");
  const first = await looking;
  expect(first.lost).toBeNull();
  expect([...first.touched, ...(await look()).touched]).toContain("a/file");
});

test("a question that fails loses what was to be looked at, and says so", async () => {
  let fails = false;
  const { root, feed, look } = await watched(
    {},
    {
      enters() {
        if (fails) throw new Error("no answer");
        return true;
      },
    },
  );
  mkdirSync(join(root, "new"));
  fails = true;
  await expect(feed.settle()).rejects.toThrow("no answer");
  fails = false;
  expect((await look()).lost).toMatchObject({ reason: "unreadable" });
});

test("cookies that have no place are reported, and put up again by a resync", async () => {
  const cookies = tree();
  const { root, feed, look } = await watched({ a: FOLDER }, { cookies });
  for (const name of readdirSync(cookies)) rmSync(join(cookies, name), { recursive: true });
  expect((await look()).lost).toMatchObject({ reason: "barrier" });
  await feed.resync();
  writeFileSync(join(root, "a/file"), "x");
  const changes = await look();
  expect(changes.lost).toBeNull();
  expect([...changes.touched]).toEqual(["a/file"]);
});

test("cookies whose folder was moved away are reported", async () => {
  const cookies = tree();
  const { look } = await watched({ a: FOLDER }, { cookies });
  const [own = ""] = readdirSync(cookies);
  renameSync(join(cookies, own), join(cookies, "away"));
  mkdirSync(join(cookies, own));
  writeFileSync(join(cookies, own, "rest"), "");
  expect((await look()).lost).toMatchObject({ reason: "barrier" });
});

test.skipIf(process.getuid?.() !== 0)("a mount over a folder and its end", async () => {
  const { root, feed, look } = await watched({ "a/file": "x", "b c": FOLDER });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "none", join(root, "b c")]);
  onTestFinished(() => void spawnSync("umount", ["-l", join(root, "b c")]));
  expect(mounted.status).toBe(0);
  expect((await look()).lost).toMatchObject({ reason: "mount" });
  await feed.resync();
  writeFileSync(join(root, "b c/file"), "x");
  expect([...(await look()).touched]).toEqual(["b c/file"]);
  spawnSync("umount", [join(root, "b c")]);
  expect((await look()).lost).toMatchObject({ reason: "mount" });
});

test("the table of mounts is read with its escapes", () => {
  const line =
    "36 35 98:0 /mnt1 /mnt/a\\040b\\134 rw,noatime master:1 - fuse.sshfs host:/x rw,errors=continue";
  expect(parseMounts(`${line}\n`)).toEqual([{ point: "/mnt/a b\\", type: "fuse.sshfs", line }]);
  expect(unheardMounts("/proc/self").map((mount) => mount.type)).toEqual(["proc"]);
});
