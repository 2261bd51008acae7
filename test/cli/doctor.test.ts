import { spawn } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { outgrown } from "../../src/cli/index-standing.ts";
import { collect, objects, PROGRAM, quarry, type Ran, tree } from "./helpers.ts";

describe("doctor", () => {
  test("shows what quarry runs on", async () => {
    const { code, stdout, stderr } = await quarry("/", ["doctor"], { env: {} });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^quarry {6}${packageJson.version}$`, "m"));
    expect(stdout).toMatch(
      new RegExp(`^node {8}${process.versions.node}, ${process.platform} ${process.arch}$`, "m"),
    );
    expect(stdout).toMatch(/^ripgrep {5}builtin, \/.+\/rg$/m);
    expect(stdout).toMatch(/^version {5}\d+\.\d+\.\d+/m);
    expect(stdout).toMatch(/^pcre2 {7}\S/m);
    expect(stdout).toMatch(/^time limit {2}20 s, the default$/m);
    expect(stdout).toMatch(/^wsl {9}no$/m);
    expect(stdout).toMatch(/^verdict {5}all is well$/m);
  });

  test("says where the time limit comes from, and whether this is WSL", async () => {
    const wsl = await quarry("/", ["doctor"], { env: { WSL_DISTRO_NAME: "Debian" } });
    expect(wsl.stdout).toMatch(/^time limit {2}60 s, the default on WSL$/m);
    expect(wsl.stdout).toMatch(/^wsl {9}yes$/m);
    const set = await quarry("/", ["doctor"], { env: { QUARRY_TIMEOUT_SECONDS: "7.5" } });
    expect(set.stdout).toMatch(/^time limit {2}7\.5 s, from QUARRY_TIMEOUT_SECONDS$/m);
    const claude = await quarry("/", ["doctor"], { env: { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "9" } });
    expect(claude.stdout).toMatch(/^time limit {2}9 s, from CLAUDE_CODE_GLOB_TIMEOUT_SECONDS$/m);
  });

  test("says whether the index is used here, and what is saved", async () => {
    const root = tree({ "a/b/c.txt": "x", ".git/objects/x": "x" });
    const cache = tree({ "index/v1-0123/segment-1": "x".repeat(2_000) });
    const env = { QUARRY_CACHE_DIR: cache };
    const here = await quarry(root, ["doctor"], { env });
    expect(here.stdout).toMatch(/^index {7}used: 3 folders here, [\d,]+ watches \(inotify\)$/m);
    expect(here.stdout).toContain(`saved       1 index, 2.0 kB of at most 8.6 GB, in ${cache}/index\n`);
    const whole = await quarry("/", ["doctor"], { env });
    expect(whole.stdout).toMatch(/^index {7}not used here: the root of the system is not indexed$/m);
    const wrong = await quarry(root, ["doctor"], { env: { QUARRY_INDEX_CACHE_SIZE: "huge" } });
    expect([wrong.code, wrong.stdout]).toEqual([
      2,
      expect.stringContaining("index       not known, see below"),
    ]);
    expect(wrong.stderr).toContain('QUARRY_INDEX_CACHE_SIZE is "huge"');
  });

  test("says that the tree has too many files, or too many folders to watch, or that no index is wanted", async () => {
    const root = tree({ "a.txt": "x", "b.txt": "x" });
    const env = { QUARRY_CACHE_DIR: join(root, "..", "no-cache-yet") };
    const row = async (more: NodeJS.ProcessEnv): Promise<string | undefined> =>
      /^index {7}(.+)$/m.exec((await quarry(root, ["doctor"], { env: { ...env, ...more } })).stdout)?.[1];
    expect(await row({ QUARRY_INDEX_MAX_FILES: "2" })).toMatch(/^used: 1 folder here/);
    expect(await row({ QUARRY_INDEX_MAX_FILES: "1" })).toBe(
      "not used here: it has 2 files, at most 1 are indexed (QUARRY_INDEX_MAX_FILES)",
    );
    expect(await row({ QUARRY_INDEX: "off" })).toBe("not used here: QUARRY_INDEX is off");
    const size = { listed: null, maxFiles: 5, folders: 1_200 };
    expect(outgrown({ ...size, watches: 1_201 })).toBeNull();
    expect(outgrown({ ...size, watches: null })).toBeNull();
    expect(outgrown({ ...size, folders: null, watches: 1 })).toBeNull();
    expect(outgrown({ ...size, watches: 1_200 })).toBe(
      "it has 1,200 folders, 1,200 watches (inotify); raise fs.inotify.max_user_watches to have one",
    );
  });

  test.each([
    [{ QUARRY_INDEX: "yes" }, 'QUARRY_INDEX is "yes", not auto, now or off. Correct it, or leave it out'],
    [{ QUARRY_INDEX_MAX_FILES: "1e9" }, 'QUARRY_INDEX_MAX_FILES is "1e9", not a whole number. Correct it'],
    [{ QUARRY_CACHE_DIR: "here" }, "QUARRY_CACHE_DIR is here, which is not absolute. Set QUARRY_CACHE_DIR"],
  ])("shows what is wrong with the settings of the index: %j", async (env, problem) => {
    const { code, stdout, stderr } = await quarry(tree({}), ["doctor"], { env });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^index {7}not known, see below$/m);
    expect(stdout).toMatch(/^verdict {5}something is wrong, see below$/m);
    expect(stderr).toContain(problem);
  });

  test("shows that the cache is refused: others may write to it, or it cannot be made", async () => {
    const cache = tree({ "index/v1-0123/segment-1": "x", file: "x" });
    const doctor = (folder: string): Promise<Ran> =>
      quarry(tree({}), ["doctor"], { env: { QUARRY_CACHE_DIR: folder } });
    chmodSync(join(cache, "index"), 0o770);
    const open = await doctor(cache);
    expect([open.code, open.stderr]).toEqual([
      2,
      `quarry: [CACHE_UNSAFE] Others may write to the cache folder ${cache}/index. Set QUARRY_CACHE_DIR to a folder of your own, outside the repository, with mode 0700.\n`,
    ]);
    expect((await doctor(join(cache, "file", "quarry"))).stderr).toContain(
      `The cache folder ${cache}/file/quarry cannot be made: ENOTDIR. Set`,
    );
    expect((await doctor(join(cache, "new", "quarry"))).code).toBe(0);
    expect(existsSync(join(cache, "new"))).toBe(false);
  });

  test.skipIf(process.getuid?.() !== 0)("shows that the cache cannot be made where we may not", async () => {
    const home = tree({});
    chmodSync(home, 0o755);
    const { code, stderr } = await collect(
      spawn(process.execPath, [PROGRAM, "doctor"], { cwd: home, env: { HOME: home }, uid: 65_534 }),
    );
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`The cache folder ${home}/.cache/quarry cannot be made: EACCES. Set`),
    ]);
  });

  test("is one object with --json", async () => {
    const { stdout } = await quarry("/", ["doctor", "--json"], { env: {} });
    const { summary } = objects(stdout);
    expect(summary).toEqual({
      type: "doctor",
      quarry: packageJson.version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      ripgrep: {
        mode: "builtin",
        path: expect.stringMatching(/\/rg$/),
        version: expect.stringMatching(/^\d+\.\d+/),
        pcre2: expect.stringMatching(/^\d+\.\d+/),
      },
      timeLimit: { ms: 20_000, from: "the default" },
      wsl: false,
      index: {
        against: "the root of the system is not indexed",
        watches: expect.any(Number),
        folders: null,
        files: null,
        maxFiles: 500_000,
        trees: expect.any(Number),
        bytes: expect.any(Number),
        mostBytes: 8 * 1024 ** 3,
        folder: expect.stringMatching(/\/index$/),
      },
      problems: [],
    });
  });

  test("shows a problem with its remedy, the rest all the same, and exits with 2", async () => {
    const env = { QUARRY_TIMEOUT_SECONDS: "soon" };
    const { code, stdout, stderr } = await quarry("/", ["doctor"], { env });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ripgrep {5}builtin/m);
    expect(stdout).toMatch(/^time limit {2}not known, see below$/m);
    expect(stderr).toMatch(/^quarry: \[INVALID_INPUT\] QUARRY_TIMEOUT_SECONDS is "soon".+ Set it .+\n$/);
    const json = objects((await quarry("/", ["doctor", "--json"], { env })).stdout);
    expect(json.summary["problems"]).toEqual([
      expect.objectContaining({ code: "INVALID_INPUT", hint: expect.stringContaining("Set it") }),
    ]);
  });

  test("finds a ripgrep on PATH that does not start", async () => {
    const folder = tree({ rg: "#!/nonexistent/interpreter\n" });
    chmodSync(join(folder, "rg"), 0o755);
    const env = { PATH: folder, USE_BUILTIN_RIPGREP: "0" };
    const { code, stdout, stderr } = await quarry("/", ["doctor"], { env });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ripgrep {5}not usable, see below$/m);
    expect(stderr).toMatch(/^quarry: \[RIPGREP_\w+\] .+unset USE_BUILTIN_RIPGREP.+\n$/);
  });

  test("takes no arguments and no flags but its own", async () => {
    expect((await quarry("/", ["doctor", "x"])).stderr).toMatch(
      /^quarry: \[INVALID_INPUT\] quarry doctor takes no/,
    );
    expect((await quarry("/", ["doctor", "--limit", "3"])).code).toBe(2);
  });
});
