/** The options of search that are ours (issue 3), and how its input is read. */
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { agent, headings, lines, manyFiles, matchLines, tag } from "./agent.ts";

describe("Inputs of ours", () => {
  it("literal takes the pattern as plain text", async () => {
    const { text } = await agent({ "a.txt": "a.b(\naxb(\n" });
    expect(matchLines(await text({ pattern: "a.b(", literal: true, context: 0 }))).toEqual([1]);
  });

  it("type keeps files of these types, on disk and in archives alike", async () => {
    const members = ["m.ts", "m.py", "m.md"].map((name) => ({ name, data: "hit\n" }));
    const { search, error } = await agent({
      "a.ts": "hit\n",
      "b.py": "hit\n",
      "c.md": "hit\n",
      "l.zip": zip(members),
    });
    const files = async (type: string | string[], paths?: string | string[]) =>
      (await search({ pattern: "hit", type, paths })).details.files;
    expect(await files("ts")).toEqual(["a.ts"]);
    expect(await files(["ts", "py"])).toEqual(["a.ts", "b.py"]);
    expect(await files("py", "l.zip")).toEqual(["l.zip:m.py"]);
    expect((await error({ pattern: "hit", type: "nope" })).code).toBe("UNKNOWN_TYPE");
  });

  it("mode files lists names, mode count the matching lines of each", async () => {
    const { search } = await agent({ "a.txt": "hit hit\nhit\n", "b.txt": "hit\n", "c.txt": "miss\n" });
    const files = await search({ pattern: "hit", mode: "files" });
    expect(files.text).toBe("a.txt\nb.txt");
    expect(files.details).toMatchObject({ fileCount: 2, files: ["a.txt", "b.txt"] });
    const count = await search({ pattern: "hit", mode: "count" });
    expect(count.text).toBe("a.txt:2\nb.txt:1");
    expect(count.details.fileMatches).toEqual([
      { path: "a.txt", count: 2 },
      { path: "b.txt", count: 1 },
    ]);
    expect(count.details.displayContent).toBeUndefined();
  });

  it("mode files and count work in archives, URLs and selected lines", async () => {
    const { text } = await agent({
      "a.txt": lines(300, "hit"),
      "l.zip": zip([{ name: "m.txt", data: lines(30, "hit") }]),
    });
    expect(await text({ pattern: "hit", mode: "count", paths: "a.txt" })).toBe("a.txt:300");
    expect(await text({ pattern: "hit", mode: "count", paths: "a.txt:5-9" })).toBe("a.txt:5");
    expect(await text({ pattern: "hit", mode: "count", paths: "l.zip" })).toBe("l.zip:m.txt:30");
    expect(await text({ pattern: "hit", mode: "files", paths: "l.zip" })).toBe("l.zip:m.txt");
    expect(await text({ pattern: "differ", mode: "count", paths: "docs://deviations.md:1-3" })).toBe(
      "docs://deviations.md:1",
    );
  });

  it("mode files and count have pages too", async () => {
    const { text } = await agent(manyFiles(5, "hit\n"));
    expect(await text({ pattern: "hit", mode: "files", limit: 2, skip: 2 })).toBe(
      "f003.txt\nf004.txt\n\n[Files 3-4 of 5. Use skip=4 for the next page]",
    );
    expect(await text({ pattern: "hit", mode: "count", limit: 1, skip: 4 })).toBe("f005.txt:1");
  });

  it("context is the number of lines on both sides", async () => {
    const content = "1\n2\n3\nhit\n5\n6\n7\n";
    const { text } = await agent({ "a.txt": content });
    const head = `# a.txt#${tag(content)}`;
    expect(await text({ pattern: "hit", context: 0 })).toBe(`${head}\n*4:hit`);
    expect(await text({ pattern: "hit", context: 2 })).toBe(`${head}\n 2:2\n 3:3\n*4:hit\n 5:5\n 6:6`);
  });

  it("multiline lets a match go over lines where the pattern has no newline", async () => {
    const { text } = await agent({ "a.txt": "one\ntwo\n" });
    expect(await text({ pattern: "one\\s+two" })).toBe("No matches found");
    expect(matchLines(await text({ pattern: "one\\s+two", multiline: true }))).toEqual([1, 2]);
  });

  it("limit is the number of files on a page, 200 at most", async () => {
    const { text } = await agent(manyFiles(201, "hit\n"));
    const two = await text({ pattern: "hit", limit: 2 });
    expect(two).toMatch(/\n\n\[Files 1-2 of 201\. Use skip=2 for the next page\]$/);
    expect(headings(two)).toEqual(["f001.txt", "f002.txt"]);
    expect(await text({ pattern: "hit", limit: 5000 })).toMatch(/\[Files 1-200 of 201\. Use skip=200 /);
  });

  it("numbers and booleans may come as text, and null is nothing", async () => {
    const { workspace } = await agent(manyFiles(3, "Hit\n"));
    const input = { pattern: "hit", i: "true", limit: "2", skip: null } as never;
    const { content } = await workspace.tools.search(input);
    expect(headings(content[0].text)).toEqual(["f001.txt", "f002.txt"]);
  });

  it("refuses fields it does not know, values of the wrong kind, and names the field", async () => {
    const { error } = await agent({ "a.txt": "hit\n" });
    expect((await error({ pattern: "hit", nope: 1 })).text).toBe(
      '[INVALID_INPUT] There is no field "nope". The fields are pattern, paths, i, literal, multiline, type, mode, context, gitignore, limit, skip.',
    );
    expect((await error({})).text).toBe("[INVALID_INPUT] pattern is missing.");
    expect((await error({ pattern: "hit", mode: "x" })).text).toBe(
      '[INVALID_INPUT] mode must be one of content, files, count, not "x".',
    );
    expect((await error({ pattern: "hit", context: -1 })).message).toBe(
      "context must be a non-negative number, not -1",
    );
    expect((await error({ pattern: "hit", limit: 0 })).message).toBe(
      "limit must be a positive number, not 0",
    );
  });
});
