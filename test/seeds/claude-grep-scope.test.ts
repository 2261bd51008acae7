/** seeds/claude-code-glob-and-grep.md, chapters 6 to 9: which files Grep searches, and which paths it refuses. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeGrep } from "../../src/dialects/claude/grep.ts";
import type { Session } from "../../src/workspace/session.ts";
import { rg } from "../support/ripgrep.ts";
import { link, tree } from "../support/tree.ts";
import { claude } from "./claude.ts";

const byName = { env: { NODE_ENV: "test" } };
const VCS = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

describe("path", () => {
  it("left out is everything the session may see; relative and absolute it is a folder", async () => {
    const { text, root } = await claude(
      { "a.ts": "hit\n", "src/b.ts": "hit\n", "src/x/c.ts": "hit\n" },
      byName,
    );
    const all = "Found 3 files\na.ts\nsrc/b.ts\nsrc/x/c.ts";
    const below = "Found 2 files\nsrc/b.ts\nsrc/x/c.ts";
    expect(await text({ pattern: "hit" })).toBe(all);
    for (const path of [".", root, "", " "]) expect(await text({ pattern: "hit", path })).toBe(all);
    for (const path of ["src", "./src/", join(root, "src")]) {
      expect(await text({ pattern: "hit", path })).toBe(below);
    }
  });

  it("may be a file, whose path is printed all the same", async () => {
    const { text, root } = await claude({ "src/b.ts": "one\nhit\n" });
    for (const path of ["src/b.ts", join(root, "src/b.ts")]) {
      expect(await text({ pattern: "hit", path })).toBe("Found 1 file\nsrc/b.ts");
      expect(await text({ pattern: "hit", path, output_mode: "content", "-B": 1 })).toBe(
        "src/b.ts-1-one\nsrc/b.ts:2:hit",
      );
      expect(await text({ pattern: "hit", path, output_mode: "count" })).toBe(
        "src/b.ts:1\n\nFound 1 total occurrence across 1 file.",
      );
    }
    expect(rg(root, "-n", "hit", "src/b.ts").toString()).toBe("2:hit\n");
  });

  it("that is a file wins over glob, type and ignore rules, as in ripgrep", async () => {
    const { text, root } = await claude({ ".ignore": "b.ts\n", "b.ts": "hit\n" });
    for (const more of [{}, { glob: "*.py" }, { type: "py" }, { glob: "!*.ts" }]) {
      expect(await text({ pattern: "hit", path: "b.ts", ...more })).toBe("Found 1 file\nb.ts");
    }
    expect(rg(root, "-l", "-tpy", "-g", "*.py", "hit", "b.ts").toString()).toBe("b.ts\n");
  });

  it("makes paths relative to the root, and only those outside it absolute", async () => {
    const other = tree({ "x/y.ts": "hit\n" });
    const root = tree({ "src/deep/a.ts": "hit\n" });
    const { text } = await claude({}, { root, allow: [root, other], ...byName });
    expect(await text({ pattern: "hit", path: "src/deep" })).toBe("Found 1 file\nsrc/deep/a.ts");
    expect(await text({ pattern: "hit", path: other, output_mode: "content" })).toBe(`${other}/x/y.ts:1:hit`);
  });

  it("that is not there is an error that names Glob", async () => {
    const { error } = await claude({ "a.ts": "hit\n" });
    for (const path of ["gone", "gone/a.ts", "src/*.nope"]) {
      expect(await error({ pattern: "hit", path })).toMatch(/^\[PATH_NOT_FOUND\] /);
    }
    expect(await error({ pattern: "hit", path: "gone" })).toBe(
      "[PATH_NOT_FOUND] Path not found: gone. Check the spelling; Glob looks for names.",
    );
  });

  it("outside the allowed folders is refused, also through a link", async () => {
    const other = tree({ "secret.ts": "hit\n" });
    const { error, text, root } = await claude({ "a.ts": "hit\n", out: link(other) });
    for (const path of ["..", other, join(other, "secret.ts"), "out", "out/secret.ts", "a.ts/../../x"]) {
      expect(await error({ pattern: "hit", path })).toBe(
        `[PATH_OUTSIDE] ${path} is outside the allowed folders. What may be read lies in ${root}.`,
      );
    }
    expect(await error({ pattern: "hit", path: "/" })).toBe(
      "[ROOT_REFUSED] Searching from / is not allowed. Name the folder to look in.",
    );
    expect(await text({ pattern: "hit" })).toBe("Found 1 file\na.ts");
  });

  it("that is denied is refused, and denied files of a folder are counted where nothing is found", async () => {
    const { error, text, details } = await claude(
      { "a.ts": "miss\n", "keys/b.ts": "hit\n", "c.key": "hit\n" },
      { deny: ["keys/", "*.key"] },
    );
    for (const path of ["keys", "keys/b.ts", "c.key"]) {
      expect(await error({ pattern: "hit", path })).toMatch(/^\[PATH_DENIED\] /);
    }
    expect(await text({ pattern: "hit" })).toBe("No files found\n\n[Skipped: 2 denied]");
    expect((await details({ pattern: "miss" })).skipped.denied).toBe(2);
  });

  it("of a network is refused by its text, before anything is asked of the session", async () => {
    const { error } = await claude({ "a.ts": "hit\n" });
    const untouched = new Proxy({ settings: { maxFileSize: null } } as Session, {
      get: (session, name) => {
        if (name === "settings") return session.settings;
        throw new Error(`The session was asked for ${String(name)}`);
      },
    });
    for (const path of ["\\\\host\\share", "//host/share", "\\\\?\\C:\\x", "//", "//host/share/*.ts"]) {
      expect(await error({ pattern: "hit", path })).toBe(
        `[PATH_DENIED] ${path} is refused: network (UNC) and device paths are not opened. ` +
          "Name a file below an allowed folder by its plain path.",
      );
      const asked = claudeGrep(untouched, { pattern: "hit", path }, { env: {}, signal: undefined });
      await expect(asked).rejects.toMatchObject({ code: "PATH_DENIED" });
    }
  });
});

describe("glob", () => {
  const files = {
    "a.ts": "hit\n",
    "b.tsx": "hit\n",
    "c.js": "hit\n",
    "src/d.ts": "hit\n",
    "src/e.test.ts": "hit\n",
    "f.md": "hit\n",
  };

  it.each([
    ["*.ts", ["a.ts", "src/d.ts", "src/e.test.ts"]],
    ["*.{ts,tsx}", ["a.ts", "b.tsx", "src/d.ts", "src/e.test.ts"]],
    ["*.js,*.tsx", ["b.tsx", "c.js"]],
    ["*.js *.tsx", ["b.tsx", "c.js"]],
    [" *.js,, *.tsx ,*.md\n", ["b.tsx", "c.js", "f.md"]],
    ["*.{ts,tsx},*.js", ["a.ts", "b.tsx", "c.js", "src/d.ts", "src/e.test.ts"]],
    ["*.js *.{ts,tsx}", ["a.ts", "b.tsx", "c.js", "src/d.ts", "src/e.test.ts"]],
    ["{a,{b,c}}.{ts,tsx,js},f.*", ["a.ts", "b.tsx", "c.js", "f.md"]],
    ["src/*.ts", ["src/d.ts", "src/e.test.ts"]],
    ["**/d.ts", ["src/d.ts"]],
    ["src", []],
    ["src/**", ["src/d.ts", "src/e.test.ts"]],
    ["!*.ts", ["b.tsx", "c.js", "f.md"]],
    ["*.ts,!*.test.ts", ["a.ts", "src/d.ts"]],
    ["!*.test.ts *.ts", ["a.ts", "src/d.ts"]],
    ["!src", ["a.ts", "b.tsx", "c.js", "f.md"]],
    ["!*.{ts,tsx} !f.md", ["c.js"]],
    ["[ab].ts?", ["b.tsx"]],
    ["", ["a.ts", "b.tsx", "c.js", "f.md", "src/d.ts", "src/e.test.ts"]],
    ["-g", []],
  ])("%j searches what it names", async (glob, expected) => {
    const { details } = await claude(files, byName);
    expect((await details({ pattern: "hit", glob })).filenames).toEqual(expected);
  });

  it("that leaves out wins wherever it stands, where in ripgrep the last one wins", async () => {
    const { details, root } = await claude(files, byName);
    expect((await details({ pattern: "hit", glob: "!*.test.ts,*.ts" })).filenames).toEqual([
      "a.ts",
      "src/d.ts",
    ]);
    expect(rg(root, "-l", "--sort=path", "-g", "!*.test.ts", "-g", "*.ts", "hit").toString()).toBe(
      "a.ts\nsrc/d.ts\nsrc/e.test.ts\n",
    );
  });

  it("does not bring ignored files back, and the answer names what would match", async () => {
    const { text, root } = await claude({
      ".ignore": "dist/\n*.log\n",
      "dist/a.js": "hit\n",
      "b.log": "hit\n",
    });
    expect(await text({ pattern: "hit", glob: "*.js" })).toBe(
      'No files found\n\n[The pattern is in files that ignore rules leave out: dist/a.js (left out by "dist/" in .ignore)]',
    );
    expect(await text({ pattern: "hit", path: "dist" })).toBe("Found 1 file\ndist/a.js");
    expect(rg(root, "-l", "-g", "*.log", "hit").toString()).toBe("b.log\n");
  });

  it("that does not parse is an error", async () => {
    const { error } = await claude(files);
    expect(await error({ pattern: "hit", glob: "{a" })).toBe(
      "[INVALID_GLOB] The glob `{a` does not parse: `{` is not closed, at character 1. " +
        "Put a backslash before a `[`, `{`, `}` or `\\` that is part of a name.",
    );
  });
});

describe("type", () => {
  it("is ripgrep's, and goes together with glob", async () => {
    const files = { "a.ts": "hit\n", "b.tsx": "hit\n", "c.js": "hit\n", "d.jsx": "hit\n", "e.py": "hit\n" };
    const { details, root } = await claude(files, byName);
    for (const type of ["ts", "js", "py", "rust"]) {
      const listed = rg(root, "-l", "--sort=path", "--type", type, "hit")
        .toString()
        .split("\n")
        .filter(Boolean);
      expect((await details({ pattern: "hit", type })).filenames).toEqual(listed);
    }
    expect((await details({ pattern: "hit", type: "js" })).filenames).toEqual(["c.js", "d.jsx"]);
    expect((await details({ pattern: "hit", type: "ts", glob: "*.tsx" })).filenames).toEqual(["b.tsx"]);
    expect((await details({ pattern: "hit", type: "ts", glob: "!*.tsx" })).filenames).toEqual(["a.ts"]);
    expect((await details({ pattern: "hit", type: "py", glob: "*.ts" })).filenames).toEqual([]);
  });

  it("that ripgrep does not know is an error with types that it knows", async () => {
    const { error } = await claude({ "a.ts": "hit\n" });
    expect(await error({ pattern: "hit", type: "typescrpt" })).toMatch(
      /^\[UNKNOWN_TYPE\] There is no file type "typescrpt"\. /,
    );
    expect(await error({ pattern: "hit", type: "--pre=sh" })).toMatch(/^\[UNKNOWN_TYPE\] /);
  });
});

describe("without being asked", () => {
  it("hidden files are searched, and what ignore files name is not", async () => {
    const { text } = await claude(
      {
        ".env": "hit\n",
        ".github/ci.yml": "hit\n",
        ".git/HEAD": "",
        ".gitignore": "dist\n",
        "dist/a": "hit\n",
        b: "hit\n",
      },
      byName,
    );
    expect(await text({ pattern: "hit" })).toBe("Found 3 files\n.env\n.github/ci.yml\nb");
  });

  it("folders of version control are left out, at any depth, unless path names them", async () => {
    const planted = VCS.flatMap((name) => [
      [`${name}/config`, "hit\n"],
      [`sub/${name}/x/config`, "hit\n"],
    ]);
    const { text, details } = await claude(
      { ...Object.fromEntries(planted), "a.git": "hit\n", ".github/b": "hit\n" },
      byName,
    );
    expect(await text({ pattern: "hit" })).toBe("Found 2 files\n.github/b\na.git");
    for (const name of VCS) {
      expect((await details({ pattern: "hit", path: name })).filenames).toEqual([`${name}/config`]);
      expect((await details({ pattern: "hit", path: "sub", glob: `${name}/**` })).filenames).toEqual([]);
    }
  });

  it("binary files are skipped, as ripgrep does, also one whose NUL comes late and one that is named", async () => {
    const late = `hit\n${"x\n".repeat(100_000)}\0hit\n`;
    const { text, details } = await claude({ "a.bin": "hit\n\0\n", "late.bin": late, "b.txt": "hit\n" });
    expect(await text({ pattern: "hit" })).toBe("Found 1 file\nb.txt");
    expect(await text({ pattern: "hit", path: "a.bin", output_mode: "content" })).toBe(
      "No matches found\n\n[Skipped: 1 binary]",
    );
    expect(await text({ pattern: "hit", path: "late.bin" })).toBe("No files found\n\n[Skipped: 1 binary]");
    expect((await details({ pattern: "hit" })).skipped.binary).toBeGreaterThan(0);
  });

  it("UTF-16 with its mark is searched and shown as text", async () => {
    const { text } = await claude({ "a.txt": Buffer.from("\ufeffone\nhit é\n", "utf16le") });
    expect(await text({ pattern: "é", output_mode: "content", "-B": 1 })).toBe("a.txt-1-one\na.txt:2:hit é");
  });

  it("names that would break a row are quoted", async () => {
    const { lines } = await claude({ "a\nb.txt": "hit\n", "c d.txt": "hit\n" }, byName);
    expect(await lines({ pattern: "hit", output_mode: "content" })).toEqual([
      '"a\\nb.txt":1:hit',
      "c d.txt:1:hit",
    ]);
    expect(await lines({ pattern: "hit" })).toEqual(["Found 2 files", '"a\\nb.txt"', "c d.txt"]);
  });
});
