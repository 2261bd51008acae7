import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  checkPrivateFolder,
  cacheFolder,
  prepareCache,
  preparePrivateFolder,
} from "../../src/workspace/cache.ts";
import { lockFolder } from "../../src/workspace/lock.ts";
import { openFile, readWhole } from "../../src/workspace/open.ts";
import { openSession, type Session, type SessionOptions } from "../../src/workspace/session.ts";
import { FOLDER, tree } from "../support/tree.ts";
import { codeOf, globs } from "./ground.ts";

async function session(cache: string, options: Partial<SessionOptions> = {}): Promise<Session> {
  const opened = await openSession({
    root: options.root ?? tree({ "a.ts": "a" }),
    globs,
    env: { QUARRY_CACHE_DIR: cache },
    ...options,
  });
  onTestFinished(() => opened.close());
  return opened;
}

describe("The cache folder", () => {
  it("is where the environment says, by the first that says so", () => {
    expect(cacheFolder({ QUARRY_CACHE_DIR: "/q", XDG_CACHE_HOME: "/x", HOME: "/h" })).toBe("/q");
    expect(cacheFolder({ QUARRY_CACHE_DIR: "", XDG_CACHE_HOME: "/x", HOME: "/h" })).toBe("/x/quarry");
    expect(cacheFolder({ XDG_CACHE_HOME: "relative", HOME: "/h" })).toBe("/h/.cache/quarry");
    expect(cacheFolder({})).toBe(join(homedir(), ".cache/quarry"));
    expect(() => cacheFolder({ QUARRY_CACHE_DIR: "./cache" })).toThrow("not absolute");
  });

  it("is made for its owner alone, and closed when others may look in", async () => {
    const folder = join(tree(), "deep/quarry");
    await preparePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    chmodSync(folder, 0o755);
    await preparePrivateFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("is refused when others may write to it, when it is a file, and when it cannot be made", async () => {
    const root = tree({ open: FOLDER, file: "" });
    chmodSync(join(root, "open"), 0o777);
    for (const path of ["open", "file", "file/below"]) {
      expect(await codeOf(preparePrivateFolder(join(root, path)))).toBe("CACHE_UNSAFE");
    }
  });

  it("is checked as it would be made, and not made", async () => {
    const root = tree({ open: FOLDER, file: "", own: FOLDER });
    chmodSync(join(root, "open"), 0o775);
    const check = (path: string): Promise<string> => codeOf(checkPrivateFolder(join(root, path)));
    for (const path of ["open", "file", "file/below"]) expect(await check(path)).toBe("CACHE_UNSAFE");
    for (const path of ["own", "new/deep/quarry"]) expect(await check(path)).toBe("none");
    expect(existsSync(join(root, "new"))).toBe(false);
  });

  it("is refused in the repository, unless the home folder is the repository (T28)", async () => {
    const root = tree({ ".cache/quarry": FOLDER, "other/home": FOLDER });
    const folder = join(root, ".cache/quarry");
    expect(await codeOf(prepareCache(folder, root, { HOME: "/somewhere" }))).toBe("CACHE_UNSAFE");
    expect(await codeOf(prepareCache(folder, root, { HOME: root }))).toBe("none");
    expect(await codeOf(prepareCache(folder, join(root, "other"), { HOME: "/somewhere" }))).toBe("none");
  });

  it.runIf(process.getuid?.() === 0)("is refused when it belongs to another user", async () => {
    const { chownSync } = await import("node:fs");
    const folder = tree();
    chownSync(folder, 12_345, 12_345);
    expect(await codeOf(preparePrivateFolder(folder))).toBe("CACHE_UNSAFE");
    expect(await codeOf(checkPrivateFolder(folder))).toBe("CACHE_UNSAFE");
  });
});

describe("A session", () => {
  it("has a policy, tags, artifacts, URLs and settings", async () => {
    const cache = join(tree(), "cache");
    const one = await session(cache, { deny: ["*.key"] });
    expect(one.settings).toEqual({ contextBefore: 1, contextAfter: 3, maxFileSize: null });
    expect(await codeOf(one.policy.check("x.key"))).toBe("PATH_DENIED");
    expect(one.router.protocols.map(({ scheme }) => scheme)).toEqual(["docs", "artifact", "local"]);
    // Nothing was kept, so nothing was made.
    expect(existsSync(cache)).toBe(false);
  });

  it("takes its folder with it when it ends", async () => {
    const cache = join(tree(), "cache");
    const one = await session(cache);
    const stored = await one.artifacts.store("text");
    expect(stored).toMatchObject({ url: "artifact://1" });
    const { path } = await one.router.locate("local://x");
    writeFileSync(path, "scratch");
    expect(readdirSync(join(cache, "sessions/unnamed"))).toHaveLength(1);
    await one.close();
    expect(readdirSync(join(cache, "sessions/unnamed"))).toEqual([]);
  });

  it("opens its artifacts and scratch files although they are outside what is allowed", async () => {
    const one = await session(join(tree(), "cache"));
    await one.artifacts.store("whole");
    const resource = await one.router.resolve("artifact://1");
    if (resource.kind !== "file") throw new Error("no file");
    expect(await codeOf(one.policy.check(resource.path))).toBe("PATH_OUTSIDE");
    const opened = await openFile(resource.policy, resource.path);
    expect(String(await readWhole(opened, 100))).toBe("whole");
    await opened.handle.close();
  });

  it("gives a failure as a value when its cache cannot be used, and still works", async () => {
    const root = tree({ "a.ts": "a" });
    const one = await session(join(root, "cache"), { root });
    expect(await one.artifacts.store("x")).toMatchObject({
      kind: "failed",
      reason: `The cache folder ${join(root, "cache")} lies in the repository`,
    });
    expect(existsSync(join(root, "cache"))).toBe(false);
    const relative = await session("", { env: { QUARRY_CACHE_DIR: "relative" } });
    expect(await relative.artifacts.store("x")).toMatchObject({ kind: "failed" });
  });

  it("withholds the cache where the root holds it", async () => {
    const home = tree({ ".cache/quarry/sessions/x": "" });
    const one = await session("", { root: home, env: { HOME: home } });
    expect(await codeOf(one.policy.check(".cache/quarry/sessions/x"))).toBe("PATH_DENIED");
  });

  it("shares its artifacts and scratch files with its children", async () => {
    const cache = join(tree(), "cache");
    const parent = await session(cache);
    const child = await session(cache, { parent });
    await child.artifacts.store("from the child");
    expect(await parent.artifacts.read("1")).toBe("from the child");
    writeFileSync((await parent.router.locate("local://x")).path, "");
    expect(await child.router.exists("local://x")).toBe(true);
    await child.close();
    expect(await parent.artifacts.read("1")).toBe("from the child");
  });

  it("sweeps away what a dead process left a day ago, and nothing else", async () => {
    const cache = join(tree(), "cache");
    const unnamed = join(cache, "sessions/unnamed");
    const dead = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => dead.once("exit", resolve));
    const old = Date.now() / 1000 - 2 * 24 * 60 * 60;
    for (const name of [`${dead.pid}-old`, `${dead.pid}-new`, `${process.pid}-old`]) {
      mkdirSync(join(unnamed, name), { recursive: true, mode: 0o700 });
      if (name.endsWith("old")) utimesSync(join(unnamed, name), old, old);
    }
    for (const path of [cache, join(cache, "sessions"), unnamed]) chmodSync(path, 0o700);
    await (await session(cache)).artifacts.store("x");
    const left = readdirSync(unnamed).filter((name) => /old|new/.test(name));
    expect(left.sort()).toEqual([`${dead.pid}-new`, `${process.pid}-old`].sort());
  });
});

describe("A named session", () => {
  it("keeps tags, artifacts and scratch files for the next process", async () => {
    const cache = join(tree(), "cache");
    const first = await session(cache, { name: "work" });
    const { tag, show } = first.snapshots.record("/a", Buffer.from("text"));
    show([1, 2]);
    await first.artifacts.store("kept");
    writeFileSync((await first.router.locate("local://x")).path, "");
    await first.close();
    const second = await session(cache, { name: "work" });
    expect(second.warnings).toEqual([]);
    expect(second.snapshots.find("/a", tag)).toMatchObject({
      kind: "known",
      snapshot: { shown: [{ first: 1, last: 2 }] },
    });
    expect(await second.artifacts.read("1")).toBe("kept");
    expect(await second.router.exists("local://x")).toBe(true);
  });

  it("says what it lost", async () => {
    const cache = join(tree(), "cache");
    const first = await session(cache, { name: "work" });
    first.snapshots.record("/a", Buffer.from("text"));
    await first.close();
    writeFileSync(join(cache, "sessions/named/work/snapshots/list.json"), "damage");
    const second = await session(cache, { name: "work" });
    expect(second.warnings).toEqual([
      "What this session remembered of shown files is damaged and was dropped",
    ]);
    expect(second.snapshots.snapshots()).toEqual([]);
  });

  it.each(["", ".", "..", "a/b", "../x", "a b", "-x", "x".repeat(65), "a\0"])(
    "is not called %j",
    async (name) => {
      expect(await codeOf(session(join(tree(), "cache"), { name }))).toBe("INVALID_INPUT");
    },
  );

  it("loses no tag when several processes' calls come at once", async () => {
    const cache = join(tree(), "cache");
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const one = await session(cache, { name: "busy" });
        one.snapshots.record(`/${n}`, Buffer.from(String(n)));
        await one.close();
      }),
    );
    const after = await session(cache, { name: "busy" });
    expect(after.snapshots.size.files).toBe(8);
  });
});

describe("A lock", () => {
  it("is waited for, and then it is busy", async () => {
    const folder = tree();
    const lock = await lockFolder(folder, 100);
    await expect(lockFolder(folder, 60)).rejects.toMatchObject({ code: "SESSION_BUSY" });
    const waiting = lockFolder(folder, 5000);
    await lock.release();
    await (await waiting).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of a dead process is taken over", async () => {
    const folder = tree();
    const dead = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => dead.once("exit", resolve));
    writeFileSync(join(folder, "lock"), String(dead.pid));
    await (await lockFolder(folder, 1000)).release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
