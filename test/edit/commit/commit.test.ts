import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commit } from "../../../src/edit/commit/commit.ts";
import { children, descriptors } from "../../support/processes.ts";
import { FOLDER, link, tree } from "../../support/tree.ts";
import { codeOf, policyOf } from "../../workspace/ground.ts";
import { ground, hash, leftovers } from "./ground.ts";

const isRoot = process.getuid?.() === 0;
const linux = process.platform === "linux";

/** Extended attributes are set and listed by python, where there is one. */
function python(script: string, path: string): string {
  return execFileSync("python3", ["-c", `import os,sys\np=sys.argv[1]\n${script}`, path], {
    encoding: "utf8",
  }).trim();
}

function canSetAttributes(): boolean {
  try {
    const path = join(import.meta.dirname, "ground.ts");
    python("os.setxattr(p,'user.quarry-probe',b'1'); os.removexattr(p,'user.quarry-probe')", path);
    return true;
  } catch {
    return false;
  }
}

describe("a file that is there", () => {
  test("is replaced by a rename, and nothing else stays behind", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const before = statSync(join(g.root, "a.txt"));
    const open = descriptors();
    expect(await g.write("a.txt", "new\n")).toEqual({
      realPath: join(g.root, "a.txt"),
      created: false,
      way: linux ? "renamed" : "in place",
      overwrote: false,
    });
    expect(g.text("a.txt")).toBe("new\n");
    expect(statSync(join(g.root, "a.txt")).mtimeMs).toBeGreaterThanOrEqual(before.mtimeMs);
    expect(leftovers(g)).toEqual([]);
    expect(descriptors()).toBeLessThanOrEqual(open + 1);
    expect(children()).toEqual([]);
  });

  test.each([0o600, 0o644, 0o755, 0o4755, 0o2750, 0o1644, 0o444])("keeps its mode %o", async (mode) => {
    const g = await ground({ "a.txt": "old\n" });
    chmodSync(join(g.root, "a.txt"), mode);
    await g.write("a.txt", "new\n");
    expect(statSync(join(g.root, "a.txt")).mode & 0o7777).toBe(mode);
    expect(g.text("a.txt")).toBe("new\n");
  });

  test.skipIf(!isRoot)("keeps its owner and group, and the bits that a change of owner takes", async () => {
    const g = await ground({ "a.txt": "old\n" });
    chownSync(join(g.root, "a.txt"), 1234, 4321);
    chmodSync(join(g.root, "a.txt"), 0o6755);
    expect((await g.write("a.txt", "new\n")).way).toBe("renamed");
    const { uid, gid, mode } = statSync(join(g.root, "a.txt"));
    expect([uid, gid, mode & 0o7777]).toEqual([1234, 4321, 0o6755]);
  });

  test.skipIf(!canSetAttributes())("keeps its extended attributes", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const path = join(g.root, "a.txt");
    python("os.setxattr(p,'user.one',b'1'); os.setxattr(p,'user.two',b'\\x00\\xff')", path);
    expect((await g.write("a.txt", "new\n")).way).toBe("renamed");
    expect(python("print(sorted((n,os.getxattr(p,n)) for n in os.listxattr(p)))", path)).toBe(
      "[('user.one', b'1'), ('user.two', b'\\x00\\xff')]",
    );
    expect(g.text("a.txt")).toBe("new\n");
  });

  test.skipIf(!isRoot || !canSetAttributes())("keeps an access list and file capabilities", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const path = join(g.root, "a.txt");
    const acl =
      "02000000 01000600ffffffff 02000400e8030000 04000400ffffffff 10000600ffffffff 20000400ffffffff";
    python(`os.setxattr(p,'system.posix_acl_access',bytes.fromhex('${acl}'))`, path);
    python(
      "os.setxattr(p,'security.capability',bytes.fromhex('0100000200040000000000000000000000000000'))",
      path,
    );
    const list = "print(sorted((n,os.getxattr(p,n)) for n in os.listxattr(p)))";
    const before = python(list, path);
    const mode = statSync(path).mode;
    expect((await g.write("a.txt", "new\n")).way).toBe("renamed");
    expect(before).toContain("security.capability");
    expect(python(list, path)).toBe(before);
    expect(statSync(path).mode).toBe(mode);
  });

  test("stays one file when it has several hard links, and is written in place", async () => {
    const g = await ground({ "a.txt": "old old old\n" });
    linkSync(join(g.root, "a.txt"), join(g.root, "b.txt"));
    const { ino } = statSync(join(g.root, "a.txt"));
    for (const text of [
      "new\n",
      "longer than it ever was before\n",
      "same length as it was before!!\n",
      "",
    ]) {
      expect((await g.write("a.txt", text)).way).toBe("in place");
      expect(g.text("b.txt")).toBe(text);
      expect(statSync(join(g.root, "a.txt")).ino).toBe(ino);
      expect(leftovers(g)).toEqual([]);
    }
  });

  test("keeps its mode when it is written in place", async () => {
    const g = await ground({ "a.txt": "old\n" });
    linkSync(join(g.root, "a.txt"), join(g.root, "b.txt"));
    chmodSync(join(g.root, "a.txt"), 0o4711);
    await g.write("a.txt", "new\n");
    expect(statSync(join(g.root, "a.txt")).mode & 0o7777).toBe(0o4711);
  });

  test("is written through a link, which stays one", async () => {
    const g = await ground({
      "real/a.txt": "old\n",
      "link.txt": link("real/a.txt"),
      twice: link("link.txt"),
    });
    expect((await g.write("twice", "new\n")).realPath).toBe(join(g.root, "real/a.txt"));
    expect(readlinkSync(join(g.root, "link.txt"))).toBe("real/a.txt");
    expect(lstatSync(join(g.root, "twice")).isSymbolicLink()).toBe(true);
    expect(g.text("real/a.txt")).toBe("new\n");
  });

  test("is refused when it is not what it was", async () => {
    const g = await ground({ "a.txt": "old\n" });
    const change = g.change("a.txt", "new\n", { before: hash("other\n") });
    const fault = await commit([change], g.env).catch((cause: unknown) => cause);
    expect(fault).toMatchObject({ code: "FILE_CHANGED", path: join(g.root, "a.txt") });
    expect(g.text("a.txt")).toBe("old\n");
    expect(leftovers(g)).toEqual([]);
  });

  test("is made executable for those who may read it", async () => {
    const g = await ground({ "a.sh": "old\n", "b.sh": "old\n" });
    chmodSync(join(g.root, "a.sh"), 0o640);
    linkSync(join(g.root, "b.sh"), join(g.root, "c.sh"));
    await g.write("a.sh", "#!/bin/sh\n", { executable: true });
    await g.write("b.sh", "#!/bin/sh\n", { executable: true });
    expect(statSync(join(g.root, "a.sh")).mode & 0o777).toBe(0o750);
    expect(statSync(join(g.root, "b.sh")).mode & 0o111).not.toBe(0);
  });

  test.skipIf(!isRoot || !linux)("is written in place where it is a mount by itself", async () => {
    const g = await ground({ "a.txt": "old\n", "b.txt": "below\n" });
    const [a, b] = [join(g.root, "a.txt"), join(g.root, "b.txt")];
    execFileSync("mount", ["--bind", a, b]);
    onTestFinished(() => void execFileSync("umount", [b]));
    expect((await g.write("b.txt", "new\n")).way).toBe("in place");
    expect(readFileSync(a, "utf8")).toBe("new\n");
    expect(leftovers(g)).toEqual([]);
  });

  test("of ten megabytes comes out whole, by rename and in place", async () => {
    const big = Buffer.alloc(10 << 20, "0123456789abcde\n").toString();
    const g = await ground({ "a.txt": big, "b.txt": big });
    linkSync(join(g.root, "b.txt"), join(g.root, "c.txt"));
    const after = `${big.slice(0, 5_000_000)}inserted\n${big.slice(5_000_000)}`;
    await commit([g.change("a.txt", after), g.change("b.txt", after)], g.env);
    expect([hash(g.text("a.txt")), hash(g.text("c.txt"))]).toEqual([hash(after), hash(after)]);
  });
});

describe("a new file", () => {
  test("gets the mode that the user's mask leaves, and its parents are made", async () => {
    const g = await ground({});
    expect(await g.write("one/two/a.txt", "new\n")).toMatchObject({ created: true, way: "created" });
    expect(g.text("one/two/a.txt")).toBe("new\n");
    const mask = process.umask();
    expect(statSync(join(g.root, "one/two/a.txt")).mode & 0o777).toBe(0o666 & ~mask);
    expect(statSync(join(g.root, "one/two")).mode & 0o777).toBe(0o777 & ~mask);
    expect(statSync(join(g.root, "one/two/a.txt")).nlink).toBe(1);
    expect(leftovers(g)).toEqual([]);
  });

  test("is executable where it is asked to be", async () => {
    const g = await ground({});
    await g.write("a.sh", "#!/bin/sh\n", { executable: true });
    const mode = 0o666 & ~process.umask();
    expect(statSync(join(g.root, "a.sh")).mode & 0o777).toBe(mode | ((mode & 0o444) >> 2));
  });

  test("does not replace one that is there", async () => {
    const g = await ground({ "a.txt": "theirs\n" });
    expect(await codeOf(commit([g.change("a.txt", "new\n", { before: null })], g.env))).toBe("FILE_CHANGED");
    expect(g.text("a.txt")).toBe("theirs\n");
  });

  test("is refused where one was to be changed", async () => {
    const g = await ground({});
    expect(await codeOf(commit([g.change("a.txt", "new\n", { before: hash("") })], g.env))).toBe(
      "FILE_CHANGED",
    );
    expect(readdirSync(g.root)).toEqual([]);
  });

  test("is made where a dangling link inside leads", async () => {
    const g = await ground({ dangling: link("deep/target.txt") });
    expect((await g.write("dangling", "new\n", { before: null })).realPath).toBe(
      join(g.root, "deep/target.txt"),
    );
    expect(g.text("deep/target.txt")).toBe("new\n");
    expect(readlinkSync(join(g.root, "dangling"))).toBe("deep/target.txt");
  });

  test("is refused where a dangling link leads out, and nothing is made", async () => {
    const outside = tree();
    const g = await ground({
      dangling: link(join(outside, "sub/made.txt")),
      away: link(join(outside, "sub")),
    });
    expect(await codeOf(g.write("dangling", "new\n", { before: null }))).toBe("PATH_OUTSIDE");
    expect(await codeOf(g.write("away/made.txt", "new\n", { before: null }))).toBe("PATH_OUTSIDE");
    expect(readdirSync(outside)).toEqual([]);
    expect(leftovers(g)).toEqual([]);
  });

  test("is refused below a denied folder that is not there yet", async () => {
    const g = await ground({});
    const policy = await policyOf(g.root, { deny: ["secret/**"] });
    const change = g.change("secret/a/b.txt", "new\n", { policy });
    expect(await codeOf(commit([change], g.env))).toBe("PATH_DENIED");
    expect(readdirSync(g.root)).toEqual([]);
  });

  test("is refused below a file", async () => {
    const g = await ground({ file: "text\n" });
    expect(await codeOf(g.write("file/a.txt", "new\n", { before: null }))).toBe("NOT_A_FOLDER");
  });

  test("with a name that is too long is WRITE_FAILED and leaves no folder", async () => {
    const g = await ground({});
    expect(await codeOf(g.write(`made/${"x".repeat(300)}`, "new\n", { before: null }))).toBe("WRITE_FAILED");
    expect(readdirSync(g.root)).toEqual([]);
    expect(leftovers(g)).toEqual([]);
  });
});

describe("what is no file", () => {
  test("is refused at once", async () => {
    const g = await ground({ folder: FOLDER });
    execFileSync("mkfifo", [join(g.root, "pipe")]);
    for (const name of ["folder", "pipe"]) {
      const change = g.change("new", "text\n", { path: join(g.root, name), before: hash("") });
      expect(await codeOf(commit([change], g.env))).toBe("NOT_A_FILE");
    }
    expect(leftovers(g)).toEqual([]);
  });
});

describe("several files", () => {
  test("are all written, each in its way", async () => {
    const g = await ground({ "a.txt": "a\n", "b.txt": "b\n" });
    linkSync(join(g.root, "b.txt"), join(g.root, "b2.txt"));
    const changes = [g.change("a.txt", "A\n"), g.change("b.txt", "B\n"), g.change("new/c.txt", "C\n")];
    const written = await commit(changes, g.env);
    expect(written.map(({ way }) => way)).toEqual(["renamed", "in place", "created"]);
    expect(["a.txt", "b2.txt", "new/c.txt"].map(g.text)).toEqual(["A\n", "B\n", "C\n"]);
    expect(leftovers(g)).toEqual([]);
  });

  test("stay as they were when one is not what it was, and made folders go", async () => {
    const g = await ground({ "a.txt": "a\n", "b.txt": "b\n" });
    const changes = [
      g.change("a.txt", "A\n"),
      g.change("new/deep/c.txt", "C\n"),
      g.change("b.txt", "B\n", { before: hash("other") }),
    ];
    expect(await codeOf(commit(changes, g.env))).toBe("FILE_CHANGED");
    expect(readdirSync(g.root).toSorted()).toEqual(["a.txt", "b.txt"]);
    expect([g.text("a.txt"), g.text("b.txt")]).toEqual(["a\n", "b\n"]);
    expect(leftovers(g)).toEqual([]);
  });

  test("are taken back when the last one's place is taken after the commit point", async () => {
    const g = await ground({ "a.txt": "a\n", "b.txt": "b\n", folder: FOLDER });
    linkSync(join(g.root, "b.txt"), join(g.root, "b2.txt"));
    const { ino } = statSync(join(g.root, "a.txt"));
    const changes = [g.change("a.txt", "A\n"), g.change("b.txt", "longer B\n"), g.change("c.txt", "C\n")];
    const racing = commit(changes, g.env);
    // The commit record appears before the first file is touched.
    const journal = join(g.env["QUARRY_CACHE_DIR"] as string, "journal");
    while (!existsSync(journal) || !readdirSync(journal).some((name) => name.endsWith(".intent"))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    writeFileSync(join(g.root, "c.txt"), "theirs\n");
    expect(await codeOf(racing)).toBe("FILE_CHANGED");
    expect(["a.txt", "b2.txt", "c.txt"].map(g.text)).toEqual(["a\n", "b\n", "theirs\n"]);
    expect(statSync(join(g.root, "a.txt")).ino).toBe(ino);
    expect(leftovers(g)).toEqual([]);
  });

  test("are refused when two names lead to one file", async () => {
    const g = await ground({ "a.txt": "a\n", "b.txt": link("a.txt") });
    const changes = [g.change("a.txt", "A\n"), g.change("b.txt", "B\n")];
    expect(await codeOf(commit(changes, g.env))).toBe("INVALID_INPUT");
    expect(g.text("a.txt")).toBe("a\n");
  });

  test("are not begun when the call was aborted, and abort leaves nothing", async () => {
    const g = await ground({ "a.txt": "a\n" });
    const stop = new AbortController();
    const racing = commit([g.change("a.txt", "A\n"), g.change("n/b.txt", "B\n")], g.env, stop.signal);
    stop.abort();
    expect(await codeOf(racing)).toBe("ABORTED");
    expect(readdirSync(g.root)).toEqual(["a.txt"]);
    expect(g.text("a.txt")).toBe("a\n");
    expect(leftovers(g)).toEqual([]);
  });
});

describe("what the disk refuses", () => {
  test.skipIf(!isRoot || !linux)("is WRITE_FAILED on a full disk, and all is old", async () => {
    const g = await ground({ small: FOLDER, "z.txt": "z\n" });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", join(g.root, "small")]);
    onTestFinished(() => void execFileSync("umount", [join(g.root, "small")]));
    writeFileSync(join(g.root, "small/a.txt"), "a\n");
    writeFileSync(join(g.root, "small/b.txt"), "b\n");
    linkSync(join(g.root, "small/b.txt"), join(g.root, "small/b2.txt"));
    const big = "x".repeat(100_000);
    for (const name of ["small/a.txt", "small/b.txt", "small/new/c.txt"]) {
      const changes = [g.change("z.txt", "Z\n"), g.change(name, big)];
      expect(await codeOf(commit(changes, g.env))).toBe("WRITE_FAILED");
      expect(["z.txt", "small/a.txt", "small/b2.txt"].map(g.text)).toEqual(["z\n", "a\n", "b\n"]);
      expect(readdirSync(join(g.root, "small")).toSorted()).toEqual(["a.txt", "b.txt", "b2.txt"]);
      expect(leftovers(g)).toEqual([]);
    }
  });

  test.skipIf(!isRoot || !linux)("is WRITE_FAILED for an immutable file", async () => {
    const g = await ground({ "a.txt": "a\n" });
    const path = join(g.root, "a.txt");
    execFileSync("chattr", ["+i", path]);
    onTestFinished(() => void (existsSync(dirname(path)) && execFileSync("chattr", ["-i", path])));
    const code = await codeOf(g.write("a.txt", "A\n"));
    execFileSync("chattr", ["-i", path]);
    expect(code).toBe("WRITE_FAILED");
    expect(g.text("a.txt")).toBe("a\n");
    expect(leftovers(g)).toEqual([]);
    mkdirSync(join(g.root, "still-usable"));
  });
});

const BUILD = new URL("../../../dist/", import.meta.url);

/** A commit by somebody who is not root, from the build; how it went. */
function asSomebody(root: string, cache: string, name: string, after: string): string {
  const source = `
    const { commit } = await import(${JSON.stringify(new URL("edit/commit/commit.js", BUILD).href)});
    const { createPolicy } = await import(${JSON.stringify(new URL("workspace/policy.js", BUILD).href)});
    const { createHash } = await import("node:crypto");
    const { readFileSync } = await import("node:fs");
    const [root, cache, name, after] = process.argv.slice(1);
    process.setgid(1000); process.setuid(1000);
    const policy = await createPolicy({ root, globs: () => () => false });
    const before = createHash("sha256").update(readFileSync(root + "/" + name)).digest("hex");
    const change = { path: root + "/" + name, policy, before, after: Buffer.from(after) };
    try { console.log((await commit([change], { QUARRY_CACHE_DIR: cache }))[0].way); } catch (cause) { console.log(cause.code); }`;
  const args = ["--input-type=module", "-e", source, root, cache, name, after];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).trim();
}

describe.skipIf(!isRoot || !linux || !existsSync(BUILD))("somebody who is not root", () => {
  test("writes in place what a rename would give another owner, or cannot reach", async () => {
    const g = await ground({
      "own/theirs.txt": "old\n",
      "own/mine.txt": "old\n",
      "shut/a.txt": "old\n",
      "own/no.txt": "old\n",
    });
    const cache = g.env["QUARRY_CACHE_DIR"] as string;
    chmodSync(g.root, 0o755);
    for (const path of [cache, join(g.root, "own"), join(g.root, "own/mine.txt")])
      chownSync(path, 1000, 1000);
    for (const name of ["own/theirs.txt", "shut/a.txt"]) chmodSync(join(g.root, name), 0o666);
    const ways = ["own/mine.txt", "own/theirs.txt", "shut/a.txt", "own/no.txt"].map((name) =>
      asSomebody(g.root, cache, name, "new\n"),
    );
    expect(ways).toEqual(["renamed", "in place", "in place", "WRITE_FAILED"]);
    expect(["own/mine.txt", "own/theirs.txt", "shut/a.txt", "own/no.txt"].map(g.text)).toEqual([
      "new\n",
      "new\n",
      "new\n",
      "old\n",
    ]);
    expect(statSync(join(g.root, "own/theirs.txt")).uid).toBe(0);
    expect(leftovers(g)).toEqual([]);
  });
});
