import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { objects, quarry, tree } from "./helpers.ts";

/** The paths of a `--json` answer. */
async function paths(root: string, ...argv: string[]): Promise<unknown[]> {
  const { results } = objects((await quarry(root, ["search", "--json", ...argv])).stdout);
  return [...new Set(results.map((result) => result["path"]))];
}

describe("a search for people", () => {
  test("prints results alone to a pipe, and what it says of them to stderr", async () => {
    const root = tree({ "a.txt": "one foo\ntwo\n", "b/c.txt": "foo foo\n" });
    expect(await quarry(root, ["search", "foo"])).toEqual({
      code: 0,
      stdout: "a.txt\n   1: one foo\n\nb/c.txt\n   1: foo foo\n",
      stderr: "2 matches in 2 files.\n",
    });
  });

  test("prints everything to stdout on a terminal, coloured", async () => {
    const root = tree({ "a.txt": "one foo\n" });
    const { stdout, stderr } = await quarry(root, ["search", "foo"], { stdoutIsTerminal: true });
    expect(stdout).toBe(
      "\x1b[35ma.txt\x1b[0m\n\x1b[32m   1\x1b[0m: one \x1b[1;31mfoo\x1b[0m\n\n\x1b[2m1 match in 1 file.\x1b[0m\n",
    );
    expect(stderr).toBe("");
  });

  test("says that nothing matched, of how many files, and exits with 1", async () => {
    const root = tree({ "a.txt": "one\n", "b.txt": "two\n" });
    expect(await quarry(root, ["search", "foo"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "No matches in 2 files searched.\n",
    });
  });

  test("exits with 2 when nothing matched and not everything could be read, as ripgrep does", async () => {
    const root = tree({ "a.txt": "one\n" });
    symlinkSync("nowhere", join(root, "gone"));
    const { code, stderr } = await quarry(root, ["search", "-L", "foo"]);
    expect(code).toBe(2);
    expect(stderr).toContain("gone: No such file or directory");
    expect((await quarry(root, ["search", "-L", "one"])).code).toBe(0);
  });

  test("shows context, and … between groups that are apart", async () => {
    const root = tree({ "a.txt": "1\nfoo\n3\n4\n5\n6\nfoo\n8\n" });
    expect((await quarry(root, ["search", "-C", "1", "foo"])).stdout).toBe(
      "a.txt\n   1- 1\n   2: foo\n   3- 3\n   …\n   6- 6\n   7: foo\n   8- 8\n",
    );
    expect((await quarry(root, ["search", "-A1", "foo"])).stdout).toBe(
      "a.txt\n   2: foo\n   3- 3\n   …\n   7: foo\n   8- 8\n",
    );
    expect((await quarry(root, ["search", "-B", "4", "foo"])).stdout).toBe(
      "a.txt\n   1- 1\n   2: foo\n   3- 3\n   4- 4\n   5- 5\n   6- 6\n   7: foo\n",
    );
  });

  test("gives 20 files a page, and the pages add up", async () => {
    const names = Array.from({ length: 45 }, (_, n) => `f${String(n).padStart(2, "0")}.txt`);
    const root = tree(Object.fromEntries(names.map((name) => [name, "foo\nfoo\n"])));
    const first = await quarry(root, ["search", "foo"]);
    expect(first.stderr).toBe(
      "Showing 20 of 45 files, 40 of 90 matching lines. --skip 20 for the next page, --all for everything.\n",
    );
    const pages = [first.stdout];
    for (const skip of ["20", "40"])
      pages.push((await quarry(root, ["search", "--skip", skip, "foo"])).stdout);
    expect(pages.join("\n").match(/^f\d\d\.txt$/gm)).toEqual(names);
    const all = await quarry(root, ["search", "--all", "foo"]);
    expect(all.stdout).toBe(pages.join("\n"));
    expect(all.stderr).toBe("90 matches in 45 files.\n");
    const past = await quarry(root, ["search", "--skip", "60", "foo"]);
    expect([past.code, past.stdout]).toEqual([1, ""]);
    expect(past.stderr).toContain("Nothing on this page: there are 45 files");
    expect((await quarry(root, ["search", "--limit", "3", "--mode", "files", "foo"])).stdout).toBe(
      "f00.txt\nf01.txt\nf02.txt\n",
    );
  });

  test("caps the matches of one file, and --all does not", async () => {
    const root = tree({ "a.txt": "foo\n".repeat(500), "b.txt": "foo\n" });
    const { stdout, stderr } = await quarry(root, ["search", "foo"]);
    expect(stdout.match(/: foo$/gm)).toHaveLength(201);
    expect(stderr).toBe("Showing 2 of 2 files, 201 matching lines; there are more. --all for everything.\n");
    expect((await quarry(root, ["search", "--all", "foo"])).stdout.match(/: foo$/gm)).toHaveLength(501);
  });

  test("caps the matches of a page", async () => {
    const files = Array.from({ length: 15 }, (_, n) => [`f${n}.txt`, "foo\n".repeat(200)] as const);
    const { stdout, stderr } = await quarry(tree(Object.fromEntries(files)), ["search", "foo"]);
    expect(stdout.match(/: foo$/gm)).toHaveLength(2000);
    expect(stderr).toBe(
      "Showing 10 of 15 files, 2,000 of 3,000 matching lines. --skip 10 for the next page, --all for everything.\n",
    );
  });

  test("shortens long lines around the match, says so, and shows them whole with --all", async () => {
    const line = `${"a".repeat(3000)}foo${"b".repeat(3000)}`;
    const root = tree({ "a.txt": `${line}\n` });
    const { stdout, stderr } = await quarry(root, ["search", "foo"]);
    expect(stdout).toMatch(/^a\.txt\n {3}1: …a+foob+…\n$/);
    expect(stdout.length).toBeLessThan(540);
    expect(stderr).toBe("1 match in 1 file. 1 long line shortened (--all shows them whole).\n");
    expect((await quarry(root, ["search", "--all", "foo"])).stdout).toBe(`a.txt\n   1: ${line}\n`);
  });

  test("lists files and counts with --mode", async () => {
    const root = tree({ "a.txt": "foo\nfoo foo\n", "b.txt": "foo\n", "c.txt": "bar\n" });
    expect(await quarry(root, ["search", "--mode", "files", "foo"])).toEqual({
      code: 0,
      stdout: "a.txt\nb.txt\n",
      stderr: "2 files with matches.\n",
    });
    expect(await quarry(root, ["search", "--mode", "count", "foo"])).toEqual({
      code: 0,
      stdout: "a.txt:2\nb.txt:1\n",
      stderr: "3 matching lines in 2 files.\n",
    });
    expect((await quarry(root, ["search", "--mode", "count", "nowhere"])).code).toBe(1);
  });

  test("prints statistics with --stats before the last line", async () => {
    const { stderr } = await quarry(tree({ "a.txt": "foo\n", "b.txt": "bar\n" }), [
      "search",
      "--stats",
      "foo",
    ]);
    expect(stderr).toMatch(/^files searched {7}2$/m);
    expect(stderr).toMatch(/^engine {15}ripgrep: there is no index$/m);
    expect(stderr).toMatch(/\n1 match in 1 file\.\n$/);
  });

  test("says how a pattern was repaired", async () => {
    const root = tree({ "a.txt": "x = ${platform}\n" });
    const { stdout, stderr, code } = await quarry(root, ["search", "\\${platform}"]);
    expect([stdout, code]).toEqual(["a.txt\n   1: x = ${platform}\n", 0]);
    expect(stderr).toMatch(/^note: .+\n1 match in 1 file\.\n$/);
  });

  test("skips a path that is not there when another is, and says so", async () => {
    const { stdout, stderr, code } = await quarry(tree({ "a.txt": "foo\n" }), [
      "search",
      "foo",
      "a.txt",
      "gone.txt",
    ]);
    expect([stdout, code]).toEqual(["a.txt\n   1: foo\n", 0]);
    expect(stderr).toMatch(/^note: .*gone\.txt/);
  });

  test("searches outside of the current folder with absolute paths", async () => {
    const elsewhere = tree({ "b.txt": "foo\n" });
    const root = tree({ "a/x.txt": "foo\n" });
    expect((await quarry(join(root, "a"), ["search", "foo", elsewhere])).stdout).toBe(
      `${join(elsewhere, "b.txt")}\n   1: foo\n`,
    );
    expect((await quarry(join(root, "a"), ["search", "foo", ".."])).stdout).toContain("x.txt\n   1: foo\n");
  });
});

describe("the flags of a search", () => {
  test("-i, -S, -F, -w and -U change what matches", async () => {
    const root = tree({
      "a.txt": "Foo\n",
      "b.txt": "foobar\n",
      "c.txt": "a.c\n",
      "d.txt": "abc\n",
      "e.txt": "x(\n  y\n",
    });
    expect(await paths(root, "foo")).toEqual(["b.txt"]);
    expect(await paths(root, "-i", "foo")).toEqual(["a.txt", "b.txt"]);
    expect(await paths(root, "-S", "foo")).toEqual(["a.txt", "b.txt"]);
    expect(await paths(root, "-S", "Foo")).toEqual(["a.txt"]);
    expect(await paths(root, "-iw", "foo")).toEqual(["a.txt"]);
    expect(await paths(root, "a.c")).toEqual(["c.txt", "d.txt"]);
    expect(await paths(root, "-F", "a.c")).toEqual(["c.txt"]);
    expect(await paths(root, "x\\(\\s+y")).toEqual([]);
    expect(await paths(root, "-U", "x\\(\\s+y")).toEqual(["e.txt"]);
    expect(await paths(root, "-U", "x.+y")).toEqual([]);
    expect(await paths(root, "-U", "--multiline-dotall", "x.+y")).toEqual(["e.txt"]);
  });

  test("-t, -g and paths change where", async () => {
    const root = tree({ "a.ts": "foo\n", "b.py": "foo\n", "src/c.ts": "foo\n", "src/deep/d.ts": "foo\n" });
    expect(await paths(root, "-t", "ts", "foo")).toEqual(["a.ts", "src/c.ts", "src/deep/d.ts"]);
    expect(await paths(root, "-t", "ts", "-t", "py", "foo")).toEqual([
      "a.ts",
      "b.py",
      "src/c.ts",
      "src/deep/d.ts",
    ]);
    expect(await paths(root, "-g", "*.py", "foo")).toEqual(["b.py"]);
    expect(await paths(root, "-g", "!*.py", "-g", "!src/deep/**", "foo")).toEqual(["a.ts", "src/c.ts"]);
    expect(await paths(root, "-g", "*.ts", "-g", "!src/deep/**", "foo")).toEqual(["a.ts", "src/c.ts"]);
    expect(await paths(root, "foo", "src/*.ts")).toEqual(["src/c.ts"]);
    expect(await paths(root, "foo", "b.py", "src/deep")).toEqual(["b.py", "src/deep/d.ts"]);
  });

  test("--no-ignore, --no-require-git, --no-hidden and -L change what is looked at", async () => {
    const root = tree({
      ".gitignore": "out/\n",
      "out/a.txt": "foo\n",
      ".hidden/b.txt": "foo\n",
      "c.txt": "foo\n",
      "far/d.txt": "bar\n",
    });
    const other = tree({ "e.txt": "foo\n" });
    symlinkSync(other, join(root, "link"));
    expect(await paths(root, "foo")).toEqual([".hidden/b.txt", "c.txt", "out/a.txt"]);
    expect(await paths(root, "--no-require-git", "foo")).toEqual([".hidden/b.txt", "c.txt"]);
    expect(await paths(root, "--no-hidden", "foo")).toEqual(["c.txt", "out/a.txt"]);
    expect(await paths(root, "-L", "foo")).toEqual([".hidden/b.txt", "c.txt", "link/e.txt", "out/a.txt"]);
    mkdirSync(join(root, ".git"));
    expect(await paths(root, "foo")).toEqual([".hidden/b.txt", "c.txt"]);
    expect(await paths(root, "--no-ignore", "foo")).toEqual([".hidden/b.txt", "c.txt", "out/a.txt"]);
  });

  test("--max-filesize and --binary say what was left out", async () => {
    const root = tree({
      "big.txt": `foo${" ".repeat(5000)}\n`,
      "bin.dat": Buffer.from("foo\0bar\n"),
      "a.txt": "foo\n",
    });
    const { stdout, stderr } = await quarry(root, ["search", "--max-filesize", "2K", "--binary", "foo"]);
    expect(stdout).toBe("a.txt\n   1: foo\n");
    expect(stderr).toMatch(/Skipped: 1 binary/);
  });

  test("--sort orders by path or by time, newest first", async () => {
    const root = tree({ "a.txt": "foo\n", "b.txt": "foo\n", "c.txt": "foo\n" });
    utimesSync(join(root, "b.txt"), 2_000_000_000, 2_000_000_000);
    utimesSync(join(root, "a.txt"), 1_000_000_000, 1_000_000_000);
    expect(await paths(root, "--sort", "path", "foo")).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(await paths(root, "--sort", "mtime", "foo")).toEqual(["b.txt", "c.txt", "a.txt"]);
    expect(await paths(root, "--sort", "none", "foo")).toEqual(
      expect.arrayContaining(["a.txt", "b.txt", "c.txt"]),
    );
  });

  test("--engine ripgrep, --timeout and -e are taken", async () => {
    const root = tree({ "a.txt": "-foo\n" });
    expect(await paths(root, "--engine", "ripgrep", "--timeout", "30", "-e", "-foo")).toEqual(["a.txt"]);
    expect(await paths(root, "--", "-foo")).toEqual(["a.txt"]);
  });

  test("--color decides alone, then NO_COLOR and a dumb terminal", async () => {
    const root = tree({ "a.txt": "foo\n" });
    const coloured = async (argv: string[], env: NodeJS.ProcessEnv, terminal: boolean): Promise<boolean> =>
      (await quarry(root, ["search", ...argv, "foo"], { env, stdoutIsTerminal: terminal })).stdout.includes(
        "\x1b[",
      );
    expect(await coloured([], {}, true)).toBe(true);
    expect(await coloured([], {}, false)).toBe(false);
    expect(await coloured([], { NO_COLOR: "1" }, true)).toBe(false);
    expect(await coloured([], { NO_COLOR: "" }, true)).toBe(true);
    expect(await coloured([], { TERM: "dumb" }, true)).toBe(false);
    expect(await coloured(["--color", "always"], { NO_COLOR: "1" }, false)).toBe(true);
    expect(await coloured(["--color=never"], {}, true)).toBe(false);
  });
});

describe("a search with --json", () => {
  test("prints one object a line and a summary, without a page", async () => {
    const files = Array.from({ length: 25 }, (_, n) => [`f${n}.txt`, "up\na foo\r\ndown\n"] as const);
    const { stdout, stderr, code } = await quarry(tree(Object.fromEntries(files)), [
      "search",
      "--json",
      "-C1",
      "foo",
    ]);
    const { results, summary } = objects(stdout);
    expect([stderr, code, results.length]).toEqual(["", 0, 25]);
    expect(results[0]).toEqual({
      type: "match",
      path: "f0.txt",
      line: 2,
      text: "a foo",
      submatches: [[2, 5]],
      before: [{ line: 1, text: "up" }],
      after: [{ line: 3, text: "down" }],
    });
    expect(summary).toEqual({
      type: "summary",
      files: 25,
      matches: 25,
      engine: "ripgrep",
      engineWhy: "there is no index",
      partial: false,
      skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
      notices: [],
      elapsedMs: expect.any(Number),
      more: false,
      totalFiles: 25,
      totalLines: 25,
      searched: 25,
      considered: 25,
    });
  });

  test("has no caps and no shortened lines", async () => {
    const root = tree({ "a.txt": `${"x".repeat(2000)}foo\n`.repeat(3000) });
    const { results } = objects((await quarry(root, ["search", "--json", "foo"])).stdout);
    expect(results).toHaveLength(3000);
    expect(results[0]).toMatchObject({ text: `${"x".repeat(2000)}foo`, submatches: [[2000, 2003]] });
  });

  test("prints files and counts, and obeys --limit", async () => {
    const root = tree({ "a.txt": "foo\nfoo\n", "b.txt": "foo\n" });
    expect(
      objects((await quarry(root, ["search", "--json", "--mode", "files", "foo"])).stdout).results,
    ).toEqual([
      { type: "file", path: "a.txt" },
      { type: "file", path: "b.txt" },
    ]);
    const counted = await quarry(root, ["search", "--json", "--mode", "count", "--limit", "1", "foo"]);
    const { results, summary } = objects(counted.stdout);
    expect(results).toEqual([{ type: "count", path: "a.txt", count: 2 }]);
    expect(summary).toMatchObject({ files: 1, more: true });
  });

  test("still ends with a summary when nothing matched, and exits with 1", async () => {
    const { stdout, code } = await quarry(tree({ "a.txt": "x\n" }), ["search", "--json", "foo"]);
    expect(code).toBe(1);
    expect(objects(stdout)).toMatchObject({
      results: [],
      summary: { type: "summary", files: 0, matches: 0 },
    });
  });

  test("counts offsets in UTF-16 units, keeps a multiline match in one record, flags what is not UTF-8", async () => {
    const root = tree({
      "a.txt": "😀é foo\n",
      "b.txt": "bar(\n  baz\n)\n",
      "c.txt": Buffer.from([0x66, 0x6f, 0x6f, 0xff, 0x0a]),
    });
    const { results } = objects((await quarry(root, ["search", "--json", "-U", "foo|bar\\(\\s+baz"])).stdout);
    expect(results).toMatchObject([
      { path: "a.txt", text: "😀é foo", submatches: [[4, 7]] },
      { path: "b.txt", line: 1, text: "bar(\n  baz", submatches: [[0, 10]] },
      { path: "c.txt", text: "foo\ufffd", invalidUtf8: true },
    ]);
    expect(results[0]).not.toHaveProperty("invalidUtf8");
  });

  test("gives the notices with their codes", async () => {
    const root = tree({ "a.txt": "foo\n" });
    const { summary } = objects((await quarry(root, ["search", "--json", "foo", "a.txt", "gone"])).stdout);
    expect(summary["notices"]).toEqual([expect.objectContaining({ code: "PATH_SKIPPED" })]);
  });
});

describe("an error of a search", () => {
  test.each<[string[], RegExp]>([
    [["search"], /^quarry: \[INVALID_INPUT\] There is no pattern\. .+\n$/],
    [["search", ""], /^quarry: \[\w+\] .+\n$/],
    [["search", "foo", "gone"], /^quarry: \[PATH_NOT_FOUND\] .*gone.*\n$/],
    [["search", "foo", "/"], /^quarry: \[ROOT_REFUSED\] .+\n$/],
    [["search", "-t", "nosuchtype", "foo"], /^quarry: \[UNKNOWN_TYPE\] .*nosuchtype.*\n$/],
    [["search", "-g", "{a,b", "foo"], /^quarry: \[INVALID_GLOB\] .+\n$/],
    [["search", "--nope", "foo"], /^quarry: \[INVALID_INPUT\] There is no flag --nope .+\n$/],
    [["search", "--json", "foo", "gone"], /^quarry: \[PATH_NOT_FOUND\] .+\n$/],
  ])("%j is one clear line with exit code 2", async (argv, line) => {
    const { code, stdout, stderr } = await quarry(tree({ "a.txt": "foo\n" }), argv);
    expect(stderr).toMatch(line);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("in the pattern shows the place", async () => {
    const { code, stderr } = await quarry(tree({ "a.txt": "foo\n" }), ["search", "ab[c"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^quarry: \[INVALID_PATTERN\] /);
    const lines = stderr.split("\n");
    const caret = lines.findIndex((line) => /^\s+\^/.test(line));
    expect(lines[caret - 1]?.[lines[caret]?.indexOf("^") ?? 0]).toBe("[");
  });

  test("names control characters instead of printing them", async () => {
    const { stderr } = await quarry(tree({}), ["search", "foo", "go\x1b[2Jne\n"]);
    expect(stderr).toMatch(/go\\x1b\[2Jne/);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("about one folder keeps the results of the others, and is said", async () => {
    const root = tree({ "a.txt": "foo\n", "locked/b.txt": "foo\n" });
    chmodSync(join(root, "locked"), 0);
    const { stdout, stderr, code } = await quarry(root, ["search", "foo"]);
    chmodSync(join(root, "locked"), 0o755);
    expect(stdout).toContain("a.txt\n   1: foo\n");
    expect(code).toBe(0);
    // Nothing is locked for root, and then everything is found.
    expect(stdout.includes("locked") || /locked/.test(stderr)).toBe(true);
  });
});

describe("what files hold and are called", () => {
  const evil = "a\x1b[2J\u202ename\n.txt";

  test("does nothing to a terminal", async () => {
    const root = tree({ [evil]: "foo \x1b]0;title\x07 \u202e \r x\tfoo\n" });
    const { stdout } = await quarry(root, ["search", "foo"], {
      stdoutIsTerminal: true,
      env: { NO_COLOR: "1" },
    });
    expect(stdout).toBe(
      '"a\\x1b[2J\\u{202e}name\\n.txt"\n   1: foo \\x1b]0;title\\x07 \\u{202e} \\r x\tfoo\n\n1 match in 1 file.\n',
    );
    expect((await quarry(root, ["search", "foo"], { stdoutIsTerminal: true })).stdout).not.toMatch(
      /\x1b(?!\[[\d;]*m)/,
    );
  });

  test("comes through a pipe as it is, but for names, which stay on their line", async () => {
    const root = tree({ [evil]: "foo \x1b]0;title\x07\n" });
    expect((await quarry(root, ["search", "foo"])).stdout).toBe(
      '"a\\x1b[2J\\u{202e}name\\n.txt"\n   1: foo \x1b]0;title\x07\n',
    );
    expect((await quarry(root, ["search", "--mode", "files", "foo"])).stdout.split("\n")).toHaveLength(2);
    const { results } = objects((await quarry(root, ["search", "--json", "foo"])).stdout);
    expect(results).toMatchObject([{ path: evil, text: "foo \x1b]0;title\x07" }]);
  });
});
