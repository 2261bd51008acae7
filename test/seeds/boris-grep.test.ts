/** Boris's design, what grep answers: decisions 3, 4, 5, 9 and 13, and what keeps an answer short. */
import { describe, expect, it } from "vitest";
import { touch } from "../support/tree.ts";
import { lines } from "./agent.ts";
import { borisAgent } from "./boris.ts";

const more = (offset: number): string => `[There is more. Use offset=${offset} for the next page]`;

describe("The output mode", () => {
  it("is files_with_matches by itself: paths, newest first", async () => {
    const { root, grep, answer } = await borisAgent({
      "a.txt": "x\n",
      "b/c.txt": "x\n",
      "d.txt": "x\n",
      e: "y\n",
    });
    touch(root, "a.txt", 2_000);
    touch(root, "b/c.txt", 3_000);
    touch(root, "d.txt", 1_000);
    const text = "b/c.txt\na.txt\nd.txt";
    expect(await grep({ pattern: "x" })).toBe(text);
    expect(await grep({ pattern: "x", output_mode: "files_with_matches" })).toBe(text);
    touch(root, "d.txt", 4_000);
    expect(await grep({ pattern: "x" })).toBe("d.txt\nb/c.txt\na.txt");
    const { details } = await answer({ pattern: "x" });
    expect(details).toMatchObject({ mode: "files_with_matches", totalFiles: 3, nextOffset: null });
    expect(details.files.map(({ path }) => path)).toEqual(["d.txt", "b/c.txt", "a.txt"]);
  });

  it("newest first breaks ties by name", async () => {
    const { root, grep } = await borisAgent({ "b.txt": "x\n", "a.txt": "x\n", "c.txt": "x\n" });
    for (const name of ["a.txt", "b.txt", "c.txt"]) touch(root, name, 1_000);
    expect(await grep({ pattern: "x" })).toBe("a.txt\nb.txt\nc.txt");
  });

  it("count tells the matching lines of each file, by path", async () => {
    const { answer } = await borisAgent({ "b.txt": "x x\nx\n", "a.txt": "x\n", "c.txt": "y\n" });
    const { text, details } = await answer({ pattern: "x", output_mode: "count" });
    expect(text).toBe("a.txt:1\nb.txt:2");
    expect(details.files).toEqual([
      { path: "a.txt", count: 1 },
      { path: "b.txt", count: 2 },
    ]);
  });

  it("content tells path, line and text, files by path", async () => {
    const { answer } = await borisAgent({ "b.txt": "x 1\n", "a/a.txt": "y\nx 2\n" });
    const { text, details } = await answer({ pattern: "x", output_mode: "content" });
    expect(text).toBe("a/a.txt:2:x 2\n--\nb.txt:1:x 1");
    expect(details).toMatchObject({ mode: "content", matchingLines: 2, totalFiles: 2 });
  });

  it("without matches says so, and nothing else", async () => {
    const { grep } = await borisAgent({ "a.txt": "x\n" });
    expect(await grep({ pattern: "z" })).toBe("No files found");
    expect(await grep({ pattern: "z", output_mode: "content" })).toBe("No matches found");
    expect(await grep({ pattern: "z", output_mode: "count" })).toBe("No matches found");
  });

  it("tells paths relative to the root, whatever path was given", async () => {
    const { root, grep } = await borisAgent({ "src/a.txt": "x\n" });
    for (const path of ["src", "src/", "./src", `${root}/src`, "src/a.txt", `${root}/src/a.txt`, "."]) {
      expect(await grep({ pattern: "x", path, output_mode: "content" })).toBe("src/a.txt:1:x");
    }
  });
});

describe("Groups of lines", () => {
  const FILES = { "a.txt": "x1\nx2\n3\n4\n5\nx6\n", "b.txt": "x\n" };

  it("are parted by -- within a file and between files, without context too", async () => {
    const { grep } = await borisAgent(FILES);
    expect(await grep({ pattern: "x", output_mode: "content" })).toBe(
      "a.txt:1:x1\na.txt:2:x2\n--\na.txt:6:x6\n--\nb.txt:1:x",
    );
  });

  it("have context in lines with dashes, before, after or both", async () => {
    const { grep } = await borisAgent(FILES);
    const asked = { pattern: "x", path: "a.txt", output_mode: "content" };
    expect(await grep({ ...asked, context_before: 1 })).toBe(
      "a.txt:1:x1\na.txt:2:x2\n--\na.txt-5-5\na.txt:6:x6",
    );
    expect(await grep({ ...asked, context_after: 1 })).toBe(
      "a.txt:1:x1\na.txt:2:x2\na.txt-3-3\n--\na.txt:6:x6",
    );
    expect(await grep({ ...asked, context: 1 })).toBe(
      "a.txt:1:x1\na.txt:2:x2\na.txt-3-3\n--\na.txt-5-5\na.txt:6:x6",
    );
  });

  it("merge where their context meets or overlaps, and no line comes twice", async () => {
    const { grep } = await borisAgent(FILES);
    const whole = "a.txt:1:x1\na.txt:2:x2\na.txt-3-3\na.txt-4-4\na.txt-5-5\na.txt:6:x6";
    const asked = { pattern: "x", path: "a.txt", output_mode: "content" };
    expect(await grep({ ...asked, context_before: 2, context_after: 1 })).toBe(whole);
    expect(await grep({ ...asked, context: 2 })).toBe(whole);
    expect(await grep({ ...asked, context: 9 })).toBe(whole);
  });

  it("have the context of one side where that is asked for beside both", async () => {
    const { grep } = await borisAgent(FILES);
    const asked = { pattern: "6", path: "a.txt", output_mode: "content" };
    expect(await grep({ ...asked, context: 2, context_before: 1 })).toBe("a.txt-5-5\na.txt:6:x6");
    expect(await grep({ ...asked, "-C": 2, "-B": 0 })).toBe("a.txt:6:x6");
    const first = { pattern: "x1", path: "a.txt", output_mode: "content" };
    expect(await grep({ ...first, context: 1, context_after: 0 })).toBe("a.txt:1:x1");
  });

  it("have 500 lines of context on a side at most", async () => {
    const { grep } = await borisAgent({ "a.txt": `${lines(600, "l")}x\n${lines(600, "l")}` });
    const text = await grep({ pattern: "x", output_mode: "content", context: 9_999 });
    expect(text.split("\n")).toHaveLength(1_001);
  });

  it("have no context outside content mode", async () => {
    const { grep } = await borisAgent(FILES);
    expect(await grep({ pattern: "x", output_mode: "count", context: 3 })).toBe("a.txt:3\nb.txt:1");
    expect((await grep({ pattern: "x", "-A": 3 })).split("\n").toSorted()).toEqual(["a.txt", "b.txt"]);
  });
});

describe("Line numbers", () => {
  it("are shown unless line_numbers is false, in context too, and nowhere but in content mode", async () => {
    const { grep } = await borisAgent({ "a.txt": "y\nx\n" });
    const asked = { pattern: "x", context: 1 };
    const content = { ...asked, output_mode: "content" };
    expect(await grep(content)).toBe("a.txt-1-y\na.txt:2:x");
    expect(await grep({ ...content, line_numbers: true })).toBe("a.txt-1-y\na.txt:2:x");
    expect(await grep({ ...content, line_numbers: false })).toBe("a.txt-y\na.txt:x");
    for (const line_numbers of [true, false]) {
      expect(await grep({ ...asked, line_numbers })).toBe("a.txt");
      expect(await grep({ ...asked, output_mode: "count", line_numbers })).toBe("a.txt:1");
    }
  });
});

describe("head_limit and offset", () => {
  const FILES = { "a.txt": "x1\n2\nx3\n4\nx5\n", "b.txt": "x1\nx2\n", "c.txt": "x1\n" };

  it("are 0 by themselves, which is all", async () => {
    const { grep } = await borisAgent({ "a.txt": lines(400, "x"), "b.txt": "x\n" });
    const all = await grep({ pattern: "x", output_mode: "content" });
    expect(all.split("\n")).toHaveLength(402);
    expect(await grep({ pattern: "x", output_mode: "content", head_limit: 0, offset: 0 })).toBe(all);
  });

  it("count matching lines in content mode, and context does not count", async () => {
    const { grep, answer } = await borisAgent(FILES);
    const asked = { pattern: "x", output_mode: "content", context: 1 };
    const { text, details } = await answer({ ...asked, head_limit: 2 });
    expect(text).toBe(`a.txt:1:x1\na.txt-2-2\na.txt:3:x3\na.txt-4-4\n\n${more(2)}`);
    expect(details).toMatchObject({ matchingLines: 2, nextOffset: 2 });
    expect(await grep({ ...asked, head_limit: 1, offset: 1 })).toBe(
      `a.txt-2-2\na.txt:3:x3\na.txt-4-4\n\n${more(2)}`,
    );
    expect(await grep({ ...asked, offset: 4 })).toBe("b.txt:2:x2\n--\nc.txt:1:x1");
  });

  it("count files in the other modes", async () => {
    const { root, grep, answer } = await borisAgent(FILES);
    touch(root, "a.txt", 1_000);
    touch(root, "b.txt", 2_000);
    touch(root, "c.txt", 3_000);
    expect(await grep({ pattern: "x", head_limit: 2 })).toBe(`c.txt\nb.txt\n\n${more(2)}`);
    expect(await grep({ pattern: "x", head_limit: 2, offset: 2 })).toBe("a.txt");
    const counted = { pattern: "x", output_mode: "count" };
    expect(await grep({ ...counted, head_limit: 1 })).toBe(`a.txt:3\n\n${more(1)}`);
    expect(await grep({ ...counted, head_limit: 1, offset: 1 })).toBe(`b.txt:2\n\n${more(2)}`);
    expect(await grep({ ...counted, offset: 1 })).toBe("b.txt:2\nc.txt:1");
    expect((await answer({ ...counted, head_limit: 3 })).details.nextOffset).toBe(null);
  });

  it("past the end say that there is something before it", async () => {
    const { grep } = await borisAgent(FILES);
    const content = { pattern: "x", output_mode: "content" };
    expect(await grep({ ...content, offset: 6, head_limit: 5 })).toBe(
      "No matches found\n\n[Offset 6 is past the end: 3 files match, and it counts matching lines]",
    );
    expect(await grep({ pattern: "x5", output_mode: "content", offset: 1 })).toBe(
      "No matches found\n\n[Offset 1 is past the end: 1 file matches, and it counts matching lines]",
    );
    expect(await grep({ pattern: "x", output_mode: "count", offset: 3 })).toBe(
      "No matches found\n\n[Offset 3 is past the end: 3 files match]",
    );
    expect(await grep({ pattern: "x", offset: 1_000 })).toBe(
      "No files found\n\n[Offset 1,000 is past the end: 3 files match]",
    );
    expect(await grep({ pattern: "z", offset: 3 })).toBe("No files found");
  });

  it.each([0, 1, 5])("make pages that add up to the whole, with %i lines of context", async (context) => {
    const { answer } = await borisAgent(FILES);
    const asked = { pattern: "x", output_mode: "content", context };
    const rows = (text: string): string[] => text.split("\n").filter((row) => /^\w\.txt/.test(row));
    const pages: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const { text, details } = await answer({ ...asked, head_limit: 2, offset });
      pages.push(...rows(text));
      offset = details.nextOffset;
    }
    const whole = rows((await answer(asked)).text);
    expect([...new Set(pages)]).toEqual(whole);
    expect(pages.filter((row) => /^\w\.txt:/.test(row))).toEqual(
      whole.filter((row) => /^\w\.txt:/.test(row)),
    );
  });
});

describe("multiline", () => {
  const FILES = {
    "a.txt": "before\nstruct {\n  one\n  field\n}\nafter\nlast\n",
    "b.txt": "struct {\n}\nstruct { field\n",
    "c.txt": "none\n",
  };

  it("lets a match span lines, . match newlines, and reports every line that is spanned", async () => {
    const { grep } = await borisAgent(FILES);
    const asked = { pattern: "struct \\{.*?field", output_mode: "content" };
    expect(await grep(asked)).toBe("b.txt:3:struct { field");
    expect(await grep({ ...asked, multiline: true })).toBe(
      "a.txt:2:struct {\na.txt:3:  one\na.txt:4:  field\n--\nb.txt:1:struct {\nb.txt:2:}\nb.txt:3:struct { field",
    );
    expect(await grep({ ...asked, pattern: "struct \\{[\\s\\S]*?one", multiline: true })).toBe(
      "a.txt:2:struct {\na.txt:3:  one",
    );
  });

  it("has context around the lines that are spanned", async () => {
    const { grep } = await borisAgent(FILES);
    const asked = { pattern: "one.*field", output_mode: "content", multiline: true, context: 1 };
    expect(await grep(asked)).toBe("a.txt-2-struct {\na.txt:3:  one\na.txt:4:  field\na.txt-5-}");
    expect(await grep({ ...asked, "-B": 0, head_limit: 1 })).toBe(`a.txt:3:  one\n\n${more(1)}`);
  });

  it("lists the files, and counts the lines that are spanned, each once", async () => {
    const { grep } = await borisAgent(FILES);
    const asked = { pattern: "struct \\{.*?field", multiline: true };
    expect((await grep(asked)).split("\n").toSorted()).toEqual(["a.txt", "b.txt"]);
    expect(await grep({ ...asked, output_mode: "count" })).toBe("a.txt:3\nb.txt:3");
    expect(await grep({ ...asked, pattern: "struct|\\{\\n", output_mode: "count" })).toBe("a.txt:1\nb.txt:2");
  });

  it("counts lines with head_limit and offset, those of one match too", async () => {
    const { grep } = await borisAgent(FILES);
    const asked = { pattern: "struct.*?field", output_mode: "content", multiline: true };
    expect(await grep({ ...asked, head_limit: 2 })).toBe(`a.txt:2:struct {\na.txt:3:  one\n\n${more(2)}`);
    expect(await grep({ ...asked, head_limit: 2, offset: 2 })).toBe(
      `a.txt:4:  field\n--\nb.txt:1:struct {\n\n${more(4)}`,
    );
  });

  it("has anchors at every line, as without", async () => {
    const { grep } = await borisAgent(FILES);
    expect(await grep({ pattern: "^one|^after$", output_mode: "content", multiline: true })).toBe(
      "a.txt:6:after",
    );
  });

  it("is on by itself for a pattern that holds a newline", async () => {
    const { grep } = await borisAgent(FILES);
    expect(await grep({ pattern: "one\\n  field", output_mode: "content" })).toBe(
      "a.txt:3:  one\na.txt:4:  field",
    );
  });
});

describe("What keeps an answer short", () => {
  it("is 50 KiB of text: the rest is kept whole, to be searched and viewed", async () => {
    const { call, answer } = await borisAgent({ "a.txt": lines(3_000, `x ${"y".repeat(40)}`) });
    const { text, details } = await answer({ pattern: "x", output_mode: "content" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(text.split("\n").slice(-2)).toEqual(["", "[Cut to fit: the whole page is artifact://1]"]);
    expect(details.matchingLines).toBe(text.split("\n").length - 2);
    expect(details.meta.truncation).toMatchObject({ totalLines: 3_000, artifactId: "1" });
    const last = `a.txt:3000:x ${"y".repeat(40)} 3000`;
    expect(await call("view", { path: "artifact://1", view_range: [3_000, 3_000] })).toBe(`  3000\t${last}`);
    expect(await call("grep", { pattern: " 3000$", path: "artifact://1", output_mode: "content" })).toBe(
      `artifact://1:3000:${last}`,
    );
  });

  it("is 2,000 characters of a line, around its match", async () => {
    const { grep } = await borisAgent({ "a.txt": `${"a".repeat(5_000)}needle${"z".repeat(5_000)}\n` });
    const text = await grep({ pattern: "needle", output_mode: "content" });
    expect(text).toMatch(/^a\.txt:1:…a+needlez+…$/);
    expect(text.length).toBe("a.txt:1:".length + 2_000 + 2);
  });

  it("is time: what was not searched is said, with the fields that narrow it", async () => {
    const env = { QUARRY_TIMEOUT_SECONDS: "0.001" };
    for (const [anthropicCompat, glob] of [
      [false, "include"],
      [true, "glob"],
    ] as const) {
      const { answer } = await borisAgent({ "a.txt": "needle\n" }, { env, anthropicCompat });
      const { text, details } = await answer({ pattern: "needle" });
      expect(details).toMatchObject({ partial: true, totalFiles: null });
      expect(text).toContain(`[Not everything was searched; narrow path or ${glob}]`);
    }
  });

  it("never breaks a line of the answer: names and texts are one row each", async () => {
    const { grep } = await borisAgent({ "odd\nname.txt": "needle\r\nx\ry needle\n" });
    expect(await grep({ pattern: "needle", output_mode: "content" })).toBe(
      '"odd\\nname.txt":1:needle\n"odd\\nname.txt":2:x\\ry needle',
    );
  });
});
