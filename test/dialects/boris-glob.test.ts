/** Boris's `glob`, the sibling of its grep: the same walk, asked for names. */
import { describe, expect, it } from "vitest";
import { borisGlob } from "../../src/dialects/boris/glob.ts";
import {
  GLOB_COMPAT_FIELDS,
  GLOB_DESCRIPTION,
  GLOB_FIELDS,
} from "../../src/dialects/boris/glob-definition.ts";
import { jsonSchema } from "../../src/dialects/fields.ts";
import { FOLDER, touch, tree } from "../support/tree.ts";
import { type Globber, globber } from "./globber.ts";

async function sorted({ names }: Globber, input: object): Promise<readonly string[]> {
  return (await names(input)).toSorted();
}

describe("Boris's glob", () => {
  it("lists files and folders, these with a slash, newest first", async () => {
    const root = tree({ "src/old.ts": "", "src/new.ts": "", "src/empty": FOLDER });
    touch(root, "src/old.ts", 1_000);
    touch(root, "src/new.ts", 3_000);
    touch(root, "src/empty", 2_000);
    const glob = await globber(borisGlob, root);
    expect(await glob.text({ pattern: "src/*" })).toBe("src/new.ts\nsrc/empty/\nsrc/old.ts");
    expect(await glob.details({ pattern: "src/*" })).toMatchObject({
      numFiles: 3,
      filenames: ["src/new.ts", "src/empty/", "src/old.ts"],
      totalFiles: 3,
      truncated: false,
    });
    expect(await glob.text({ pattern: "*.py" })).toBe("No files found");
  });

  it("lists only files or only directories where type says so", async () => {
    const glob = await globber(borisGlob, tree({ "a/x": "", "a/b/x": "", "x/y": "" }));
    expect(await sorted(glob, { pattern: "x" })).toEqual(["a/b/x", "a/x", "x/"]);
    expect(await sorted(glob, { pattern: "x", type: "file" })).toEqual(["a/b/x", "a/x"]);
    expect(await sorted(glob, { pattern: "x", type: "directory" })).toEqual(["x/"]);
    expect(await sorted(glob, { pattern: "**", type: "directory" })).toEqual(["a/", "a/b/", "x/"]);
    expect(await glob.error({ pattern: "x", type: "f" })).toEqual([
      "INVALID_INPUT",
      '[INVALID_INPUT] type must be one of file, directory, not "f".',
    ]);
  });

  it("matches below the folder that is searched, and a name at any depth", async () => {
    const root = tree({ "src/a.ts": "", "src/deep/b.ts": "", "src/deep/c.js": "" });
    const glob = await globber(borisGlob, root);
    expect(await sorted(glob, { pattern: "*.ts" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await sorted(glob, { pattern: "*.ts", path: "src/deep" })).toEqual(["src/deep/b.ts"]);
    expect(await sorted(glob, { pattern: "deep/*.{ts,js}", path: "src" })).toEqual([
      "src/deep/b.ts",
      "src/deep/c.js",
    ]);
    expect(await sorted(glob, { pattern: "src/*.ts", path: "src" })).toEqual([]);
    expect(await sorted(glob, { pattern: `${root}/src/d*` })).toEqual(["src/deep/"]);
    expect(await sorted(glob, { pattern: "!deep" })).toEqual(["src/", "src/a.ts"]);
  });

  it("skips .git and node_modules and no other folder, and lists hidden files", async () => {
    const root = tree({
      ".git/config": "",
      "sub/.git": "gitdir: elsewhere\n",
      "node_modules/p/index.js": "",
      "sub/node_modules/q/index.js": "",
      ".svn/entries": "",
      ".env": "",
    });
    const glob = await globber(borisGlob, root);
    expect(await sorted(glob, { pattern: "**" })).toEqual([
      ".env",
      ".svn/",
      ".svn/entries",
      "sub/",
      "sub/.git",
    ]);
    expect(await sorted(glob, { pattern: "*.js", path: "node_modules" })).toEqual([
      "node_modules/p/index.js",
    ]);
    expect(await glob.text({ pattern: "node_modules/*" })).toBe(
      "No files found\n[node_modules is left out unless path names it]",
    );
  });

  it("respects nested ignore files, also outside a git repository", async () => {
    const root = tree({
      ".gitignore": "dist/\n*.log\n",
      "dist/a.js": "",
      "src/.gitignore": "!keep.log\n/local.ts\n",
      "src/keep.log": "",
      "src/lost.log": "",
      "src/local.ts": "",
      "src/a.ts": "",
    });
    const glob = await globber(borisGlob, root);
    expect(await sorted(glob, { pattern: "**", type: "file" })).toEqual([
      ".gitignore",
      "src/.gitignore",
      "src/a.ts",
      "src/keep.log",
    ]);
    expect(await glob.text({ pattern: "dist" })).toBe(
      "No files found\n[Ignore rules leave out what matches: dist]",
    );
    // Its variables are another tool's.
    const other = await globber(borisGlob, root, { env: { CLAUDE_CODE_GLOB_HIDDEN: "0" } });
    expect(await other.names({ pattern: ".gitignore" })).toHaveLength(2);
  });

  it("has no limit but that of the text, says so, and keeps the whole list", async () => {
    const name = (at: number): string => `d${at % 9}/${"long".repeat(20)}-${at}.ts`;
    const glob = await globber(
      borisGlob,
      tree(Object.fromEntries(Array.from({ length: 900 }, (_, at) => [name(at), ""]))),
    );
    const text = await glob.text({ pattern: "*.ts" });
    const { numFiles, totalFiles, truncated, meta } = await glob.details({ pattern: "*.ts" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(text.split("\n").slice(-2)).toEqual([
      "[Cut to fit: the whole page is artifact://1]",
      `[Showing the newest ${numFiles} of 900 matches; narrow the pattern, or name a folder as path]`,
    ]);
    expect([totalFiles, truncated, meta.truncation?.totalLines]).toEqual([900, true, 900]);
    expect([numFiles > 500, numFiles < 900]).toEqual([true, true]);
    expect(await glob.details({ pattern: "*[0-4].ts" })).toMatchObject({ numFiles: 450, truncated: false });
  });

  it("names nothing that is denied, in a list of any length", async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d${at % 3}/f${at}.ts`, ""]));
    const glob = await globber(borisGlob, tree(files), { deny: ["d1/", "f2*.ts"] });
    const names = await glob.names({ pattern: "**" });
    expect(names.filter((name) => /^d1|f2/.test(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(100);
    expect((await glob.error({ pattern: "*", path: "d1" }))[0]).toBe("PATH_DENIED");
  });

  it("has coded errors", async () => {
    const glob = await globber(borisGlob, tree({ a: "" }));
    expect((await glob.error({ pattern: "" }))[0]).toBe("INVALID_INPUT");
    expect((await glob.error({ pattern: "*", path: "a" }))[0]).toBe("NOT_A_FOLDER");
    expect((await glob.error({ pattern: "*", path: "b" }))[0]).toBe("PATH_NOT_FOUND");
    expect((await glob.error({ pattern: "*", path: "//host/x" }))[0]).toBe("PATH_DENIED");
    expect((await glob.error({ pattern: "*", kind: "file" }))[1]).toContain(
      "The fields are pattern, path, type",
    );
  });
});

describe("the definition of Boris's glob", () => {
  it("is short, tells it from grep, and has Claude's fields in compat mode", () => {
    expect({ description: GLOB_DESCRIPTION, inputSchema: jsonSchema(GLOB_FIELDS) }).toMatchInlineSnapshot(`
      {
        "description": "Find files and directories by name, newest first; directories end in /. To find files by what they hold, use grep.",
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "path": {
              "description": "Folder to look in. Default: the root",
              "type": "string",
            },
            "pattern": {
              "description": "Glob: *.ts is any depth, src/*.ts only there; may be absolute",
              "type": "string",
            },
            "type": {
              "description": "Only these. Default: both",
              "enum": [
                "file",
                "directory",
              ],
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
    expect(Object.keys(jsonSchema(GLOB_COMPAT_FIELDS).properties)).toEqual(["pattern", "path"]);
  });
});
