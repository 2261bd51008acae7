/** seeds/claude-code-glob-and-grep.md, chapters 4 and 6: limits, offsets, long lines and long answers of Grep. */
import { describe, expect, it } from "vitest";
import { rg } from "../support/ripgrep.ts";
import { claude, type Claude } from "./claude.ts";
import { lines, manyFiles } from "./agent.ts";

const CONTENT = { pattern: "hit", output_mode: "content" } as const;
const byName = { env: { NODE_ENV: "test" } };

describe("head_limit", () => {
  it("is 250 lines, of which the answer tells only where some were cut", async () => {
    const exact = await claude({ "a.txt": lines(250, "hit") });
    expect((await exact.lines(CONTENT)).at(-1)).toBe("a.txt:250:hit 250");
    expect(await exact.details(CONTENT)).not.toHaveProperty("appliedLimit");
    const more = await claude({ "a.txt": lines(251, "hit") });
    expect((await more.lines(CONTENT)).slice(249)).toEqual([
      "a.txt:250:hit 250",
      "",
      "[Showing results with pagination = limit: 250]",
    ]);
    expect(await more.details(CONTENT)).toMatchObject({ numLines: 250, appliedLimit: 250 });
  });

  it("is 250 files in the other modes", async () => {
    const { text, details } = await claude(manyFiles(251, "hit\n"), byName);
    const listed = (await text({ pattern: "hit" })).split("\n");
    expect([listed[0], listed.at(-3), listed.at(-1)]).toEqual([
      "Found 250 files",
      "f250.txt",
      "[Showing results with pagination = limit: 250]",
    ]);
    expect(await details({ pattern: "hit" })).toMatchObject({
      numFiles: 250,
      appliedLimit: 250,
      totalFiles: 251,
    });
    const counted = await text({ pattern: "hit", output_mode: "count" });
    expect(counted.split("\n").slice(249)).toEqual([
      "f250.txt:1",
      "",
      "Found 250 total occurrences across 250 files.",
      "",
      "[Showing results with pagination = limit: 250]",
    ]);
  });

  it("is what is given, and 0 is all", async () => {
    const { text, details, lines: printed } = await claude({ "a.txt": lines(300, "hit") });
    expect(await text({ ...CONTENT, head_limit: 2 })).toBe(
      "a.txt:1:hit 1\na.txt:2:hit 2\n\n[Showing results with pagination = limit: 2]",
    );
    const all = await printed({ ...CONTENT, head_limit: 0 });
    expect([all.length, all.at(-1)]).toEqual([300, "a.txt:300:hit 300"]);
    expect(await details({ ...CONTENT, head_limit: 0 })).not.toHaveProperty("appliedLimit");
    expect((await printed({ ...CONTENT, head_limit: 300 })).at(-1)).toBe("a.txt:300:hit 300");
    expect((await printed({ ...CONTENT, head_limit: 1_000_000 })).length).toBe(300);
  });

  it("counts lines of context and the rows between them", async () => {
    const { text } = await claude({ "a.txt": "x\nhit\ny\nz\nx\nhit\n" });
    expect(await text({ ...CONTENT, "-C": 1, head_limit: 4 })).toBe(
      "a.txt-1-x\na.txt:2:hit\na.txt-3-y\n--\n\n[Showing results with pagination = limit: 4]",
    );
    expect(await text({ ...CONTENT, "-C": 1, head_limit: 4, offset: 4 })).toBe(
      "a.txt-5-x\na.txt:6:hit\n\n[Showing results with pagination = offset: 4]",
    );
  });

  it("ends the work: files behind the page are not looked at", async () => {
    const { details } = await claude({ "a.txt": "hit\nhit\n", "b.txt": "hit\n", "c.txt": "hit\n" });
    expect(await details({ ...CONTENT, head_limit: 1 })).toMatchObject({
      content: "a.txt:1:hit",
      totalFiles: null,
    });
    expect(await details({ ...CONTENT, head_limit: 4 })).toMatchObject({ numLines: 4, totalFiles: 3 });
  });
});

describe("offset", () => {
  const files = { "a.txt": "hit 1\nhit 2\n", "b.txt": "hit 3\n", "c.txt": "hit 4\n" };

  it("passes over so many, and is told where it is not 0", async () => {
    const { text, details } = await claude(files, byName);
    expect(await text({ pattern: "hit", offset: 0 })).toBe("Found 3 files\na.txt\nb.txt\nc.txt");
    expect(await text({ pattern: "hit", offset: 1 })).toBe(
      "Found 2 files\nb.txt\nc.txt\n\n[Showing results with pagination = offset: 1]",
    );
    expect(await text({ pattern: "hit", offset: 1, head_limit: 1 })).toBe(
      "Found 1 file\nb.txt\n\n[Showing results with pagination = limit: 1, offset: 1]",
    );
    expect(await text({ ...CONTENT, offset: 1, head_limit: 2 })).toBe(
      "a.txt:2:hit 2\nb.txt:1:hit 3\n\n[Showing results with pagination = limit: 2, offset: 1]",
    );
    expect(await text({ ...CONTENT, offset: 1, head_limit: 0 })).toBe(
      "a.txt:2:hit 2\nb.txt:1:hit 3\nc.txt:1:hit 4\n\n[Showing results with pagination = offset: 1]",
    );
    expect(await text({ pattern: "hit", output_mode: "count", offset: 1, head_limit: 1 })).toBe(
      "b.txt:1\n\nFound 1 total occurrence across 1 file.\n\n" +
        "[Showing results with pagination = limit: 1, offset: 1]",
    );
    expect(await details({ ...CONTENT, offset: 1, head_limit: 2 })).toMatchObject({
      appliedLimit: 2,
      appliedOffset: 1,
    });
    expect(await details(CONTENT)).not.toHaveProperty("appliedOffset");
  });

  it("past the end says so", async () => {
    const { text, details } = await claude(files, byName);
    const closed = (past: string): string =>
      `[Showing results with pagination = offset: 9]\n[3 files matched, and offset 9 is past ${past}]`;
    const closing = closed("them");
    expect(await text({ pattern: "hit", offset: 9 })).toBe(`No files found\n\n${closing}`);
    expect(await text({ ...CONTENT, offset: 9 })).toBe(`No matches found\n\n${closed("their last line")}`);
    expect(await text({ pattern: "hit", output_mode: "count", offset: 9 })).toBe(
      `No matches found\n\nFound 0 total occurrences across 0 files.\n\n${closing}`,
    );
    expect(await details({ ...CONTENT, offset: 9 })).toMatchObject({
      content: "",
      numLines: 0,
      totalFiles: 3,
    });
    expect(await text({ ...CONTENT, offset: 4 })).toMatch(/^No matches found\n\n/);
  });

  it.each(["content", "count", "files_with_matches"] as const)(
    "gives pages of %s that add up",
    async (output_mode) => {
      const poem = "hit 1\nx\nx\nx\nhit 2\nx\nhit 3\n";
      const { details } = await claude({ "a.txt": poem, "b/c.txt": poem, "d.txt": "hit" }, byName);
      const listed = async (input: object): Promise<readonly string[]> => {
        const { filenames, content } = await details({ pattern: "hit", output_mode, "-C": 1, ...input });
        if (content === undefined) return filenames;
        return content === "" ? [] : content.split("\n");
      };
      const whole = await listed({ head_limit: 0 });
      for (const size of [1, 2, 3, 7]) {
        const pages: string[] = [];
        for (let offset = 0; offset < whole.length; offset += size) {
          pages.push(...(await listed({ offset, head_limit: size })));
        }
        expect(pages).toEqual(whole);
      }
    },
  );
});

describe("a line of more than 500 bytes", () => {
  const wide = (bytes: number): string => `hit${"x".repeat(bytes - 3)}`;
  const OMITTED = "[Omitted long matching line]";

  /** The rows as the bundled ripgrep prints them. */
  async function asRipgrep({ root, text }: Claude, ...context: readonly string[]): Promise<boolean> {
    const printed = rg(root, "-n", "--max-columns=500", "--sort=path", ...context, "hit").toString("latin1");
    const input = { ...CONTENT, ...(context.length === 0 ? {} : { "-C": 1 }) };
    return Buffer.from(await text(input)).toString("latin1") === printed.trimEnd().replaceAll("\r", "");
  }

  it("is left out in ripgrep's words, with its newline counted", async () => {
    const asked = await claude({
      "a.txt": `${wide(499)}\n`,
      "b.txt": `${wide(500)}\n`,
      "c.txt": wide(500),
      "d.txt": wide(501),
      "e.txt": `${wide(498)}\r\nlast\r\n`,
      "f.txt": `${wide(499)}\r\nlast\r\n`,
      "g.txt": `hit${"é".repeat(248)}\n`,
      "h.txt": `hité${"é".repeat(248)}\n`,
    });
    expect(
      (await asked.lines(CONTENT)).map((row) => [
        row.slice(0, 8),
        row.length < 100 ? row.slice(8) : row.length - 8,
      ]),
    ).toEqual([
      ["a.txt:1:", 499],
      ["b.txt:1:", OMITTED],
      ["c.txt:1:", 500],
      ["d.txt:1:", OMITTED],
      ["e.txt:1:", 498],
      ["f.txt:1:", OMITTED],
      ["g.txt:1:", 251],
      ["h.txt:1:", OMITTED],
    ]);
    expect(await asRipgrep(asked)).toBe(true);
  });

  it("is measured in the file's bytes where they are no UTF-8", async () => {
    const latin = (count: number): Buffer => Buffer.from(`hit${"é".repeat(count)}\n`, "latin1");
    const { lines: printed } = await claude({ "a.txt": latin(496), "b.txt": latin(497) });
    const rows = await printed(CONTENT);
    expect(rows[0]?.length).toBe("a.txt:1:hit".length + 496);
    expect(rows[1]).toBe(`b.txt:1:${OMITTED}`);
  });

  it("is left out of context too, in its own words", async () => {
    const files = {
      "a.txt": `${"y".repeat(500)}\nhit\n${"y".repeat(499)}\n`,
      "b.txt": `${wide(600)}\n${"y".repeat(600)}`,
    };
    const asked = await claude(files);
    expect(await asked.text({ ...CONTENT, "-C": 1 })).toBe(
      `a.txt-1-[Omitted long context line]\na.txt:2:hit\na.txt-3-${"y".repeat(499)}\n--\n` +
        `b.txt:1:${OMITTED}\nb.txt-2-[Omitted long context line]`,
    );
    expect(await asRipgrep(asked, "-C1")).toBe(true);
    expect(await asked.text({ ...CONTENT, "-n": false, path: "b.txt" })).toBe(`b.txt:${OMITTED}`);
  });

  it("changes nothing in the other modes", async () => {
    const { text } = await claude({ "a.txt": wide(9_000) });
    expect(await text({ pattern: "x{100}" })).toBe("Found 1 file\na.txt");
    expect(await text({ pattern: "x$", output_mode: "count" })).toMatch(/^a\.txt:1\n/);
  });
});

describe("an answer of more than 20 KB", () => {
  const big = Array.from({ length: 400 }, (_, at) => `hit ${at + 1} ${"z".repeat(100)}\n`).join("");

  it("is cut at a line and kept whole as an artifact, which Grep can search", async () => {
    const { text, workspace } = await claude({ "big.txt": big });
    const cut = await text(CONTENT);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(20 * 1024);
    expect(cut.split("\n").slice(-3)).toEqual([
      "",
      "[Showing results with pagination = limit: 250]",
      "[Cut to fit: the whole page is artifact://1]",
    ]);
    const rows = cut.split("\n").slice(0, -3);
    expect(rows.at(-1)).toBe(`big.txt:${rows.length}:hit ${rows.length} ${"z".repeat(100)}`);
    expect(rows.length).toBeGreaterThan(150);
    const inside = { pattern: "hit 250", path: "artifact://1" };
    expect(await text({ ...inside, output_mode: "content" })).toBe(
      `artifact://1:250:big.txt:250:hit 250 ${"z".repeat(100)}`,
    );
    expect(await text(inside)).toBe("Found 1 file\nartifact://1");
    expect(await text({ ...inside, output_mode: "count" })).toMatch(/^artifact:\/\/1:1\n/);
    expect(await text({ ...inside, pattern: "hit 251", output_mode: "content" })).toBe("No matches found");
    const { details } = await workspace.tools.Grep(CONTENT);
    expect(details).toMatchObject({
      numLines: rows.length,
      content: rows.join("\n"),
      appliedLimit: 250,
      meta: {
        truncation: { truncatedBy: "bytes", totalLines: 252, shownLines: rows.length, artifactId: "2" },
      },
    });
  });

  it("is cut with head_limit 0 as well, and then all of it is in the artifact", async () => {
    const { text } = await claude({ "big.txt": big });
    expect((await text({ ...CONTENT, head_limit: 0 })).split("\n").slice(-2)).toEqual([
      "",
      "[Cut to fit: the whole page is artifact://1]",
    ]);
    expect(await text({ pattern: "hit 400 z", path: "artifact://1", output_mode: "count" })).toMatch(/:1\n/);
  });

  it("is cut in the modes that list files", async () => {
    const folder = `${"d".repeat(100)}/`;
    const files = Object.fromEntries(
      Object.keys(manyFiles(240, "")).map((name) => [`${folder}${name}`, "hit\n"]),
    );
    const { text, details } = await claude(files, byName);
    const listed = (await text({ pattern: "hit" })).split("\n");
    expect([listed[0], listed.at(-1)]).toEqual([
      "Found 240 files",
      "[Cut to fit: the whole page is artifact://1]",
    ]);
    const { numFiles, filenames, totalFiles } = await details({ pattern: "hit" });
    expect([listed.length - 3, filenames.length, totalFiles]).toEqual([numFiles, numFiles, 240]);
    const counted = await text({ pattern: "hit", output_mode: "count" });
    expect(counted).toContain("\n\nFound 240 total occurrences across 240 files.\n\n[Cut to fit: ");
    expect(Buffer.byteLength(counted)).toBeLessThanOrEqual(20 * 1024);
  });
});

it("holds no more than 20 MB of rows, and says where the next page begins", async () => {
  const row = `hit ${"x".repeat(450)}\n`;
  const { details } = await claude({ "a.txt": row.repeat(60_000) });
  const { appliedLimit = 0 } = await details({ ...CONTENT, head_limit: 0 });
  expect(appliedLimit).toBeGreaterThan(40_000);
  expect(appliedLimit).toBeLessThan(60_000);
  const rest = await details({ ...CONTENT, head_limit: 0, offset: appliedLimit });
  expect(rest.content?.split(":", 2)).toEqual(["a.txt", `${appliedLimit + 1}`]);
  expect(rest).not.toHaveProperty("appliedLimit");
});
