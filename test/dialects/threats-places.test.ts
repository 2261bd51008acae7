import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPolicy } from "../../src/workspace/policy.ts";
import type { Workspace } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { databaseBytes, LOGGED } from "../sources/sqlite/build.ts";
import { globs } from "../workspace/ground.ts";
import { type Files, FOLDER, link, tree } from "../support/tree.ts";
import { codeIn, contentsOf, fileCodes, handsOf, textOf, workspaceOf } from "./workspaces.ts";

/** Where read, edit and write may not go (T1, T2, T3, T5), and what they may create. */

const SECRET = "TOPSECRET";
const OUTSIDE = ["PATH_OUTSIDE", "PATH_OUTSIDE", "PATH_OUTSIDE"];
/** An archive is not written as a whole, wherever it is. */
const OUTSIDE_ARCHIVE = ["PATH_OUTSIDE", "PATH_OUTSIDE", "INVALID_INPUT"];
const outsideCodes = (path: string): string[] => (path.endsWith(".zip") ? OUTSIDE_ARCHIVE : OUTSIDE);
const DENIED = ["PATH_DENIED", "PATH_DENIED", "PATH_DENIED"];

/** All that the tools say of a path, as one text. */
async function allSay({ tools }: Workspace, path: string): Promise<string> {
  return JSON.stringify([
    await tools.read({ path }),
    await tools.read({ path: `${path}:conflicts` }),
    await tools.edit({ input: `¶${path}#0000\ndelete 1..1` }),
    await tools.write({ path, content: "planted\n" }),
  ]);
}

describe("What lies outside the root (T1)", () => {
  it("is neither shown nor changed, by whichever spelling", async () => {
    const parent = tree({
      "a/in.txt": "inside\n",
      "a/d": FOLDER,
      "ab/x.txt": SECRET,
      "A/x.txt": SECRET,
      "a.txt": SECRET,
    });
    const before = contentsOf(parent);
    const workspace = await workspaceOf(join(parent, "a"));
    for (const path of [
      "../ab/x.txt",
      "../ab",
      "../a.txt",
      "../A/x.txt",
      "..",
      "../",
      "d/../../ab/x.txt",
      ".//..//ab//x.txt",
      "../ab/x.txt:1-",
      "../ab/new/deep.txt",
      "/etc/passwd",
      "//etc/passwd",
      "/../../../../../../etc/passwd",
      "~/../../../../../../etc/passwd",
      `${parent}/ab/x.txt`,
      `${parent}/a/../ab/x.txt`,
      `file://${parent}/ab/x.txt`,
      `file://${parent}/a/%2e%2e/ab/x.txt`,
      `"${parent}/ab/x.txt"`,
      `'../ab/x.txt'`,
      "../ab/x.zip:m",
      "../ab/x.db:t",
    ]) {
      expect([path, await fileCodes(workspace, path)]).toEqual([path, outsideCodes(path)]);
      expect([path, await allSay(workspace, path)]).not.toEqual([path, expect.stringContaining(SECRET)]);
    }
    expect(contentsOf(parent)).toEqual(before);
  });

  it("is refused in a patch of several files, of which none is changed", async () => {
    const parent = tree({ "a/in.txt": "inside\n", "ab/x.txt": SECRET });
    const workspace = await workspaceOf(join(parent, "a"));
    const { read, edit } = handsOf(workspace);
    const header = (await read("in.txt")).split("\n")[0];
    const said = await edit(`${header}\ndelete 1..1\n¶../ab/x.txt#0000\ndelete 1..1`);
    expect(said.split(" ")[0]).toBe("[PATH_OUTSIDE]");
    expect(contentsOf(parent)).toMatchObject({ "a/in.txt": "inside\n", "ab/x.txt": SECRET });
  });
});

describe("A link that leads out (T2)", () => {
  const LINKS = ["out", "d/out", "d/e/f/out"];
  const planted = async (): Promise<{ readonly root: string; readonly outside: string }> => {
    const outside = tree({
      "secret.txt": `<<<<<<< a\n${SECRET}\n=======\n>>>>>>> b\n`,
      "d/deep.txt": SECRET,
      "b.zip": zip([{ name: "m.txt", data: SECRET }]),
      "b.db": await databaseBytes(`CREATE TABLE t(a); INSERT INTO t VALUES('${SECRET}')`),
      "b.ipynb": JSON.stringify({
        cells: [{ cell_type: "raw", metadata: {}, source: SECRET }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      }),
    });
    const links = Object.fromEntries(
      LINKS.flatMap((place) => [
        ...["secret.txt", "b.zip", "b.db", "b.ipynb"].map((name) => [
          `${place}-${name}`,
          link(join(outside, name)),
        ]),
        [`${place}-folder`, link(outside)],
        [`${place}-twice`, link(`${place.split("/").at(-1) ?? ""}-folder`)],
        [`${place}-hop`, link(join(outside, "d/../secret.txt"))],
      ]),
    );
    return { outside, root: tree({ "in.txt": "inside\n", ...links }) };
  };

  it("is refused by each tool, at every depth and for every kind of file", async () => {
    const { root, outside } = await planted();
    const before = contentsOf(outside);
    const workspace = await workspaceOf(root);
    const inputs = LINKS.flatMap((place) => [
      ...["secret.txt", "b.zip", "b.db", "b.ipynb"].map((name) => `${place}-${name}`),
      `${place}-hop`,
      ...[`${place}-folder`, `${place}-twice`].flatMap((folder) => [
        folder,
        `${folder}/`,
        `${folder}/secret.txt`,
        `${folder}/d/deep.txt`,
        `${folder}/b.zip`,
        `${folder}/b.db`,
        `${folder}/b.ipynb`,
        `${folder}/new.txt`,
        `${folder}/new/deep.txt`,
        `${root}/${folder}/secret.txt`,
        `file://${root}/${folder}/secret.txt`,
      ]),
    ]);
    for (const input of inputs) {
      expect([input, await fileCodes(workspace, input)]).toEqual([input, outsideCodes(input)]);
      expect([input, await allSay(workspace, input)]).not.toEqual([input, expect.stringContaining(SECRET)]);
    }
    expect(contentsOf(outside)).toEqual(before);
  });

  it("is refused with a member, a table, a query, lines or conflicts behind it", async () => {
    const { root, outside } = await planted();
    const before = contentsOf(outside);
    const workspace = await workspaceOf(root);
    for (const input of LINKS.flatMap((place) => [
      `${place}-b.zip:m.txt`,
      `${place}-b.zip:`,
      `${place}-b.zip:new.txt`,
      `${place}-b.db:t`,
      `${place}-b.db:t:1`,
      `${place}-b.db?q=SELECT * FROM t`,
      `${place}-secret.txt:1-2`,
      `${place}-secret.txt:raw`,
      `${place}-secret.txt:conflicts`,
      `${place}-folder/secret.txt:raw`,
      `${place}-b.ipynb:raw`,
    ])) {
      expect([input, codeIn(await workspace.tools.read({ path: input }))]).toEqual([input, "PATH_OUTSIDE"]);
      expect([input, await allSay(workspace, input)]).not.toEqual([input, expect.stringContaining(SECRET)]);
    }
    expect(contentsOf(outside)).toEqual(before);
  });

  it("is no way out of the scratch folder, nor for what was listed as a conflict", async () => {
    const outside = tree({ "secret.txt": SECRET });
    const conflict = "<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n";
    const root = tree({ "c.txt": conflict });
    const workspace = await workspaceOf(root);
    const { read, write } = handsOf(workspace);
    await write("local://a/notes.md", "x\n");
    const scratch = await workspace.tools.read({ path: "local://a/notes.md" });
    const { resolvedPath } = scratch.details as { resolvedPath: string };
    const folder = join(resolvedPath, "..");
    symlinkSync(outside, join(folder, "out"));
    symlinkSync(join(outside, "secret.txt"), join(folder, "out.txt"));
    for (const path of [
      "local://a/out/secret.txt",
      "local://a/out.txt",
      "local://a/out/new.txt",
      "local://../x",
      "local:///etc/passwd",
      "local://a/../../x",
      `local://a\\..\\..\\x`,
    ]) {
      expect([path, await fileCodes(workspace, path)]).toEqual([path, OUTSIDE]);
    }
    expect(await read("c.txt:conflicts")).toContain("conflict://1");
    // The file becomes a link to one outside that holds the very same bytes.
    writeFileSync(join(outside, "same.txt"), conflict);
    symlinkSync(join(outside, "same.txt"), join(root, "swap"));
    renameSync(join(root, "swap"), join(root, "c.txt"));
    expect((await read("conflict://1")).split(" ")[0]).toBe("[PATH_OUTSIDE]");
    expect((await read("conflict://1/ours")).split(" ")[0]).toBe("[PATH_OUTSIDE]");
    expect((await write("conflict://1", "@ours")).split(" ")[0]).toBe("[PATH_OUTSIDE]");
    expect(contentsOf(outside)).toEqual({ "same.txt": conflict, "secret.txt": SECRET });
  });

  it("does not tell whether something is there", async () => {
    const outside = tree({ "there.txt": SECRET });
    const { tools } = await workspaceOf(tree({ out: link(outside), a: "x" }));
    for (const say of [
      (path: string) => tools.read({ path }),
      (path: string) => tools.edit({ input: `¶${path}#0000\ndelete 1..1` }),
      (path: string) => tools.write({ path, content: "x" }),
    ]) {
      const there = textOf(await say("out/there.txt"));
      expect(there.replace("there", "nowhere")).toBe(textOf(await say("out/nowhere.txt")));
    }
  });

  it("shows in a tree without its target", async () => {
    const outside = tree({ [`${SECRET}.txt`]: "x" });
    const { read } = handsOf(await workspaceOf(tree({ out: link(join(outside, `${SECRET}.txt`)) })));
    expect(await read(".")).not.toContain(SECRET);
  });
});

describe("A link to what is not there (T3)", () => {
  it("is refused when it leads out, and nothing is made outside", async () => {
    const outside = tree();
    const root = tree({
      "l.txt": link(join(outside, "new.txt")),
      "d/l.txt": link(join(outside, "new.txt")),
      "deep.txt": link(join(outside, "new/deep.txt")),
      folder: link(join(outside, "new")),
      twice: link("l.txt"),
      "a.zip": link(join(outside, "new.zip")),
      "a.db": link(join(outside, "new.db")),
    });
    const before = contentsOf(root);
    const workspace = await workspaceOf(root);
    for (const path of ["l.txt", "d/l.txt", "deep.txt", "folder", "folder/x.txt", "twice", "a.zip", "a.db"])
      expect([path, await fileCodes(workspace, path)]).toEqual([path, outsideCodes(path)]);
    for (const path of ["a.zip:m", "a.db:t"])
      expect([path, codeIn(await workspace.tools.write({ path, content: "{a:1}" }))]).toEqual([
        path,
        "PATH_OUTSIDE",
      ]);
    expect(contentsOf(outside)).toEqual({});
    expect(contentsOf(root)).toEqual(before);
  });

  it("is written through when it stays inside, and stays a link", async () => {
    const root = tree({ "l.txt": link("made/new.txt"), circle: link("circle") });
    const workspace = await workspaceOf(root);
    await handsOf(workspace).write("l.txt", "x\n");
    expect(contentsOf(root)).toMatchObject({ "l.txt": "link to made/new.txt", "made/new.txt": "x\n" });
    expect(codeIn(await workspace.tools.write({ path: "circle", content: "x" }))).toBe("PATH_UNREADABLE");
  });
});

describe("Paths of another system (T5)", () => {
  /** What leaks credentials or talks to a device when Windows gets it. */
  const RAW = [
    "\\\\server\\share\\x",
    "//server/share/x",
    "\\\\?\\C:\\x",
    "\\\\.\\PhysicalDrive0",
    "\\??\\C:\\x",
    "CON",
    "nul.txt",
    "d/AUX",
    "COM1",
    "LPT¹.log",
    "CONOUT$",
    "a.txt:stream",
    "a.txt::$DATA",
    "a.txt.",
    "a.txt ",
    "C:\\d\\prn",
  ];

  it("are refused before any file call is made, and the tools ask that judge first", async () => {
    const root = tree({ "a.txt": "x" });
    const policy = await createPolicy({ root, globs, platform: "win32" });
    for (const path of RAW) {
      // A file call on this system would find nothing, and say that it is missing or outside.
      await expect(policy.check(path)).rejects.toMatchObject({ code: "PATH_DENIED" });
    }
  });

  it("are plain names here, and NUL is one nowhere", async () => {
    const root = tree();
    const workspace = await workspaceOf(root);
    const { write, read } = handsOf(workspace);
    await write("nul.txt", "x\n");
    expect(await read("nul.txt")).toMatch(/\n1:x$/);
    for (const path of ["a\0b", "\0", "a.zip:b\0c"]) {
      expect([path, await fileCodes(workspace, path)]).not.toEqual([path, expect.arrayContaining(["none"])]);
    }
    expect(Object.keys(contentsOf(root))).toEqual(["nul.txt"]);
  });
});

describe("A file that is to be made", () => {
  it("gets its folders inside, and none outside, below a denied glob or through a link out", async () => {
    const outside = tree({ d: FOLDER });
    const root = tree({
      real: FOLDER,
      in: link("real"),
      out: link(join(outside, "d")),
      file: "x\n",
      secret: FOLDER,
    });
    const workspace = await workspaceOf(root, { deny: ["secret", "*.key", "/top/**/no"] });
    const code = async (path: string): Promise<string> =>
      codeIn(await workspace.tools.write({ path, content: "made\n" }));
    expect(await code("new/a/b/c.txt")).toBe("none");
    expect(await code("in/new/c.txt")).toBe("none");
    expect(await code(join(root, "absolute/c.txt"))).toBe("none");
    expect(await code("out/new/c.txt")).toBe("PATH_OUTSIDE");
    expect(await code("../beside/c.txt")).toBe("PATH_OUTSIDE");
    for (const denied of ["secret/new/c.txt", "x.key", "new/x.key/c.txt", "in/x.key", "top/a/no/b.txt"])
      expect([denied, await code(denied)]).toEqual([denied, "PATH_DENIED"]);
    for (const path of ["file/c.txt", "new/a/", "in", "."])
      expect([path, await code(path)]).not.toEqual([path, "none"]);
    expect(contentsOf(outside)).toEqual({ d: "no file" });
    const made = Object.entries(contentsOf(root)).filter(([, content]) => content === "made\n");
    expect(made.map(([path]) => path)).toEqual(["absolute/c.txt", "new/a/b/c.txt", "real/new/c.txt"]);
    // What was refused left no folder behind.
    expect(Object.keys(contentsOf(root)).filter((path) => /^top|key|^secret\//.test(path))).toEqual([]);
  });

  it("is made in an allowed folder elsewhere, and not in the root if that is not allowed", async () => {
    const elsewhere = tree();
    const root = tree({ sub: FOLDER });
    const workspace = await workspaceOf(root, { allow: [elsewhere, "sub"] });
    const code = async (path: string): Promise<string> =>
      codeIn(await workspace.tools.write({ path, content: "made\n" }));
    expect(await code("sub/new/c.txt")).toBe("none");
    expect(await code(join(elsewhere, "new/c.txt"))).toBe("none");
    expect(await code("new/c.txt")).toBe("PATH_OUTSIDE");
    expect(await code("sub/../c.txt")).toBe("PATH_OUTSIDE");
    expect(contentsOf(root)).toEqual({ sub: "no file", "sub/new": "no file", "sub/new/c.txt": "made\n" });
    expect(contentsOf(elsewhere)).toEqual({ new: "no file", "new/c.txt": "made\n" });
  });
});

describe("Denied files", () => {
  const conflict = "<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n";
  const planted: Files = {
    "a.txt": "open\n",
    "x.key": `${SECRET}\n`,
    "d/y.key": `${SECRET}\n`,
    "secret/z.txt": `${SECRET}\n`,
    "d/secret/deep/z.txt": `${SECRET}\n`,
    "l.txt": link("x.key"),
    "m.key": link("a.txt"),
    lf: link("secret"),
    "a.zip": zip([
      { name: "x.key", data: SECRET },
      { name: "secret/z.txt", data: SECRET },
      { name: "open.txt", data: "open\n" },
    ]),
  };
  const options = { deny: ["*.key", "secret"] };

  it("are not read, edited, written or made, by name, through links or in archives", async () => {
    const root = tree(planted);
    const before = contentsOf(root);
    const workspace = await workspaceOf(root, options);
    for (const path of [
      "x.key",
      "d/y.key",
      "./d/../x.key",
      "secret",
      "secret/z.txt",
      "d/secret/deep/z.txt",
      "l.txt",
      "m.key",
      "lf",
      "lf/z.txt",
      "secret/new.txt",
      "new.key",
      `${root}/x.key`,
    ]) {
      expect([path, await fileCodes(workspace, path)]).toEqual([path, DENIED]);
      expect([path, await allSay(workspace, path)]).not.toEqual([path, expect.stringContaining(SECRET)]);
    }
    for (const path of [
      "a.zip:x.key",
      "a.zip:secret/z.txt",
      "a.zip:secret/",
      "a.zip:new.key",
      "b.zip:new.key",
    ]) {
      expect([path, await allSay(workspace, path)]).not.toEqual([path, expect.stringContaining(SECRET)]);
      expect([path, codeIn(await workspace.tools.write({ path, content: "x" }))]).not.toEqual([path, "none"]);
    }
    expect(codeIn(await workspace.tools.read({ path: "a.zip:x.key" }))).toBe("PATH_DENIED");
    expect(contentsOf(root)).toEqual(before);
  });

  it("stand in no tree, no list of members and no suggestion, and no suffix finds them", async () => {
    const root = tree(planted);
    const workspace = await workspaceOf(root, options);
    const { read } = handsOf(workspace);
    for (const path of [".", "d", "/", root]) {
      expect([path, await read(path)]).not.toEqual([
        path,
        expect.stringMatching(/y\.key|x\.key|secret|z\.txt/),
      ]);
    }
    expect(await read("a.zip")).toBe("open.txt (5 bytes)");
    for (const path of ["y.key", "deep/z.txt", "z.txt", "d/y.ke", "x.ke", "secre", "x.kex"]) {
      const said = await read(path);
      expect([path, said]).not.toEqual([path, expect.stringContaining(SECRET)]);
      // Its own words may come back, names it did not say may not.
      expect([path, said.replaceAll(path, "")]).not.toEqual([
        path,
        expect.stringMatching(/x\.key|y\.key|deep|z\.txt|secret/),
      ]);
    }
  });

  it("are not reached by a conflict that was listed before a link was swapped in", async () => {
    const root = tree({ "c.txt": conflict, "x.key": conflict });
    const workspace = await workspaceOf(root, options);
    const { read, write } = handsOf(workspace);
    expect((await read("x.key:conflicts")).split(" ")[0]).toBe("[PATH_DENIED]");
    await read("c.txt:conflicts");
    symlinkSync("x.key", join(root, "swap"));
    renameSync(join(root, "swap"), join(root, "c.txt"));
    for (const said of [
      await read("conflict://1"),
      await read("conflict://1/theirs"),
      await write("conflict://*", "@ours"),
    ])
      expect(said.split(" ")[0]).toBe("[PATH_DENIED]");
    expect(readFileSync(join(root, "x.key"), "utf8")).toBe(conflict);
  });

  it("are not read as the log of a database, nor as a database", async () => {
    const root = tree({ "app.db": LOGGED.main, "app.db-wal": LOGGED.wal });
    const open = handsOf(await workspaceOf(root));
    expect(await open.read("app.db?q=SELECT a FROM t")).toContain("in the log");
    const denied = handsOf(await workspaceOf(root, { deny: ["*-wal"] }));
    expect(await denied.read("app.db?q=SELECT a FROM t")).not.toContain("in the log");
    const none = await workspaceOf(root, { deny: ["*.db"] });
    for (const path of ["app.db", "app.db:t", "app.db?q=SELECT a FROM t", "app.db:t:1"])
      expect([path, codeIn(await none.tools.read({ path }))]).toEqual([path, "PATH_DENIED"]);
    expect(codeIn(await none.tools.write({ path: "app.db:t", content: "{a:1}" }))).toBe("PATH_DENIED");
  });

  it("are not written by a patch, whose other files stay as they are", async () => {
    const root = tree({ "a.txt": "open\n", "x.key": "open\n" });
    const free = handsOf(await workspaceOf(root));
    const tag = (await free.read("x.key")).split("\n")[0]?.slice(-4);
    const bound = handsOf(await workspaceOf(root, options));
    const header = (await bound.read("a.txt")).split("\n")[0];
    const said = await bound.edit(`${header}\ndelete 1..1\n¶x.key#${tag}\ndelete 1..1`);
    expect(said.split(" ")[0]).toBe("[PATH_DENIED]");
    expect(contentsOf(root)).toEqual({ "a.txt": "open\n", "x.key": "open\n" });
  });

  it("include the cache, whatever is allowed", async () => {
    const home = tree();
    const cache = join(home, "cache");
    mkdirSync(cache, { mode: 0o700 });
    const env = { ...process.env, QUARRY_CACHE_DIR: cache };
    const workspace = await workspaceOf(tree({ a: "x\n" }), { allow: ["/"], env, session: "s1" });
    await handsOf(workspace).read("a");
    await handsOf(workspace).write("local://x", "x");
    for (const path of [
      cache,
      join(cache, "sessions"),
      join(cache, "new"),
      join(cache, "sessions/named/s1/lock"),
    ])
      expect([path, await fileCodes(workspace, path)]).toEqual([path, DENIED]);
  });
});
