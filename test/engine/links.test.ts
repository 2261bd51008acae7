/** Links to folders, each followed once: what is shown and under which name, what is never entered, what is noticed. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { findEntries } from "../../src/engine/find.ts";
import type { Ground } from "../../src/engine/ground.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { KEPT_AWAY } from "../../src/model/limits.ts";
import type { FindRequest, SearchRequest } from "../../src/model/request.ts";
import { agentFind } from "../../src/tools/agent-find.ts";
import type { Links } from "../../src/model/query.ts";
import { type AgentGrep, agentGrep } from "../../src/tools/agent-grep.ts";
import { normaliseFind, normaliseSearch } from "../../src/tools/normalise.ts";
import { guardOf } from "../../src/tools/walk-candidates.ts";
import { createPolicy } from "../../src/workspace/policy.ts";
import { openSession } from "../../src/workspace/session.ts";
import { cacheEnv } from "../dialects/workspaces.ts";
import { standIn } from "../support/ripgrep.ts";
import { FOLDER, link, tree } from "../support/tree.ts";
import { globs } from "../workspace/ground.ts";

interface Rules {
  readonly env?: NodeJS.ProcessEnv;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly signal?: AbortSignal;
}

async function groundOf(root: string, { allow, deny, signal, env }: Rules): Promise<Ground> {
  const policy = await createPolicy({ root, allow, deny, globs });
  return { env: env ?? process.env, signal, guard: guardOf({ root, policy }) };
}

interface Answer {
  readonly paths: readonly string[];
  readonly denied: number;
  readonly searched: number | null;
  readonly partial: boolean;
}

/** The files that hold "needle", links followed once. */
async function searched(
  request: Partial<SearchRequest> & { readonly root: string },
  rules: Rules = {},
): Promise<Answer> {
  const { query } = await normaliseSearch({ pattern: "needle", ...request }, process.env);
  const asked = { ...query, links: "once" } as const;
  const found = searchFiles(asked, planScope(asked), await groundOf(request.root, rules));
  const paths: string[] = [];
  for await (const { file } of found) paths.push(file.path);
  const { skipped, searched, partial } = found.ledger.read();
  return { paths, denied: skipped.denied, searched, partial };
}

async function files(root: string, rules: Rules = {}): Promise<readonly string[]> {
  return (await searched({ root }, rules)).paths;
}

/** Files and folders, these with a slash, links followed once. */
async function entries(
  request: FindRequest & { readonly root: string },
  rules: Rules = {},
): Promise<{ readonly paths: readonly string[]; readonly denied: number }> {
  const { query } = await normaliseFind({ order: "path", ...request });
  const asked = { ...query, links: "once" } as const;
  const found = findEntries(asked, planScope(asked), await groundOf(request.root, rules));
  const paths: string[] = [];
  for await (const { path, kind } of found) paths.push(kind === "folder" ? `${path}/` : path);
  return { paths, denied: found.ledger.read().skipped.denied };
}

const N = "needle\n";

describe("A link to a folder", () => {
  it("that is in the walk by its own name is shown under that name only", async () => {
    const root = tree({ "b/x": N, "a/to": link("../b"), "z/to": link("../b") });
    expect(await files(root)).toEqual(["b/x"]);
    expect((await entries({ root })).paths).toEqual(["a/", "b/", "b/x", "z/"]);
  });

  it("that leads out of the searched folder is shown under the link", async () => {
    const root = tree({ "lib/x": N, "lib/sub/y": N, "app/a": N, "app/lib": link("../lib") });
    const answer = await searched({ root, paths: ["app"] });
    expect(answer).toMatchObject({ paths: ["app/a", "app/lib/sub/y", "app/lib/x"], denied: 0, searched: 3 });
    expect((await entries({ root, paths: ["app"] })).paths).toEqual([
      "app/a",
      "app/lib/",
      "app/lib/sub/",
      "app/lib/sub/y",
      "app/lib/x",
    ]);
  });

  it("leads into another folder that is allowed", async () => {
    const other = tree({ x: N });
    const root = tree({ a: N, to: link(other) });
    expect(await files(root, { allow: [".", other] })).toEqual(["a", "to/x"]);
    expect(await searched({ root })).toMatchObject({ paths: ["a"], denied: 1 });
  });

  it("is followed where the searched folder lies outside the root", async () => {
    const other = tree({ "in/a": N, "in/to": link("../x"), "x/b": N });
    const root = tree({ a: N });
    const allow = [".", other];
    expect((await searched({ root, paths: [`${other}/in`] }, { allow })).paths).toEqual([
      `${other}/in/a`,
      `${other}/in/to/b`,
    ]);
    const sieved = await searched({ root, paths: [`${other}/in`], include: "b" }, { allow });
    expect(sieved.paths).toEqual([`${other}/in/to/b`]);
  });

  it("that is named by itself is a folder like any other", async () => {
    const root = tree({ "b/x": N, "b/to": link("../c"), "c/y": N, a: link("b") });
    expect((await searched({ root, paths: ["a"] })).paths).toEqual(["a/to/y", "a/x"]);
  });

  it("is one for globs too, and for what is left out", async () => {
    const root = tree({ "lib/x.ts": N, "lib/x.js": N, "app/to": link("../lib"), "app/y.ts": N });
    const both = ["app/to/x.ts", "app/y.ts"];
    expect((await searched({ root, paths: ["app"], include: "*.ts" })).paths).toEqual(both);
    expect((await searched({ root, paths: ["app"], types: ["ts"] })).paths).toEqual(both);
    expect((await searched({ root, paths: ["app"], include: "to/*.ts" })).paths).toEqual([]);
    expect((await searched({ root, paths: ["app"], include: "app/to/*.ts" })).paths).toEqual(["app/to/x.ts"]);
    expect((await searched({ root, paths: ["app/**/to/*.js"] })).paths).toEqual(["app/to/x.js"]);
    expect((await searched({ root, paths: ["app"], exclude: "*.js" })).paths).toEqual(both);
    expect((await entries({ root, paths: ["app"], include: "*.ts" })).paths).toEqual(both);
    expect((await entries({ root, paths: ["app"], kinds: "files", include: "*.ts" })).paths).toEqual(both);
    expect((await entries({ root, paths: ["app"], kinds: "folders" })).paths).toEqual(["app/to/"]);
  });
});

describe("Of several ways to a folder", () => {
  it("the first link by path wins, whatever it is called", async () => {
    const root = tree({ "lib/x": N, "app/b": link("../lib"), "app/a": link("../lib"), "app/c": link("b") });
    expect((await searched({ root, paths: ["app"] })).paths).toEqual(["app/a/x"]);
    expect((await entries({ root, paths: ["app"] })).paths).toEqual(["app/a/", "app/a/x"]);
  });

  it("the first wins also where one target lies in another", async () => {
    const below = tree({ "lib/x": N, "lib/sub/y": N, "app/b": link("../lib/sub"), "app/a": link("../lib") });
    expect((await searched({ root: below, paths: ["app"] })).paths).toEqual(["app/a/sub/y", "app/a/x"]);
    const above = tree({ "lib/x": N, "lib/sub/y": N, "app/b": link("../lib"), "app/a": link("../lib/sub") });
    expect((await searched({ root: above, paths: ["app"] })).paths).toEqual(["app/a/y", "app/b/x"]);
    expect((await entries({ root: above, paths: ["app"] })).paths).toEqual([
      "app/a/",
      "app/a/y",
      "app/b/",
      "app/b/x",
    ]);
  });

  it("a searched folder wins over a link to what is around it", async () => {
    const root = tree({ "lib/core/x": N, "lib/y": N, "app/to": link("../lib") });
    expect((await searched({ root, paths: ["app", "lib/core"] })).paths).toEqual(["app/to/y", "lib/core/x"]);
    const loose = await searched({ root, paths: ["app", "lib/core"], ignore: "off" });
    expect(loose.paths).toEqual(["app/to/y", "lib/core/x"]);
  });

  it("a chain of links is one link", async () => {
    const root = tree({ "lib/x": N, "one/to": link("../two/to"), "two/to": link("../lib") });
    expect((await searched({ root, paths: ["one"] })).paths).toEqual(["one/to/x"]);
    expect((await searched({ root, paths: ["one", "two"] })).paths).toEqual(["one/to/x"]);
  });

  it("a link inside a followed one is followed, before those that come later by path", async () => {
    const root = tree({
      "p/x": N,
      "p/q": link("../q"),
      "q/y": N,
      "app/a": link("../p"),
      "app/b": link("../q"),
    });
    expect((await searched({ root, paths: ["app"] })).paths).toEqual(["app/a/q/y", "app/a/x"]);
    expect((await searched({ root, paths: ["app"], include: "y" })).paths).toEqual(["app/a/q/y"]);
  });
});

describe("A loop", () => {
  it("to a folder above in the walk is cut", async () => {
    const root = tree({ "a/x": N, "a/up": link(".."), "a/self": link("."), "b/a": link("../a") });
    expect(await searched({ root })).toMatchObject({ paths: ["a/x"], denied: 0, partial: false });
  });

  it("to a folder above the walk shows what is not in it, once", async () => {
    const root = tree({ "sub/x": N, "sub/up": link(".."), "other/y": N });
    expect((await searched({ root, paths: ["sub"] })).paths).toEqual(["sub/up/other/y", "sub/x"]);
    expect((await entries({ root, paths: ["sub"] })).paths).toEqual([
      "sub/up/",
      "sub/up/other/",
      "sub/up/other/y",
      "sub/x",
    ]);
  });

  it("of links through each other is cut", async () => {
    const root = tree({
      "app/p": link("../p"),
      "p/x": N,
      "p/q": link("../q"),
      "q/y": N,
      "q/p": link("../p"),
      "round/one": link("two"),
      "round/two": link("one"),
    });
    expect((await searched({ root, paths: ["app"] })).paths).toEqual(["app/p/q/y", "app/p/x"]);
    expect((await searched({ root, paths: ["round"] })).paths).toEqual([]);
  });
});

describe("What is passed over", () => {
  it("is a broken link and a link to a file", async () => {
    const root = tree({ a: N, broken: link("nowhere"), file: link("a"), deep: link("a/b") });
    expect(await searched({ root })).toMatchObject({ paths: ["a"], denied: 0 });
    expect((await entries({ root })).paths).toEqual(["a"]);
  });

  it("is a link that an ignore rule hides, or that lies below something hidden", async () => {
    const root = tree({
      ".ignore": "/app/hidden\nskipped\n",
      "lib/x": N,
      "app/hidden": link("../lib"),
      "app/skipped/to": link("../../lib"),
      "app/a": N,
    });
    for (const include of [undefined, ["x", "a"]]) {
      expect((await searched({ root, paths: ["app"], include })).paths).toEqual(["app/a"]);
    }
    expect((await searched({ root, paths: ["app"], ignore: "off" })).paths).toEqual([
      "app/a",
      "app/hidden/x",
    ]);
  });

  it("is a link that a rule for folders hides", async () => {
    const root = tree({
      ".ignore": "deps/\n",
      "lib/x": N,
      "app/deps": link("../lib"),
      "app/z": link("../lib"),
    });
    expect((await searched({ root, paths: ["app"] })).paths).toEqual(["app/z/x"]);
    expect((await searched({ root, paths: ["app"], exclude: "z/" })).paths).toEqual([]);
  });

  it("is a link below an excluded folder, or excluded itself", async () => {
    const root = tree({
      "lib/x": N,
      "app/node_modules/to": link("../../lib"),
      "app/odd[1]/to": link("../../lib"),
      "app/.git": link("../lib"),
    });
    const skipFolders = ["node_modules", "odd[1]"];
    expect((await searched({ root, paths: ["app"], skipFolders })).paths).toEqual([]);
    expect((await searched({ root, paths: ["app"], skipFolders, include: "x" })).paths).toEqual([]);
    expect((await entries({ root, paths: ["app"], skipFolders })).paths).toEqual([]);
  });

  it("is a hidden link, where hidden files are not wanted", async () => {
    const root = tree({ "lib/x": N, "app/.to": link("../lib") });
    expect((await searched({ root, paths: ["app"], hidden: false })).paths).toEqual([]);
    expect((await searched({ root, paths: ["app"] })).paths).toEqual(["app/.to/x"]);
  });
});

describe("A target that an ignore rule hides", () => {
  it("is shown under a link that is not hidden", async () => {
    const root = tree({
      ".ignore": "build/\n",
      "build/x": N,
      "build/sub/y": N,
      "a/to": link("../build"),
      "b/to": link("../build/sub"),
    });
    expect(await files(root)).toEqual(["a/to/sub/y", "a/to/x"]);
    expect((await searched({ root, include: ["x", "y"] })).paths).toEqual(["a/to/sub/y", "a/to/x"]);
    expect((await entries({ root })).paths).toEqual([
      ".ignore",
      "a/",
      "a/to/",
      "a/to/sub/",
      "a/to/sub/y",
      "a/to/x",
      "b/",
    ]);
  });

  it("is not looked through for links by itself, however often it is asked", async () => {
    const root = tree({ ".ignore": "build/\n", "build/to": link("../lib"), "lib/x": N, "app/a": N });
    const request = { root, paths: ["app", "build/.."] };
    for (const include of [undefined, undefined, ["a"], ["a"]]) {
      const hidden = await searched({ ...request, exclude: "lib", ...(include && { include }) });
      expect(hidden.paths).toEqual(["app/a"]);
    }
    writeFileSync(join(root, ".ignore"), "");
    expect((await searched({ ...request, exclude: "/lib" })).paths).toEqual(["app/a", "build/to/x"]);
  });
});

describe("A link to what the session may not see", () => {
  it("is counted and not entered", async () => {
    const outside = tree({ "deep/x": N });
    execFileSync("mkfifo", [join(outside, "pipe")]);
    utimesSync(outside, 1_000, 2_000_000_000);
    utimesSync(join(outside, "deep"), 1_000, 2_000_000_000);
    const root = tree({ a: N, out: link(outside), deep: link(join(outside, "deep")), "sub/b": N });
    expect(await searched({ root })).toEqual({
      paths: ["a", "sub/b"],
      denied: 2,
      searched: 2,
      partial: false,
    });
    expect(await searched({ root, include: "x" })).toMatchObject({ paths: [], denied: 2, searched: 0 });
    expect(await entries({ root })).toEqual({ paths: ["a", "sub/", "sub/b"], denied: 2 });
    // Reading a folder would have set this.
    expect(statSync(outside).atimeMs).toBe(1_000_000);
    expect(statSync(join(outside, "deep")).atimeMs).toBe(1_000_000);
  });

  it("is not shown to ripgrep beside one that is followed", async () => {
    const outside = tree({ x: N });
    utimesSync(outside, 1_000, 2_000_000_000);
    const root = tree({ "app/out": link(outside), "app/to": link("../lib"), "lib/y": N });
    expect(await searched({ root, paths: ["app"] })).toMatchObject({ paths: ["app/to/y"], denied: 1 });
    expect(statSync(outside).atimeMs).toBe(1_000_000);
  });

  it("is never in the way of a ripgrep that follows links", async () => {
    const root = tree({
      "app/out": link("/usr"),
      "app/all": link("/"),
      "app/to": link("../lib"),
      "lib/y": N,
    });
    const { env, folder } = standIn('echo "$*" >> "$MARK/argv"; exec "$RG" "$@"');
    expect(await searched({ root, paths: ["app"] }, { env })).toMatchObject({
      paths: ["app/to/y"],
      denied: 2,
    });
    const following = readFileSync(join(folder, "argv"), "utf8")
      .split("\n")
      .filter((argv) => argv.includes("--follow"));
    expect(following).toHaveLength(1);
    for (const part of ["--max-depth=1 ", "--glob=!out ", "--glob=!all "])
      expect(following[0]).toContain(part);
  });

  it("is counted once, also where there is another way to the folder that it lies in", async () => {
    const root = tree({ "sub/x": N, "sub/up": link(".."), "sub/out": link("/usr"), y: N });
    const once = { paths: ["sub/up/y", "sub/x"], denied: 1 };
    expect(await searched({ root, paths: ["sub"] })).toMatchObject(once);
    expect(await searched({ root, paths: ["sub"], include: ["x", "y"] })).toMatchObject(once);
  });

  it("is not entered where it leads to the root of the file system, whatever is allowed", async () => {
    const root = tree({ a: N, all: link("/") });
    expect(await searched({ root })).toMatchObject({ paths: ["a"], denied: 1, searched: 1 });
    expect(await searched({ root }, { allow: ["/"] })).toMatchObject({
      paths: ["a"],
      denied: 1,
      searched: 1,
    });
    expect(await entries({ root }, { allow: ["/"] })).toEqual({ paths: ["a"], denied: 1 });
  });

  it("is not counted where a rule hides it", async () => {
    const root = tree({ ".ignore": "out\n", a: N, out: link("/usr") });
    expect(await searched({ root })).toMatchObject({ paths: ["a"], denied: 0 });
    expect(await searched({ root, include: "a" })).toMatchObject({ paths: ["a"], denied: 0 });
  });

  it("is withheld by a denied glob on its name or on its target", async () => {
    const root = tree({ "lib/x": N, "secret/y": N, "app/lib": link("../lib"), "app/to": link("../secret") });
    const deny = ["/secret", "app/lib"];
    expect(await searched({ root, paths: ["app"] }, { deny })).toMatchObject({ paths: [], denied: 2 });
    expect(await searched({ root, paths: ["app"], include: "*" }, { deny })).toMatchObject({ denied: 2 });
    expect(await entries({ root, paths: ["app"] }, { deny })).toEqual({ paths: [], denied: 2 });
  });
});

describe("Below a followed link", () => {
  it("files are judged by where they really are", async () => {
    const root = tree({
      "lib/ok": N,
      "lib/key.pem": N,
      "lib/private/z": N,
      "lib/out": link("/usr"),
      "app/to": link("../lib"),
    });
    const deny = ["*.pem", "lib/private"];
    const answer = await searched({ root, paths: ["app"] }, { deny });
    expect(answer).toMatchObject({ paths: ["app/to/ok"], denied: 2 });
    expect((await entries({ root, paths: ["app"] }, { deny })).paths).toEqual(["app/to/", "app/to/ok"]);
  });
});

describe("The memory of folders", () => {
  /** Long enough ago for folders to be remembered. */
  async function rest(): Promise<void> {
    await setTimeout(2_200);
  }

  it("notices a new link, a removed one and one that leads elsewhere, also within a second", async () => {
    const root = tree({ "one/x": N, "two/y": N, "app/deep/to": link("../../one") });
    const ask = async (): Promise<readonly string[]> => (await searched({ root, paths: ["app"] })).paths;
    const turn = (target: string): void => {
      rmSync(join(root, "app/deep/to"), { force: true });
      symlinkSync(target, join(root, "app/deep/to"));
    };
    expect(await ask()).toEqual(["app/deep/to/x"]);
    await rest();
    expect(await ask()).toEqual(["app/deep/to/x"]);
    expect(await ask()).toEqual(["app/deep/to/x"]);
    turn("../../two");
    expect(await ask()).toEqual(["app/deep/to/y"]);
    turn("../../one");
    expect(await ask()).toEqual(["app/deep/to/x"]);
    unlinkSync(join(root, "app/deep/to"));
    expect(await ask()).toEqual([]);
    symlinkSync("../two", join(root, "app/new"));
    expect(await ask()).toEqual(["app/new/y"]);
    mkdirSync(join(root, "app/later/still"), { recursive: true });
    symlinkSync("../../../one", join(root, "app/later/still/to"));
    expect(await ask()).toEqual(["app/later/still/to/x", "app/new/y"]);
  });

  it("notices that a folder which was left out no longer is, and the other way round", async () => {
    const root = tree({
      ".ignore": "app/deps\n",
      "lib/x": N,
      "app/deps/in/to": link("../../../lib"),
      "app/a": N,
    });
    const ask = async (include?: string[]): Promise<readonly string[]> =>
      (await searched({ root, paths: ["app"], ...(include && { include }) })).paths;
    await rest();
    for (const include of [undefined, ["a", "x"], undefined]) expect(await ask(include)).toEqual(["app/a"]);
    writeFileSync(join(root, ".ignore"), "");
    for (const include of [["a", "x"], undefined, ["a", "x"]]) {
      expect(await ask(include)).toEqual(["app/a", "app/deps/in/to/x"]);
    }
    writeFileSync(join(root, ".ignore"), "app/deps\n");
    for (const include of [["a", "x"], undefined]) expect(await ask(include)).toEqual(["app/a"]);
  });

  it("does not hide that a rule hides what is in such a folder", async () => {
    const root = tree({
      ".ignore": "app/deps\nin\n",
      "lib/x": N,
      "app/deps/in/to": link("../../../lib"),
      "app/deps/z/to": link("../../../lib"),
    });
    await rest();
    expect((await searched({ root, paths: ["app"] })).paths).toEqual([]);
    writeFileSync(join(root, ".ignore"), "in\n");
    expect((await searched({ root, paths: ["app"], include: "x" })).paths).toEqual(["app/deps/z/to/x"]);
  });
});

describe("Many links", () => {
  const MANY = Array.from({ length: 40 }, (_, at) => at);
  const runsOf = (folder: string): readonly string[] =>
    readFileSync(join(folder, "argv"), "utf8").trim().split("\n");

  it("take few runs of ripgrep, and rules for one of them hold", async () => {
    const root = tree({
      ".ignore": "store/\nto7/\n/docs/old\n*.log\n",
      "store/.ignore": "**/deep/\n",
      "store/s8/.ignore": "/x\n",
      ...Object.fromEntries(
        MANY.flatMap((at) => [
          [`store/s${at}/x`, N],
          [`store/s${at}/deep/x`, N],
        ]),
      ),
      ...Object.fromEntries(MANY.map((at) => [`app/to${at}`, link(`../store/s${at}`)])),
    });
    const { env, folder } = standIn('echo "$*" >> "$MARK/argv"; exec "$RG" "$@"');
    const { paths } = await searched({ root }, { env });
    const wanted = MANY.filter((at) => at !== 7 && at !== 8).map((at) => `app/to${at}/x`);
    expect(paths).toEqual(wanted.sort());
    expect(runsOf(folder)).toHaveLength(3);
  });

  it("have runs of their own where a rule above may tell them apart", async () => {
    for (const rule of ["/store/s1/x", "store/*/y", "**/s1/x", "s?/x", "/{store,b}/s1/x"]) {
      const root = tree({
        ".ignore": `${rule}\n`,
        ...Object.fromEntries([0, 1, 2].map((at) => [`store/s${at}/x`, N])),
        ...Object.fromEntries([0, 1, 2].map((at) => [`app/to${at}`, link(`../store/s${at}`)])),
      });
      const { env, folder } = standIn('echo "$*" >> "$MARK/argv"; exec "$RG" "$@"');
      await searched({ root, paths: ["app"] }, { env });
      expect([rule, runsOf(folder).length]).toEqual([rule, 5]);
    }
  });

  it("are not followed where it cannot be asked whether a rule hides them, and that is said", async () => {
    const broken = Array.from({ length: KEPT_AWAY + 1 }, (_, at) => [`app/b${at}`, link("nowhere")] as const);
    const root = tree({
      ".ignore": "to/\n",
      "lib/x": N,
      "app/to": link("../lib"),
      ...Object.fromEntries(broken),
    });
    const { query } = await normaliseSearch({ root, pattern: "needle", paths: ["app"] }, process.env);
    const asked = { ...query, links: "once" } as const;
    const found = searchFiles(asked, planScope(asked), await groundOf(root, {}));
    for await (const { file } of found) expect(file.path).toBe("nothing");
    expect(found.ledger.read()).toMatchObject({
      skipped: { unreadable: 1 },
      notices: [{ code: "UNREADABLE", path: "app/to" }],
    });
  });
});

describe("A call that is aborted or out of time", () => {
  it("ends in the middle of following", async () => {
    const lib = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`lib${at}/x`, N]));
    const to = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`app/to${at}`, link(`../lib${at}`)] as const),
    );
    // The file of a repository elsewhere: each link has a run of its own.
    const root = tree({ ...lib, ...to, ".jj": "" });
    const abort = new AbortController();
    const { query } = await normaliseSearch(
      { root, pattern: "needle", paths: ["app"], order: "none" },
      process.env,
    );
    const asked = { ...query, links: "once" } as const;
    const found = searchFiles(asked, planScope(asked), await groundOf(root, { signal: abort.signal }));
    const paths: string[] = [];
    const reading = (async () => {
      for await (const { file } of found) {
        paths.push(file.path);
        abort.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
    expect(paths).toEqual(["app/to0/x"]);
  });

  it("says that not everything was looked at", async () => {
    const root = tree({ "lib/x": N, "app/a": N, "app/to": link("../lib") });
    const answer = await searched({ root, paths: ["app"], timeoutMs: 1 });
    expect(answer.partial).toBe(true);
  });
});

describe("The agent's tools", () => {
  it("follow links once when they are asked to, and open what they show", async () => {
    const other = tree({ "x.txt": N, empty: FOLDER });
    const root = tree({ "a.txt": N, to: link(other), out: link("/usr") });
    const env = cacheEnv();
    const session = await openSession({ root, allow: [".", other], globs, env });
    onTestFinished(() => session.close());
    const ground: Ground = { env, signal: undefined };
    const request = (links: Links): AgentGrep => ({
      pattern: "needle",
      path: undefined,
      insensitive: false,
      multiline: false,
      scope: { links },
      mode: "files",
      order: "path",
      binary: "ripgrep",
      rows: { around: { before: 0, after: 0 }, gaps: "always", counted: "rows", offset: 0, limit: 20 },
    });
    const page = await agentGrep(session, request("once"), ground);
    expect(page.files.map(({ file }) => file.path)).toEqual(["a.txt", "to/x.txt"]);
    expect(page.skipped.denied).toBe(1);
    const skipping = await agentGrep(session, request("skip"), ground);
    expect(skipping.files.map(({ file }) => file.path)).toEqual(["a.txt"]);
    const found = await agentFind(
      session,
      {
        sought: { paths: ["**/*"] },
        kinds: "all",
        hidden: true,
        ignore: "on",
        exclude: [],
        links: "once",
        limit: 20,
        skip: 0,
        timeoutMs: 5_000,
      },
      ground,
    );
    expect(found.entries.map(({ path }) => path).sort()).toEqual(["a.txt", "to", "to/empty", "to/x.txt"]);
    expect(found.skipped.denied).toBe(1);
  });
});
