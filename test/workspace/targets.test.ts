import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Target } from "../../src/model/query.ts";
import { below, onDisk, resolveRoot, resolveTargets } from "../../src/workspace/targets.ts";
import { FOLDER, link, tree } from "../support/tree.ts";

async function targets(root: string, ...paths: readonly string[]): Promise<readonly Target[]> {
  return (await resolveTargets(root, paths)).targets;
}

const file = (path: string): Target => ({ path, kind: "file", glob: null });
const folder = (path: string, glob: string | null = null): Target => ({ path, kind: "folder", glob });

describe("a path that exists", () => {
  it.each([
    "[id]",
    "{x}",
    "{a,b}",
    "a b",
    " a ",
    "it's",
    'say "x"',
    "-n",
    "--pre",
    "*",
    "?",
    "**",
    "a\\b",
    "a\nb",
    "!x",
    "#x",
  ])("is a path, not a glob: %j", async (name) => {
    const root = tree({ [name]: "", [`in/${name}/x`]: "", other: "" });
    expect(await targets(root, name, `in/${name}`)).toEqual([file(name), folder(`in/${name}`)]);
  });

  it("is shown relative to the root inside it, and absolute outside", async () => {
    const root = tree({ "r/a/b": "", "ra/x": "", "r/..x/y": "" });
    const inside = join(root, "r");
    expect(
      await targets(inside, join(inside, "a/b"), ".", "./a/", "a/../a//b", "..x/y", "../ra/x", ".."),
    ).toEqual([file("a/b"), folder("."), folder("a"), file("..x/y"), file(join(root, "ra/x")), folder(root)]);
  });

  it("counts once however often it is named", async () => {
    const root = tree({ a: "" });
    expect(await targets(root, "a", "./a", join(root, "a"))).toEqual([file("a")]);
  });

  it("may be a link to a file or a folder", async () => {
    const root = tree({ "d/f": "", l: link("d"), k: link("d/f") });
    expect(await targets(root, "l", "k")).toEqual([folder("l"), file("k")]);
  });
});

describe("a glob", () => {
  it("means any depth when it is bare, and one folder when it names one", async () => {
    const root = tree({ "src/a.ts": "" });
    expect(await targets(root, "*.ts", "src/*.ts", "./*.ts", "src/**/*.ts", "**/a.ts")).toEqual([
      folder(".", "*.ts"),
      folder("src", "/*.ts"),
      folder(".", "/*.ts"),
      folder("src", "**/*.ts"),
      folder(".", "**/a.ts"),
    ]);
  });

  it("starts behind the last folder that is there by its name", async () => {
    const root = tree({ "app/[id]/page.tsx": "", "app/{x}/[[...s]]/p.tsx": "" });
    expect(
      await targets(root, "app/[id]/*.tsx", "app/{x}/[[...s]]/*", "app/[x]/*.tsx", join(root, "app/*/*")),
    ).toEqual([
      folder("app/[id]", "/*.tsx"),
      folder("app/{x}/[[...s]]", "/*"),
      folder("app", "[x]/*.tsx"),
      folder("app", "*/*"),
    ]);
  });

  it("below a folder that is missing is missing, and below a file is a mistake that is told", async () => {
    const root = tree({ a: "" });
    await expect(targets(root, "nowhere/*.ts")).rejects.toMatchObject({
      code: "PATH_NOT_FOUND",
      message: expect.stringContaining("nowhere/*.ts") as string,
    });
    await expect(targets(root, "a/*")).rejects.toMatchObject({
      code: "NOT_A_FOLDER",
      message: expect.stringContaining("a is no folder") as string,
    });
  });
});

describe("a path that cannot be searched", () => {
  it("is an error that names it", async () => {
    const root = tree({ gone: link("nowhere") });
    for (const path of ["missing", "missing/too", "gone"]) {
      await expect(targets(root, path)).rejects.toMatchObject({
        name: "ToolError",
        code: "PATH_NOT_FOUND",
        message: expect.stringContaining(path) as string,
      });
    }
  });

  it("is skipped and listed among others", async () => {
    const root = tree({ a: "" });
    const { targets, notices } = await resolveTargets(root, ["missing", "a", "gone"]);
    expect(targets).toEqual([file("a")]);
    expect(notices.map(({ code, message }) => [code, /missing|gone/.exec(message)?.[0]])).toEqual([
      ["PATH_SKIPPED", "missing"],
      ["PATH_SKIPPED", "gone"],
    ]);
  });

  it("is an error that names all where all are missing", async () => {
    const error = targets(tree(), "one", "two");
    await expect(error).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
    await expect(error).rejects.toThrow(/one.*two/);
  });

  it("is an error at once where it is a pipe, a socket or a device", async () => {
    const root = tree({ a: "" });
    expect(spawnSync("mkfifo", [join(root, "pipe")]).status).toBe(0);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    onTestFinished(() => void server.close());
    for (const path of ["pipe", "socket", "/dev/null", "/dev/zero"]) {
      await expect(targets(root, path)).rejects.toMatchObject({
        code: "PATH_UNREADABLE",
        message: expect.stringContaining(path) as string,
      });
    }
    const { targets: left, notices } = await resolveTargets(root, ["pipe", "a"]);
    expect([left, notices.length]).toEqual([[file("a")], 1]);
  });

  it("is unreadable, not missing, where a folder on the way may not be entered", async () => {
    const root = tree({ "shut/d/x": "" });
    chmodSync(root, 0o755);
    chmodSync(join(root, "shut"), 0o000);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      for (const path of ["shut/d/x", "shut/d", "shut/d/*.ts"]) {
        await expect(targets(root, path)).rejects.toMatchObject({
          code: "PATH_UNREADABLE",
          message: expect.stringContaining(path) as string,
        });
      }
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(root, "shut"), 0o755);
    }
  });

  it("is refused when it is empty or holds a NUL, be it among others", async () => {
    const root = tree({ a: "" });
    for (const path of ["", "a\0b"]) {
      await expect(targets(root, path)).rejects.toMatchObject({ code: "INVALID_INPUT" });
      await expect(targets(root, "a", path)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });
});

describe("the root of the file system", () => {
  it("is refused however it is named", async () => {
    const root = tree({ l: link("/"), "d/x": "" });
    const up = "../".repeat(root.split("/").length + 2);
    for (const path of [
      "/",
      "//",
      "/.",
      "/etc/..",
      up,
      "l",
      "l/.",
      "d/../l",
      "/*.ts",
      "/*",
      `${up}*.ts`,
      "l/*.ts",
      "l/e*/x",
      "/**",
    ]) {
      const error = await targets(root, path).then(
        () => null,
        (error: unknown) => error,
      );
      expect([path, error]).toEqual([path, expect.objectContaining({ code: "ROOT_REFUSED" })]);
    }
    await expect(targets(root, "d", "/")).rejects.toMatchObject({ code: "ROOT_REFUSED" });
    await expect(targets("/", ".")).rejects.toMatchObject({ code: "ROOT_REFUSED" });
    await expect(targets("/", "*.ts")).rejects.toMatchObject({ code: "ROOT_REFUSED" });
  });

  it("may be what other paths are relative to", async () => {
    const root = tree({ a: "" });
    expect(await targets("/", root)).toEqual([folder(root.slice(1))]);
  });
});

describe("the root of a call", () => {
  it("is an absolute folder that is there", async () => {
    const root = tree({ d: FOLDER, f: "" });
    expect(await resolveRoot(`${root}/d/../d/`)).toBe(join(root, "d"));
    await expect(resolveRoot(join(root, "x"))).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
    await expect(resolveRoot(join(root, "f"))).rejects.toMatchObject({ code: "NOT_A_FOLDER" });
  });
});

describe("a path of an answer", () => {
  it("lies below a target by whole names", () => {
    expect(["a/b/c", "a/b", "a/bc", "a", "/a/b/c"].map((path) => below(folder("a/b"), path))).toEqual([
      "c",
      "",
      null,
      null,
      null,
    ]);
    expect(["a", "/a"].map((path) => below(folder("."), path))).toEqual(["a", null]);
  });

  it("is on disk below the root, or where it says, with its own bytes", () => {
    expect([onDisk("/r", "a"), onDisk("/r", "/a")]).toEqual(["/r/a", "/a"]);
    const raw = (bytes: readonly number[]): string => Buffer.from(bytes).toString("base64");
    expect(onDisk("/r", "�", raw([0xff]))).toEqual(Buffer.from([0x2f, 0x72, 0x2f, 0xff]));
    expect(onDisk("/r", "/�", raw([0x2f, 0xff]))).toEqual(Buffer.from([0x2f, 0xff]));
  });
});
