/** Boris's design, which files grep looks at: decisions 2, 6, 7, 14 and 15, and the limit on a file's size. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { link, tree } from "../support/tree.ts";
import { type BorisAgent, borisAgent } from "./boris.ts";

const N = "needle\n";

async function found({ grep }: BorisAgent, input: object = {}): Promise<string[]> {
  const text = await grep({ pattern: "needle", output_mode: "count", ...input });
  return text.split("\n").map((row) => row.replace(/:\d+$/, ""));
}

describe("The walk", () => {
  it("skips the folders .git and node_modules at any depth, and no file of these names", async () => {
    const agent = await borisAgent({
      ".git/config": N,
      "node_modules/p/index.js": N,
      "sub/.git/config": N,
      "sub/node_modules/q.js": N,
      "worktree/.git": N,
      "odd/node_modules": N,
      "a.ts": N,
    });
    expect(await found(agent)).toEqual(["a.ts", "odd/node_modules", "worktree/.git"]);
  });

  it("does not skip other folders, of version control or hidden ones", async () => {
    const files = [".env", ".github/ci.yml", ".hg/a", ".jj/a", ".svn/a", "CVS/a", "vendor/a"];
    const agent = await borisAgent(Object.fromEntries(files.map((path) => [path, N])));
    expect(await found(agent)).toEqual(files);
  });

  it("enters a skipped folder that path names", async () => {
    const agent = await borisAgent({
      ".git/config": N,
      "node_modules/p/index.js": N,
      ".gitignore": "dist/\n",
      "dist/a": N,
    });
    expect(await found(agent, { path: "node_modules" })).toEqual(["node_modules/p/index.js"]);
    expect(await found(agent, { path: ".git/config" })).toEqual([".git/config"]);
    expect(await found(agent, { path: "dist" })).toEqual(["dist/a"]);
    expect(await found(agent)).not.toContain("dist/a");
  });
});

describe("Ignore files", () => {
  const FILES = {
    ".gitignore": "dist/\n*.log\n/only\n",
    "dist/a": N,
    "x/dist": N,
    "x/deep/dist/a": N,
    "a.log": N,
    only: N,
    "sub/only": N,
    "sub/.gitignore": "!keep.log\nbuild\n!*.tmp\n",
    "sub/keep.log": N,
    "sub/lost.log": N,
    "sub/build/a": N,
    "sub/deep/build": N,
    build: N,
  };

  it("are read in every folder, with negation and rules for folders only, outside a git repository", async () => {
    const agent = await borisAgent(FILES);
    expect(await found(agent)).toEqual(["build", "sub/keep.log", "sub/only", "x/dist"]);
    expect(await found(agent, { path: "sub" })).toEqual(["sub/keep.log", "sub/only"]);
    expect(await found(agent, { path: "x/deep" })).toEqual([
      "No matches found",
      "",
      expect.stringContaining("x/deep/dist/a"),
    ]);
  });

  it("are read inside a git repository alike", async () => {
    const agent = await borisAgent({ ...FILES, ".git/HEAD": "ref: refs/heads/main\n" });
    expect(await found(agent)).toEqual(["build", "sub/keep.log", "sub/only", "x/dist"]);
  });

  it("are also ripgrep's own, .ignore and .rgignore", async () => {
    const agent = await borisAgent({ ".ignore": "a\n", a: N, ".rgignore": "b\n", b: N, c: N });
    expect(await found(agent)).toEqual(["c"]);
  });

  it("count above the searched folder too, and so do git's own excludes", async () => {
    const above = tree({ ".gitignore": "*.log\n", "project/a.log": N, "project/a.ts": N });
    expect(await found(await borisAgent({}, { root: `${above}/project` }))).toEqual(["a.ts"]);
    const agent = await borisAgent({ ".git/HEAD": "", ".git/info/exclude": "b\n", a: N, b: N, "sub/b": N });
    expect(await found(agent)).toEqual(["a"]);
  });

  it("hide nothing without a word where nothing else matches", async () => {
    const { grep } = await borisAgent({ ".gitignore": "dist/\n", "dist/a": N, "a.ts": "x\n" });
    expect(await grep({ pattern: "needle" })).toBe(
      'No files found\n\n[The pattern is in files that ignore rules leave out: dist/a (left out by "dist/" in .gitignore)]',
    );
  });

  it("are not undone by include", async () => {
    const agent = await borisAgent({ ".gitignore": "*.log\n", "a.log": N, "a.ts": N });
    expect(await found(agent, { include: "*.{log,ts}" })).toEqual(["a.ts"]);
  });
});

describe("Links", () => {
  it("to folders are followed, and a target is searched once, under its own name if it has one", async () => {
    const outside = tree({ "lib/x": N });
    const root = tree({
      "real/x": N,
      "a-link": link("real"),
      "z/one": link(`${outside}/lib`),
      "z/two": link(`${outside}/lib`),
    });
    const agent = await borisAgent({}, { root, allow: [root, outside] });
    expect(await found(agent)).toEqual(["real/x", "z/one/x"]);
    expect(await found(agent, { path: "a-link" })).toEqual(["a-link/x"]);
  });

  it("in a circle are cut, and broken ones and those to files passed over", async () => {
    const agent = await borisAgent({
      "a/x": N,
      "a/up": link(".."),
      "a/self": link("."),
      "b/to-c": link("../c"),
      "c/to-b": link("../b"),
      "c/x": N,
      broken: link("nowhere"),
      round: link("round"),
      file: link("a/x"),
    });
    const { text, details } = await agent.answer({ pattern: "needle", output_mode: "count" });
    expect(text).toBe("a/x:1\nc/x:1");
    expect(details).toMatchObject({ skipped: { denied: 0, unreadable: 0 }, notices: [] });
  });

  it("out of the scope are skipped, silently in the text and counted in the details", async () => {
    const outside = tree({ "lib/secret": N, secret: N });
    const agent = await borisAgent({
      "a/x": N,
      "a/out": link(outside),
      "to-lib": link(`${outside}/lib`),
      "to-root": link("/"),
      "to-file": link(`${outside}/secret`),
    });
    const { text, details } = await agent.answer({ pattern: "needle", output_mode: "content" });
    expect(text).toBe("a/x:1:needle");
    expect(details.skipped.denied).toBe(3);
    expect((await agent.answer({ pattern: "absent" })).text).toBe("No files found");
    expect(await agent.error({ pattern: "needle", path: "a/out" })).toMatch(
      /^\[PATH_OUTSIDE\] a\/out is outside/,
    );
    expect(await agent.error({ pattern: "needle", path: "to-file" })).toMatch(
      /^\[PATH_OUTSIDE\] to-file is outside/,
    );
  });

  it("lead into a second folder that is allowed, under the name of the link", async () => {
    const shared = tree({ "deep/y.ts": N, ".gitignore": "hidden\n", hidden: N });
    const root = tree({ "a.ts": N, vendor: link(shared) });
    const agent = await borisAgent({}, { root, allow: [root, shared] });
    expect(await found(agent)).toEqual(["a.ts", "vendor/deep/y.ts"]);
    expect(await agent.grep({ pattern: "needle", include: "y.*" })).toBe("vendor/deep/y.ts");
  });
});

describe("A binary file", () => {
  it("is told by its first 512 bytes, and skipped", async () => {
    const agent = await borisAgent({
      "nul-10": `${N}12\0\n`,
      "nul-511": `${N}${"x".repeat(504)}\0\n`,
      "nul-512": `${N}${"x".repeat(505)}\0\n`,
      "nul-600": `${N}${"x\n".repeat(297)}\0\nneedle\n`,
      control: "needle\x01\n",
      "doc.pdf": "%PDF-1.7 needle\n",
      "a.ps": "%!PS-Adobe-3.0 needle\n",
      "image.png": Buffer.from("\x89PNG\r\n\x1a\nneedle", "latin1"),
      "a.json": '{ "needle": 1 }\n',
      "colour.log": "\x1b[31mneedle\x1b[0m\n",
    });
    const { text, details } = await agent.answer({ pattern: "needle", output_mode: "count" });
    expect(text).toBe("a.json:1\ncolour.log:1\nnul-512:1\nnul-600:2");
    expect(details.skipped.binary).toBe(6);
    const files = await agent.answer({ pattern: "needle" });
    expect(files.details.files.map(({ path }) => path).toSorted()).toEqual([
      "a.json",
      "colour.log",
      "nul-512",
      "nul-600",
    ]);
    expect(
      await agent.grep({ pattern: "needle", path: "nul-600", output_mode: "content", multiline: true }),
    ).toBe("nul-600:1:needle\n--\nnul-600:300:needle");
  });

  it("is none with a byte order mark: UTF-16 and UTF-8 with one are read", async () => {
    const utf16 = Buffer.from("\ufeffcafé\nneedle ü\n", "utf16le");
    const agent = await borisAgent({
      "le.txt": utf16,
      "be.txt": Buffer.from(utf16).swap16(),
      "bom.txt": "\ufeffneedle\n",
      "no-mark.txt": Buffer.from("needle\n", "utf16le"),
    });
    expect(await agent.grep({ pattern: "needle", output_mode: "content" })).toBe(
      "be.txt:2:needle ü\n--\nbom.txt:1:needle\n--\nle.txt:2:needle ü",
    );
    expect(await agent.grep({ pattern: "^needle$", output_mode: "count" })).toBe("bom.txt:1");
  });

  it("is none for the letters that some pictures begin with", async () => {
    const agent = await borisAgent({
      "a.txt": "BM needle\n",
      "b.txt": "GIF89a needle\n",
      "c.txt": "OggS needle\n",
    });
    expect(await found(agent)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  it("that path names is skipped too, and the answer says so", async () => {
    const { grep } = await borisAgent({ "a.pdf": "%PDF-1.7 needle\n" });
    for (const asked of [{ path: "a.pdf" }, {}]) {
      expect(await grep({ pattern: "needle", ...asked })).toBe("No files found\n\n[Skipped: 1 binary]");
    }
  });

  it("is another one to view and str_replace, which refuse NUL bytes farther in and know PDF by name", async () => {
    const { call } = await borisAgent({
      "nul-600": `${N}${"x\n".repeat(297)}\0\n`,
      "a.pdf": "%PDF-1.7 needle\n",
      c: "a\x01\n",
    });
    for (const [tool, input] of [
      ["view", {}],
      ["str_replace", { old_str: "needle" }],
    ] as const) {
      expect(await call(tool, { path: "nul-600", ...input })).toMatch(
        /^\[BINARY_FILE\] nul-600 is a binary file/,
      );
      expect(await call(tool, { path: "a.pdf", ...input })).toMatch(
        /^\[KIND_UNSUPPORTED\] a\.pdf is a PDF document/,
      );
    }
    expect(await call("view", { path: "c" })).toBe("     1\ta\x01");
  });
});

describe("A file's size", () => {
  it("is 10 MiB at most", async () => {
    const most = 10 * 1024 * 1024;
    const agent = await borisAgent({
      exact: N + "y".repeat(most - N.length),
      over: N + "y".repeat(most + 1 - N.length),
    });
    const { text, details } = await agent.answer({ pattern: "needle", output_mode: "count" });
    expect(text).toBe("exact:1");
    expect(details.skipped.tooLarge).toBe(1);
    expect(await agent.grep({ pattern: "needle\\ny", multiline: true })).toBe("exact");
  });

  it("leaves out and counts files of a type or include as without one", async () => {
    const { answer, root } = await borisAgent(
      { "small.ts": N, "large.ts": `${N}${"y".repeat(100)}`, "large.md": `${N}${"y".repeat(100)}` },
      { settings: { maxFileSize: 100 } },
    );
    for (const sieve of [{ type: "ts" }, { include: "*.ts" }, { type: "ts", include: "l*" }]) {
      const { details } = await answer({ pattern: "needle", ...sieve });
      expect([sieve, details.skipped.tooLarge]).toEqual([sieve, 1]);
    }
    // Where nothing is found, what grew a moment ago counts.
    writeFileSync(join(root, "small.ts"), N + "y".repeat(100));
    const { details } = await answer({ pattern: "needle", type: "ts" });
    expect(details.skipped.tooLarge).toBe(2);
  });

  it("is another at most where settings.maxFileSize says so, for a file that path names too", async () => {
    const { answer, grep } = await borisAgent(
      { small: N, large: `${N}${"y".repeat(100)}` },
      { settings: { maxFileSize: 100 } },
    );
    const { text, details } = await answer({ pattern: "needle" });
    expect(text).toBe("small");
    expect(details.skipped.tooLarge).toBe(1);
    for (const multiline of [false, true]) {
      expect(await grep({ pattern: "needle", path: "large", output_mode: "content", multiline })).toBe(
        "No matches found\n\n[Skipped: 1 too large]",
      );
    }
  });
});

describe("The scope", () => {
  it("keeps denied files out of the walk silently, and counts them in the details", async () => {
    const { answer, grep } = await borisAgent(
      { "a.ts": N, "a.env": N, "private/b.ts": N, "c/private/d.ts": N },
      { deny: ["*.env", "private/"] },
    );
    for (const output_mode of ["content", "count", "files_with_matches"]) {
      const { text, details } = await answer({ pattern: "needle", output_mode });
      expect(text).toMatch(/^a\.ts(:1(:needle)?)?$/);
      expect(details.skipped.denied).toBe(3);
    }
    expect(await grep({ pattern: "needle", include: "*.env" })).toBe("No files found");
  });

  it("refuses a denied path, and one outside the allowed folders", async () => {
    const outside = tree({ x: N });
    const { root, error } = await borisAgent({ "a.env": N, "private/b": N }, { deny: ["*.env", "private/"] });
    expect(await error({ pattern: "needle", path: "a.env" })).toBe(
      "[PATH_DENIED] a.env may not be read: denied by *.env. The policy of this session withholds it; go on without it.",
    );
    expect(await error({ pattern: "needle", path: "private" })).toMatch(
      /^\[PATH_DENIED\] private may not be read/,
    );
    for (const path of [outside, `${outside}/x`, ".."]) {
      expect(await error({ pattern: "needle", path })).toBe(
        `[PATH_OUTSIDE] ${path} is outside the allowed folders. What may be read lies in ${root}.`,
      );
    }
    expect(await error({ pattern: "needle", path: "/" })).toBe(
      "[ROOT_REFUSED] Searching from / is not allowed. Name the folder to look in.",
    );
    expect(await error({ pattern: "needle", path: "//host/share" })).toMatch(/^\[PATH_DENIED\] /);
  });

  it("says of a missing path that glob looks for names", async () => {
    const { error } = await borisAgent({ a: N });
    expect(await error({ pattern: "needle", path: "nope" })).toBe(
      "[PATH_NOT_FOUND] Path not found: nope. Check the spelling; glob looks for names.",
    );
  });

  it("is the root where path is left out; another allowed folder is searched by its name", async () => {
    const [root, other] = [tree({ a: N }), tree({ b: N })];
    const { grep } = await borisAgent({}, { root, allow: [root, other] });
    expect(await grep({ pattern: "needle" })).toBe("a");
    expect(await grep({ pattern: "needle", path: other, output_mode: "content" })).toBe(
      `${other}/b:1:needle`,
    );
  });
});
