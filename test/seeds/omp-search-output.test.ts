/** seeds/omp-search.md, "Outputs", and what issue 3 says of layout and details. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { agent, headings, lines, manyFiles, matchLines, tag } from "./agent.ts";

describe("Outputs: the result", () => {
  it("is one text block and details, which are plain JSON", async () => {
    const { workspace } = await agent({ "a.txt": "hit\n" });
    const result = await workspace.tools.search({ pattern: "hit" });
    expect(result.content).toEqual([{ type: "text", text: `# a.txt#${tag("hit\n")}\n*1:hit` }]);
    expect(result).not.toHaveProperty("isError");
    expect(JSON.parse(JSON.stringify(result.details))).toEqual(result.details);
  });

  it("has plain JSON as details of an error too", async () => {
    const { workspace } = await agent({});
    const result = await workspace.tools.search({ pattern: "" });
    expect(result.isError).toBe(true);
    expect(JSON.parse(JSON.stringify(result.details))).toEqual(result.details);
  });
});

describe("Outputs: lines", () => {
  const content = "one\ntwo\nhit\nfour\nfive\nsix\nseven\n";

  it("are marked by a star for matches and a blank for context, under a heading with the tag", async () => {
    const { text } = await agent({ "src/login.ts": content });
    expect(await text({ pattern: "hit", paths: "src/login.ts" })).toBe(
      `¶src/login.ts#${tag(content)}\n 2:two\n*3:hit\n 4:four\n 5:five\n 6:six`,
    );
  });

  it("have a bar and no tag where there is nothing to edit", async () => {
    const { text } = await agent({ "lib.zip": zip([{ name: "m.ts", data: content }]) });
    expect(await text({ pattern: "hit", paths: "lib.zip:m.ts" })).toBe(
      "¶lib.zip:m.ts\n 2|two\n*3|hit\n 4|four\n 5|five\n 6|six",
    );
  });

  it("have a bar and no tag in a file over 32 MiB, which is searched all the same", async () => {
    const filler = `${"x".repeat(1023)}\n`.repeat(32 * 1024);
    const { text } = await agent({ "big.txt": `before\nhit\nafter\n${filler}` });
    expect(await text({ pattern: "^hit", paths: "big.txt", context: 1 })).toBe(
      "¶big.txt\n 1|before\n*2|hit\n 3|after",
    );
    expect(await text({ pattern: "^hit", context: 1 })).toBe("# big.txt\n 1|before\n*2|hit\n 3|after");
  });

  it("around a selected line are the same in a file over 32 MiB as in a small one", async () => {
    const content = "hit\nhit\nthree\nhit\nfive\n";
    const filler = `${"x".repeat(1023)}\n`.repeat(32 * 1024);
    const { text } = await agent({ "small.txt": content, "big.txt": `${content}${filler}` });
    const rows = async (paths: string) =>
      (await text({ pattern: "^hit", paths })).replaceAll("|", ":").split("\n").slice(1);
    expect(await rows("big.txt:2-2")).toEqual(await rows("small.txt:2-2"));
  });

  it("are merged where the context of two matches meets, none printed twice", async () => {
    const { text } = await agent({ "a.txt": "hit\ntwo\nhit\nfour\nfive\nsix\nseven\nhit\n" });
    expect(await text({ pattern: "hit", paths: "a.txt" })).toBe(
      `¶a.txt#${tag("hit\ntwo\nhit\nfour\nfive\nsix\nseven\nhit\n")}\n` +
        "*1:hit\n 2:two\n*3:hit\n 4:four\n 5:five\n 6:six\n 7:seven\n*8:hit",
    );
  });

  it("have one row of … for what is left out between", async () => {
    const { text } = await agent({ "a.txt": `hit\n${lines(9, "row")}hit\n` });
    expect(await text({ pattern: "hit", paths: "a.txt" })).toBe(
      `¶a.txt#${tag(`hit\n${lines(9, "row")}hit\n`)}\n` +
        "*1:hit\n 2:row 1\n 3:row 2\n 4:row 3\n…\n 10:row 9\n*11:hit",
    );
  });

  it("have no … where no context is asked for: the numbers tell", async () => {
    const { text } = await agent({ "a.txt": "hit\nmiss\nhit\n" });
    expect(await text({ pattern: "hit", paths: "a.txt", context: 0 })).toBe(
      `¶a.txt#${tag("hit\nmiss\nhit\n")}\n*1:hit\n*3:hit`,
    );
  });

  it("of a match over several lines are one row each", async () => {
    const { text } = await agent({ "a.txt": "zero\none\ntwo\nthree\n" });
    expect(await text({ pattern: "one\\ntwo", paths: "a.txt" })).toBe(
      `¶a.txt#${tag("zero\none\ntwo\nthree\n")}\n 1:zero\n*2:one\n*3:two\n 4:three`,
    );
  });

  it("are printed once where one match ends and the next begins", async () => {
    const content = "one\ntwo one\ntwo one\ntwo\n";
    const { text } = await agent({ "a.txt": content, "l.zip": zip([{ name: "a.txt", data: content }]) });
    for (const paths of ["*.txt", "a.txt", "l.zip", "l.zip:a.txt"]) {
      expect(matchLines(await text({ pattern: "one\\ntwo", paths }))).toEqual([1, 2, 3, 4]);
    }
  });

  it("are shown without the carriage return that ends them", async () => {
    const { text } = await agent({ "a.txt": "one\r\nhit\r\nthree\r\n" });
    expect(await text({ pattern: "hit", paths: "a.txt" })).toBe(
      `¶a.txt#${tag("one\r\nhit\r\nthree\r\n")}\n 1:one\n*2:hit\n 3:three`,
    );
  });

  it("of UTF-16 files are shown as the text they hold", async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("one\nhit é\n", "utf16le")]);
    const { text } = await agent({ "a.txt": bytes });
    const rows = " 1:one\n*2:hit é";
    expect(await text({ pattern: "hit" })).toBe(`# a.txt#${tag(bytes)}\n${rows}`);
    expect(await text({ pattern: "hit", paths: "a.txt" })).toBe(`¶a.txt#${tag(bytes)}\n${rows}`);
  });

  it("are the same whether the file was walked to or named", async () => {
    const contents = ["hit", "\uFEFFhit\n", "a\n\n\nhit\n\n", "x\rhit\ry\n", "é\nhit 😀\n", "hit\n\u2028\nz"];
    for (const content of contents) {
      const { text } = await agent({ "a.txt": content });
      const [walked, named] = [
        await text({ pattern: "hit" }),
        await text({ pattern: "hit", paths: "a.txt" }),
      ];
      expect(named.replace("¶", "# ")).toBe(walked);
    }
  });
});

describe("Outputs: folders and several files", () => {
  it("are grouped by file, each under a heading with its tag, in order of path name by name", async () => {
    const { text } = await agent({ "b.ts": "hit b\n", "a/z.ts": "hit z\n", "a.ts": "hit a\n" });
    expect(await text({ pattern: "hit" })).toBe(
      [
        `# a/z.ts#${tag("hit z\n")}\n*1:hit z`,
        `# a.ts#${tag("hit a\n")}\n*1:hit a`,
        `# b.ts#${tag("hit b\n")}\n*1:hit b`,
      ].join("\n\n"),
    );
  });

  it("have headings without a tag where there is nothing to edit, side by side with others", async () => {
    const { text } = await agent({ "a.ts": "hit a\n", "l.zip": zip([{ name: "m.ts", data: "hit m\n" }]) });
    expect(await text({ pattern: "hit", paths: ["a.ts", "l.zip:m.ts"] })).toBe(
      `# a.ts#${tag("hit a\n")}\n*1:hit a\n\n# l.zip:m.ts\n*1|hit m`,
    );
  });

  it("have the heading of several also when a folder holds one match only", async () => {
    const { text } = await agent({ "src/a.ts": "hit\n" });
    expect(await text({ pattern: "hit", paths: "src" })).toBe(`# src/a.ts#${tag("hit\n")}\n*1:hit`);
  });

  it("print names that would break a line in quotes", async () => {
    const { text } = await agent({ "a\nb.txt": "hit\n", " c.txt": "hit\n", "-d.txt": "hit\n" });
    expect(headings(await text({ pattern: "hit" }))).toEqual(['" c.txt"', "-d.txt", '"a\\nb.txt"']);
  });
});

describe("Outputs: details", () => {
  it("tell the scope and what is on the page", async () => {
    const { search } = await agent({ "a.txt": "hit\nhit\n", "src/b.txt": "hit\n", "src/c.txt": "no\n" });
    const { details } = await search({ pattern: "hit", paths: ["src", "a.txt", "nope"] });
    const { elapsedMs, ...rest } = details;
    expect(elapsedMs).toBeGreaterThanOrEqual(0);
    expect(rest).toEqual({
      scopePath: "src, a.txt",
      matchCount: 3,
      fileCount: 2,
      files: ["src/b.txt", "a.txt"],
      fileMatches: [
        { path: "src/b.txt", count: 1 },
        { path: "a.txt", count: 2 },
      ],
      totalFiles: 2,
      nextSkip: null,
      fileLimitReached: false,
      perFileLimitReached: false,
      linesTruncated: false,
      truncated: false,
      displayContent: "# src/b.txt\n*1│hit\n\n# a.txt\n*1│hit\n*2│hit",
      missingPaths: ["nope"],
      engine: "ripgrep",
      engineWhy: "there is no index yet",
      skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
      partial: false,
      notices: [],
      meta: {},
    });
  });

  it("tell when more files match than the page holds", async () => {
    const { search } = await agent(manyFiles(21, "hit\n"));
    const first = (await search({ pattern: "hit" })).details;
    expect(first).toMatchObject({ fileCount: 20, totalFiles: 21, fileLimitReached: true, nextSkip: 20 });
    const last = (await search({ pattern: "hit", skip: 20 })).details;
    expect(last).toMatchObject({ fileCount: 1, totalFiles: 21, fileLimitReached: false, nextSkip: null });
  });

  it("tell when a file had more matches than are shown of it", async () => {
    const { search } = await agent({ "a.txt": lines(21, "hit"), "b.txt": "hit\n" });
    expect((await search({ pattern: "hit" })).details).toMatchObject({
      perFileLimitReached: true,
      fileMatches: [
        { path: "a.txt", count: 20 },
        { path: "b.txt", count: 1 },
      ],
    });
    expect((await search({ pattern: "hit", paths: "b.txt" })).details.perFileLimitReached).toBe(false);
  });

  it("tell when a line was shortened, a match or context", async () => {
    const { search } = await agent({ "a.txt": `hit${"x".repeat(600)}\nshort\n` });
    expect((await search({ pattern: "hit" })).details.linesTruncated).toBe(true);
    expect((await search({ pattern: "short" })).details.linesTruncated).toBe(true);
    expect((await search({ pattern: "short", context: 0 })).details.linesTruncated).toBe(false);
  });

  it("hold the text for a person's screen, with gutters in place of anchors", async () => {
    const { search } = await agent({ "a.txt": `hit\n${lines(9, "row")}hit\n` });
    expect((await search({ pattern: "hit", paths: "a.txt" })).details.displayContent).toBe(
      "# a.txt\n* 1│hit\n  2│row 1\n  3│row 2\n  4│row 3\n   …\n 10│row 9\n*11│hit",
    );
  });

  it("hold no control characters for a person's screen that a file could move its cursor with", async () => {
    const { search } = await agent({ "a.txt": "\u001B[2J\u001B[31mhit\u001B[0m\n" });
    expect((await search({ pattern: "hit" })).details.displayContent).not.toContain("\u001B");
  });

  it("are told for a person's screen also where somebody has frozen them", async () => {
    const { search } = await agent({ "a.txt": "hit\n" });
    const details = Object.freeze((await search({ pattern: "hit" })).details);
    expect(JSON.parse(JSON.stringify(details))).toMatchObject({ displayContent: "# a.txt\n*1│hit" });
    expect(details.displayContent).toBe("# a.txt\n*1│hit");
  });

  it("list the entries that are not there", async () => {
    const { search } = await agent({ "a.txt": "hit\n" });
    const { details } = await search({ pattern: "hit", paths: ["x.ts", "a.txt", "no/*.ts", "docs://nope"] });
    expect(details.missingPaths).toEqual(["x.ts", "no/*.ts", "docs://nope"]);
  });

  it("count what was skipped, also when something was found", async () => {
    const files = {
      "a.txt": "hit\n",
      "b.txt": "hit\n",
      "secret/c.txt": "hit\n",
      "long.txt": "hit".repeat(100),
    };
    const { root } = await agent(files);
    if (process.getuid?.() !== 0) chmodSync(join(root, "b.txt"), 0);
    const { search } = await agent({}, { root, deny: ["secret/**"], settings: { maxFileSize: 100 } });
    const { text, details } = await search({ pattern: "hit" });
    expect(text).not.toContain("Skipped");
    expect(details.skipped).toEqual({
      binary: 0,
      tooLarge: 1,
      unreadable: process.getuid?.() === 0 ? 0 : 1,
      denied: 1,
    });
  });
});

describe("Outputs: nothing found", () => {
  it("says so in three words", async () => {
    const { search } = await agent({ "a.txt": "a\n" });
    const { text, details } = await search({ pattern: "hit" });
    expect(text).toBe("No matches found");
    expect(details).toMatchObject({ matchCount: 0, fileCount: 0, files: [], totalFiles: 0, nextSkip: null });
  });

  it("names the entries that are not there", async () => {
    const { text } = await agent({ "a.txt": "a\n" });
    expect(await text({ pattern: "hit", paths: ["a.txt", "b.txt", "c.txt"] })).toBe(
      "No matches found\n[Skipped missing paths: b.txt, c.txt]",
    );
  });

  it("counts the files that were skipped and could have held it", async () => {
    const { text } = await agent(
      { "a.txt": "a\n", "secret/c.txt": "hit\n", "big.txt": "hit".repeat(100), "bin.dat": "hit\0" },
      { deny: ["secret/**"], settings: { maxFileSize: 100 } },
    );
    expect(await text({ pattern: "hit" })).toMatch(
      /^No matches found\n\[Skipped: 1 denied, .*1 too large\]$/,
    );
    expect(await text({ pattern: "hit", paths: "bin.dat" })).toBe("No matches found\n[Skipped: 1 binary]");
  });

  it("names the archive members that could not be searched", async () => {
    const { text } = await agent({
      "l.zip": zip([
        { name: "ok.txt", data: "a\n" },
        { name: "bin.dat", data: "hit\0" },
        { name: "latin.txt", data: Buffer.from([0xe9, 0x0a]) },
      ]),
    });
    const answer = await text({ pattern: "hit", paths: "l.zip" });
    expect(answer).toMatch(/^No matches found\n\[Skipped: 1 binary, 1 unreadable\]\n/);
    expect(answer).toMatch(/l\.zip:bin\.dat.*binary/);
    expect(answer).toMatch(/l\.zip:latin\.txt.*not UTF-8/);
  });

  it("names an archive that is none", async () => {
    const { text } = await agent({ "a.txt": "a\n", "broken.zip": "no archive" });
    const answer = await text({ pattern: "hit", paths: ["a.txt", "broken.zip"] });
    expect(answer).toMatch(/^No matches found\n\[/);
    expect(answer).toContain("broken.zip");
  });
});

describe("Outputs: something found beside what could not be searched", () => {
  it("still says which entry that was named by itself was not searched", async () => {
    const { text } = await agent({
      "a.txt": "hit\n",
      "l.zip": zip([{ name: "latin.txt", data: Buffer.from([0xe9, 0x0a]) }]),
    });
    const answer = await text({ pattern: "hit", paths: ["a.txt", "l.zip:latin.txt"] });
    expect(matchLines(answer)).toEqual([1]);
    expect(answer).toContain("l.zip:latin.txt");
  });

  it("names the missing entries after the matches", async () => {
    const { text } = await agent({ "a.txt": "hit\n" });
    expect(await text({ pattern: "hit", paths: ["a.txt", "b.txt"] })).toBe(
      `¶a.txt#${tag("hit\n")}\n*1:hit\n\n[Skipped missing paths: b.txt]`,
    );
  });
});
