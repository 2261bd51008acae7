import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULTS, search, type SearchRequest, type SearchSummary } from "../../src/quarry.ts";
import { FOLDER, link, tree } from "../support/tree.ts";

const NEEDLE = "needle\n";

async function paths(root: string, request: Partial<SearchRequest> = {}): Promise<string[]> {
  const { hits } = await search({ root, pattern: "needle", ...request, mode: "files" }).collect();
  return hits.map(({ path }) => path);
}

async function summary(root: string, request: Partial<SearchRequest> = {}): Promise<SearchSummary> {
  return (await search({ root, pattern: "needle", ...request }).collect()).summary;
}

const needles = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, NEEDLE]));

describe("folders of version control", () => {
  const names = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

  it("are never searched, at any depth and with any ignore rules", async () => {
    const root = tree(needles("a", ...names.flatMap((name) => [`${name}/x`, `d/${name}/y/z`])));
    expect(names).toEqual(DEFAULTS.vcsFolders);
    for (const ignore of ["on", "everywhere", "off"] as const)
      expect(await paths(root, { ignore })).toEqual(["a"]);
    expect(await paths(root, { include: ["**/x", "**/.git/**"] })).toEqual([]);
    expect(await paths(root, { paths: "**/z" })).toEqual([]);
  });

  it("are searched when a path names them, or something in them", async () => {
    const root = tree(needles(...names.flatMap((name) => [`${name}/x`, `${name}/d/y`])));
    for (const name of names) {
      expect(await paths(root, { paths: name })).toEqual([`${name}/d/y`, `${name}/x`]);
      expect(await paths(root, { paths: `${name}/d` })).toEqual([`${name}/d/y`]);
      expect(await paths(root, { paths: `${name}/x` })).toEqual([`${name}/x`]);
    }
  });
});

describe("the ignore rules", () => {
  const files = {
    ...needles("a", "b", "c", "build/x", "build/d/y"),
    ".gitignore": "b\nbuild/\n",
    ".ignore": "c\n",
  };

  it("are ripgrep's own: .gitignore counts in a git repository, .ignore anywhere", async () => {
    expect(await paths(tree(files))).toEqual(["a", "b", "build/d/y", "build/x"]);
    expect(await paths(tree({ ...files, ".git": FOLDER }))).toEqual(["a"]);
  });

  it("count outside a git repository too on request, or not at all", async () => {
    const root = tree(files);
    expect(await paths(root, { ignore: "everywhere" })).toEqual(["a"]);
    expect(await paths(root, { ignore: "off" })).toEqual(["a", "b", "build/d/y", "build/x", "c"]);
  });

  it("are not lifted by include globs, types or globs as paths", async () => {
    const root = tree({
      ...needles("a.ts", "b.ts", "build/x.ts"),
      ".gitignore": "b.ts\nbuild/\n",
      ".git": FOLDER,
    });
    expect(await paths(root, { include: "*.ts" })).toEqual(["a.ts"]);
    expect(await paths(root, { include: ["b.ts", "build/**", "*.ts"] })).toEqual(["a.ts"]);
    expect(await paths(root, { include: "b.ts", globsMatchNames: true })).toEqual([]);
    expect(await paths(root, { types: "ts" })).toEqual(["a.ts"]);
    expect(await paths(root, { typeGlobs: "*.ts" })).toEqual(["a.ts"]);
    expect(await paths(root, { paths: "*.ts" })).toEqual(["a.ts"]);
  });

  it("do not hold for what a path names", async () => {
    const root = tree({ ...files, ".git": FOLDER });
    expect(await paths(root, { paths: "b" })).toEqual(["b"]);
    expect(await paths(root, { paths: "build" })).toEqual(["build/d/y", "build/x"]);
    expect(await paths(root, { paths: "build/d" })).toEqual(["build/d/y"]);
    expect(await paths(root, { paths: ["build", "."] })).toEqual(["a", "build/d/y", "build/x"]);
  });
});

describe("globs and types", () => {
  const root = (): string =>
    tree(needles("a.ts", "a.js", "src/b.ts", "src/deep/c.ts", "app/[id]/p.tsx", "app/[id]/d/q.tsx"));

  it("as paths mean any depth when bare, and one folder when they name it", async () => {
    const at = root();
    expect(await paths(at, { paths: "*.ts" })).toEqual(["a.ts", "src/b.ts", "src/deep/c.ts"]);
    expect(await paths(at, { paths: "src/*.ts" })).toEqual(["src/b.ts"]);
    expect(await paths(at, { paths: "src/**/*.ts" })).toEqual(["src/b.ts", "src/deep/c.ts"]);
    expect(await paths(at, { paths: "app/[id]/*.tsx" })).toEqual(["app/[id]/p.tsx"]);
    expect(await paths(at, { paths: ["*.js", "src"] })).toEqual(["a.js", "src/b.ts", "src/deep/c.ts"]);
  });

  it("include by path, or by base name alone", async () => {
    const at = root();
    expect(await paths(at, { include: "src/*.ts" })).toEqual(["src/b.ts"]);
    expect(await paths(at, { include: "c.ts", globsMatchNames: true })).toEqual(["src/deep/c.ts"]);
    expect(await paths(at, { include: "src/*.ts", globsMatchNames: true })).toEqual([]);
  });

  it("exclude files and folders", async () => {
    const at = root();
    expect(await paths(at, { exclude: ["*.tsx", "deep"] })).toEqual(["a.js", "a.ts", "src/b.ts"]);
    expect(await paths(at, { skipFolders: ["deep", "app", "a.ts"] })).toEqual(["a.js", "a.ts", "src/b.ts"]);
    expect(await paths(at, { exclude: "src/b.ts", include: "*.ts", globsMatchNames: true })).toHaveLength(3);
  });

  it("exclude names that end in blanks of any kind, and only those", async () => {
    const names = ["x", "x ", "x  ", "x\t", "x\u00a0", "x\u3000", "x\\ "];
    const at = tree(needles(...names));
    for (const name of names.slice(0, -1)) {
      expect(await paths(at, { exclude: name })).toEqual((await paths(at)).filter((path) => path !== name));
    }
    expect(await paths(at, { exclude: "x\\ " })).not.toContain("x ");
    expect(await paths(at, { exclude: "x\\\\ " })).not.toContain("x\\ ");
  });

  it("choose by ripgrep's types and by globs of one's own, together", async () => {
    const at = root();
    expect(await paths(at, { types: "js" })).toEqual(["a.js"]);
    expect(await paths(at, { types: "js", typeGlobs: "p.*" })).toEqual(["a.js", "app/[id]/p.tsx"]);
  });

  it("do not hold for a file that a path names", async () => {
    expect(await paths(root(), { paths: "a.js", include: "*.ts" })).toEqual(["a.js"]);
  });
});

describe("hidden files", () => {
  it("are searched, unless they are not wanted", async () => {
    const root = tree(needles("a", ".b", ".d/c"));
    expect(await paths(root)).toEqual([".b", ".d/c", "a"]);
    expect(await paths(root, { hidden: false })).toEqual(["a"]);
    expect(await paths(root, { hidden: false, include: ["*", ".b"] })).toEqual(["a"]);
    expect(await paths(root, { hidden: false, paths: ".b" })).toEqual([".b"]);
  });
});

describe("symbolic links", () => {
  it("are followed on request, and loops are cut and named", async () => {
    const root = tree({ "d/a": NEEDLE, "d/up": link(".."), "d/self": link("."), l: link("d/a") });
    expect(await paths(root)).toEqual(["d/a"]);
    const { hits, summary } = await search({
      root,
      pattern: "needle",
      follow: true,
      mode: "files",
    }).collect();
    expect(hits.map(({ path }) => path)).toEqual(["d/a", "l"]);
    expect(summary.notices.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      "LOOP_CUT d/self",
      "LOOP_CUT d/up",
    ]);
    expect(summary.partial).toBe(false);
  });
});

describe("files that are skipped", () => {
  it("for their size are counted, also when a path names them", async () => {
    const root = tree({ small: NEEDLE, large: NEEDLE.repeat(10), "odd\nname": NEEDLE.repeat(10) });
    expect(await paths(root, { maxFileSize: 20 })).toEqual(["small"]);
    expect(await summary(root, { maxFileSize: 20 })).toMatchObject({
      skipped: { tooLarge: 2, binary: 0, unreadable: 0, denied: 0 },
      searched: 1,
      considered: 3,
      notices: [],
    });
    expect(await summary(root, { maxFileSize: 20, paths: ["large", "small"] })).toMatchObject({
      files: 1,
      skipped: { tooLarge: 1 },
      considered: 2,
    });
    expect(await summary(root, { maxFileSize: 20, paths: "large" })).toMatchObject({
      files: 0,
      skipped: { tooLarge: 1 },
    });
    expect(await summary(root, { maxFileSize: 0 })).toMatchObject({ files: 0, skipped: { tooLarge: 3 } });
  });

  it("because they are binary are counted where ripgrep names them, and give no match", async () => {
    const binary = Buffer.concat([Buffer.from(NEEDLE), Buffer.from([0]), Buffer.from(`\n${NEEDLE}`)]);
    const root = tree({ a: NEEDLE, binary });
    expect(await paths(root)).toEqual(["a"]);
    expect(await summary(root, { paths: ["binary"] })).toMatchObject({
      files: 0,
      skipped: { binary: 1 },
      totalFiles: 0,
    });
    expect(await summary(root, { reportBinary: true })).toMatchObject({
      files: 1,
      skipped: { binary: 1 },
      notices: [{ code: "BINARY_MATCHES", message: expect.stringContaining("binary") as string }],
    });
  });

  it("by their first bytes are those, and no others", async () => {
    const root = tree({
      late: Buffer.concat([Buffer.alloc(600, "x"), Buffer.from([0]), Buffer.from(`\n${NEEDLE}`)]),
      early: Buffer.concat([Buffer.from([1]), Buffer.from(`\n${NEEDLE}`)]),
    });
    expect(await paths(root)).toEqual(["early"]);
    expect(await paths(root, { binary: "first-bytes" })).toEqual(["late"]);
    expect(await summary(root, { binary: "first-bytes" })).toMatchObject({
      skipped: { binary: 1 },
      notices: [],
    });
    expect(await summary(root, { binary: "first-bytes", reportBinary: true })).toMatchObject({
      files: 1,
      skipped: { binary: 1 },
      notices: [{ code: "BINARY_MATCHES", message: expect.stringContaining("early") as string }],
    });
  });
});

describe("paths", () => {
  it("that are missing are an error alone and a notice among others", async () => {
    const root = tree(needles("a"));
    await expect(paths(root, { paths: "x" })).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
    expect(await summary(root, { paths: ["x", "a"] })).toMatchObject({
      files: 1,
      notices: [{ code: "PATH_SKIPPED" }],
    });
  });

  it("outside the root are shown absolute, and inside relative", async () => {
    const root = tree(needles("r/a", "b"));
    const inside = join(root, "r");
    expect(await paths(inside, { paths: [join(root, "b"), join(inside, "a")] })).toEqual([
      join(root, "b"),
      "a",
    ]);
  });

  it("that overlap give every file once", async () => {
    const root = tree(needles("d/a", "d/e/b"));
    expect(await paths(root, { paths: ["d", "d/e", ".", "d/a", "*", "d/*"] })).toEqual(["d/a", "d/e/b"]);
  });

  it("that are not UTF-8 are shown replaced, with their bytes", async () => {
    const root = tree();
    const bytes = Buffer.from([0x61, 0xff]);
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), bytes]), NEEDLE);
    const { hits } = await search({ root, pattern: "needle" }).collect();
    expect(hits).toMatchObject([{ path: "a�", pathBytes: bytes.toString("base64"), line: 1 }]);
  });
});
