import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { objects, quarry, tree } from "./helpers.ts";

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
