import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { databaseBytes } from "../sources/sqlite/build.ts";
import { link, tree } from "../support/tree.ts";
import { boris, details, manyLines, notebook, numbered } from "./boris-hands.ts";
import { codeIn, contentsOf, textOf } from "./workspaces.ts";

describe("view of a file", () => {
  it("has the lines behind their numbers, as cat -n prints them", async () => {
    const { root, view } = await boris({ "a.txt": "one\n\n\ttwo\nthree" });
    const printed = execFileSync("cat", ["-n", join(root, "a.txt")]).toString();
    expect(textOf(await view({ path: "a.txt" }))).toBe(printed);
    expect(details(await view({ path: "a.txt" }))).toMatchObject({
      kind: "lines",
      path: "a.txt",
      isDirectory: false,
      lines: { first: 1, last: 4, total: 4 },
      nextViewRange: null,
      truncated: false,
    });
  });

  it("has exactly the lines of a range, from its start to its end or the file's", async () => {
    const { view } = await boris({ "a.txt": manyLines(9) });
    const lines = (first: number, last: number): string =>
      numbered(
        first,
        Array.from({ length: last - first + 1 }, (_, at) => `line ${first + at}`),
      );
    const shown = async (view_range: unknown): Promise<string> =>
      textOf(await view({ path: "a.txt", view_range }));
    expect(await shown([3, 5])).toBe(lines(3, 5));
    expect(await shown([4, 4])).toBe(lines(4, 4));
    expect(await shown([7, -1])).toBe(lines(7, 9));
    expect(await shown([8, 500])).toBe(lines(8, 9));
    expect(await shown(["2", "3"])).toBe(lines(2, 3));
    expect(await shown("[2, 3]")).toBe(lines(2, 3));
    expect(await shown(null)).toBe(lines(1, 9));
  });

  it("refuses a range that is none", async () => {
    const { view } = await boris({ "a.txt": manyLines(9), "empty.txt": "" });
    const refused = async (view_range: unknown, path = "a.txt"): Promise<string> => {
      const answer = await view({ path, view_range });
      return `${codeIn(answer)}: ${textOf(answer)}`;
    };
    expect(await refused([10, 12])).toBe(
      "LINE_NOT_FOUND: [LINE_NOT_FOUND] a.txt has 9 lines, so view_range cannot start at 10. Use view_range [1, 9] for its end.",
    );
    expect(await refused([1, -1], "empty.txt")).toContain("empty.txt is empty, so it has no line 1");
    expect(await refused([0, 3])).toContain("INVALID_INPUT: [INVALID_INPUT] view_range [0,3] starts before");
    expect(await refused([-1, -1])).toContain("starts before line 1");
    expect(await refused([5, 4])).toContain("ends before it starts");
    expect(await refused([5, -2])).toContain("ends before it starts");
    for (const odd of [[1], [1, 2, 3], [], [1.5, 2], [1, 1e300], [Number.NaN, 3]])
      expect(await refused(odd)).toContain("must be two whole numbers, [start, end]");
    expect(await refused(["a", "b"])).toContain("view_range must be a list of numbers");
    expect(await refused([2, 3], "a.txt:5-6")).toContain(
      "ends in a line selector, and view_range is given too",
    );
  });

  it("shows 2,000 lines without a range, and says how many there are and what to ask for next", async () => {
    const { view } = await boris({ "a.txt": manyLines(4_100) });
    const first = await view({ path: "a.txt" });
    const rows = textOf(first).split("\n");
    expect(rows).toHaveLength(2_001);
    expect(rows.at(-1)).toBe("[Lines 1-2000 of 4,100. Use view_range [2001, -1] for the next]");
    expect(details(first)).toMatchObject({
      lines: { first: 1, last: 2000, total: 4100 },
      nextViewRange: [2001, -1],
      truncatedBy: "lines",
    });
    const seen = rows.slice(0, -1);
    for (let next = details(first).nextViewRange; next !== null; ) {
      const answer = await view({ path: "a.txt", view_range: next });
      next = details(answer).nextViewRange;
      seen.push(
        ...textOf(answer)
          .split("\n")
          .filter((row) => !row.startsWith("[")),
      );
    }
    expect(seen.map((row) => `${row.split("\t")[1]}\n`).join("")).toBe(manyLines(4_100));
  });

  it("keeps within the bytes of an answer, and goes on within what was asked for", async () => {
    const { view } = await boris({ "a.txt": `${"é".repeat(900)}\n`.repeat(100) });
    const answer = await view({ path: "a.txt", view_range: [11, 90] });
    expect(Buffer.byteLength(textOf(answer))).toBeLessThanOrEqual(50 * 1024);
    const { lines, nextViewRange, truncatedBy } = details(answer);
    expect(truncatedBy).toBe("bytes");
    expect(nextViewRange).toEqual([(lines?.last ?? 0) + 1, 90]);
    expect(textOf(answer)).toMatch(/\n\[Lines 11-\d+ of 100\. Use view_range \[\d+, 90\] for the next\]$/);
  });

  it("cuts a long line, and says its length", async () => {
    const { view } = await boris({ "a.txt": `${"x".repeat(1_999)}😀y\n${"z".repeat(2_000)}\n` });
    expect(textOf(await view({ path: "a.txt" }))).toBe(
      numbered(1, [`${"x".repeat(1_999)}… [2,002 characters]`, "z".repeat(2_000)]),
    );
  });

  it("decodes what edit decodes, and shows an empty file as empty", async () => {
    const { view } = await boris({
      "crlf.txt": "a\r\nb\r\n",
      "bom.txt": "\ufeffa\n",
      "wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("ä\r\nb\n", "utf16le")]),
      "empty.txt": "",
      "odd.txt": "a\fb\rc\u2028d\n",
    });
    const shown = async (path: string): Promise<string> => textOf(await view({ path }));
    expect(await shown("crlf.txt")).toBe(numbered(1, ["a", "b"]));
    expect(await shown("bom.txt")).toBe(numbered(1, ["a"]));
    expect(await shown("wide.txt")).toBe(numbered(1, ["ä", "b"]));
    expect(await shown("empty.txt")).toBe("[Empty file]");
    // Nothing in a line makes two rows of it.
    expect(await shown("odd.txt")).toBe(numbered(1, ["a\\x0cb\\rc\\u{2028}d"]));
  });

  it("never shows code as its outline", async () => {
    const code = `function f() {\n${"  x();\n".repeat(300)}}\n`;
    const { view } = await boris({ "a.ts": code });
    expect(textOf(await view({ path: "a.ts" })).split("\n")).toHaveLength(302);
  });

  it("shows a notebook as its cells", async () => {
    const { view } = await boris({ "a.ipynb": notebook("print(1)", "two") });
    expect(textOf(await view({ path: "a.ipynb" }))).toBe(
      numbered(1, ["# %% [code] cell:0", "print(1)", "# %% [code] cell:1", "two"]),
    );
  });

  it("refuses a file over the limit whole, and shows a range of it", async () => {
    const { root, view } = await boris({ "a.txt": "x\n" }, { settings: { maxFileSize: 1_000 } });
    writeFileSync(join(root, "big.txt"), manyLines(1_000));
    const whole = await view({ path: "big.txt" });
    expect(textOf(whole)).toBe(
      "[FILE_TOO_LARGE] big.txt has 8,893 bytes, and 1,000 is the most that is viewed whole. View some of it, such as view_range [1, 200], or look with grep for the lines that matter.",
    );
    expect(textOf(await view({ path: "big.txt", view_range: [999, -1] }))).toBe(
      numbered(999, ["line 999", "line 1000"]),
    );
    expect(textOf(await view({ path: "big.txt:5-6" }))).toBe(numbered(5, ["line 5", "line 6"]));
    expect(codeIn(await view({ path: "a.txt" }))).toBe("none");
  });

  it("has a limit of 10 MB by itself, and streams ranges of what no snapshot holds", async () => {
    const { root, view } = await boris({});
    const row = `${"x".repeat(1_023)}\n`;
    writeFileSync(join(root, "mid.txt"), row.repeat(10 * 1024));
    expect(codeIn(await view({ path: "mid.txt" }))).toBe("none");
    writeFileSync(join(root, "mid.txt"), `${row.repeat(10 * 1024)}x`);
    expect(codeIn(await view({ path: "mid.txt" }))).toBe("FILE_TOO_LARGE");
    writeFileSync(join(root, "big.txt"), `${row.repeat(33 * 1024)}${"y".repeat(100_000)}\nlast\n`);
    const answer = await view({ path: "big.txt", view_range: [33 * 1024, -1] });
    const [one, two, note] = textOf(answer).split("\n");
    expect(one).toBe(`${String(33 * 1024).padStart(6)}\t${"x".repeat(1_023)}`);
    expect(two).toMatch(/^ 33793\ty{2000}… \[more than [\d,]+ characters\]$/);
    expect(note).toBe("[Lines 33792-33793; there are more. Use view_range [33794, -1] for the next]");
    expect(textOf(await view({ path: "big.txt", view_range: [33_794, 40_000] }))).toBe(" 33794\tlast");
    expect(textOf(await view({ path: "big.txt", view_range: [40_000, -1] }))).toContain(
      "big.txt has 33,794 lines",
    );
    const page = await view({ path: "big.txt", view_range: [1, 33_000] });
    const { lines, nextViewRange } = details(page);
    expect(nextViewRange).toEqual([(lines?.last ?? 0) + 1, 33_000]);
  });
});

describe("view of anything else", () => {
  it("shows a folder two levels deep, and rows of it", async () => {
    const { view } = await boris({
      "src/a.ts": "x\n",
      "src/deep/b.ts": "x\n",
      "src/deep/er/c.ts": "",
      "flat/x.txt": "",
      "flat/y.txt": "",
      "flat/z.txt": "",
    });
    const whole = await view({ path: "." });
    expect(details(whole)).toMatchObject({ kind: "folder", isDirectory: true, lines: null });
    expect(textOf(whole)).toMatch(/^# \.\/\n(?:.*\n)*src\//);
    expect(textOf(whole)).toContain("\n  deep/");
    expect(textOf(whole)).not.toContain("b.ts");
    const row = textOf(await view({ path: "flat", view_range: [2, 2] }));
    expect(row.match(/[xyz]\.txt/g)).toHaveLength(1);
  });

  it("names what is near a path that is missing, and takes the only one that fits", async () => {
    const { view } = await boris({ "src/config.ts": "x\n", "src/other.ts": "y\n" });
    expect(textOf(await view({ path: "src/confg.ts" }))).toBe(
      "[PATH_NOT_FOUND] Path not found: src/confg.ts. Did you mean src/config.ts?",
    );
    expect(textOf(await view({ path: "zzzzzzz/qqqqqq.java" }))).toBe(
      "[PATH_NOT_FOUND] Path not found: zzzzzzz/qqqqqq.java. glob looks for names.",
    );
    const other = await view({ path: "other.ts", view_range: [1, 1] });
    expect(textOf(other)).toBe(
      "[other.ts was not found; this is src/other.ts, the one path that fits]\n     1\ty",
    );
    expect(details(other).suffixResolution).toEqual({ from: "other.ts", to: "src/other.ts" });
  });

  it("looks into archives and databases as read does", async () => {
    const { view } = await boris({
      "a.zip": zip([{ name: "in/b.txt", data: "one\ntwo\nthree\n" }]),
      "a.db": await databaseBytes("CREATE TABLE t(x); INSERT INTO t VALUES (7)"),
    });
    expect(textOf(await view({ path: "a.zip" }))).toContain("in/");
    expect(textOf(await view({ path: "a.zip:in/b.txt", view_range: [2, 2] }))).toBe("     2\ttwo");
    expect(textOf(await view({ path: "a.db" }))).toContain("t");
    expect(textOf(await view({ path: "a.db", view_range: [1, 2] }))).toContain(
      "[INVALID_INPUT] a.db is a database, which has no lines",
    );
  });

  it("refuses binary files, pipes, and what is denied or outside", async () => {
    const outside = tree({ "secret.txt": "secret\n" });
    const { root, view, replace, create } = await boris(
      {
        "b.bin": Buffer.from([1, 0, 2, 3]),
        ".env": "KEY=1\n",
        "out.txt": link(join(outside, "secret.txt")),
        "out/dangling.txt": link(join(outside, "new.txt")),
      },
      { deny: [".env"] },
    );
    execFileSync("mkfifo", [join(root, "pipe")]);
    const codes = async (path: string): Promise<string[]> => [
      codeIn(await view({ path })),
      codeIn(await replace({ path, old_str: "secret", new_str: "x" })),
      codeIn(await create({ path, file_text: "x" })),
    ];
    expect(await codes("pipe")).toEqual(["NOT_A_FILE", "NOT_A_FILE", "NOT_A_FILE"]);
    expect(await codes(".env")).toEqual(["PATH_DENIED", "PATH_DENIED", "PATH_DENIED"]);
    for (const path of ["out.txt", join(outside, "secret.txt"), `../${outside.split("/").at(-1)}/secret.txt`])
      expect([path, await codes(path)]).toEqual([path, ["PATH_OUTSIDE", "PATH_OUTSIDE", "PATH_OUTSIDE"]]);
    expect((await codes("out/dangling.txt"))[2]).toBe("PATH_OUTSIDE");
    expect((await codes("b.bin")).slice(0, 2)).toEqual(["BINARY_FILE", "BINARY_FILE"]);
    expect(contentsOf(outside)).toEqual({ "secret.txt": "secret\n" });
  });
});
