/** seeds/omp-search.md, "Inputs" and the steps of "Flow" that read them, sentence by sentence in its order. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { agent, headings, lines, manyFiles, matchLines, tag } from "./agent.ts";

describe("Inputs: pattern", () => {
  it("is a regular expression", async () => {
    const { text } = await agent({ "a.txt": "cat\ncot\ncut\n" });
    expect(await text({ pattern: "c[ao]t", paths: "a.txt", context: 0 })).toBe(
      `¶a.txt#${tag("cat\ncot\ncut\n")}\n*1:cat\n*2:cot`,
    );
  });

  it("keeps the blanks at its ends (deviation: the seed trims)", async () => {
    const { text } = await agent({ "a.txt": "return\n  return\n" });
    expect(matchLines(await text({ pattern: "  return" }))).toEqual([2]);
    expect(await text({ pattern: "return " })).toBe("No matches found");
  });

  it("is refused when it is empty or blank", async () => {
    const { error } = await agent({ "a.txt": "a b\n" });
    for (const pattern of ["", "   ", "\t"]) {
      expect(await error({ pattern })).toMatchObject({
        code: "INVALID_PATTERN",
        message: "The pattern is empty",
      });
    }
  });

  it("goes over lines by itself when it holds a newline or its escape", async () => {
    const { text } = await agent({ "a.txt": "one\ntwo\nthree\n" });
    const found = `# a.txt#${tag("one\ntwo\nthree\n")}\n*1:one\n*2:two`;
    expect(await text({ pattern: "one\ntwo", context: 0 })).toBe(found);
    expect(await text({ pattern: "one\\ntwo", context: 0 })).toBe(found);
  });

  it("stays within lines when the newline is only excluded or escaped away (deviation)", async () => {
    const { text } = await agent({ "a.txt": "one\ntwo\n", "b.txt": "one\\ntwo\n" });
    expect(await text({ pattern: "one[^\\n]?two" })).toBe("No matches found");
    expect(headings(await text({ pattern: "one\\\\ntwo" }))).toEqual(["b.txt"]);
  });

  it("takes escaped braces as text, and braces that are no repetition too, saying so (deviation)", async () => {
    const { text } = await agent({ "a.ts": "interface{}\n" });
    const found = `# a.ts#${tag("interface{}\n")}\n*1:interface{}`;
    expect(await text({ pattern: "interface\\{\\}" })).toBe(found);
    const repaired = await text({ pattern: "interface{}" });
    expect(repaired).toContain(found);
    expect(repaired).toContain("it was read as: interface\\{\\}]");
  });
});

describe("Inputs: paths", () => {
  const files = {
    "a.txt": "hit a\n",
    "src/b.ts": "hit b\n",
    "src/deep/c.ts": "hit c\n",
    "src/d.md": "hit d\n",
  };

  it("is one file, a folder, a glob, an archive member, a URL, or several of them", async () => {
    const { text } = await agent({ ...files, "lib.zip": zip([{ name: "m.ts", data: "hit m\n" }]) });
    const named = async (paths: string | string[]) => headings(await text({ pattern: "hit", paths }));
    expect(await named("a.txt")).toEqual(["a.txt"]);
    expect(await named("src")).toEqual(["src/b.ts", "src/d.md", "src/deep/c.ts"]);
    expect(await named("src/**/*.ts")).toEqual(["src/b.ts", "src/deep/c.ts"]);
    expect(await named("lib.zip:m.ts")).toEqual(["lib.zip:m.ts"]);
    expect(await named(["src/deep", "a.txt", "lib.zip:m.ts"])).toEqual([
      "src/deep/c.ts",
      "a.txt",
      "lib.zip:m.ts",
    ]);
    expect(headings(await text({ pattern: "Quarry", paths: "docs://deviations.md" }))).toEqual([
      "docs://deviations.md",
    ]);
  });

  it("may be left out, which means everything (ours: the seed requires it)", async () => {
    const { search } = await agent(files);
    const { text, details } = await search({ pattern: "hit" });
    expect(headings(text)).toEqual(["a.txt", "src/b.ts", "src/d.md", "src/deep/c.ts"]);
    expect(details.scopePath).toBe(".");
  });

  it("may be a list that was sent as its JSON text", async () => {
    const { text } = await agent(files);
    expect(headings(await text({ pattern: "hit", paths: '["a.txt", "src/d.md"]' }))).toEqual([
      "a.txt",
      "src/d.md",
    ]);
  });

  it("may end in lines, which constrain the matches of a file, a member and a URL", async () => {
    const content = lines(12, "hit");
    const { text } = await agent({ "a.txt": content, "lib.zip": zip([{ name: "m.txt", data: content }]) });
    const found = async (paths: string) => matchLines(await text({ pattern: "hit", paths }));
    expect(await found("a.txt:3-5")).toEqual([3, 4, 5]);
    expect(await found("a.txt:2-3,11-12")).toEqual([2, 3, 11, 12]);
    expect(await found("a.txt:11-")).toEqual([11, 12]);
    expect(await found("lib.zip:m.txt:2-3,11-12")).toEqual([2, 3, 11, 12]);
    expect(matchLines(await text({ pattern: ".", paths: "docs://deviations.md:1-3" }))).toEqual([1, 3]);
  });

  it("shows context around a constrained match as around any other", async () => {
    const { text } = await agent({ "a.txt": "one\nhit\nthree\nhit\n" });
    expect(await text({ pattern: "hit", paths: "a.txt:1-2" })).toBe(
      `¶a.txt#${tag("one\nhit\nthree\nhit\n")}\n 1:one\n*2:hit\n 3:three\n 4:hit`,
    );
  });

  it("takes several ranges of one file as one scope, and finds what is in each", async () => {
    const { text } = await agent({ "a.txt": lines(12, "hit") });
    const paths = ["a.txt:2-3", "a.txt:11-12"];
    expect(matchLines(await text({ pattern: "hit", paths, context: 0 }))).toEqual([2, 3, 11, 12]);
  });

  it("finds all of a file that is named both in part and whole", async () => {
    const { text } = await agent({ "a.txt": lines(5, "hit") });
    const paths = ["a.txt:2-3", "a.txt"];
    expect(matchLines(await text({ pattern: "hit", paths, context: 0 }))).toEqual([1, 2, 3, 4, 5]);
  });

  it("is refused when an entry is empty once blanks and quotes are gone", async () => {
    const { error } = await agent(files);
    for (const paths of ["", "  ", '""', "' '", ["a.txt", ""], []]) {
      expect(await error({ pattern: "hit", paths })).toMatchObject({
        code: "INVALID_INPUT",
        message: "`paths` holds an empty entry",
        hint: 'Name files, folders or globs; "." is the root',
      });
    }
  });

  it("drops quotes around an entry", async () => {
    const { text } = await agent({ "a b.txt": "hit\n" });
    for (const paths of ['"a b.txt"', "'a b.txt'", "`a b.txt`", ' "a b.txt" ']) {
      expect(headings(await text({ pattern: "hit", paths }))).toEqual(["a b.txt"]);
    }
  });

  it("reads back a name as an answer printed it", async () => {
    const { text } = await agent({ "two\nlines.txt": "hit\n", "b.txt": "hit\n" });
    const [, printed = ""] = headings(await text({ pattern: "hit" }));
    expect(printed).toBe('"two\\nlines.txt"');
    expect(headings(await text({ pattern: "hit", paths: printed }))).toEqual([printed]);
  });

  it("expands ~ and file:// before the policy looks", async () => {
    const { root, text } = await agent({ "a b.txt": "hit\n" });
    const home = await agent({}, { root, env: { HOME: root } });
    expect(headings(await home.text({ pattern: "hit", paths: "~/a b.txt" }))).toEqual(["a b.txt"]);
    expect(headings(await text({ pattern: "hit", paths: `file://${root}/a%20b.txt` }))).toEqual(["a b.txt"]);
    expect((await home.error({ pattern: "hit", paths: "file:///etc/hostname" })).code).toBe("PATH_OUTSIDE");
    const away = await agent({ "b.txt": "hit\n" }, { env: { HOME: root } });
    expect((await away.error({ pattern: "hit", paths: "~/a b.txt" })).code).toBe("PATH_OUTSIDE");
  });

  it("takes entries apart at commas and semicolons when one part is there", async () => {
    const { search } = await agent(files);
    for (const paths of [
      "a.txt,src/b.ts",
      "a.txt;src/b.ts",
      "a.txt, src/b.ts",
      "a.txt; nope.txt; src/b.ts",
    ]) {
      expect((await search({ pattern: "hit", paths })).details.files).toEqual(["a.txt", "src/b.ts"]);
    }
    const { details } = await search({ pattern: "hit", paths: "a.txt; nope.txt" });
    expect(details.missingPaths).toEqual(["nope.txt"]);
  });

  it("leaves an entry with marks whole when no part is there", async () => {
    const { error } = await agent(files);
    expect((await error({ pattern: "hit", paths: "x.txt,y.txt" })).message).toBe(
      "Path not found: x.txt,y.txt",
    );
  });

  it("takes entries apart at blanks only when every part is there", async () => {
    const { search, error } = await agent(files);
    expect((await search({ pattern: "hit", paths: "a.txt src/b.ts" })).details.files).toEqual([
      "a.txt",
      "src/b.ts",
    ]);
    expect((await error({ pattern: "hit", paths: "a.txt nope.txt" })).message).toBe(
      "Path not found: a.txt nope.txt",
    );
  });

  it("leaves an entry alone that exists as a whole", async () => {
    const { search } = await agent({
      "a,b.txt": "hit\n",
      "a;b.txt": "hit\n",
      "a b": "hit\n",
      a: "hit\n",
      b: "hit\n",
    });
    for (const paths of ["a,b.txt", "a;b.txt", "a b"]) {
      expect((await search({ pattern: "hit", paths })).details.files).toEqual([paths]);
    }
  });

  it("keeps the ranges of a selector together when it takes joined entries apart", async () => {
    const { text } = await agent({ "a.txt": lines(9, "hit"), "b.txt": "hit\n" });
    const answer = await text({ pattern: "hit", paths: "a.txt:2-3,8-9,b.txt", context: 0 });
    expect(headings(answer)).toEqual(["a.txt", "b.txt"]);
    expect(matchLines(answer)).toEqual([2, 3, 8, 9, 1]);
  });

  it("takes a path that exists for a path, whatever characters it has", async () => {
    const { text } = await agent({
      "a[1]*.txt": "hit\n",
      "a1.txt": "hit\n",
      "b.txt:1-2": "hit\n",
      "b.txt": "hit\n",
    });
    expect(headings(await text({ pattern: "hit", paths: "a[1]*.txt" }))).toEqual(["a[1]*.txt"]);
    expect(headings(await text({ pattern: "hit", paths: "b.txt:1-2" }))).toEqual(["b.txt:1-2"]);
  });

  it("gives each file once when entries overlap", async () => {
    const { search } = await agent(files);
    const { details } = await search({
      pattern: "hit",
      paths: ["src/b.ts", "src", "src/*.ts", "./src/b.ts"],
    });
    expect(details.files).toEqual(["src/b.ts", "src/d.md", "src/deep/c.ts"]);
  });
});

describe("Inputs: i", () => {
  it("ignores case when asked and minds it otherwise, in files and in URLs", async () => {
    const { text } = await agent({ "a.txt": "Hit\n" });
    expect(await text({ pattern: "hit" })).toBe("No matches found");
    expect(matchLines(await text({ pattern: "hit", i: true }))).toEqual([1]);
    const paths = "docs://deviations.md:1-1";
    expect(await text({ pattern: "WHERE WE DIFFER", paths })).toBe("No matches found");
    expect(matchLines(await text({ pattern: "WHERE WE DIFFER", paths, i: true }))).toEqual([1]);
  });
});

describe("Inputs: gitignore", () => {
  const files = { ".git/HEAD": "", ".gitignore": "out/\n", ".ignore": "other/\n", "a.txt": "hit\n" };
  const left = { "out/b.txt": "hit\n", "other/c.txt": "hit\n" };

  it("is minded in folders unless it is false, which means no ignore rules at all", async () => {
    const { search } = await agent({ ...files, ...left });
    expect((await search({ pattern: "hit" })).details.files).toEqual(["a.txt"]);
    expect((await search({ pattern: "hit", gitignore: false })).details.files).toEqual([
      "a.txt",
      "other/c.txt",
      "out/b.txt",
    ]);
  });

  it("has no say over what is named by itself", async () => {
    const { search } = await agent({ ...files, ...left });
    expect((await search({ pattern: "hit", paths: "out/b.txt" })).details.files).toEqual(["out/b.txt"]);
  });

  it("is said when nothing was found but would be in what it leaves out", async () => {
    const { text } = await agent({ ".git/HEAD": "", ".gitignore": "out/\n", "out/b.txt": "hit\n" });
    expect(await text({ pattern: "hit" })).toBe(
      'No matches found\n[The pattern is in files that ignore rules leave out: out/b.txt (left out by "out/" in .gitignore)]',
    );
  });
});

describe("Inputs: skip", () => {
  it("passes over so many files, none by default, and a fraction is cut off", async () => {
    const { search } = await agent(manyFiles(4, "hit\n"));
    const files = async (skip?: number) => (await search({ pattern: "hit", skip })).details.files;
    expect(await files()).toEqual(["f001.txt", "f002.txt", "f003.txt", "f004.txt"]);
    expect(await files(2)).toEqual(["f003.txt", "f004.txt"]);
    expect(await files(2.9)).toEqual(["f003.txt", "f004.txt"]);
  });

  it("is refused when negative or not finite", async () => {
    const { error } = await agent({ "a.txt": "hit\n" });
    for (const skip of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await error({ pattern: "hit", skip })).toMatchObject({
        code: "INVALID_INPUT",
        message: `skip must be a non-negative number, not ${skip}`,
      });
    }
  });

  it("means nothing where the scope is one file", async () => {
    const { text } = await agent({ "a.txt": "hit\n" });
    const paths = "a.txt";
    expect(await text({ pattern: "hit", paths, skip: 7 })).toBe(await text({ pattern: "hit", paths }));
  });

  it("says so when it is past the last file", async () => {
    const { text } = await agent(manyFiles(3, "hit\n"));
    expect(await text({ pattern: "hit", skip: 3 })).toBe(
      "No matches on this page: 3 files match, and skip=3 is past them",
    );
  });
});

describe("Flow 5 and 6: which entries are there", () => {
  it("searches from a folder outside the root when it is allowed, by its absolute path", async () => {
    const other = (await agent({ "b.txt": "hit\n" })).root;
    const { root } = await agent({ "a.txt": "hit\n" });
    const both = await agent({}, { root, allow: [root, other] });
    const { details } = await both.search({ pattern: "hit", paths: [".", other] });
    expect(details.files).toEqual([join(other, "b.txt"), "a.txt"]);
  });
});
