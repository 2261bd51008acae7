/** New files that are in the tree beyond doubt, held against what the real ripgrep lists. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { array, type Arbitrary, assert, constantFrom, oneof, property, record, subarray } from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { watchRules } from "../../src/index/feed/rules-watch.ts";
import type { Keeper } from "../../src/index/keeper.ts";
import { indexedScope } from "../../src/index/listing.ts";
import { keyOfPath } from "../../src/index/path-key.ts";
import { SureNames } from "../../src/index/sure-names.ts";
import { listArgv } from "../../src/ripgrep/argv.ts";
import { RULE_LETTERS, RULES_BYTES, RULES_OF_FILE } from "../../src/model/limits.ts";
import { rgPath, standIn } from "../support/ripgrep.ts";
import { type Files, FOLDER, link, plant, tree } from "../support/tree.ts";
import { indexed, listed } from "./indexed.ts";
import { ready } from "./question.ts";

/** From the folder above the root's. */
const RULE_PLACES = [
  "up/.gitignore",
  "up/.ignore",
  ".rgignore",
  "up/root/.gitignore",
  "up/root/.ignore",
  "up/root/.rgignore",
  "up/root/a/.gitignore",
  "up/root/a/b/.ignore",
  "up/root/src/.gitignore",
  "up/root/.git/info/exclude",
  "up/root/src/.git/info/exclude",
  "home/.config/git/ignore",
] as const;
const REPOSITORIES = [
  "up/.git/info",
  "up/root/.git/info",
  "up/root/a/.git/info",
  ".jj",
  "up/root/a/b/.jj",
] as const;
const FOLDERS = ["", "a/", "a/b/", "src/"] as const;

const REAL_RULES = [
  "# Logs",
  "",
  "*.log",
  "npm-debug.log*",
  "node_modules/",
  "/dist",
  "*.py[cod]",
  "*$py.class",
  ".DS_Store",
  "._*",
  "*~",
  "\\#*#",
  ".#*",
  ".env.*",
  "!.env.example",
  ".vscode/*",
  "!.vscode/settings.json",
  "build/**",
  "**/target/",
  "/*.spec",
  "*.tab.[ch]",
  "[._]*.s[a-v][a-z]",
  "a/*",
  "/a/b/*.tmp",
  "docs/_build/",
  "src/",
  "/a/b/",
  "**/b/",
  "{out,tmp}.txt",
  "TAGS",
  "/*",
  "!/src/",
] as const;
const REAL_NAMES = [
  "main.c",
  "main.py",
  "main.pyc",
  "index.ts",
  "x.log",
  "npm-debug.log.1",
  ".env.local",
  ".env.example",
  ".eslintrc",
  "dist",
  "Makefile",
  "#x#",
  "y.tab.c",
  ".main.c.swp",
  "notes~",
  "z.tmp",
  "tags",
  "Out.txt",
  "out.txt",
  "q.spec",
] as const;

const NASTY = [
  "a",
  "b",
  "c",
  "A",
  ".",
  "ab",
  "src",
  "root",
  "up",
  "é",
  "*",
  "*",
  "**",
  "?",
  "/",
  "/",
  "[a-z]",
  "[!a]",
  "[^/]",
  "[a/b]",
  "[é]",
  "[",
  "]",
  "{a,b}",
  "{a,b/*}",
  "{a",
  "}",
  ",",
  "\\",
  "\\ ",
  " ",
  "\t",
  "\u00a0",
  "\u0085",
  "\uFEFF",
  "\r",
  "#",
  "!",
  "\\#",
  "\\!",
] as const;
const NASTY_NAMES = [
  "a",
  "b",
  "c",
  "A",
  "ab",
  "abc",
  "c ",
  "c\u00a0",
  "c\uFEFF",
  "\uFEFFc",
  ".c",
  "..c",
  "é",
  "cé",
  "é.a",
  "#c",
  "!c",
  "*c",
  "[",
  "[c",
  "c]",
  "{c",
  "c}",
  "c,a",
  "\\",
  "c\\",
  " c",
  "c\r",
  "c\nb",
  "src",
  "root",
] as const;

interface Ground {
  readonly rules: readonly (readonly [place: string, text: string])[];
  readonly repositories: readonly string[];
}

function grounds(rule: Arbitrary<string>, most: number): Arbitrary<Ground> {
  const text = record({
    mark: constantFrom("", "", "", "", "\uFEFF"),
    lines: array(rule, { minLength: 1, maxLength: most }),
    newline: constantFrom("\n", "\n", "\r\n"),
    end: constantFrom("", "\n", "\n\n"),
  }).map(({ mark, lines, newline, end }) => mark + lines.join(newline) + end);
  return record({
    rules: array(record({ place: constantFrom(...RULE_PLACES), text }), { minLength: 1, maxLength: 3 }).map(
      (all) => all.map(({ place, text }) => [place, text] as const),
    ),
    repositories: subarray([...REPOSITORIES]),
  });
}

const real = grounds(constantFrom(...REAL_RULES), 5);
const nasty = grounds(
  oneof(
    { weight: 4, arbitrary: array(constantFrom(...NASTY), { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: constantFrom(...REAL_RULES).map((rule) => [rule]) },
  ).map((parts) => parts.join("")),
  2,
);

interface Judged {
  /** Files in folders that hold files of the tree, or are sure to be entered. */
  readonly asked: number;
  readonly sure: number;
  /** Those that ripgrep leaves out. */
  readonly wrong: readonly string[];
}

function judge({ rules, repositories }: Ground, names: readonly string[]): Judged {
  const folders = ["home/.config/git", ...repositories];
  const { root: base, remove } = plant({
    ...Object.fromEntries(folders.map((folder) => [folder, FOLDER])),
    ...Object.fromEntries(FOLDERS.map((folder) => [`up/root/${folder}`, FOLDER])),
    ...Object.fromEntries(rules),
  });
  try {
    const root = join(base, "up/root");
    for (const folder of FOLDERS) {
      for (const name of names) {
        const path = join(root, folder, name);
        if (!existsSync(path)) writeFileSync(path, "");
      }
    }
    return compare(root, names, { HOME: join(base, "home") });
  } finally {
    remove();
  }
}

function compare(root: string, names: readonly string[], env: Readonly<Record<string, string>>): Judged {
  const listed = listing(root, env);
  const sureNames = sureNamesOf(root, env);
  const isSureFolder = (folder: string): boolean => {
    const path = folder.slice(0, -1);
    const above = FOLDERS.find((other) => other === path.slice(0, path.lastIndexOf("/") + 1)) ?? "";
    return isEntered(above) && sureNames.has(keyOfPath({ path }), "folder");
  };
  const isEntered = (folder: string): boolean =>
    folder === "" || listed.some((path) => path.startsWith(folder)) || isSureFolder(folder);
  const entered = FOLDERS.filter(isEntered);
  const paths = entered.flatMap((folder) => names.map((name) => `${folder}${name}`));
  const sure = paths.filter((path) => !isFolder(path) && sureNames.has(keyOfPath({ path }), "file"));
  return { asked: paths.length, sure: sure.length, wrong: sure.filter((path) => !listed.includes(path)) };
}

function isFolder(path: string): boolean {
  return FOLDERS.some((folder) => folder === `${path}/`);
}

/** Which files are in the tree; that rules are invalid changes nothing for the others. */
function listing(root: string, env: Readonly<Record<string, string>>): readonly string[] {
  const argv = listArgv(indexedScope(root), {
    operands: ["."],
    nameGlobs: [],
    singleThread: false,
    explain: false,
  });
  const { stdout } = spawnSync(rgPath, argv, { cwd: root, env });
  return stdout
    .toString()
    .split("\0")
    .map((path) => path.replace(/^\.\//, ""));
}

function sureNamesOf(root: string, env: Readonly<Record<string, string>>): SureNames {
  const rules = watchRules({ root, env });
  rules.fingerprint();
  return new SureNames(root, rules);
}

describe("A file that is sure to be in the tree is one that ripgrep lists", () => {
  it("by rules as people write them, and most are", () => {
    const counted = { asked: 0, sure: 0 };
    assert(
      property(real, (ground) => {
        const { asked, sure, wrong } = judge(ground, REAL_NAMES);
        counted.asked += asked;
        counted.sure += sure;
        expect(wrong).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect(counted.sure / counted.asked).toBeGreaterThan(1 / 3);
  }, 120_000);

  it("by rules that nobody should write", () => {
    let sure = 0;
    assert(
      property(nasty, (ground) => {
        const judged = judge(ground, NASTY_NAMES);
        sure += judged.sure;
        expect(judged.wrong).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(sure).toBeGreaterThan(500);
  }, 120_000);
});

/** With these rules at the root. */
function isSure(rules: string | Buffer, key: string, kind: "file" | "folder" = "file"): boolean {
  const root = tree({ "home/x": "", "root/.git": FOLDER, "root/.gitignore": rules, "root/src/deep/x": "" });
  return sureNamesOf(join(root, "root"), { HOME: join(root, "home") }).has(key, kind);
}

describe("A new file", () => {
  it.each([
    ["has another name than any rule", "*.log\nTAGS\n/dist\n", "main.ts"],
    ["has a name in another case", "TAGS\n", "tags"],
    ["is not the folder that a rule asks for", "main.ts/\n**/\n", "main.ts"],
    ["is matched by a rule that takes back, and by a comment", "#*\n!*\n", "!main.ts"],
    ["is not of a class", "*.py[cod]\n[._]*.s[a-v][a-z]\n", "main.py"],
    ["lies in none of the folders of a rule", "build/**\n.vscode/*\n**/out/**/*\n", "src/main.ts"],
    ["lies below the folder whose own files are left out", "/*\n!/src/\n", "src/main.ts"],
    ["has no hash at its beginning", "\\#*#\n", "main.ts"],
    ["is under rules with Windows' line ends", "*.log\r\n\r\n  \r\n*.tmp  \r\n", "main.ts"],
  ])("is sure to be in the tree if it %s", (_, rules, key) => {
    expect(isSure(rules, key)).toBe(true);
  });

  it.each([
    ["a rule matches it", "*.ts", "main.ts"],
    ["a rule further up matches it", "*.ts", "src/deep/main.ts"],
    ["a rule matches it and another takes that back", "*.ts\n!main.ts\n", "main.ts"],
    ["a rule with folders ends in its name", "/other/main.ts", "src/main.ts"],
    ["its folder is one of a rule's", "build/*\nsrc/*", "src/main.ts"],
    ["it lies deep in a folder of a rule", "/src/**", "src/deep/main.ts"],
    ["it lies where a rule leaves out all files", "/*\n", "main.ts"],
    ["a rule is for every name", "*\n!*.c", "main.ts"],
    ["a rule is for every path", "**/*\n", "main.ts"],
    ["a class may be any letter", "mai[!x].ts\n", "main.ts"],
    ["a class is not closed", "x[\n", "main.ts"],
    ["braces are not closed", "{x\n", "main.ts"],
    ["braces reach over a slash", "{x,y/*}\n", "main.ts"],
    ["a blank is meant", "x\\ \n", "main.ts"],
    ["a blank is none of ASCII's", "x\u00a0\n", "main.ts"],
    ["a mark stands at the beginning", "\uFEFFx\n", "main.ts"],
    ["a rule is no text", Buffer.from([0x78, 0xff, 0x0a]), "main.ts"],
    ["a rule is very long", "x".repeat(RULE_LETTERS + 1), "main.ts"],
    ["rules are very many", "x\n".repeat(RULES_OF_FILE + 1), "main.ts"],
    ["an ignore file is very large", "#".repeat(RULES_BYTES + 1), "main.ts"],
    ["its own name is no text", "x\n", "main\xff.ts"],
    ["its folder's name is no text", "x\n", "\xff/main.ts"],
  ])("is put to ripgrep if %s", (_, rules, key) => {
    expect(isSure(rules, key)).toBe(false);
  });

  it.each([
    ["a rule for folders has another name", "build/\n/dist/\n", "src", true],
    ["a rule matches it", "src\n", "src", false],
    ["a rule for folders matches it", "src/\n", "src", false],
    ["a rule for folders further up may", "other/src/\n", "lib/src", false],
    ["a rule is for every folder", "**/\n", "src", false],
    ["a rule is for every folder, by a slash that is escaped", "\\/\n", "src", false],
    ["a rule is for every folder at the root", "/*/\n", "src", false],
    ["a rule leaves out all that is in its folder", "/*\n", "src", false],
    ["it lies in a folder of a rule", "lib/**/\n", "lib/src", false],
  ])("that is a folder is judged by the rules for folders too: %s", (_, rules, key, sure) => {
    expect(isSure(rules, key, "folder")).toBe(sure);
  });

  const elsewhere: Readonly<Record<string, Files>> = {
    "above the root": { "up/.gitignore": "*.ts\n" },
    "for ripgrep alone, further up": { ".rgignore": "*.ts\n" },
    "in the file's folder": { "up/root/src/.ignore": "*.ts\n" },
    "in the repository": { "up/root/.git/info/exclude": "*.ts\n" },
    "in a repository above": { "up/.git/info/exclude": "*.ts\n" },
    "in a repository within": { "up/root/src/.git/info/exclude": "*.ts\n" },
    "in the user's own file": { "home/.config/git/ignore": "*.ts\n" },
    "in a file that the configuration names": {
      "home/.gitconfig": "[core]\n\texcludesfile = ~/mine\n",
      "home/mine": "*.ts\n",
    },
    "behind a link above the root": { "up/.ignore": link("../mine"), mine: "*.ts\n" },
  };
  it.each(Object.entries(elsewhere))("is put to ripgrep if a rule matches it %s", (_, files) => {
    const base = tree({ "up/root/src/x": "", "home/x": "", ".git": FOLDER, ...files });
    const sure = sureNamesOf(join(base, "up/root"), { HOME: join(base, "home") });
    expect(sure.has("src/main.ts", "file")).toBe(false);
    expect(sure.has("src/main.js", "file")).toBe(true);
  });

  const repositories: Readonly<Record<string, Files>> = {
    "at the root": { "up/root/.git": FOLDER },
    "at the root, of another kind": { "up/root/.jj": FOLDER },
    "whose folder lies elsewhere": { "up/root/.git": "gitdir: ../../elsewhere\n", elsewhere: FOLDER },
    "above the root": { ".jj": FOLDER },
    "in its folder": { "up/root/src/.git": FOLDER },
    "on the way to its folder, behind a link": { "up/root/src/.git": link("../../../elsewhere") },
  };
  const ofGit: Files = {
    "up/root/.gitignore": "/*\n",
    "up/root/src/deep/.gitignore": "*.ts\n",
    "up/.gitignore": "*.ts\n",
    "home/.config/git/ignore": "*.ts\n",
  };
  it("is sure to be in the tree if rules of git match it where there is no repository", () => {
    const base = tree({ ...ofGit, "up/root/other/.git": FOLDER });
    const sure = sureNamesOf(join(base, "up/root"), { HOME: join(base, "home") });
    expect(sure.has("main.ts", "file")).toBe(true);
    expect(sure.has("src/deep/main.ts", "file")).toBe(true);
  });

  it.each(Object.entries(repositories))("is put to ripgrep if they do and there is one %s", (_, files) => {
    const base = tree({ ...ofGit, ...files });
    const sure = sureNamesOf(join(base, "up/root"), { HOME: join(base, "home") });
    expect(sure.has("src/deep/main.ts", "file")).toBe(false);
  });

  it.each(["root/**", "/up/root/*", "up/**/*"])(
    "is put to ripgrep if a rule above the root is %s",
    (rule) => {
      const base = tree({ "up/root/x": "", ".ignore": `${rule}\n`, home: FOLDER });
      const sure = sureNamesOf(join(base, "up/root"), { HOME: join(base, "home") });
      expect(sure.has("main.ts", "file")).toBe(false);
    },
  );

  const odd: Readonly<Record<string, (folder: string) => void>> = {
    "a folder": (folder) => mkdirSync(join(folder, ".ignore")),
    "a link": (folder) => symlinkSync("x", join(folder, ".ignore")),
    "a file with two names": (folder) => linkSync(join(folder, "x"), join(folder, ".ignore")),
    "a folder above the root": (folder) => mkdirSync(join(dirname(dirname(folder)), ".ignore")),
  };
  it.each(Object.entries(odd))("is put to ripgrep if an ignore file is %s", (_, make) => {
    const base = tree({ "up/root/src/x": "", "up/root/other/x": "", home: FOLDER });
    make(join(base, "up/root/src"));
    const sure = sureNamesOf(join(base, "up/root"), { HOME: join(base, "home") });
    expect(sure.has("src/main.ts", "file")).toBe(false);
  });

  it("is judged by the rules outside as they were when it was known that they hold", () => {
    const base = tree({ "up/root/x": "", "up/.ignore": "*.ts\n", home: FOLDER });
    const sure = sureNamesOf(join(base, "up/root"), { HOME: join(base, "home") });
    writeFileSync(join(base, "up/.ignore"), "");
    expect(sure.has("main.ts", "file")).toBe(false);
  });
});

describe("An index", () => {
  interface Counted {
    readonly root: string;
    readonly keeper: Keeper;
    /** Processes of ripgrep so far. */
    readonly started: () => number;
    readonly names: (kinds?: "files" | "folders") => Promise<readonly string[]>;
  }

  const REPOSITORY: Files = { "up/root/.git/info": FOLDER };

  async function counted(files: Files, repository: Files = REPOSITORY): Promise<Counted> {
    const base = tree({ home: FOLDER, ...repository, ...files });
    const root = join(base, "up/root");
    const { env, folder } = standIn('echo >> "$MARK/started"\nexec "$RG" "$@"');
    const { keeper, close } = await indexed(root, {}, undefined, { ...env, HOME: join(base, "home") });
    onTestFinished(close);
    return {
      root,
      keeper,
      started: () => readFileSync(join(folder, "started"), "utf8").length,
      names: async (kinds = "files") => {
        const scope = { ...indexedScope(root), names: [] };
        const answer = await listed(keeper, { scope, kinds, order: "path", limit: null });
        return answer.kind === "able" ? answer.entries.map(({ path }) => path) : [answer.why];
      },
    };
  }

  it("takes new files in without a process, and asks ripgrep about the others", async () => {
    const { root, started, names } = await counted({
      "up/root/.gitignore": "*.log\nnode_modules/\n/dist\n",
      "up/root/src/a.ts": "a\n",
    });
    const before = started();
    writeFileSync(join(root, "b.ts"), "b\n");
    writeFileSync(join(root, "src/c.ts"), "c\n");
    expect(await names()).toEqual([".gitignore", "b.ts", "src/a.ts", "src/c.ts"]);
    expect(started()).toBe(before);
    writeFileSync(join(root, "src/d.log"), "d\n");
    mkdirSync(join(root, "new"));
    writeFileSync(join(root, "new/e.ts"), "e\n");
    expect(await names()).toEqual([".gitignore", "b.ts", "new/e.ts", "src/a.ts", "src/c.ts"]);
    expect(await names("folders")).toEqual(["new", "src"]);
    expect(started()).toBeGreaterThan(before);
  });

  it("takes new folders in without a process, and still knows what is left out", async () => {
    const { root, keeper, started, names } = await counted({
      "up/root/.gitignore": "*.log\nbuild/\n",
      "up/root/src/a.ts": "a\n",
      "up/root/src/x.log": "x\n",
      "up/root/lib/y.log": "y\n",
    });
    const left = (): readonly string[] | undefined =>
      keeper
        .leftOut()
        ?.map(({ path }) => path)
        .sort();
    const before = started();
    mkdirSync(join(root, "new/deep"), { recursive: true });
    writeFileSync(join(root, "new/deep/b.ts"), "b\n");
    mkdirSync(join(root, "empty"));
    expect(await names()).toEqual([".gitignore", "new/deep/b.ts", "src/a.ts"]);
    expect(await names("folders")).toEqual(["empty", "lib", "new", "new/deep", "src"]);
    expect(left()).toEqual([".git", "lib/y.log", "src/x.log"]);
    renameSync(join(root, "new"), join(root, "other"));
    renameSync(join(root, "lib"), join(root, "../lib"));
    expect(await names()).toEqual([".gitignore", "other/deep/b.ts", "src/a.ts"]);
    expect(await names("folders")).toEqual(["empty", "other", "other/deep", "src"]);
    expect(left()).toEqual([".git", "src/x.log"]);
    expect(started()).toBe(before);
    mkdirSync(join(root, "other/build"));
    writeFileSync(join(root, "other/build/c.ts"), "c\n");
    expect(await names()).toEqual([".gitignore", "other/deep/b.ts", "src/a.ts"]);
    expect(await names("folders")).toEqual(["empty", "other", "other/deep", "src"]);
    expect(left()).toBeUndefined();
    expect(started()).toBeGreaterThan(before);
  });

  it("knows that git's rules count when a repository was made", async () => {
    const files = { "up/root/.gitignore": "*.log\n", "up/root/src/a.ts": "a\n" };
    const { root, keeper, names } = await counted(files, {});
    writeFileSync(join(root, "b.log"), "b\n");
    expect(await names()).toEqual([".gitignore", "b.log", "src/a.ts"]);
    mkdirSync(join(root, ".git"));
    await names();
    expect(await ready({ keeper })).toBe(true);
    writeFileSync(join(root, "c.log"), "c\n");
    expect(await names()).toEqual([".gitignore", "src/a.ts"]);
  });

  it("does not take in what lies in a folder that is left out, nor what is no plain file", async () => {
    const { root, names } = await counted({
      "up/root/.gitignore": "build/\n",
      "up/root/src/a.ts": "a\n",
      "up/root/build/b.ts": "b\n",
    });
    writeFileSync(join(root, "build/c.ts"), "c\n");
    symlinkSync("a.ts", join(root, "src/d.ts"));
    expect(await names()).toEqual([".gitignore", "src/a.ts"]);
  });

  it.each(["up/.ignore", "up/root/.gitignore", "up/root/src/.ignore"])(
    "knows no old rules when %s has changed",
    async (place) => {
      const { root, keeper, started, names } = await counted({
        [place]: "*.log\n",
        "up/root/src/a.ts": "a\n",
      });
      const files = [...new Set([place, "up/root/src/a.ts"])]
        .filter((path) => path.startsWith("up/root/"))
        .map((path) => path.slice("up/root/".length));
      writeFileSync(join(root, "src/b.tmp"), "b\n");
      expect(await names()).toEqual([...files, "src/b.tmp"]);
      writeFileSync(join(root, "../..", place), "*.tmp\n");
      await names();
      expect(await ready({ keeper })).toBe(true);
      writeFileSync(join(root, "src/c.tmp"), "c\n");
      expect(await names()).toEqual(files);
      const before = started();
      writeFileSync(join(root, "src/d.log"), "d\n");
      expect(await names()).toEqual([...files, "src/d.log"]);
      expect(started()).toBe(before);
    },
  );
});
