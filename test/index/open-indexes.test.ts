/** Which trees are indexed, who shares an index, and what is kept of it when it is let go. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readFallbacks } from "../../src/index/fallbacks.ts";
import { type System, unfit } from "../../src/index/fitness.ts";
import { type IndexSource, indexSource } from "../../src/index/open-indexes.ts";
import { indexFolder, savedTree } from "../../src/index/places.ts";
import { indexSettings } from "../../src/index/settings.ts";
import type { TreeIndex } from "../../src/index/tree-index.ts";
import { INDEX_FROM_FILES, INDEX_MAX_FILES, INDEX_REASONS, INDEXES_OPEN } from "../../src/model/limits.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { FOLDER, tree } from "../support/tree.ts";

interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

function place(): Place {
  const ground = tree({ "root/a.ts": "needle\n", cache: FOLDER });
  const root = join(ground, "root");
  const env = { ...process.env, QUARRY_CACHE_DIR: join(ground, "cache") };
  return { root, env, folder: indexFolder(root, env) };
}

const source = ({ root, env }: Place, use: "auto" | "now" | "off"): IndexSource =>
  indexSource(root, { use, maxFiles: INDEX_MAX_FILES }, env);

async function opened({ current, why }: IndexSource): Promise<TreeIndex> {
  while (current() === undefined && why() === "there is no index yet") await setTimeout(5);
  const index = current();
  if (index === undefined) throw new Error(why());
  return index;
}

describe("A tree is left to ripgrep", () => {
  const env = { HOME: "/home/nobody", QUARRY_CACHE_DIR: "/var/cache/nobody" };

  it.each([
    ["/", "the root of the system"],
    ["/home/nobody", "the home folder"],
    ["/home", "the home folder"],
    ["/var/cache", "cache folder lies in"],
    ["/var/cache/nobody", "cache folder lies in"],
    ["/var/cache/nobody/index/x", "the cache folder is not indexed"],
    ["/proc/self", "not told of reliably: proc"],
    ["/not/there", "cannot be looked at: ENOENT"],
  ])("where it is %s", (path, why) => {
    expect(unfit(path, env)).toContain(why);
  });

  const linux: System = { platform: "linux", fileSystem: () => 0xef_53, mounts: "/proc/self/mountinfo" };

  it("on every system but Linux", () => {
    const { root } = place();
    expect(unfit(root, env, linux)).toBeNull();
    for (const platform of ["darwin", "win32", "freebsd"] as const)
      expect(unfit(root, env, { ...linux, platform })).toBe(
        "changes are not told of reliably on this system",
      );
  });

  it.each([
    ["nfs", 0x69_69],
    ["smb", 0x51_7b],
    ["cifs", 0xff_53_4d_42],
    ["smb2", 0xfe_53_4d_42],
    ["afs", 0x6b_41_46_53],
    ["9p", 0x01_02_19_97],
  ])("on %s, which another machine may write to", (_, type) => {
    expect(unfit(place().root, env, { ...linux, fileSystem: () => type })).toBe(
      "a network file system is not indexed",
    );
  });

  it("where such a file system is mounted in it, or it lies in one, and nowhere else", () => {
    const { root } = place();
    const mounted = (point: string, type: string): string => {
      const lines = [
        "21 1 8:1 / / rw,relatime - ext4 /dev/root rw",
        `99 21 0:50 / ${point} rw,relatime shared:1 - ${type} box:/export rw`,
      ];
      return join(tree({ table: `${lines.join("\n")}\n` }), "table");
    };
    const told = (point: string, type: string): string | null =>
      unfit(root, env, { ...linux, mounts: mounted(point, type) });
    for (const type of ["nfs4", "cifs", "fuse.sshfs", "9p", "ceph"])
      for (const point of [`${root}/deep/shared`, root, dirname(root)])
        expect(told(point, type)).toBe(`changes of a file system are not told of reliably: ${type}`);
    expect(told(`${root}-beside`, "nfs4")).toBeNull();
    expect(told(`${root}/deep`, "xfs")).toBeNull();
  });

  it("where a link leads to the cache folder, or it cannot be one", () => {
    const { root } = place();
    const ground = tree({ "inside/cache": FOLDER });
    symlinkSync(join(ground, "inside"), join(ground, "link"));
    const linked = { ...env, QUARRY_CACHE_DIR: join(ground, "link", "cache", "new") };
    expect(unfit(join(ground, "inside"), linked)).toContain("cache folder lies in");
    expect(unfit(root, { ...env, QUARRY_CACHE_DIR: "here" })).toContain("not absolute");
    expect(unfit(root, env)).toBeNull();
  });

  it("and the source says so, whatever is asked of it", async () => {
    const gone = indexSource("/not/there", { use: "now", maxFiles: 1 }, env);
    expect(gone.why()).toBe("the tree is not there");
    const whole = indexSource("/", { use: "now", maxFiles: 1 }, env);
    whole.walked(INDEX_FROM_FILES);
    whole.fellBack("x");
    expect([whole.current(), whole.why(), whole.fallbacks()]).toEqual([
      undefined,
      "the root of the system is not indexed",
      [],
    ]);
    await whole.release();
  });
});

describe("An index", () => {
  it("is opened by a walk of many files, and by what is saved", async () => {
    const here = place();
    const first = source(here, "auto");
    first.walked(INDEX_FROM_FILES - 1);
    await setTimeout(0);
    expect(existsSync(here.folder)).toBe(false);
    first.walked(INDEX_FROM_FILES);
    await (await opened(first)).started();
    await first.release();
    expect(first.why()).toBe("the workspace is closed");
    const second = source(here, "auto");
    expect((await opened(second)).root).toBe(here.root);
    await second.release();
    const third = source(here, "off");
    expect([third.current(), third.why()]).toEqual([undefined, "there is no index"]);
  });

  it("is saved for its owner alone, with its tree and the last use", async () => {
    const here = place();
    const one = source(here, "now");
    await (await opened(one)).started();
    const before = savedTree(here.folder)?.usedMs ?? 0;
    await one.release();
    expect(statSync(here.folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(here.folder).filter((file) => file !== "cookies"))
      expect(statSync(join(here.folder, name)).mode & 0o077).toBe(0);
    const saved = savedTree(here.folder);
    expect(saved).toMatchObject({ tree: here.root, readable: true, holder: null });
    expect(saved?.usedMs).toBeGreaterThan(before);
  });

  it("is opened again only when it is closed", async () => {
    const here = place();
    const first = source(here, "now");
    const index = await opened(first);
    const ended = first.release();
    const second = source(here, "now");
    expect(await opened(second)).not.toBe(index);
    expect((await index.status()).phase).toBe("unable");
    await ended;
    expect((await (await opened(second)).status()).phase).not.toBe("unable");
    await second.release();
  });

  it("is tried anew by the next session where the cache could not be used", async () => {
    const here = place();
    const cache = here.env["QUARRY_CACHE_DIR"] ?? "";
    mkdirSync(here.folder, { recursive: true });
    chmodSync(join(cache, "index"), 0o777);
    const first = source(here, "now");
    await expect(opened(first)).rejects.toThrow("Others may write to the cache folder");
    rmSync(cache, { recursive: true });
    const second = source(here, "now");
    expect(await opened(second)).toBeDefined();
    await Promise.all([first.release(), second.release()]);
  });
});

describe("The fallbacks of a tree", () => {
  it("are counted over all its sessions, and kept when it is let go", async () => {
    const here = place();
    const first = source(here, "auto");
    first.fellBack("early");
    first.walked(INDEX_FROM_FILES);
    const second = source(here, "auto");
    await opened(second);
    second.fellBack("links are followed");
    first.fellBack("links are followed");
    const all = [
      { why: "links are followed", count: 2 },
      { why: "early", count: 1 },
    ];
    expect(first.fallbacks()).toEqual(all);
    expect(second.fallbacks()).toEqual(all);
    await first.release();
    expect(readFallbacks(here.folder)).toEqual([]);
    await second.release();
    expect(readFallbacks(here.folder)).toEqual(all);
  });

  it("are bounded", () => {
    const here = place();
    const one = source(here, "auto");
    for (let at = 0; at < INDEX_REASONS * 2; at++) one.fellBack(`Nothing in ${at} is indexed`);
    const listed = one.fallbacks();
    expect(listed).toHaveLength(INDEX_REASONS);
    expect(listed[0]).toEqual({ why: "other reasons", count: INDEX_REASONS + 1 });
  });

  it("are part of a workspace's status", async () => {
    const { root, env } = place();
    const workspace = await createWorkspace({ root, env, index: "now" });
    while ((await workspace.indexStatus())?.phase !== "ready") await setTimeout(10);
    expect(await workspace.indexStatus()).toMatchObject({ phase: "ready", fallbacks: [] });
    await workspace.close();
  });
});

describe("What is said of indexes", () => {
  it("is what was given, else what the environment says", () => {
    const env = { QUARRY_INDEX: "now", QUARRY_INDEX_MAX_FILES: "7" };
    expect(indexSettings({}, env)).toEqual({ use: "now", maxFiles: 7 });
    expect(indexSettings({ use: "off", maxFiles: 0 }, env)).toEqual({ use: "off", maxFiles: 0 });
    expect(indexSettings({}, { QUARRY_INDEX: " " })).toEqual({ use: "auto", maxFiles: INDEX_MAX_FILES });
  });

  it.each([
    [{ QUARRY_INDEX: "yes" }, "auto, now or off"],
    [{ QUARRY_INDEX_MAX_FILES: "1e9" }, "a whole number"],
    [{ QUARRY_INDEX_CACHE_SIZE: "8 GB" }, "a size in bytes"],
  ])("is refused where it makes no sense: %j", async (env, expected) => {
    await expect(createWorkspace({ root: tree({}), env })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(expected),
    });
  });
});

it("No more are open at once than a process can bear, and the others are told why", async () => {
  const places = Array.from({ length: INDEXES_OPEN + 1 }, place);
  const sources = places.map((one) => source(one, "now"));
  try {
    expect(sources.at(-1)?.why()).toBe("as many indexes as may be are open");
    expect(sources[0]?.why()).toBe("there is no index yet");
  } finally {
    await Promise.all(sources.map((one) => one.release()));
  }
}, 60_000);
