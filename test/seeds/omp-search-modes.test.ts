/** seeds/omp-search.md, "Modes / Variants", with issue 3's "Sources that are no plain file". */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Protocol } from "../../src/quarry.ts";
import { gzip, tar, zip } from "../sources/build.ts";
import { type Files, link, tree } from "../support/tree.ts";
import { type Agent, agent, headings, lines, matchLines, tag } from "./agent.ts";

describe("1. A single file", () => {
  it("is a flat list of lines under one heading", async () => {
    const { text } = await agent({ "a.txt": "hit\none\ntwo\n" });
    expect(await text({ pattern: "hit", paths: "a.txt" })).toBe(
      `¶a.txt#${tag("hit\none\ntwo\n")}\n*1:hit\n 2:one\n 3:two`,
    );
  });

  it("shows its first 200 matches", async () => {
    const { text } = await agent({ "a.txt": lines(201, "hit") });
    expect(matchLines(await text({ pattern: "hit", paths: "a.txt" }))).toHaveLength(200);
  });

  it("is searched though it is hidden, ignored or named through a link", async () => {
    const { text } = await agent({
      ".git/HEAD": "",
      ".gitignore": "*.log\n",
      "x.log": "hit\n",
      ".env": "hit\n",
      link: { link: "x.log" },
    });
    for (const paths of ["x.log", ".env", "link"]) {
      expect(matchLines(await text({ pattern: "hit", paths }))).toEqual([1]);
    }
  });
});

describe("2. A folder or a glob", () => {
  const files = { "src/a.ts": "hit\n", "src/b.js": "hit\n", "src/in/c.ts": "hit\n", "top.ts": "hit\n" };
  const named = async ({ search }: Agent, paths: string | string[]) =>
    (await search({ pattern: "hit", paths })).details.files;

  it("splits a glob behind the folder that is there", async () => {
    const tool = await agent(files);
    expect(await named(tool, "src/*.ts")).toEqual(["src/a.ts"]);
    expect(await named(tool, "src/**/*.ts")).toEqual(["src/a.ts", "src/in/c.ts"]);
    expect(await named(tool, "*.ts")).toEqual(["src/a.ts", "src/in/c.ts", "top.ts"]);
    expect(await named(tool, "src/*.{js,md}")).toEqual(["src/b.js"]);
    expect((await tool.search({ pattern: "hit", paths: "src/*.ts" })).details.scopePath).toBe("src/*.ts");
  });

  it("searches hidden files, and minds ignore rules", async () => {
    const tool = await agent({
      ".git/HEAD": "",
      ".gitignore": "out\n",
      ".hidden/a.txt": "hit\n",
      "out/b.txt": "hit\n",
    });
    expect(await named(tool, ".")).toEqual([".hidden/a.txt"]);
  });

  it("leaves the folders of version control out unless a path names them (deviation)", async () => {
    const tool = await agent({ ".git/config": "hit\n", "a.txt": "hit\n" });
    expect(await named(tool, ".")).toEqual(["a.txt"]);
    expect(await named(tool, ".git")).toEqual([".git/config"]);
  });

  it("finds nothing, without an error, when a glob matches no file", async () => {
    const { text } = await agent(files);
    expect(await text({ pattern: "hit", paths: "src/*.py" })).toBe("No matches found");
  });
});

describe("3. Several paths", () => {
  it("may be files, folders and globs of unrelated places", async () => {
    const { search } = await agent({
      "a/x.ts": "hit\n",
      "b/y.ts": "hit\n",
      "b/z.js": "hit\n",
      "c.txt": "hit\n",
    });
    const { details } = await search({ pattern: "hit", paths: ["c.txt", "a", "b/*.ts"] });
    expect(details.files).toEqual(["a/x.ts", "b/y.ts", "c.txt"]);
    expect(details.scopePath).toBe("c.txt, a, b/*.ts");
  });

  it("skips and lists the missing ones unless all are", async () => {
    const { search, error } = await agent({ "a.txt": "hit\n" });
    const { text, details } = await search({ pattern: "hit", paths: ["x", "a.txt", "y"] });
    expect(text).toMatch(/\n\n\[Skipped missing paths: x, y\]$/);
    expect(details.missingPaths).toEqual(["x", "y"]);
    expect((await error({ pattern: "hit", paths: ["x", "y"] })).message).toBe("Path not found: x, y");
  });

  it("spells out no more missing ones than help", async () => {
    const { search } = await agent({ "a.txt": "hit\n" });
    const paths = ["a.txt", ...Array.from({ length: 12 }, (_, at) => `no${at}`)];
    const { text, details } = await search({ pattern: "hit", paths });
    expect(text).toMatch(/\[Skipped missing paths: no0, no1, no2, no3, no4, no5, no6, no7 and 4 more\]$/);
    expect(details.missingPaths).toHaveLength(12);
  });
});

describe("4. Archives", () => {
  const entries = [
    { name: "README.md", data: "hit readme\n" },
    { name: "src/a.ts", data: "one\nhit a\n" },
    { name: "src/deep/b.ts", data: "hit b\n" },
    { name: "src/bin.dat", data: "hit\0" },
    { name: "src/latin.txt", data: Buffer.from("caf\xe9 hit\n", "latin1") },
  ];
  const archives = {
    "x.zip": zip(entries),
    "x.jar": zip(entries),
    "x.whl": zip(entries),
    "x.tar": tar(entries),
    "x.tar.gz": gzip(tar(entries)),
    "x.tgz": gzip(tar(entries)),
  };

  it.each(Object.entries(archives))(
    "%s is searched by a member, by a folder in it and as a whole",
    async (name, bytes) => {
      const { text, search } = await agent({ [name]: bytes });
      expect(await text({ pattern: "hit", paths: `${name}:src/a.ts` })).toBe(
        `¶${name}:src/a.ts\n 1|one\n*2|hit a`,
      );
      const below = `# ${name}:src/a.ts\n 1|one\n*2|hit a\n\n# ${name}:src/deep/b.ts\n*1|hit b`;
      expect(await text({ pattern: "hit", paths: `${name}:src/` })).toBe(below);
      const { text: all, details } = await search({ pattern: "hit", paths: name });
      expect(all).toBe(`# ${name}:README.md\n*1|hit readme\n\n${below}`);
      expect(details.skipped).toMatchObject({ binary: 1, unreadable: 1 });
      expect(details.notices.map(({ path }) => path)).toEqual([
        `${name}:src/bin.dat`,
        `${name}:src/latin.txt`,
      ]);
    },
  );

  it("take a glob of members, and lines of one", async () => {
    const { text } = await agent({ "x.zip": archives["x.zip"] });
    expect(headings(await text({ pattern: "hit", paths: "x.zip:src/**/*.ts" }))).toEqual([
      "x.zip:src/a.ts",
      "x.zip:src/deep/b.ts",
    ]);
    expect(await text({ pattern: "hit", paths: "x.zip:src/a.ts:1-1" })).toBe("No matches found");
  });

  it("are not unpacked: nothing is written anywhere", async () => {
    const cache = tree();
    const { root, text } = await agent({ "x.zip": archives["x.zip"] }, { env: { QUARRY_CACHE_DIR: cache } });
    await text({ pattern: "hit", paths: "x.zip" });
    expect(readdirSync(cache)).toEqual([]);
    expect(readdirSync(root)).toEqual(["x.zip"]);
  });

  it("are under the policy like any file, by themselves and by a member", async () => {
    const outside = tree({ "x.zip": archives["x.zip"] });
    const files: Files = { "x.zip": archives["x.zip"], "out.zip": link(join(outside, "x.zip")) };
    const { error } = await agent(files, { deny: ["x.zip"] });
    const code = async (paths: string) => (await error({ pattern: "hit", paths })).code;
    expect([await code("x.zip"), await code("out.zip")]).toEqual(["PATH_DENIED", "PATH_OUTSIDE"]);
    expect([await code("x.zip:src/a.ts"), await code("out.zip:src/a.ts")]).toEqual([
      "PATH_DENIED",
      "PATH_OUTSIDE",
    ]);
  });

  it("are only opened where a path names them", async () => {
    const { search } = await agent({ "x.zip": zip([{ name: "a.txt", data: "hit\n", store: true }]) });
    expect((await search({ pattern: "hit" })).details.files).toEqual([]);
  });
});

describe("5. Internal URLs", () => {
  /** A file in the scratch folder of a named session, written by hand. */
  async function withScratch(files: Readonly<Record<string, string>>): Promise<Agent> {
    const cache = tree();
    const options = { session: "one", env: { QUARRY_CACHE_DIR: cache } };
    await (await agent({}, options)).workspace.close();
    const folder = join(cache, "sessions/named/one/local");
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, ".."), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), content);
    }
    return agent({ "a.txt": "hit\n" }, options);
  }

  it("that stand for a file which can be edited are searched there, with a tag", async () => {
    const { text } = await withScratch({ "notes.md": "one\nhit\n", "deep/more.md": "hit\n" });
    expect(await text({ pattern: "hit", paths: "local://notes.md" })).toBe(
      `¶local://notes.md#${tag("one\nhit\n")}\n 1:one\n*2:hit`,
    );
    expect(headings(await text({ pattern: "hit", paths: "local://" }))).toEqual([
      "local://deep/more.md",
      "local://notes.md",
    ]);
    expect(headings(await text({ pattern: "hit", paths: ["local://deep", "a.txt"] }))).toEqual([
      "local://deep/more.md",
      "a.txt",
    ]);
  });

  it("never lead out of the scratch folder", async () => {
    const { error } = await withScratch({ "notes.md": "hit\n" });
    expect((await error({ pattern: "hit", paths: "local://../one" })).code).toBe("PATH_OUTSIDE");
  });

  it("that are only text are searched in memory, without a tag", async () => {
    const mine: Protocol = {
      scheme: "mine",
      description: "mine",
      list: async () => [],
      resolve: async () => ({ kind: "text", url: "mine://x", text: "one\nhit\n", immutable: true }),
    };
    const { text } = await agent({}, { protocols: [mine] });
    expect(await text({ pattern: "hit", paths: "mine://x" })).toBe("¶mine://x\n 1|one\n*2|hit");
  });

  it("docs:// is all pages of the documentation, and each page by its name", async () => {
    const { search, text } = await agent({});
    const all = await search({ pattern: "Quarry", paths: "docs://", mode: "files" });
    expect(all.details.files).toContain("docs://README.md");
    expect(all.details.files).toContain("docs://deviations.md");
    expect(await text({ pattern: "^# Where we differ", paths: "docs://deviations.md", context: 0 })).toBe(
      "¶docs://deviations.md\n*1|# Where we differ on purpose",
    );
  });

  it("that are not there tell what is", async () => {
    const { error } = await agent({});
    expect((await error({ pattern: "hit", paths: "docs://nope" })).text).toMatch(
      /^\[PATH_NOT_FOUND\] There is no page docs:\/\/nope\. There are README\.md, .*deviations\.md.*\.$/,
    );
    expect((await error({ pattern: "hit", paths: "artifact://7" })).text).toBe(
      "[ARTIFACT_NOT_FOUND] There is no artifact://7. This session has no artifacts.",
    );
  });

  it("are joined like paths are", async () => {
    const { text } = await withScratch({ "a.md": "hit\n", "b.md": "hit\n" });
    expect(headings(await text({ pattern: "hit", paths: "local://a.md,local://b.md" }))).toEqual([
      "local://a.md",
      "local://b.md",
    ]);
  });
});

describe("One dialect everywhere (deviation: the seed has JavaScript's in URLs)", () => {
  const content = "foo123 bar\nFOO\n\tindent\nnaïve\na.b\nfoo foo\n\nlast {x}\n";
  const mine: Protocol = {
    scheme: "mine",
    description: "mine",
    list: async () => [],
    resolve: async () => ({ kind: "text", url: "mine://x", text: content, immutable: true }),
  };

  it.each([
    "\\bfoo\\d+",
    "(?i)foo",
    "(?P<word>foo) bar|FOO",
    "[[:upper:]]+",
    "\\p{Lu}",
    "^\\s+\\w",
    "na\\u{ef}ve|na.ve",
    "(?x) foo \\d+ ",
    "^$",
    "(\\w+) \\1",
    "foo(?=\\d)",
    "(?<=foo )foo$",
    "{x}",
    "a\\.b$",
    "bar\\nFOO",
    "\\z",
  ])("%s means the same in a file, a walk, an archive and a URL", async (pattern) => {
    const { text } = await agent(
      { "a.txt": content, "l.zip": zip([{ name: "a.txt", data: content }]) },
      { protocols: [mine] },
    );
    const found = async (paths: string) => matchLines(await text({ pattern, paths, context: 0 }));
    const walked = await found(".");
    expect(await found("a.txt")).toEqual(walked);
    expect(await found("l.zip:a.txt")).toEqual(walked);
    expect(await found("l.zip")).toEqual(walked);
    expect(await found("mine://x")).toEqual(walked);
    expect(walked.length).toBeGreaterThan(0);
  });
});
