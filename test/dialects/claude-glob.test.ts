/** Claude's `Glob`, sentence by sentence; `claude-glob-law.test.ts` holds it against ripgrep. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeGlob } from "../../src/dialects/claude/glob.ts";
import { GLOB_DESCRIPTION, GLOB_FIELDS } from "../../src/dialects/claude/glob-definition.ts";
import { jsonSchema } from "../../src/dialects/fields.ts";
import type { Ground } from "../../src/engine/ground.ts";
import { standIn } from "../support/ripgrep.ts";
import { FOLDER, link, touch, tree } from "../support/tree.ts";
import { policyOf } from "../workspace/ground.ts";
import { globber } from "./globber.ts";
import { readName } from "./workspaces.ts";

const VCS = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

describe("Glob", () => {
  it("lists files and no folders, newest first, names where they are equally old", async () => {
    const root = tree({
      "old.ts": "",
      "src/new.ts": "",
      "src/b.ts": "",
      "src/a.ts": "",
      "src/dir.ts": FOLDER,
    });
    touch(root, "old.ts", 1_000);
    touch(root, "src/new.ts", 3_000);
    for (const name of ["src/b.ts", "src/a.ts"]) touch(root, name, 2_000);
    const { text, details } = await globber(claudeGlob, root);
    expect(await text({ pattern: "*.ts" })).toBe("src/new.ts\nsrc/a.ts\nsrc/b.ts\nold.ts");
    expect(await details({ pattern: "*.ts" })).toEqual({
      meta: {},
      durationMs: expect.any(Number),
      numFiles: 4,
      filenames: ["src/new.ts", "src/a.ts", "src/b.ts", "old.ts"],
      truncated: false,
      timedOut: false,
      scopePath: ".",
      totalFiles: 4,
      engine: "ripgrep",
      engineWhy: "there is no index",
      skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
      partial: false,
      notices: [],
    });
  });

  it("says so when there are none", async () => {
    const { text } = await globber(claudeGlob, tree({ "a.ts": "" }));
    expect(await text({ pattern: "*.py" })).toBe("No files found");
  });

  it("reads a pattern below the folder that is searched, as ripgrep does", async () => {
    const root = tree({ "src/a.ts": "", "src/deep/b.ts": "", "src/deep/c.js": "", "a.ts": "" });
    const { names } = await globber(claudeGlob, root);
    const sorted = async (input: object): Promise<readonly string[]> => (await names(input)).toSorted();
    expect(await sorted({ pattern: "*.ts" })).toEqual(["a.ts", "src/a.ts", "src/deep/b.ts"]);
    expect(await sorted({ pattern: "src/*.ts" })).toEqual(["src/a.ts"]);
    expect(await sorted({ pattern: "*.ts", path: "src" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await sorted({ pattern: "deep/*.ts", path: join(root, "src") })).toEqual(["src/deep/b.ts"]);
    expect(await sorted({ pattern: "!*.ts" })).toEqual(["src/deep/c.js"]);
    expect(await sorted({ pattern: "!deep", path: "src" })).toEqual(["src/a.ts"]);
    expect(await sorted({ pattern: "!src/deep/" })).toEqual(["a.ts", "src/a.ts"]);
    expect(await sorted({ pattern: "*.{ts,js}", path: "src/deep" })).toEqual([
      "src/deep/b.ts",
      "src/deep/c.js",
    ]);
    expect(await sorted({ pattern: "src/*.ts  " })).toEqual(["src/a.ts"]);
  });

  it("reads what ripgrep takes for a comment or for nothing as it is meant", async () => {
    const root = tree({ "#a.ts": "", "!b.ts": "", "c.ts": "", "src/c.ts": "" });
    const { names } = await globber(claudeGlob, root);
    expect(await names({ pattern: "#*.ts" })).toEqual(["#a.ts"]);
    expect(await names({ pattern: "\\!*.ts" })).toEqual(["!b.ts"]);
    expect(await names({ pattern: "./c.ts" })).toEqual(["c.ts"]);
    expect(await names({ pattern: "./src/**" })).toEqual(["src/c.ts"]);
    expect(await names({ pattern: "c.ts", path: "./src/" })).toEqual(["src/c.ts"]);
  });

  it("takes an absolute pattern apart into its folder and the rest", async () => {
    const root = tree({ "src/utils/a.ts": "", "src/utils/x/b.ts": "", "src/c.ts": "", "src/!d.ts": "" });
    const { names, details } = await globber(claudeGlob, root);
    const below = async (rest: string, more: object = {}): Promise<readonly string[]> =>
      (await names({ pattern: `${root}/${rest}`, ...more })).toSorted();
    // As ripgrep reads `*.ts` in that folder: at any depth.
    expect(await below("src/utils/*.ts")).toEqual(["src/utils/a.ts", "src/utils/x/b.ts"]);
    expect(await below("src/utils/**/b.ts")).toEqual(["src/utils/x/b.ts"]);
    expect(await below("src/ut*/a.ts")).toEqual(["src/utils/a.ts"]);
    expect(await below("src/{c,d}.ts")).toEqual(["src/c.ts"]);
    expect(await below("src/[c]?ts")).toEqual(["src/c.ts"]);
    expect(await below("src/c.ts")).toEqual(["src/c.ts"]);
    expect(await below("src/!d.ts")).toEqual(["src/!d.ts"]);
    expect(await below("src/nothing.ts")).toEqual([]);
    expect((await details({ pattern: `${root}/src/utils/*.ts` })).scopePath).toBe("src/utils");
  });

  it("lets the folder of an absolute pattern win over path, which is not looked at", async () => {
    const root = tree({ "src/a.ts": "", "lib/a.ts": "" });
    const { names } = await globber(claudeGlob, root);
    for (const path of ["lib", "nowhere", "lib/a.ts"]) {
      expect(await names({ pattern: `${root}/src/*.ts`, path })).toEqual(["src/a.ts"]);
    }
  });

  it("finds what lies in folders whose names are globs", async () => {
    const root = tree({ "app/[id]/{x}/a.ts": "", "app/i/a.ts": "", "app/a,b.ts": "", "app/}.ts": "" });
    const { names } = await globber(claudeGlob, root);
    expect(await names({ pattern: "*.ts", path: "app/[id]" })).toEqual(["app/[id]/{x}/a.ts"]);
    expect(await names({ pattern: "app/\\[id\\]/**" })).toEqual(["app/[id]/{x}/a.ts"]);
    expect(await names({ pattern: `${root}/app/\\[id\\]/**` })).toEqual(["app/[id]/{x}/a.ts"]);
    expect(await names({ pattern: `${root}/app/a,b.ts` })).toEqual(["app/a,b.ts"]);
    expect(await names({ pattern: `${root}/app/}.ts` })).toEqual(["app/}.ts"]);
  });

  it("lists 100 files, says how many there are and what to do", async () => {
    const many = (count: number): string =>
      tree(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.ts`, ""])));
    const all = await globber(claudeGlob, many(100));
    expect(await all.details({ pattern: "*" })).toMatchObject({
      numFiles: 100,
      totalFiles: 100,
      truncated: false,
    });
    const { details, text } = await globber(claudeGlob, many(1_234));
    expect(await details({ pattern: "*" })).toMatchObject({
      numFiles: 100,
      totalFiles: 1_234,
      truncated: true,
    });
    const lines = (await text({ pattern: "*" })).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([
      101,
      "[Showing the newest 100 of 1,234 matches; narrow the pattern, or name a folder as path]",
    ]);
  });

  it("lists the newest of them", async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`d${at % 7}/f${at}`, ""])));
    for (let at = 0; at < 150; at++) touch(root, `d${at % 7}/f${at}`, 1_000 + ((at * 37) % 150));
    const { names } = await globber(claudeGlob, root);
    const age = (name: string): number => (Number(/\d+$/.exec(name)?.[0]) * 37) % 150;
    expect((await names({ pattern: "f*" })).map(age)).toEqual(
      Array.from({ length: 100 }, (_, at) => 149 - at),
    );
  });

  it("disregards ignore files and lists hidden files", async () => {
    const root = tree({
      ".git/HEAD": "",
      ".gitignore": "dist/\nnode_modules/\n",
      ".ignore": "*.log\n",
      "dist/a.js": "",
      "node_modules/p/b.js": "",
      "c.log": "",
      ".env": "",
      ".config/d.js": "",
    });
    const { names } = await globber(claudeGlob, root);
    expect((await names({ pattern: "*" })).toSorted()).toEqual(
      [
        ".config/d.js",
        ".env",
        ".gitignore",
        ".ignore",
        "c.log",
        "dist/a.js",
        "node_modules/p/b.js",
      ].toSorted(),
    );
  });

  it.each(["false", "0", "no", "off", " FALSE "])(
    "respects both where the variables are %j",
    async (word) => {
      const root = tree({ ".git/HEAD": "", ".gitignore": "*.js\n", "a.js": "", "b.ts": "", ".c.ts": "" });
      const heeding = await globber(claudeGlob, root, { env: { CLAUDE_CODE_GLOB_NO_IGNORE: word } });
      expect((await heeding.names({ pattern: "*.*s" })).toSorted()).toEqual([".c.ts", "b.ts"]);
      const showing = await globber(claudeGlob, root, { env: { CLAUDE_CODE_GLOB_HIDDEN: word } });
      expect((await showing.names({ pattern: "*.*s" })).toSorted()).toEqual(["a.js", "b.ts"]);
      // A glob does not bring back what a rule leaves out, but the answer says that it is there.
      expect(await heeding.text({ pattern: "a.js" })).toBe(
        "No files found\n[Ignore rules leave out what matches: a.js]",
      );
    },
  );

  it.each(["true", "1", "yes", "", "maybe"])("respects neither where the variables are %j", async (word) => {
    const root = tree({ ".git/HEAD": "", ".gitignore": "*.js\n", ".a.js": "" });
    const env = { CLAUDE_CODE_GLOB_NO_IGNORE: word, CLAUDE_CODE_GLOB_HIDDEN: word };
    const { names } = await globber(claudeGlob, root, { env });
    expect(await names({ pattern: "*.js" })).toEqual([".a.js"]);
  });

  it("reads the variables of the call's ground, not those of the process", async () => {
    const root = tree({ ".a.ts": "" });
    const before = process.env["CLAUDE_CODE_GLOB_HIDDEN"];
    process.env["CLAUDE_CODE_GLOB_HIDDEN"] = "0";
    try {
      const { names, call } = await globber(claudeGlob, root, { env: { CLAUDE_CODE_GLOB_HIDDEN: "1" } });
      expect(await names({ pattern: "*" })).toEqual([".a.ts"]);
      const other = await call({ pattern: "*" }, { env: { CLAUDE_CODE_GLOB_HIDDEN: "0" } });
      expect(other.details).toMatchObject({ filenames: [] });
    } finally {
      if (before === undefined) delete process.env["CLAUDE_CODE_GLOB_HIDDEN"];
      else process.env["CLAUDE_CODE_GLOB_HIDDEN"] = before;
    }
  });

  it("leaves version control out, unless the folder is named", async () => {
    const root = tree({
      ...Object.fromEntries(VCS.map((name) => [`${name}/x/a.ts`, ""])),
      "src/.git/b.ts": "",
      "c.ts": "",
    });
    const { names, text } = await globber(claudeGlob, root);
    expect(await names({ pattern: "*.ts" })).toEqual(["c.ts"]);
    for (const name of VCS) {
      expect(await names({ pattern: "*.ts", path: name })).toEqual([`${name}/x/a.ts`]);
      expect(await names({ pattern: "a.ts", path: `${name}/x` })).toEqual([`${name}/x/a.ts`]);
      expect(await names({ pattern: `${root}/${name}/**` })).toEqual([`${name}/x/a.ts`]);
    }
    expect(await text({ pattern: ".git/**/*.ts" })).toBe(
      "No files found\n[.git is left out unless path names it]",
    );
  });

  it("is over when its time is, with what it has, and says so", async () => {
    const root = tree({ "a.ts": "", "b.ts": "" });
    const { env } = standIn("printf 'a.ts\\0'; sleep 30");
    const slow = { ...env, CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "0.5" };
    const { text, details } = await globber(claudeGlob, root, { env: slow });
    expect(await text({ pattern: "*.ts" })).toBe(
      "a.ts\n[Timed out after 0.5s with 1 path; narrow the pattern, or name a folder as path]",
    );
    expect(await details({ pattern: "*.ts" })).toMatchObject({
      timedOut: true,
      partial: true,
      truncated: true,
      totalFiles: null,
      filenames: ["a.ts"],
    });
    const nothing = standIn("sleep 30");
    const empty = await globber(claudeGlob, root, {
      env: { ...nothing.env, CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "0.5" },
    });
    expect(await empty.text({ pattern: "*.ts" })).toBe(
      "No files found, but not everything was looked at\n[Timed out after 0.5s with 0 paths; narrow the pattern, or name a folder as path]",
    );
  });

  it("names the variable that holds no number of seconds", async () => {
    const env = { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "soon" };
    const { error } = await globber(claudeGlob, tree({ a: "" }), { env });
    expect(await error({ pattern: "*" })).toEqual([
      "INVALID_INPUT",
      expect.stringContaining("CLAUDE_CODE_GLOB_TIMEOUT_SECONDS"),
    ]);
  });
});

describe("the input of Glob", () => {
  it("needs a pattern that says something", async () => {
    const { error } = await globber(claudeGlob, tree({ a: "" }));
    expect((await error({}))[1]).toBe("[INVALID_INPUT] pattern is missing.");
    for (const pattern of ["", "  ", "!", "!/", "./"]) {
      expect(await error({ pattern })).toEqual([
        "INVALID_INPUT",
        "[INVALID_INPUT] pattern is empty. Use **/* for all files.",
      ]);
    }
    expect((await error({ pattern: "{a" }))[0]).toBe("INVALID_GLOB");
    expect((await error({ pattern: "a\0b" }))[0]).toBe("INVALID_GLOB");
    expect((await error({ pattern: "*", paths: "a" }))[1]).toContain("Did you mean path?");
  });

  it("cannot go up from the folder that is searched", async () => {
    const { error } = await globber(claudeGlob, tree({ "src/a": "" }));
    const [code, text] = await error({ pattern: "../*.ts", path: "src" });
    expect([code, text.includes("Name the folder to look in as path")]).toEqual(["INVALID_INPUT", true]);
  });

  it("needs a folder as path", async () => {
    const root = tree({ "src/a.ts": "", "b.zip": "" });
    const { error, names } = await globber(claudeGlob, root);
    for (const path of ["src/a.ts", "b.zip", join(root, "src/a.ts")]) {
      expect(await error({ pattern: "*", path })).toEqual([
        "NOT_A_FOLDER",
        `[NOT_A_FOLDER] ${path} is no folder, and path must be one. Name the folder it is in, and the file in the pattern.`,
      ]);
    }
    expect(await error({ pattern: "*", path: "scr" })).toEqual([
      "PATH_NOT_FOUND",
      "[PATH_NOT_FOUND] Path not found: scr. Leave path out and use the pattern **/scr/** to look for it.",
    ]);
    expect((await error({ pattern: `${root}/scr/*.ts` }))[0]).toBe("PATH_NOT_FOUND");
    expect((await error({ pattern: `${root}/b.zip/*.ts` }))[0]).toBe("NOT_A_FOLDER");
    expect(await names({ pattern: "*.ts", path: "" })).toEqual(["src/a.ts"]);
    expect(await names({ pattern: "*.ts", path: null })).toEqual(["src/a.ts"]);
  });

  it("reads a path in quotes, and one with a tilde", async () => {
    const root = tree({ "tab\there/a.ts": "", "src/b.ts": "" });
    const { names } = await globber(claudeGlob, root, { env: { HOME: root } });
    expect(await names({ pattern: "*", path: '"tab\\there"' })).toEqual(["tab\there/a.ts"]);
    expect(await names({ pattern: "*", path: "~/src" })).toEqual(["src/b.ts"]);
  });

  it("leaves the allowed folders neither by path nor by pattern", async () => {
    const other = tree({ "secret.ts": "" });
    const root = tree({ "a.ts": "", out: link(other) });
    const { error, names } = await globber(claudeGlob, root);
    for (const input of [
      { pattern: "*", path: ".." },
      { pattern: "*", path: other },
      { pattern: "*", path: "out" },
      { pattern: `${other}/*.ts` },
      { pattern: `${other}/secret.ts` },
      { pattern: `${root}/../*` },
      { pattern: `${root}/out/*.ts` },
    ]) {
      expect((await error(input))[0]).toBe("PATH_OUTSIDE");
    }
    expect((await error({ pattern: "/*.ts" }))[0]).toBe("ROOT_REFUSED");
    expect((await error({ pattern: "*", path: "/" }))[0]).toBe("ROOT_REFUSED");
    expect(await names({ pattern: "**" })).toEqual(["a.ts"]);
  });

  it("looks into all allowed folders where there is no path", async () => {
    const [one, other, root] = [tree({ "a.ts": "" }), tree({ "x/b.ts": "" }), tree({ "c.ts": "" })];
    const { names } = await globber(claudeGlob, root, { allow: [one, other] });
    expect((await names({ pattern: "*.ts" })).toSorted()).toEqual(
      [`${one}/a.ts`, `${other}/x/b.ts`].toSorted(),
    );
    expect(await names({ pattern: "x/*.ts" })).toEqual([`${other}/x/b.ts`]);
    expect(await names({ pattern: "!x" })).toEqual([`${one}/a.ts`]);
  });

  it("names no file that is denied, and counts those where nothing else is found", async () => {
    const root = tree({ "a.ts": "", "secret/b.ts": "", "c.key": "" });
    const { names, text, error, details } = await globber(claudeGlob, root, { deny: ["secret/", "*.key"] });
    expect(await names({ pattern: "*" })).toEqual(["a.ts"]);
    expect((await details({ pattern: "*" })).skipped.denied).toBe(2);
    expect(await text({ pattern: "*.key" })).toBe("No files found\n[Skipped: 1 denied]");
    expect((await error({ pattern: "*", path: "secret" }))[0]).toBe("PATH_DENIED");
    expect((await error({ pattern: `${root}/secret/*` }))[0]).toBe("PATH_DENIED");
  });

  it("is no network path, by its text alone", async () => {
    const { session, error } = await globber(claudeGlob, tree({ a: "" }));
    const untouched = new Proxy(session, {
      get: (_, name) => {
        throw new Error(`The session was asked for ${String(name)}`);
      },
    });
    const ground: Ground = { env: {}, signal: undefined };
    for (const input of [
      { pattern: "*", path: "\\\\host\\share" },
      { pattern: "*", path: "//host/share" },
      { pattern: "\\\\host\\share\\*.ts" },
      { pattern: "//host/share/*.ts" },
      { pattern: "//host/share/*.ts", path: "." },
      { pattern: "/tmp/*", path: "//host/share" },
    ]) {
      expect((await error(input))[0]).toBe("PATH_DENIED");
      // Before anything is done with it.
      const asked = claudeGlob(untouched, input, ground);
      await expect(asked).rejects.toMatchObject({ code: "PATH_DENIED" });
    }
  });

  it("is put to the policy before any file call, which on Windows refuses what leads to devices", async () => {
    const root = tree({ a: "" });
    const { session } = await globber(claudeGlob, root);
    const policy = await policyOf(root, { platform: "win32" });
    const ground: Ground = { env: process.env, signal: undefined };
    for (const input of [
      { pattern: "*", path: "/\\host\\share" },
      { pattern: "*", path: "\\??\\C:\\x" },
      { pattern: "/\\host/share/*" },
      { pattern: `${root}/con/*` },
    ]) {
      const asked = claudeGlob({ ...session, policy }, input, ground);
      await expect(asked).rejects.toMatchObject({ code: "PATH_DENIED" });
    }
  });

  it("is a pattern also where it looks like a flag", async () => {
    const { names } = await globber(claudeGlob, tree({ "-v.ts": "", "--files": "", "a.ts": "" }));
    expect(await names({ pattern: "-v*" })).toEqual(["-v.ts"]);
    expect(await names({ pattern: "--files" })).toEqual(["--files"]);
    expect(await names({ pattern: "--pre=x" })).toEqual([]);
  });

  it("ends with its signal", async () => {
    const { call } = await globber(claudeGlob, tree({ a: "" }));
    await expect(call({ pattern: "*" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORTED",
    });
  });
});

describe("the text of Glob", () => {
  it("has one line for each file, whatever its name", async () => {
    const odd = [
      "line\nbreak",
      "[note]",
      "# head",
      "tab\there",
      " blank",
      '"quoted"',
      "No files found",
      "\u202egnp.x",
    ];
    const root = tree(Object.fromEntries(odd.map((name) => [name, ""])));
    const { text, names } = await globber(claudeGlob, root);
    const lines = (await text({ pattern: "*" })).split("\n");
    expect(lines.map(readName)).toEqual(await names({ pattern: "*" }));
    expect((await names({ pattern: "*" })).toSorted()).toEqual(odd.toSorted());
    expect(lines.filter((line) => /^(?:\[|#|No files)/.test(line))).toEqual([]);
  });

  it("stays within the cap, and keeps what had to be cut", async () => {
    const deep = Array.from({ length: 4 }, () => "d".repeat(200)).join("/");
    const root = tree(Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`${deep}/f${at}`, ""])));
    const { call, details, session } = await globber(claudeGlob, root);
    const text = (await call({ pattern: "*" })).content[0].text;
    const { numFiles, truncated, meta, totalFiles } = await details({ pattern: "*" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20 * 1024);
    expect(text.split("\n").slice(-2)).toEqual([
      "[Cut to fit: the whole page is artifact://1]",
      `[Showing the newest ${numFiles} of 90 matches; narrow the pattern, or name a folder as path]`,
    ]);
    expect([truncated, totalFiles, meta.truncation?.totalLines]).toEqual([true, 90, 90]);
    expect(numFiles).toBeLessThan(90);
    const kept = await session.router.resolve("artifact://1");
    expect(kept.kind).toBe("file");
  });
});

describe("the definition of Glob", () => {
  it("is short and tells it from Grep", () => {
    expect({ description: GLOB_DESCRIPTION, inputSchema: jsonSchema(GLOB_FIELDS) }).toMatchInlineSnapshot(`
      {
        "description": "Find files by name, newest first, at most 100, ignored and hidden ones too. To find them by what they hold, use Grep.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "path": {
              "description": "Folder to look in. Default: the root",
              "type": "string",
            },
            "pattern": {
              "description": "Glob: *.ts is any depth, src/*.ts only there, !*.ts all others; may be absolute",
              "type": "string",
            },
          },
          "required": [
            "pattern",
          ],
          "type": "object",
        },
      }
    `);
  });
});
