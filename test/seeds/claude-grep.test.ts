/** seeds/claude-code-glob-and-grep.md, chapters 1 and 3: Grep's three modes, their parameters, texts and details. */
import { describe, expect, it } from "vitest";
import { rg } from "../support/ripgrep.ts";
import { touch } from "../support/tree.ts";
import { claude } from "./claude.ts";

const POEM = "one\nhit 1\ntwo\nthree\nfour\nhit 2\nfive\nsix\nseven\neight\nhit 3\n";

describe("files_with_matches", () => {
  it("is the mode when none is given, and lists paths under how many they are", async () => {
    const { text, root } = await claude({ "a.ts": "hit\nhit\n", "src/b.ts": "hit\n", "c.ts": "miss\n" });
    touch(root, "a.ts", 1_000);
    touch(root, "src/b.ts", 2_000);
    const expected = "Found 2 files\nsrc/b.ts\na.ts";
    expect(await text({ pattern: "hit" })).toBe(expected);
    expect(await text({ pattern: "hit", output_mode: "files_with_matches" })).toBe(expected);
    expect(await text({ pattern: "hit", path: "src" })).toBe("Found 1 file\nsrc/b.ts");
    expect(await text({ pattern: "absent" })).toBe("No files found");
  });

  it("has its names and their number as details", async () => {
    const { details } = await claude({ "a.ts": "hit\n", "b.ts": "hit\n" }, { env: { NODE_ENV: "test" } });
    expect(await details({ pattern: "hit" })).toEqual({
      mode: "files_with_matches",
      filenames: ["a.ts", "b.ts"],
      numFiles: 2,
      meta: {},
      scopePath: ".",
      totalFiles: 2,
      missingPaths: [],
      engine: "ripgrep",
      engineWhy: "there is no index yet",
      elapsedMs: expect.any(Number) as number,
      skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
      partial: false,
      notices: [],
    });
    expect(await details({ pattern: "absent" })).toMatchObject({ filenames: [], numFiles: 0, totalFiles: 0 });
  });

  it("is sorted newest first, by names where files are equally old", async () => {
    const names = ["b.ts", "a.ts", "src/c.ts", "old.ts", "new.ts"];
    const { details, root } = await claude(Object.fromEntries(names.map((name) => [name, "hit\n"])));
    for (const name of names) touch(root, name, 2_000);
    touch(root, "old.ts", 1_000);
    touch(root, "new.ts", 3_000);
    const { filenames } = await details({ pattern: "hit" });
    expect(filenames).toEqual(["new.ts", "a.ts", "b.ts", "src/c.ts", "old.ts"]);
  });

  it("tells ages apart by less than a second", async () => {
    const { details, root } = await claude({ "a.ts": "hit\n", "b.ts": "hit\n", "c.ts": "hit\n" });
    touch(root, "a.ts", 1_000.25);
    touch(root, "b.ts", 1_000.75);
    touch(root, "c.ts", 1_000.5);
    expect((await details({ pattern: "hit" })).filenames).toEqual(["b.ts", "c.ts", "a.ts"]);
  });

  it("is sorted by name where the injected NODE_ENV is test, whatever that of the process is", async () => {
    const files = { "b.ts": "hit\n", "a.ts": "hit\n" };
    const orderIn = async (env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
      const { details, root } = await claude(files, { env });
      touch(root, "a.ts", 1_000);
      touch(root, "b.ts", 2_000);
      return (await details({ pattern: "hit" })).filenames;
    };
    expect(process.env["NODE_ENV"]).toBe("test");
    expect(await orderIn({})).toEqual(["b.ts", "a.ts"]);
    expect(await orderIn({ NODE_ENV: "production" })).toEqual(["b.ts", "a.ts"]);
    expect(await orderIn({ NODE_ENV: "test" })).toEqual(["a.ts", "b.ts"]);
  });

  it("compares names letter by letter, capitals first, and folders where their names stand", async () => {
    const names = ["B.ts", "a.ts", "a/x.ts", "a-b.ts", "é.ts", "b10.ts", "b9.ts"];
    const { details, root } = await claude(Object.fromEntries(names.map((name) => [name, "hit\n"])));
    for (const name of names) touch(root, name, 2_000);
    const sorted = rg(root, "-l", "--sort=path", "hit").toString().trim().split("\n");
    expect((await details({ pattern: "hit" })).filenames).toEqual(sorted);
    expect(sorted).toEqual(["B.ts", "a/x.ts", "a-b.ts", "a.ts", "b10.ts", "b9.ts", "é.ts"]);
  });
});

describe("content", () => {
  it("is path, line and text, files by their paths", async () => {
    const { text, details } = await claude({
      "b.ts": "miss\nhit hit\n",
      "a.ts": "hit:1\nhit",
      "c/d.ts": "  hit",
    });
    const expected = "a.ts:1:hit:1\na.ts:2:hit\nb.ts:2:hit hit\nc/d.ts:1:  hit";
    expect(await text({ pattern: "hit", output_mode: "content" })).toBe(expected);
    expect(await details({ pattern: "hit", output_mode: "content" })).toMatchObject({
      mode: "content",
      content: expected,
      numLines: 4,
      numFiles: 0,
      filenames: [],
    });
    expect(await text({ pattern: "absent", output_mode: "content" })).toBe("No matches found");
    expect(await details({ pattern: "absent", output_mode: "content" })).toMatchObject({
      content: "",
      numLines: 0,
    });
  });

  it("has no line numbers where -n is false", async () => {
    const { text } = await claude({ "a.txt": POEM });
    const asked = { pattern: "hit [12]", output_mode: "content" } as const;
    expect(await text({ ...asked, "-n": true })).toBe("a.txt:2:hit 1\na.txt:6:hit 2");
    expect(await text({ ...asked, "-n": false })).toBe("a.txt:hit 1\na.txt:hit 2");
    expect(await text({ ...asked, "-n": false, "-A": 1 })).toBe(
      "a.txt:hit 1\na.txt-two\n--\na.txt:hit 2\na.txt-five",
    );
  });

  it("has lines before with -B, after with -A, and both", async () => {
    const { text } = await claude({ "a.txt": POEM });
    const asked = { pattern: "hit [12]", output_mode: "content" } as const;
    expect(await text({ ...asked, "-B": 1 })).toBe(
      "a.txt-1-one\na.txt:2:hit 1\n--\na.txt-5-four\na.txt:6:hit 2",
    );
    expect(await text({ ...asked, "-A": 1 })).toBe(
      "a.txt:2:hit 1\na.txt-3-two\n--\na.txt:6:hit 2\na.txt-7-five",
    );
    expect(await text({ ...asked, "-A": 3, "-B": 9 })).toBe(
      "a.txt-1-one\na.txt:2:hit 1\na.txt-3-two\na.txt-4-three\na.txt-5-four\n" +
        "a.txt:6:hit 2\na.txt-7-five\na.txt-8-six\na.txt-9-seven",
    );
    expect(await text({ ...asked, "-A": 0, "-B": 0 })).toBe("a.txt:2:hit 1\na.txt:6:hit 2");
  });

  it("lets -C win over -A and -B, and context over -C", async () => {
    const { text } = await claude({ "a.txt": POEM });
    const asked = { pattern: "hit 2", output_mode: "content" } as const;
    const one = "a.txt-5-four\na.txt:6:hit 2\na.txt-7-five";
    const none = "a.txt:6:hit 2";
    expect(await text({ ...asked, "-C": 1 })).toBe(one);
    expect(await text({ ...asked, context: 1 })).toBe(one);
    expect(await text({ ...asked, "-C": 1, "-A": 3, "-B": 0 })).toBe(one);
    expect(await text({ ...asked, context: 1, "-A": 0, "-B": 2 })).toBe(one);
    expect(await text({ ...asked, context: 1, "-C": 3 })).toBe(one);
    expect(await text({ ...asked, context: 0, "-C": 3, "-A": 2 })).toBe(none);
    expect(await text({ ...asked, "-C": 0, "-A": 2, "-B": 2 })).toBe(none);
  });

  it("separates what does not adjoin by --, also between files, and only where there is context", async () => {
    const { text } = await claude({ "a.txt": "hit\n", "b.txt": "hit\nx\nhit\nx\nx\nx\nhit\n" });
    const asked = { pattern: "hit", output_mode: "content" } as const;
    expect(await text({ ...asked, "-A": 1 })).toBe(
      "a.txt:1:hit\n--\nb.txt:1:hit\nb.txt-2-x\nb.txt:3:hit\nb.txt-4-x\n--\nb.txt:7:hit",
    );
    expect(await text({ ...asked, "-C": 0 })).toBe("a.txt:1:hit\nb.txt:1:hit\nb.txt:3:hit\nb.txt:7:hit");
  });

  it("keeps context to 500 lines on each side", async () => {
    const many = "x\n".repeat(600);
    const { details } = await claude({ "a.txt": `${many}hit\n${many}` });
    const asked = { pattern: "hit", output_mode: "content", head_limit: 0 } as const;
    expect((await details({ ...asked, "-A": 9_999 })).content?.split("\n").at(-1)).toBe("a.txt-1101-x");
    expect((await details({ ...asked, "-C": 9_999 })).content?.split("\n")[0]).toBe("a.txt-101-x");
  });

  it("finds across lines with multiline, where a dot is a newline too, and prints every line", async () => {
    const { text } = await claude({ "a.txt": POEM });
    const asked = { output_mode: "content", multiline: true } as const;
    expect(await text({ pattern: "one.*two", ...asked })).toBe("a.txt:1:one\na.txt:2:hit 1\na.txt:3:two");
    expect(await text({ pattern: "1\\ntwo", ...asked, "-A": 1 })).toBe(
      "a.txt:2:hit 1\na.txt:3:two\na.txt-4-three",
    );
    expect(await text({ pattern: "one.*two", output_mode: "content" })).toBe("No matches found");
    expect(await text({ pattern: "one.*two", multiline: true })).toBe("Found 1 file\na.txt");
  });

  it("goes across lines by itself for a pattern that holds a newline", async () => {
    const { text } = await claude({ "a.txt": POEM });
    for (const pattern of ["1\\ntwo", "1\ntwo"]) {
      expect(await text({ pattern, output_mode: "content" })).toBe("a.txt:2:hit 1\na.txt:3:two");
    }
  });

  it("prints each line once where matches across lines share it", async () => {
    const { text } = await claude({ "a.txt": "a\nb a\nb a\nb\n" });
    expect(await text({ pattern: "a\\nb", multiline: true, output_mode: "content" })).toBe(
      "a.txt:1:a\na.txt:2:b a\na.txt:3:b a\na.txt:4:b",
    );
  });

  it("ignores case with -i, in every mode", async () => {
    const { text } = await claude({ "a.txt": "HIT\nhit\n" });
    expect(await text({ pattern: "Hit" })).toBe("No files found");
    expect(await text({ pattern: "Hit", "-i": false })).toBe("No files found");
    expect(await text({ pattern: "Hit", "-i": true })).toBe("Found 1 file\na.txt");
    expect(await text({ pattern: "Hit", "-i": true, output_mode: "content" })).toBe(
      "a.txt:1:HIT\na.txt:2:hit",
    );
    expect(await text({ pattern: "Hit", "-i": true, output_mode: "count" })).toBe(
      "a.txt:2\n\nFound 2 total occurrences across 1 file.",
    );
  });
});

describe("count", () => {
  it("is the matching lines of each file, then their sum, in words for one and for several", async () => {
    const { text } = await claude({ "a.ts": "hit hit\nhit\n", "b.ts": "hit\n", "one.py": "hit\n" });
    expect(await text({ pattern: "hit", output_mode: "count", type: "ts" })).toBe(
      "a.ts:2\nb.ts:1\n\nFound 3 total occurrences across 2 files.",
    );
    expect(await text({ pattern: "hit", output_mode: "count", path: "one.py" })).toBe(
      "one.py:1\n\nFound 1 total occurrence across 1 file.",
    );
    expect(await text({ pattern: "hit", output_mode: "count", path: "a.ts" })).toBe(
      "a.ts:2\n\nFound 2 total occurrences across 1 file.",
    );
    expect(await text({ pattern: "absent", output_mode: "count" })).toBe(
      "No matches found\n\nFound 0 total occurrences across 0 files.",
    );
  });

  it("has the lines, their number of files and their sum as details", async () => {
    const { details } = await claude({ "a.ts": "hit\nhit\n", "b.ts": "hit\n" });
    expect(await details({ pattern: "hit", output_mode: "count" })).toMatchObject({
      mode: "count",
      content: "a.ts:2\nb.ts:1",
      numMatches: 3,
      numFiles: 2,
      filenames: [],
    });
  });

  it("counts lines as ripgrep does, each once however often it matches", async () => {
    const { details, root } = await claude({ "a.txt": POEM, "b.txt": "hit hit\nhit 9\n" });
    for (const pattern of ["hit", "\\w", "^", "t 1|2"]) {
      const counted = rg(root, "-c", "--sort=path", "-e", pattern).toString().trim();
      expect((await details({ pattern, output_mode: "count" })).content).toBe(counted);
      expect((await details({ pattern, multiline: true, output_mode: "count" })).content).toBe(counted);
    }
  });

  it("counts the lines of a match across lines, where ripgrep counts the matches", async () => {
    const { details, root } = await claude({ "a.txt": POEM });
    const asked = { pattern: "hit .\\n\\w+", multiline: true } as const;
    expect((await details({ ...asked, output_mode: "count" })).content).toBe("a.txt:4");
    expect((await details({ ...asked, output_mode: "content" })).numLines).toBe(4);
    expect(rg(root, "-cUH", asked.pattern, "a.txt").toString()).toBe("a.txt:2\n");
  });
});

describe("what belongs to content", () => {
  it.each(["files_with_matches", "count"] as const)("changes nothing in %s", async (output_mode) => {
    const { text } = await claude({ "a.txt": POEM, "b.txt": "hit\n" }, { env: { NODE_ENV: "test" } });
    const plain = await text({ pattern: "hit", output_mode });
    for (const more of [
      { "-n": true },
      { "-n": false },
      { "-A": 2 },
      { "-B": 2 },
      { "-C": 2 },
      { context: 2 },
    ]) {
      expect(await text({ pattern: "hit", output_mode, ...more })).toBe(plain);
    }
  });
});

it("answers calls at the same time as it answers them one by one", async () => {
  const { text, glob } = await claude({ "a.txt": POEM, "b.txt": "hit\n" }, { env: { NODE_ENV: "test" } });
  const calls = [
    () => text({ pattern: "hit" }),
    () => text({ pattern: "hit", output_mode: "content", "-C": 1 }),
    () => text({ pattern: "hit", output_mode: "count" }),
    () => glob({ pattern: "a*" }),
  ];
  const single: string[] = [];
  for (const call of calls) single.push(await call());
  const together = await Promise.all([...calls, ...calls, ...calls].map((call) => call()));
  expect(together).toEqual([...single, ...single, ...single]);
  expect(new Set(single).size).toBe(4);
});
