import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FindDetails, SearchDetails, SearchInput, WorkspaceOptions } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { FOLDER, type Files, link, rawPath, tree } from "../support/tree.ts";
import { cacheEnv, codeIn, found, readPage, sessionOf, textOf, workspaceOf } from "./workspaces.ts";

/** Trees as a new user has them, and exactly what the answers say. */

interface Asked {
  /** The text, with every tag as `#TAG`. */
  readonly search: (input: SearchInput) => Promise<string>;
  readonly details: (input: SearchInput) => Promise<SearchDetails>;
  readonly find: (paths?: string | readonly string[]) => Promise<string>;
  readonly listed: (paths?: string | readonly string[]) => Promise<string[]>;
}

async function over(
  root: string,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Asked> {
  const { tools } = await workspaceOf(root, options);
  return {
    search: async (input) => textOf(await tools.search(input)).replaceAll(/#[0-9A-F]{4}$/gm, "#TAG"),
    details: async (input) => found<SearchDetails>(await tools.search(input)),
    find: async (paths) => textOf(await tools.find({ paths })),
    listed: async (paths) => [...found<FindDetails>(await tools.find({ paths })).files].sort(),
  };
}

const MiB = 1024 * 1024;

describe("A tree of pnpm's making", () => {
  const pnpm: Files = {
    "package.json": '{ "name": "root" }\n',
    "node_modules/.pnpm/x@1/node_modules/x/index.js": "needle in x\n",
    "node_modules/.pnpm/x@1/node_modules/x/self": link("../x"),
    "node_modules/.pnpm/x@1/node_modules/y": link("../../y@1/node_modules/y"),
    "node_modules/.pnpm/y@1/node_modules/y/index.js": "needle in y\n",
    "node_modules/.pnpm/y@1/node_modules/x": link("../../x@1/node_modules/x"),
    "node_modules/x": link(".pnpm/x@1/node_modules/x"),
    "packages/a/index.js": "needle in a\n",
    "packages/a/node_modules/b": link("../../b"),
    "packages/b/index.js": "needle in b\n",
    "packages/b/node_modules/a": link("../../a"),
    "packages/b/loop": link("."),
    "packages/up": link(".."),
    dangling: link("nowhere"),
  };
  const ignoring: Files = { ...pnpm, ".gitignore": "node_modules\n", ".git/HEAD": "ref: refs/heads/main\n" };

  it("is searched file by file, each once, without an ignore file", async () => {
    const { search } = await over(tree(pnpm));
    expect(await search({ pattern: "needle" })).toBe(
      [
        "# node_modules/.pnpm/x@1/node_modules/x/index.js#TAG\n*1:needle in x",
        "# node_modules/.pnpm/y@1/node_modules/y/index.js#TAG\n*1:needle in y",
        "# packages/a/index.js#TAG\n*1:needle in a",
        "# packages/b/index.js#TAG\n*1:needle in b",
      ].join("\n\n"),
    );
  });

  it("is searched without what is ignored, and names it where nothing else matches", async () => {
    const { search } = await over(tree(ignoring));
    expect(await search({ pattern: "needle" })).toBe(
      "# packages/a/index.js#TAG\n*1:needle in a\n\n# packages/b/index.js#TAG\n*1:needle in b",
    );
    expect(await search({ pattern: "in x" })).toBe(
      'No matches found\n[The pattern is in files that ignore rules leave out: node_modules/.pnpm/x@1/node_modules/x/index.js (left out by "node_modules" in .gitignore)]',
    );
    expect(await search({ pattern: "in x", gitignore: false })).toBe(
      "# node_modules/.pnpm/x@1/node_modules/x/index.js#TAG\n*1:needle in x",
    );
  });

  it.each([
    ["node_modules/x", "# node_modules/x/index.js#TAG\n*1:needle in x"],
    ["node_modules/x/", "# node_modules/x/index.js#TAG\n*1:needle in x"],
    ["node_modules/x/*.js", "# node_modules/x/index.js#TAG\n*1:needle in x"],
    ["node_modules/x/index.js", "¶node_modules/x/index.js#TAG\n*1:needle in x"],
    ["node_modules/x/index.js:1", "¶node_modules/x/index.js#TAG\n*1:needle in x"],
    ["packages/a/node_modules/b", "# packages/a/node_modules/b/index.js#TAG\n*1:needle in b"],
    ["packages/a/node_modules/b/index.js", "¶packages/a/node_modules/b/index.js#TAG\n*1:needle in b"],
    ["packages/b/loop/loop/loop/index.js", "¶packages/b/loop/loop/loop/index.js#TAG\n*1:needle in b"],
  ])("has links that can be named: %s", async (paths, text) => {
    const { search } = await over(tree(pnpm));
    expect(await search({ pattern: "needle", paths })).toBe(text);
  });

  it.each(["node_modules/x", "packages/a/node_modules/b"])(
    "has links that can be named though they are ignored: %s",
    async (paths) => {
      const { search } = await over(tree(ignoring));
      expect(await search({ pattern: "needle", paths })).toMatch(/^# .*\/index\.js#TAG\n\*1:needle in [xb]$/);
    },
  );

  it("is listed without its links, and a link that is named is listed", async () => {
    const { listed } = await over(tree(pnpm));
    expect(await listed("**/*.js")).toEqual([
      "node_modules/.pnpm/x@1/node_modules/x/index.js",
      "node_modules/.pnpm/y@1/node_modules/y/index.js",
      "packages/a/index.js",
      "packages/b/index.js",
    ]);
    expect(await listed("node_modules/x")).toEqual(["node_modules/x/index.js"]);
    expect(await listed("packages")).toEqual([
      "packages/a/",
      "packages/a/index.js",
      "packages/a/node_modules/",
      "packages/b/",
      "packages/b/index.js",
      "packages/b/node_modules/",
    ]);
  });

  it("says of a link to nowhere that it is not there", async () => {
    const { search, find } = await over(tree(pnpm));
    expect(await search({ pattern: "needle", paths: "dangling" })).toMatch(
      /^\[PATH_NOT_FOUND\] Path not found: dangling\. /,
    );
    expect(await find("dangling")).toMatch(/^\[PATH_NOT_FOUND\] Path not found: dangling\. /);
  });
});

describe("A minified bundle", () => {
  const bundle = `${"a".repeat(5_000)}needle${"b".repeat(5_000)}`;
  const half = (512 - "needle".length) / 2;

  it("is shown as 512 characters around the match, not as its start", async () => {
    const root = tree({
      "min.js": `${bundle}\n`,
      "start.js": `needle${"c".repeat(600)}\n`,
      "end.js": `${"d".repeat(600)}needle\n`,
    });
    const { search, details } = await over(root);
    expect(await search({ pattern: "needle" })).toBe(
      [
        `# end.js#TAG\n*1:…${"d".repeat(512 - 6)}needle`,
        `# min.js#TAG\n*1:…${"a".repeat(half)}needle${"b".repeat(half)}…`,
        `# start.js#TAG\n*1:needle${"c".repeat(512 - 6)}…`,
      ].join("\n\n"),
    );
    expect(await details({ pattern: "needle" })).toMatchObject({
      linesTruncated: true,
      truncated: false,
      matchCount: 3,
    });
    expect(await details({ pattern: "needle", mode: "files" })).toMatchObject({ linesTruncated: false });
  });

  it("with short lines around it has only the short ones counted as shown", async () => {
    const root = tree({ "min.js": `before\n${bundle}\nafter\n${"x".repeat(513)}\n${"y".repeat(512)}\n` });
    const { session, tools } = await sessionOf(root, cacheEnv());
    onTestFinished(() => session.close());
    const result = await tools.search({ pattern: "needle" });
    const [file] = readPage(textOf(result)).files;
    expect(file?.rows.map((row) => row?.line)).toEqual([1, 2, 3, 4, 5]);
    expect(file?.rows[3]?.text).toBe(`${"x".repeat(512)}…`);
    const known = session.snapshots.find(join(root, "min.js"), file?.tag ?? "");
    expect(known.kind === "known" && known.snapshot.shown).toEqual([
      { first: 1, last: 1 },
      { first: 3, last: 3 },
      { first: 5, last: 5 },
    ]);
  });

  it("does not count as shown what the cap on the text left out", async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `needle ${at} ${"x".repeat(400)}`);
    const root = tree({ a: lines.join("\n") });
    const { session, tools } = await sessionOf(root, cacheEnv());
    onTestFinished(() => session.close());
    const [file] = readPage(textOf(await tools.search({ pattern: "needle", paths: "a" }))).files;
    const last = file?.rows.at(-1)?.line ?? 0;
    expect(last).toBeLessThan(200);
    expect(session.snapshots.snapshots().find(({ path }) => path === join(root, "a"))?.shown).toEqual([
      { first: 1, last },
    ]);
    expect(file?.rest).toBe(`a:${last + 1}-`);
    const [next] = readPage(textOf(await tools.search({ pattern: "needle", paths: file?.rest ?? "" }))).files;
    expect(next?.rows.find((row) => row?.hit === true)?.line).toBe(last + 1);
  });

  it("never has a character cut in two", async () => {
    const { search } = await over(tree({ "min.js": `${"😀".repeat(1_000)}xneedle${"😀".repeat(1_000)}\n` }));
    const text = await search({ pattern: "needle" });
    expect(Buffer.from(text).toString()).toBe(text);
    expect(text).toMatch(/^# min\.js#TAG\n\*1:…(?:😀)+xneedle(?:😀)+…$/u);
  });
});

describe("Text of any encoding", () => {
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
  const files: Files = {
    "latin1.txt": Buffer.from("caf\xe9\nneedle \xfcber\nend\n", "latin1"),
    "utf16le.txt": utf16("eins\r\nneedle ü😀\r\ndrei\r\n"),
    "utf16be.txt": utf16("eins\nneedle ü😀\ndrei").swap16(),
    "bom.txt": "\ufeffneedle first\nsecond\n",
    "crlf.txt": "one\r\nneedle two\r\nthree\r\n",
    "cr.txt": "one\rneedle two\rthree",
    "open.txt": "one\nneedle",
    "mixed.txt": "one\r\nneedle\ntwo\r\n\r\n",
  };
  const shown: Readonly<Record<string, string>> = {
    "latin1.txt": " 1:caf\ufffd\n*2:needle \ufffdber\n 3:end",
    "utf16le.txt": " 1:eins\n*2:needle ü😀\n 3:drei",
    "utf16be.txt": " 1:eins\n*2:needle ü😀\n 3:drei",
    "bom.txt": "*1:needle first\n 2:second",
    "crlf.txt": " 1:one\n*2:needle two\n 3:three",
    "cr.txt": "*1:one\\rneedle two\\rthree",
    "open.txt": " 1:one\n*2:needle",
    "mixed.txt": " 1:one\n*2:needle\n 3:two\n 4:",
  };

  it.each(Object.entries(shown))("is read as ripgrep reads it, walked and named: %s", async (name, rows) => {
    const content = files[name] as Buffer | string;
    const root = tree({ [`d/${name}`]: content });
    const { search } = await over(root);
    for (const aged of [false, true]) {
      // Behind the grain of the clock it is shown as the walk found it.
      if (aged) await sleep(30);
      expect(await search({ pattern: "needle" })).toBe(`# d/${name}#TAG\n${rows}`);
      expect(await search({ pattern: "needle", paths: `d/${name}` })).toBe(`¶d/${name}#TAG\n${rows}`);
    }
    expect(await search({ pattern: "needle", paths: `d/${name}:1-9` })).toBe(`¶d/${name}#TAG\n${rows}`);
  });

  it("finds a letter that is not ASCII in UTF-16 and UTF-8, and not in Latin-1", async () => {
    const { details } = await over(tree(files));
    expect((await details({ pattern: "ü" })).files).toEqual(["utf16be.txt", "utf16le.txt"]);
    expect((await details({ pattern: "^needle first" })).files).toEqual(["bom.txt"]);
    // As in ripgrep, the return before a newline belongs to the line.
    expect((await details({ pattern: "two\\r$" })).files).toEqual(["crlf.txt", "mixed.txt"]);
  });

  it("has nothing to say of an empty file", async () => {
    const { search, find } = await over(tree({ empty: "" }));
    expect(await search({ pattern: ".*" })).toBe("No matches found");
    expect(await search({ pattern: ".*", paths: "empty" })).toBe("No matches found");
    expect(await search({ pattern: "^$", paths: "empty:1-" })).toBe(
      "No matches found\n[empty: ends at line 0, before the lines asked for]",
    );
    expect(await find("empty")).toBe("empty");
  });

  it("says that a file with a NUL in its middle was skipped", async () => {
    const late = `needle\n${"x\n".repeat(50_000)}\0\nneedle\n`;
    const { search, details } = await over(
      tree({ "early.bin": "needle\n\0\nneedle\n", "late.bin": late, "a.txt": "other\n" }),
    );
    const skipped = "No matches found\n[Skipped: 1 binary]";
    expect(await search({ pattern: "needle", paths: "early.bin" })).toBe(skipped);
    expect(await search({ pattern: "needle", paths: "late.bin" })).toBe(skipped);
    // In a walk ripgrep says nothing of a file that it knows to be binary from its beginning.
    expect(await search({ pattern: "needle" })).toBe(skipped);
    expect(await search({ pattern: "needle", mode: "count" })).toBe(skipped);
    expect(await details({ pattern: "needle|other" })).toMatchObject({
      files: ["a.txt"],
      skipped: { binary: 1 },
    });
  });
});

describe("Names as people give them", () => {
  const NAMES = [
    "a b.ts",
    " lead.ts",
    "trail.ts ",
    "[id].tsx",
    "{x,y}.ts",
    "it's.ts",
    'say "hi".ts',
    "`t`.ts",
    "new\nline.ts",
    "-dash.ts",
    "--help",
    "a,b.ts",
    "a;b.ts",
    "a, b; c.ts",
    "x.ts:10",
    "x.ts:1-2",
    "y.zip:z",
    "*.ts",
    "?.ts",
    "#1.ts",
    "!x.ts",
    "\\back.ts",
    "~.ts",
    "file.ts#AB12",
  ];

  it.each(NAMES)("mean the file of that name: %j", async (name) => {
    const root = tree({ [name]: "needle\n", other: "needle\n", "d/f": "needle\n" });
    const { search, listed } = await over(root);
    const rows = (text: string): string => text.split("\n").slice(1).join("\n");
    for (const paths of [name, [name], `./${name}`, join(root, name)]) {
      expect(rows(await search({ pattern: "needle", paths }))).toBe("*1:needle");
      expect(await listed(paths)).toEqual([name]);
    }
    expect(rows(await search({ pattern: "needle", paths: `${name}:1-5` }))).toBe("*1:needle");
    expect(rows(await search({ pattern: "needle", paths: [name, "d"] }))).toContain("*1:needle");
  });

  it("print as they are where that is safe, else in quotes", async () => {
    const { search } = await over(
      tree({ "[id].tsx": "needle\n", "new\nline": "needle\n", "a b": "needle\n", "t ": "needle\n" }),
    );
    expect(await search({ pattern: "needle", mode: "files" })).toBe('[id].tsx\na b\n"new\\nline"\n"t "');
    expect(await search({ pattern: "needle", paths: "[id].tsx" })).toBe("¶[id].tsx#TAG\n*1:needle");
    expect(await search({ pattern: "needle", paths: "t " })).toBe('¶"t "#TAG\n*1:needle');
  });

  it("that hold a bracket are a glob where there is no such file", async () => {
    const { details } = await over(
      tree({
        "i.tsx": "needle\n",
        "d.tsx": "needle\n",
        "app/[id]/page.tsx": "needle\n",
        "app/i/page.tsx": "needle\n",
      }),
    );
    expect((await details({ pattern: "needle", paths: "[id].tsx" })).files).toEqual(["d.tsx", "i.tsx"]);
    expect((await details({ pattern: "needle", paths: "app/[id]/page.tsx" })).files).toEqual([
      "app/[id]/page.tsx",
    ]);
    expect((await details({ pattern: "needle", paths: "app/[id]/*.tsx" })).files).toEqual([
      "app/[id]/page.tsx",
    ]);
    expect((await details({ pattern: "needle", paths: "app/[id]" })).files).toEqual(["app/[id]/page.tsx"]);
  });

  it("that no text can say are named in no call", async () => {
    const root = tree();
    writeFileSync(rawPath(root, [0x61, 0xff]), "needle\n".repeat(30));
    const { tools } = await workspaceOf(root);
    const [file] = readPage(textOf(await tools.search({ pattern: "needle" }))).files;
    expect(file?.rows).toHaveLength(20);
    // Either there is no such call, or it works.
    const rest = file?.rest ?? null;
    expect(rest === null ? "none" : codeIn(await tools.search({ pattern: "needle", paths: rest }))).toBe(
      "none",
    );
  });

  it("with a trailing blank are not taken for those without", async () => {
    const { search } = await over(tree({ "a ": "needle blank\n", a: "needle plain\n" }));
    expect(await search({ pattern: "needle", paths: "a " })).toBe('¶"a "#TAG\n*1:needle blank');
    expect(await search({ pattern: "needle", paths: "a" })).toBe("¶a#TAG\n*1:needle plain");
  });

  it("name each part of a file that is asked for, also when it is asked for twice", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => (at % 10 === 4 ? "needle" : `${at}`)).join("\n");
    const { search } = await over(tree({ a: lines, b: "needle\n" }));
    expect(await search({ pattern: "needle", paths: "a:1-9,21-29", context: 0 })).toBe(
      "¶a#TAG\n*5:needle\n*25:needle",
    );
    const apart = await search({ pattern: "needle", paths: ["a:1-9", "a:21-29"], context: 0 });
    expect(apart).toContain("*5:needle");
    // Without line 25 a match would be left out in silence.
    expect(apart).toContain("*25:needle");
    expect(apart).not.toContain("*15:needle");
  });
});

describe("A file over 32 MiB", () => {
  /** Lines of 1,024 bytes, and these in their place. */
  const large = (root: string, name: string, lines: Readonly<Record<number, string>>): void => {
    const bytes = Buffer.alloc(33 * MiB, `${"x".repeat(1_023)}\n`);
    for (const [line, text] of Object.entries(lines))
      bytes.write(text.padEnd(1_023, " "), (Number(line) - 1) * 1_024);
    writeFileSync(join(root, name), bytes);
  };
  const COUNT = 33 * 1_024;
  const fill = "x".repeat(512);
  const blank = (text: string): string => `${text}${" ".repeat(512 - text.length)}…`;

  it("is shown with `|` and without a tag, walked and named, with the lines around the match", async () => {
    const root = tree();
    large(root, "large.txt", { [COUNT - 4]: "needle", [COUNT - 3]: "after", [COUNT - 5]: "before" });
    const { search, details } = await over(root);
    const rows = [
      ` ${COUNT - 5}|${blank("before")}`,
      `*${COUNT - 4}|${blank("needle")}`,
      ` ${COUNT - 3}|${blank("after")}`,
      ` ${COUNT - 2}|${fill}…`,
      ` ${COUNT - 1}|${fill}…`,
    ].join("\n");
    expect(await search({ pattern: "needle" })).toBe(`# large.txt\n${rows}`);
    expect(await search({ pattern: "needle", paths: "large.txt" })).toBe(`¶large.txt\n${rows}`);
    expect(await search({ pattern: "needle", paths: `large.txt:${COUNT - 4}-` })).toBe(`¶large.txt\n${rows}`);
    expect(await search({ pattern: "needle", paths: "large.txt:-5" })).toBe(`¶large.txt\n${rows}`);
    expect(await search({ pattern: "needle", paths: "large.txt:-4" })).toBe("No matches found");
    expect(await search({ pattern: "needle", paths: "large.txt:1-100" })).toBe("No matches found");
    expect(await search({ pattern: "needle", paths: "large.txt", mode: "count" })).toBe("large.txt:1");
    expect((await details({ pattern: "needle" })).linesTruncated).toBe(true);
  });

  it("has the same rows as a small file, also beside matches that are not selected", async () => {
    const hits = { 8: "needle 8", 9: "needle 9", 10: "needle 10", 11: "needle 11", 13: "needle 13" };
    const root = tree({
      "small.txt": Array.from({ length: 40 }, (_, at) =>
        (hits[(at + 1) as keyof typeof hits] ?? "x".repeat(1_023)).padEnd(1_023, " "),
      ).join("\n"),
    });
    large(root, "large.txt", hits);
    const { search } = await over(root);
    for (const selector of ["10-10", "9-10", "1-9", "12-20", "8-8,13-13"]) {
      for (const context of [undefined, 0, 1, 5]) {
        const [one, other] = await Promise.all(
          ["small.txt", "large.txt"].map((name) =>
            search({ pattern: "needle", paths: `${name}:${selector}`, context }),
          ),
        );
        const rows = (text: string | undefined): string[] =>
          (text ?? "")
            .split("\n")
            .slice(1)
            .map((row) => row.replace("|", ":").slice(0, 60));
        expect([selector, context, rows(other)]).toEqual([selector, context, rows(one)]);
      }
    }
  });

  it("goes on behind its first 200 matches with the call that the answer names", async () => {
    const root = tree();
    large(
      root,
      "large.txt",
      Object.fromEntries(Array.from({ length: 250 }, (_, at) => [at * 20 + 10, `needle ${at}`])),
    );
    const { search } = await over(root);
    const seen: number[] = [];
    for (let paths: string | null = "large.txt"; paths !== null; ) {
      const [file]: ReturnType<typeof readPage>["files"] = readPage(
        await search({ pattern: "needle", paths, context: 0 }),
      ).files;
      seen.push(...(file?.rows ?? []).flatMap((row) => (row?.hit === true ? [row.line] : [])));
      paths = file?.rest ?? null;
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, at) => at * 20 + 10));
  });
});

describe("What cannot be read", () => {
  const isRoot = process.getuid?.() === 0;

  /** As a user who is not root, to whom permissions mean something. */
  async function asNobody<T>(work: () => Promise<T>): Promise<T> {
    if (isRoot) process.seteuid?.(65_534);
    try {
      return await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  const shut = (): string => {
    const root = tree({
      "a.txt": "needle\n",
      "shut.txt": "needle\n",
      "folder/b.txt": "needle\n",
      "bad.zip": zip([{ name: "m", data: "needle\n" }]),
    });
    chmodSync(root, 0o755);
    for (const path of ["shut.txt", "folder", "bad.zip"]) chmodSync(join(root, path), 0o000);
    return root;
  };

  it("is counted in a walk, and said where nothing was found", async () => {
    const { search, details } = await over(shut());
    await asNobody(async () => {
      expect(await search({ pattern: "needle" })).toBe("# a.txt#TAG\n*1:needle");
      expect((await details({ pattern: "needle" })).skipped.unreadable).toBe(3);
      expect(await search({ pattern: "nowhere" })).toMatch(/^No matches found\n\[Skipped: 3 unreadable\]\n/);
    });
  });

  it.each([
    ["shut.txt", "[PATH_UNREADABLE] shut.txt cannot be opened: EACCES. Check its permissions."],
    ["shut.txt:1-5", "[PATH_UNREADABLE] shut.txt cannot be opened: EACCES. Check its permissions."],
    ["bad.zip", "[PATH_UNREADABLE] bad.zip cannot be opened: EACCES. Check its permissions."],
  ])("is an error as the only input: %s", async (paths, text) => {
    const { search } = await over(shut());
    expect(await asNobody(() => search({ pattern: "needle", paths }))).toBe(text);
  });

  it.each(["folder/b.txt", "folder/*.txt", "folder/b.txt:1"])(
    "is an error below a folder that may not be entered: %s",
    async (paths) => {
      const root = shut();
      const { tools } = await workspaceOf(root);
      await asNobody(async () => {
        expect(codeIn(await tools.search({ pattern: "needle", paths }))).toBe("PATH_UNREADABLE");
        expect(codeIn(await tools.find({ paths }))).toBe("PATH_UNREADABLE");
      });
    },
  );

  it("leaves the other inputs as they are, and is said", async () => {
    const { search } = await over(shut());
    const text = await asNobody(() => search({ pattern: "needle", paths: ["a.txt", "shut.txt"] }));
    expect(text.startsWith("# a.txt#TAG\n*1:needle")).toBe(true);
    expect(text).toContain("shut.txt cannot be opened");
  });

  it("is a pipe: refused as an input, passed over in a walk, and never waited for", async () => {
    const root = tree({ "a.txt": "needle\n", "d/b.txt": "needle\n" });
    execFileSync("mkfifo", [join(root, "pipe"), join(root, "d/pipe.zip")]);
    const { search, find, listed } = await over(root);
    const refused =
      "[PATH_UNREADABLE] pipe is neither a file nor a folder. Pipes, sockets and devices cannot be searched.";
    expect(await search({ pattern: "needle", paths: "pipe" })).toBe(refused);
    expect(await search({ pattern: "needle", paths: "pipe:1-5" })).toBe(refused);
    expect(await find("pipe")).toBe(refused);
    expect(await search({ pattern: "needle", paths: "d/pipe.zip:m" })).toMatch(/^\[PATH_/);
    expect(await search({ pattern: "needle" })).toBe("# a.txt#TAG\n*1:needle\n\n# d/b.txt#TAG\n*1:needle");
    expect(await search({ pattern: "needle", paths: ["a.txt", "pipe"] })).toBe(
      "¶a.txt#TAG\n*1:needle\n\n[pipe is neither a file nor a folder]",
    );
    expect(await listed("*.txt")).toEqual(["a.txt", "d/b.txt"]);
  });
});

describe("A tree of an unusual shape", () => {
  it("of 200 folders one in the other is searched to its end", async () => {
    const deep = Array.from({ length: 200 }, (_, at) => `d${at}`).join("/");
    const { search, listed } = await over(tree({ [`${deep}/f`]: "needle\n", [`${deep}/empty`]: FOLDER }));
    expect(await search({ pattern: "needle" })).toBe(`# ${deep}/f#TAG\n*1:needle`);
    expect(await search({ pattern: "needle", paths: `${deep}/f` })).toBe(`¶${deep}/f#TAG\n*1:needle`);
    expect(await listed("**/f")).toEqual([`${deep}/f`]);
    expect(await listed("**/empty")).toEqual([`${deep}/empty/`]);
  });

  it("of 5,000 files in one folder has all of them, page by page", async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `f${String(at).padStart(4, "0")}`);
    const root = tree(Object.fromEntries(names.map((name) => [name, "needle\n"])));
    const { search, details } = await over(root);
    const text = await search({ pattern: "needle" });
    expect(text.endsWith("\n\n[Files 1-20 of 5,000. Use skip=20 for the next page]")).toBe(true);
    const last = await search({ pattern: "needle", skip: 4_990 });
    expect(last).toBe(
      names
        .slice(4_990)
        .map((name) => `# ${name}#TAG\n*1:needle`)
        .join("\n\n"),
    );
    const all: string[] = [];
    for (let skip: number | null = 0; skip !== null; ) {
      const page: SearchDetails = await details({ pattern: "needle", mode: "count", limit: 200, skip });
      all.push(...page.files);
      skip = page.nextSkip;
    }
    expect(all).toEqual(names);
    expect((await details({ pattern: "needle", limit: 100_000, mode: "files" })).fileCount).toBe(200);
  });

  it("of 5,000 files in one folder is listed whole, page by page", async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `f${String(at).padStart(4, "0")}`);
    const { tools } = await workspaceOf(tree(Object.fromEntries(names.map((name) => [name, ""]))));
    const all: string[] = [];
    for (let skip: number | null = 0; skip !== null; ) {
      const result: Awaited<ReturnType<typeof tools.find>> = await tools.find({ paths: "f*", skip });
      const page: FindDetails = found<FindDetails>(result);
      expect(/Use skip=(\d+) for the next page\]$/.exec(textOf(result))?.[1] ?? null).toBe(
        page.nextSkip === null ? null : String(page.nextSkip),
      );
      all.push(...page.files);
      skip = page.nextSkip;
    }
    expect(all.sort()).toEqual(names);
  });
});
