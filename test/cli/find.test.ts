import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { objects, quarry, tree } from "./helpers.ts";

const FILES = { "a.ts": "", "src/b.ts": "", "src/deep/c.ts": "", "d.md": "", ".hidden/e.ts": "" };

async function lines(root: string, ...argv: string[]): Promise<string[]> {
  const { stdout } = await quarry(root, ["find", "--sort", "path", ...argv]);
  return stdout.split("\n").slice(0, -1);
}

describe("find", () => {
  test("lists paths by glob, one a line, and says how many to stderr", async () => {
    expect(await quarry(tree(FILES), ["find", "--sort", "path", "*.ts"])).toEqual({
      code: 0,
      stdout: ".hidden/e.ts\na.ts\nsrc/b.ts\nsrc/deep/c.ts\n",
      stderr: "4 paths.\n",
    });
  });

  test("takes paths and several globs, and everything without one", async () => {
    const root = tree(FILES);
    expect(await lines(root, "src/*.ts", "*.md")).toEqual(["d.md", "src/b.ts"]);
    expect(await lines(root, "src")).toEqual(
      expect.arrayContaining(["src/b.ts", "src/deep/", "src/deep/c.ts"]),
    );
    expect(await lines(root)).toEqual(expect.arrayContaining([".hidden/e.ts", "a.ts", "d.md", "src/"]));
  });

  test("tells files from folders with --kind, empty folders too", async () => {
    const root = tree(FILES);
    mkdirSync(join(root, "empty"));
    expect(await lines(root, "--kind", "dir")).toEqual([".hidden/", "empty/", "src/", "src/deep/"]);
    expect(await lines(root, "--kind", "file", "src")).toEqual(["src/b.ts", "src/deep/c.ts"]);
  });

  test("obeys -g, -t, --no-hidden and --no-ignore", async () => {
    const root = tree({ ...FILES, ".gitignore": "d.md\n" });
    mkdirSync(join(root, ".git"));
    expect(await lines(root, "-g", "!src/deep/**", "*.ts")).toEqual([".hidden/e.ts", "a.ts", "src/b.ts"]);
    expect(await lines(root, "-t", "ts", "--kind", "file", "--no-hidden")).toEqual([
      "a.ts",
      "src/b.ts",
      "src/deep/c.ts",
    ]);
    expect(await lines(root, "*.md")).toEqual([]);
    expect(await lines(root, "--no-ignore", "*.md")).toEqual(["d.md"]);
  });

  test("is newest first, unless told otherwise", async () => {
    const root = tree({ "a.txt": "", "b.txt": "", "c.txt": "" });
    utimesSync(join(root, "b.txt"), 2_000_000_000, 2_000_000_000);
    utimesSync(join(root, "a.txt"), 1_000_000_000, 1_000_000_000);
    expect((await quarry(root, ["find", "*.txt"])).stdout).toBe("b.txt\nc.txt\na.txt\n");
    expect((await quarry(root, ["find", "--sort", "path", "*.txt"])).stdout).toBe("a.txt\nb.txt\nc.txt\n");
  });

  test("pages by 200, and everything comes with --all or --json", async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 205 }, (_, n) => [`f${n}.txt`, ""])));
    const { stdout, stderr } = await quarry(root, ["find", "*.txt"]);
    expect(stdout.split("\n")).toHaveLength(201);
    expect(stderr).toBe("Showing 200 of 205 paths. --skip 200 for the next page, --all for everything.\n");
    const last = await quarry(root, ["find", "--skip", "200", "*.txt"]);
    expect([last.stdout.split("\n").length, last.stderr]).toEqual([6, "Showing paths 201 to 205 of 205.\n"]);
    expect((await quarry(root, ["find", "--all", "*.txt"])).stderr).toBe("205 paths.\n");
    expect(objects((await quarry(root, ["find", "--json", "*.txt"])).stdout).results).toHaveLength(205);
    expect((await quarry(root, ["find", "--limit", "2", "*.txt"])).stdout.split("\n")).toHaveLength(3);
  });

  test("prints one object a line and a summary with --json", async () => {
    const root = tree({ "src/a.ts": "" });
    utimesSync(join(root, "src/a.ts"), 1_000_000_000, 1_000_000_000);
    const { stdout, stderr, code } = await quarry(root, ["find", "--json", "--sort", "path"]);
    const { results, summary } = objects(stdout);
    expect([stderr, code]).toEqual(["", 0]);
    expect(results).toEqual([
      { type: "dir", path: "src", mtimeMs: expect.any(Number) },
      { type: "file", path: "src/a.ts", mtimeMs: 1_000_000_000_000 },
    ]);
    expect(summary).toMatchObject({ type: "summary", entries: 2, partial: false, more: false, notices: [] });
  });

  test("exits with 1 when there is nothing", async () => {
    expect(await quarry(tree(FILES), ["find", "*.zig"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/No paths found\.\n$/),
    });
  });

  test("quotes names that would break their line", async () => {
    expect((await quarry(tree({ "a\nb.txt": "" }), ["find", "*.txt"])).stdout).toBe('"a\\nb.txt"\n');
  });

  test("names every file whose name can exist, so that it can be read back", async () => {
    const root = tree({});
    const names = Array.from({ length: 255 }, (_, n) => Buffer.from([0x78, n + 1, 0x79])).filter(
      (name) => !name.includes("/"),
    );
    for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), "");
    const { results } = objects((await quarry(root, ["find", "--json"])).stdout);
    const read = results.map(({ path, pathBytes }) =>
      typeof pathBytes === "string" ? Buffer.from(pathBytes, "base64") : Buffer.from(String(path)),
    );
    expect(read.sort((one, other) => Buffer.compare(one, other))).toEqual(names);
    const { stdout } = await quarry(root, ["find", "--all"]);
    expect(new Set(stdout.split("\n").slice(0, -1)).size).toBe(names.length);
  });

  test("colours paths on a terminal and says the rest there", async () => {
    const { stdout, stderr } = await quarry(tree({ "a.txt": "" }), ["find", "*.txt"], {
      stdoutIsTerminal: true,
    });
    expect([stdout, stderr]).toEqual(["\x1b[35ma.txt\x1b[0m\n\n\x1b[2m1 path.\x1b[0m\n", ""]);
  });

  test.each<[string[], RegExp]>([
    [["find", "gone/x.txt"], /^quarry: \[PATH_NOT_FOUND\] .*gone.*\n$/],
    [["find", "--kind", "folder"], /^quarry: \[INVALID_INPUT\] --kind must be file, dir or all.*\n$/],
    [
      ["find", "--all", "--limit", "3"],
      /^quarry: \[INVALID_INPUT\] --all and --limit exclude each other.*\n$/,
    ],
    [["find", "-i", "x"], /^quarry: \[INVALID_INPUT\] There is no flag -i for quarry find.*\n$/],
    [["find", "--timeout", "never"], /^quarry: \[INVALID_INPUT\] --timeout must be a number.*\n$/],
  ])("%j is one clear line with exit code 2", async (argv, line) => {
    const { code, stdout, stderr } = await quarry(tree(FILES), argv);
    expect(stderr).toMatch(line);
    expect([code, stdout]).toEqual([2, ""]);
  });
});
