/** `quarry index`: what a person sees and steers of a tree's saved index. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { saveFallbacks } from "../../src/index/fallbacks.ts";
import { indexFolder, indexFolders, indexHome, markUsed } from "../../src/index/places.ts";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { type Json, objects, quarry, type Ran, Sink, tree } from "./helpers.ts";

/** No process has this number. */
const NOBODY = 2 ** 30;

interface Ground {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly index: (...argv: string[]) => Promise<Ran>;
  readonly json: (...argv: string[]) => Promise<Json>;
}

const FILES = {
  "root/.gitignore": "*.log\n",
  "root/.git/HEAD": "ref: refs/heads/main\n",
  "root/a.ts": "export const needle = 1;\nfunction someName(): void {}\n",
  "root/deep/b.ts": "// Needle and thread\nlet other = needle + 2;\n",
  "root/deep/empty": "",
  "root/deep/c.log": "needle\n",
  "root/bytes": Buffer.from([0x6e, 0x65, 0xff, 0x0a]),
  "root/binary": Buffer.from("needle\0\n"),
};

function ground(more: Readonly<Record<string, string>> = {}): Ground {
  const place = tree({ ...FILES, ...more });
  const root = join(place, "root");
  const env = { ...process.env, QUARRY_CACHE_DIR: join(place, "cache") };
  const index = (...argv: string[]): Promise<Ran> => quarry(root, ["index", ...argv], { env });
  const json = async (...argv: string[]): Promise<Json> =>
    objects((await index(...argv, "--json")).stdout).summary;
  return { root, env, folder: indexFolder(root, env), index, json };
}

/** So many grams that the first page of their segment holds nothing else. */
function words(): string {
  let seed = 1;
  const next = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed.toString(36);
  };
  return `${Array.from({ length: 12_000 }, next).join("\n")}\n`;
}

function segmentIn(folder: string): string {
  return join(folder, readdirSync(folder).find((name) => name.startsWith("segment-")) ?? "");
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describe("index build", () => {
  test("saves an index, and says what there is", async () => {
    const { root, folder, index } = ground();
    const { code, stdout, stderr } = await index("build");
    expect([code, stderr]).toEqual([0, ""]);
    const [first, second] = stdout.split("\n");
    expect(first).toMatch(new RegExp(`^Indexed 6 files of ${root}, \\d+ bytes, in \\d+\\.\\d s\\.$`));
    expect(second).toMatch(new RegExp(`^Saved .+ % of the text, in ${folder}$`));
    expect(existsSync(join(folder, "manifest"))).toBe(true);
  });

  test("draws a bar on a terminal, and leaves nothing of it", async () => {
    const { root, env } = ground();
    const stderr = new Sink();
    const { code } = await quarry(root, ["index", "build"], { env, stderr, stderrIsTerminal: true });
    expect(code).toBe(0);
    const drawn = stderr.text.split("\r\x1b[K");
    expect(drawn.length).toBeGreaterThan(2);
    expect(drawn.at(-1)).toBe("");
    for (const line of drawn.slice(1, -1))
      expect(line).toMatch(/^(?:Checking|Listing|Indexing|Saving).+ \d+ s$/);
    // Which takes as long as the rest where the tree is large.
    expect(drawn.at(-2)).toMatch(/^Saving {2} .*━{24}.* 6\/6 {2}\d+ bytes {2}\d+ s$/);
  });

  test("builds anew what is damaged, which a person may have been told by status or verify", async () => {
    const { folder, index, json } = ground({ "root/words": words() });
    await index("build");
    expect(await json("build")).toMatchObject({ files: 7, rebuilt: 0 });
    flip(segmentIn(folder), 10);
    expect((await index("status")).stdout).toContain(
      "in 1 segment, 1 of them damaged; quarry index build builds it anew\n",
    );
    expect(await json("status")).toMatchObject({ damaged: 1, freshness: { changed: 0, added: 0, gone: 0 } });
    expect((await index("build")).stdout).toMatch(
      /^Indexed 7 files .+\nBuilt 1 damaged segment anew\.\nSaved /,
    );
    expect(await json("status")).toMatchObject({ damaged: 0, files: 7, segments: 1 });
    expect(await index("verify", "--patterns", "5")).toMatchObject({ code: 0, stderr: "" });
  });

  test("ends when it is interrupted, and what was saved before is there", async () => {
    const { root, env, folder, index } = ground();
    await index("build");
    const before = readFileSync(join(folder, "manifest"), "utf8");
    writeFileSync(join(root, "new.ts"), "new\n");
    const { code, stdout, stderr } = await quarry(root, ["index", "build"], {
      env,
      signal: AbortSignal.abort(),
    });
    expect([code, stdout]).toEqual([130, ""]);
    expect(stderr).toBe("quarry: interrupted; what was saved before is still there\n");
    expect(readFileSync(join(folder, "manifest"), "utf8")).toBe(before);
    expect(await index("verify", "--patterns", "5")).toMatchObject({ code: 0, stderr: "" });
  });

  test("is refused where there can be none, where somebody else builds, and where nothing is", async () => {
    const { root, env, folder, index } = ground();
    const refusal = async (argv: string[], io = env): Promise<string> =>
      (await quarry(root, ["index", "build", ...argv], { env: io })).stderr;
    expect(await refusal(["/"])).toBe(
      "quarry: [ROOT_REFUSED] There can be no index of /: the root of the system is not indexed. ripgrep searches it, with the same answers.\n",
    );
    expect(await refusal(["nowhere"])).toContain("[PATH_NOT_FOUND]");
    expect(await refusal(["a.ts"])).toContain("[NOT_A_FOLDER]");
    expect(await refusal(["deep", "more"])).toContain('takes one folder, and "more" is another');
    expect(await refusal([], { ...env, QUARRY_CACHE_DIR: join(root, "cache") })).toContain(
      "cache folder lies in",
    );
    mkdirSync(folder, { recursive: true, mode: 0o777 });
    writeFileSync(join(folder, "lock"), String(process.pid));
    expect(await refusal([])).toContain(`[SESSION_BUSY] Process ${process.pid} builds and saves the index`);
    writeFileSync(join(folder, "lock"), String(NOBODY));
    expect((await index("build")).code).toBe(0);
  });
});

describe("index status", () => {
  test("says that there is none, and why there can be none", async () => {
    const { root, env, index } = ground();
    expect(await index("status")).toEqual({
      code: 1,
      stdout: `root      ${root}\nindex     none; quarry index build makes one\n`,
      stderr: "",
    });
    const whole = await quarry("/", ["index", "status"], { env });
    expect(whole.stdout).toContain("not used  the root of the system is not indexed\n");
    expect(objects((await quarry("/", ["index", "status", "--json"], { env })).stdout).summary).toEqual({
      type: "index",
      root: "/",
      saved: false,
      fallbacks: [],
      against: "the root of the system is not indexed",
    });
  });

  test("shows what is saved, and how far it is behind", async () => {
    const { root, folder, index, json } = ground();
    await index("build");
    expect((await index("status")).stdout).toMatch(/^fresh {5}yes, nothing has changed since$/m);
    appendFileSync(join(root, "a.ts"), "more\n");
    writeFileSync(join(root, "new.ts"), "new\n");
    rmSync(join(root, "deep"), { recursive: true });
    await saveFallbacks(folder, [{ why: "links are followed", count: 1_234 }]);
    expect(await json("status")).toMatchObject({
      root,
      folder,
      saved: true,
      files: 6,
      textBytes: expect.any(Number),
      damaged: 0,
      holder: null,
      freshness: { changed: 1, added: 1, gone: 2 },
      fallbacks: [{ why: "links are followed", count: 1_234 }],
      against: null,
    });
    writeFileSync(join(folder, "lock"), String(process.pid));
    const { code, stdout } = await index("status");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fresh {5}1 changed, 1 new, 2 gone since; taken in when it is opened$/m);
    expect(stdout).toMatch(
      /^ripgrep {3}asked instead, in the last session, 1,234 times: links are followed$/m,
    );
    expect(stdout).toContain(`held by   process ${process.pid}, which saves it\n`);
  });

  test("counts what is damaged", async () => {
    const { root, env, folder, index } = ground();
    await index("build");
    truncateSync(segmentIn(folder), 100);
    expect((await index("status")).stdout).toContain(
      "in 1 segment, 1 of them damaged; quarry index build builds it anew\n",
    );
    const named = await quarry("/", ["index", "status", root], { env });
    expect(named.stdout).toContain(`damaged; quarry index build ${root} builds it anew\n`);
  });

  test("says that the tree has too many files, and that QUARRY_INDEX is off", async () => {
    const { root, env, index } = ground();
    await index("build");
    const status = async (more: NodeJS.ProcessEnv): Promise<string> =>
      (await quarry(root, ["index", "status"], { env: { ...env, ...more } })).stdout;
    expect(await status({ QUARRY_INDEX_MAX_FILES: "6" })).not.toContain("not used");
    const many = await status({ QUARRY_INDEX_MAX_FILES: "5" });
    expect(many).toContain("not used  it has 6 files, at most 5 are indexed (QUARRY_INDEX_MAX_FILES)\n");
    expect(many).toContain("fresh     yes");
    expect(await status({ QUARRY_INDEX: "off" })).toContain("not used  QUARRY_INDEX is off\n");
    await index("drop");
    expect(await status({ QUARRY_INDEX_MAX_FILES: "5" })).toContain(
      "index     none\nnot used  it has 6 files",
    );
  });

  test("says why ripgrep was asked where no index could be made", async () => {
    const { root, env, index, json } = ground();
    const workspace = await createWorkspace({ root, env, index: "now", maxIndexedFiles: 5 });
    while ((await workspace.indexStatus())?.phase !== "unable") await setTimeout(10);
    await workspace.tools.search({ pattern: "needle" });
    await workspace.close();
    const why = "More than 5 files are not indexed";
    const { code, stdout } = await index("status");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(
        `^root .+\nindex {5}none; quarry index build makes one\nripgrep {3}asked instead, in the last session, \\d+ times: ${why}\n$`,
      ),
    );
    expect(await json("status")).toMatchObject({ saved: false, fallbacks: [{ why }], against: null });
  });

  test.each([0, 1, 2])("refuses a cache that others may write to, as build does: folder %i", async (at) => {
    const { root, env, index } = ground();
    await index("build");
    const folder = indexFolders(root, env)[at] ?? "";
    chmodSync(folder, 0o770);
    const refusal = {
      code: 2,
      stdout: "",
      stderr: `quarry: [CACHE_UNSAFE] Others may write to the cache folder ${folder}. Set QUARRY_CACHE_DIR to a folder of your own, outside the repository, with mode 0700.\n`,
    };
    for (const verb of ["status", "build", "verify"]) expect(await index(verb)).toEqual(refusal);
  });

  test.skipIf(process.getuid?.() !== 0)("refuses a cache of another user, as build does", async () => {
    const { root, env, index } = ground();
    await index("build");
    const [cache = ""] = indexFolders(root, env);
    chownSync(cache, 65_534, 65_534);
    for (const verb of ["status", "build", "verify"])
      expect((await index(verb)).stderr).toContain(
        `[CACHE_UNSAFE] The cache folder ${cache} belongs to another user`,
      );
  });

  test("refuses a wrong setting", async () => {
    const { root, env } = ground();
    const wrong = await quarry(root, ["index", "status"], { env: { ...env, QUARRY_INDEX: "yes" } });
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain('[INVALID_INPUT] QUARRY_INDEX is "yes", not auto, now or off. Correct it');
  });

  test("lists every saved index, the last used first", async () => {
    const { root, env, index } = ground();
    expect(await index("status", "--all")).toMatchObject({
      code: 1,
      stdout: "0 saved indexes, 0 bytes of at most 8.6 GB.\n",
    });
    const other = join(indexHome(env), "v9-0123");
    mkdirSync(other, { recursive: true });
    await markUsed(other, "/other\u001b[31m");
    await index("build");
    const { code, stdout } = await index("status", "--all");
    expect(code).toBe(0);
    const [first, second, last] = stdout.split("\n");
    expect(first).toMatch(new RegExp(` UTC {2}${root}$`));
    expect(second).toMatch(/ UTC {2}"\/other\\x1b\[31m" \(of another version\)$/);
    expect(last).toMatch(/^2 saved indexes, .+ of at most 8\.6 GB\.$/);
  });
});

describe("index verify", () => {
  test("finds no difference in what was built, and takes in what changed", async () => {
    const { root, index, json } = ground();
    await index("build");
    writeFileSync(join(root, "new.ts"), "brandNew words\n");
    const { code, stdout, stderr } = await index("verify", "--patterns", "40", "--seed", "1");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      new RegExp(
        `^Compared 7 files of ${root} and the answers to 40 patterns, \\d+ of them by the index\\.$`,
        "m",
      ),
    );
    expect(stdout).toMatch(/^No differences\.$/m);
    const verified = await json("verify", "--patterns", "40", "--seed", "1");
    expect(verified).toMatchObject({ type: "verification", root, seed: 1, patterns: 40, differences: [] });
    expect(verified["byIndex"]).toBeGreaterThan(30);
  });

  test("says what to type where a page is damaged", async () => {
    const { root, env, folder, index, json } = ground({ "root/words": words() });
    // What was read before is not taken for what is there now.
    await setTimeout(DISTRUSTED_YOUNG + 100);
    await index("build");
    flip(segmentIn(folder), 10);
    const { code, stdout } = await index("verify", "--patterns", "0", "--seed", "1");
    expect(code).toBe(1);
    const said = stdout.trimEnd().split("\n");
    expect(said[0]).toMatch(/^segment-\S+ cannot be read: A file of the index is damaged: page 0$/);
    expect(said.slice(-2)).toEqual([
      "1 difference; --seed 1 makes the same patterns.",
      "quarry index build builds anew what is damaged.",
    ]);
    const named = await quarry("/", ["index", "verify", root, "--patterns", "0"], { env });
    expect(named.stdout).toMatch(
      new RegExp(`\nquarry index build ${root} builds anew what is damaged\\.\n$`),
    );
    expect(await json("verify", "--patterns", "0")).toMatchObject({ damaged: 1, differences: [{}] });
    writeFileSync(join(folder, "lock"), String(process.pid));
    expect((await index("verify", "--patterns", "0")).stdout).toContain(
      `\nWhen process ${process.pid}, which saves it, has ended: quarry index build builds anew`,
    );
    rmSync(join(folder, "lock"));
    await index("build");
    expect(await index("verify", "--patterns", "5")).toMatchObject({ code: 0, stderr: "" });
  });

  test("needs a saved index", async () => {
    const { root, index } = ground();
    expect(await index("verify")).toEqual({
      code: 2,
      stdout: "",
      stderr: `quarry: [PATH_NOT_FOUND] There is no saved index of ${root}. quarry index build makes one.\n`,
    });
  });
});

describe("index drop", () => {
  test("removes the index of a folder, also of one that is gone", async () => {
    const { root, env, folder, index } = ground();
    await index("build");
    rmSync(root, { recursive: true });
    const { code, stdout } = await quarry("/", ["index", "drop", root], { env });
    expect([code, existsSync(folder)]).toEqual([0, false]);
    expect(stdout).toMatch(new RegExp(`^Removed the index of ${root}: .+\\.\n$`));
    expect(await quarry("/", ["index", "drop", root], { env })).toMatchObject({
      code: 1,
      stdout: `There is no saved index of ${root}.\n`,
    });
  });

  test("leaves one that a live process holds, unless it is forced", async () => {
    const { root, folder, index } = ground();
    await index("build");
    writeFileSync(join(folder, "lock"), String(process.pid));
    expect((await index("drop")).stderr).toBe(
      `quarry: [SESSION_BUSY] Process ${process.pid} holds the index of ${root}. End it first; --force removes the index all the same, and the process goes on with ripgrep.\n`,
    );
    expect((await index("drop", "--all")).code).toBe(2);
    expect(existsSync(folder)).toBe(true);
    expect((await index("drop", "--force")).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  test("removes every one with --all", async () => {
    const { env, index } = ground();
    await index("build");
    await index("build", "deep");
    expect((await index("drop", "--all", "deep")).code).toBe(2);
    const { code, stdout } = await index("drop", "--all");
    expect([code, readdirSync(indexHome(env))]).toEqual([0, []]);
    expect(stdout).toMatch(/^Removed 2 indexes: /);
    expect((await index("drop", "--all")).code).toBe(1);
  });
});

describe("a command of quarry index", () => {
  test("has its own flags and names", async () => {
    const { index } = ground();
    expect((await index("staus")).stderr).toContain("Did you mean quarry index status?");
    expect((await index("build", "--force")).stderr).toContain(
      "There is no flag --force for quarry index build",
    );
    expect((await index()).stdout).toContain("quarry index status|build|verify|drop [DIR]");
  });
});
