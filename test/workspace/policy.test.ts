import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FOLDER, link, rawPath, tree } from "../support/tree.ts";
import { codeOf, globs, policyOf } from "./ground.ts";

describe("An input outside the allowed folders (T1)", () => {
  it.each([
    "../ab",
    "../ab/secret",
    "..",
    "../a/../ab/secret",
    "sub/../../ab/secret",
    ".//..//ab//secret",
    "../A/x",
    "/",
    "/etc/passwd",
    "//etc//passwd",
  ])("is refused: %s", async (path) => {
    const parent = tree({ "a/x": "", "a/sub/y": "", "ab/secret": "" });
    const policy = await policyOf(join(parent, "a"));
    expect(await codeOf(policy.check(path))).toBe("PATH_OUTSIDE");
  });

  it("is refused whether or not it exists, with the same words", async () => {
    const parent = tree({ "a/x": "", "ab/secret": "" });
    const policy = await policyOf(join(parent, "a"));
    const there = await policy.check("../ab/secret").catch((error: Error) => error.message);
    const missing = await policy.check("../ab/nothing").catch((error: Error) => error.message);
    expect(there).toBe("../ab/secret is outside the allowed folders");
    expect(missing).toBe("../ab/nothing is outside the allowed folders");
  });

  it("is told by whole components, also for real paths", async () => {
    const parent = tree({ "a/x": "", "ab/x": "" });
    const policy = await policyOf(join(parent, "a"));
    expect(policy.allowsReal(join(parent, "a/x"))).toBe(true);
    expect(policy.allowsReal(join(parent, "a"), "folder")).toBe(true);
    expect(policy.allowsReal(join(parent, "ab/x"))).toBe(false);
    expect(policy.allowsReal(parent, "folder")).toBe(false);
  });

  it("is not let in by another Unicode form of an allowed folder's name", async () => {
    const parent = tree({ "caf\u00e9/x": "", "cafe\u0301/x": "" });
    const policy = await policyOf(join(parent, "caf\u00e9"));
    expect(await codeOf(policy.check("x"))).toBe("none");
    expect(await codeOf(policy.check(join(parent, "cafe\u0301/x")))).toBe("PATH_OUTSIDE");
  });
});

describe("An input inside", () => {
  it("comes back absolute, with its real path and kind", async () => {
    const root = tree({ "src/a.ts": "a", "to-a": link("src/a.ts"), "to-src": link("src") });
    const policy = await policyOf(root);
    expect(await policy.check("to-a")).toEqual({
      path: join(root, "to-a"),
      realPath: join(root, "src/a.ts"),
      kind: "file",
    });
    expect(await policy.check("to-src/")).toMatchObject({ realPath: join(root, "src"), kind: "folder" });
    expect(await policy.check("new/file")).toMatchObject({ realPath: join(root, "new/file"), kind: null });
    expect(await policy.check("src/a.ts/below")).toMatchObject({ kind: null });
  });

  it("may be named through a link from outside, and a root that is a link is fine", async () => {
    const parent = tree({ "real/x": "", root: link("real"), away: link("real/x") });
    const policy = await policyOf(join(parent, "root"));
    expect(await policy.check("x")).toMatchObject({ realPath: join(parent, "real/x") });
    expect(await policy.check(join(parent, "away"))).toMatchObject({ realPath: join(parent, "real/x") });
  });

  it("may lie in any of several allowed folders, and the root itself need not be one", async () => {
    const parent = tree({ "root/x": "", "lib/y": "", "other/z": "" });
    const policy = await policyOf(join(parent, "root"), { allow: ["../lib", join(parent, "other")] });
    expect(await codeOf(policy.check("../lib/y"))).toBe("none");
    expect(await codeOf(policy.check("../other/z"))).toBe("none");
    expect(await codeOf(policy.check("x"))).toBe("PATH_OUTSIDE");
  });

  it("may have a name that is not UTF-8", async () => {
    const root = tree();
    const path = rawPath(root, [0x61, 0xff]);
    writeFileSync(path, "x");
    expect(await (await policyOf(root)).check(path)).toMatchObject({ kind: "file" });
    const outside = rawPath(tree(), [0x61, 0xff]);
    expect(await codeOf((await policyOf(root)).check(outside))).toBe("PATH_OUTSIDE");
  });
});

describe("A link that leads outside (T2)", () => {
  it.each(["link", "a/link", "a/b/link"])("is refused as an input: %s", async (name) => {
    const out = tree({ "secret/x": "" });
    const root = tree({ "a/b/c": "" });
    symlinkSync(join(out, "secret"), join(root, name));
    const policy = await policyOf(root);
    expect(await codeOf(policy.check(name))).toBe("PATH_OUTSIDE");
    expect(await codeOf(policy.check(`${name}/x`))).toBe("PATH_OUTSIDE");
    expect(await codeOf(policy.check(`${name}/missing`))).toBe("PATH_OUTSIDE");
    expect(policy.sieve("followed")(`${name}/x`)).toBe("outside");
    expect(policy.sieve("not followed")(`${name}/x`)).toBe("outside");
  });

  it("is refused through a chain of links, and back inside it is allowed", async () => {
    const parent = tree({ "root/in": "", "out/back": link("../root/in"), "out/x": "" });
    symlinkSync("../out", join(parent, "root/one"));
    symlinkSync("one/x", join(parent, "root/two"));
    const policy = await policyOf(join(parent, "root"));
    expect(await codeOf(policy.check("two"))).toBe("PATH_OUTSIDE");
    expect(await policy.check("one/back")).toMatchObject({ realPath: join(parent, "root/in") });
  });
});

describe("A path that is not there (T3)", () => {
  it("is judged by its nearest existing ancestor, links resolved", async () => {
    const out = tree({ folder: FOLDER });
    const root = tree({ "in/x": "", "to-in": link("in") });
    symlinkSync(join(out, "folder"), join(root, "away"));
    const policy = await policyOf(root);
    expect(await codeOf(policy.check("away/new/file"))).toBe("PATH_OUTSIDE");
    expect(await policy.check("to-in/new/file")).toMatchObject({
      realPath: join(root, "in/new/file"),
      kind: null,
    });
  });

  it("is refused when it is a dangling link to the outside, directly or by steps", async () => {
    const out = tree();
    const root = tree({ sub: FOLDER, up: link("sub/../..") });
    symlinkSync(join(out, "new"), join(root, "dangling"));
    symlinkSync("../dangling", join(root, "sub/second"));
    symlinkSync("../../elsewhere/new", join(root, "sub/relative"));
    const policy = await policyOf(root);
    for (const path of ["dangling", "dangling/below", "sub/second", "sub/relative", "up/x-quarry"]) {
      expect(await codeOf(policy.check(path))).toBe("PATH_OUTSIDE");
    }
  });

  it("is followed through a dangling link that stays inside", async () => {
    const root = tree({ sub: FOLDER, dangling: link("sub/new") });
    expect(await (await policyOf(root)).check("dangling")).toMatchObject({
      realPath: join(root, "sub/new"),
      kind: null,
    });
  });

  it("is an error of its own when links lead in a circle", async () => {
    const root = tree({ a: link("b"), b: link("a") });
    expect(await codeOf((await policyOf(root)).check("a"))).toBe("PATH_UNREADABLE");
  });
});

describe("A denied path", () => {
  it.each([
    ["secrets", "secrets/key"],
    ["secrets/", "secrets/deep/key"],
    ["secrets/**", "secrets/key"],
    ["*.pem", "deep/down/key.pem"],
    ["**/.env", ".env"],
    ["/top.txt", "top.txt"],
    ["deep/*/x", "deep/down/x"],
  ])("is refused as an input and named: %s denies %s", async (glob, path) => {
    const root = tree({ [path]: "", "fine.txt": "" });
    const policy = await policyOf(root, { deny: ["nothing", glob] });
    const error = await policy.check(path).catch((cause: Error) => cause);
    expect(error).toMatchObject({
      code: "PATH_DENIED",
      message: `${path} may not be read: denied by ${glob}`,
    });
    expect(policy.allowsReal(join(root, path))).toBe(false);
    expect(policy.sieve("not followed")(path)).toBe("denied");
    expect(policy.sieve("followed")(path)).toBe("denied");
    expect(policy.sieve("not followed")("fine.txt")).toBe("allowed");
  });

  it("is refused although its folder is allowed, and where it is not there yet", async () => {
    const root = tree({ "src/x": "" });
    const policy = await policyOf(root, { allow: [".", "src"], deny: ["*.key"] });
    expect(await codeOf(policy.check("src/new.key"))).toBe("PATH_DENIED");
  });

  it("is matched below every allowed folder", async () => {
    const parent = tree({ "root/x": "", "lib/secrets/y": "" });
    const policy = await policyOf(join(parent, "root"), { allow: [".", "../lib"], deny: ["/secrets"] });
    expect(await codeOf(policy.check("../lib/secrets/y"))).toBe("PATH_DENIED");
    expect(policy.sieve("not followed")(join(parent, "lib/secrets/y"))).toBe("denied");
  });

  it("is not reached through a link, and a denied link is not entered", async () => {
    const root = tree({
      "secrets/key": "",
      open: link("secrets"),
      file: link("secrets/key"),
      "src/x": "",
      pub: link("src"),
    });
    const policy = await policyOf(root, { deny: ["secrets", "pub"] });
    for (const path of ["open", "open/key", "file", "pub", "pub/x"]) {
      expect(await codeOf(policy.check(path))).toBe("PATH_DENIED");
    }
    for (const path of ["open/key", "file", "pub/x"]) expect(policy.sieve("followed")(path)).toBe("denied");
    for (const path of ["open/key", "pub/x"]) expect(policy.sieve("not followed")(path)).toBe("denied");
    expect(await codeOf(policy.check("src/x"))).toBe("none");
  });

  it("is told in composed and decomposed letters alike", async () => {
    const root = tree({ "caf\u00e9.key": "", "cafe\u0301.key": "" });
    for (const glob of ["caf\u00e9.key", "cafe\u0301.key"]) {
      const policy = await policyOf(root, { deny: [glob] });
      expect(await codeOf(policy.check("caf\u00e9.key"))).toBe("PATH_DENIED");
      expect(await codeOf(policy.check("cafe\u0301.key"))).toBe("PATH_DENIED");
    }
  });

  it("is told in any case where the file system does not tell case, and only there", async () => {
    const root = tree({ sub: FOLDER });
    const strict = await policyOf(root, { deny: ["Secret.KEY"], platform: "linux" });
    expect(await codeOf(strict.check("secret.key"))).toBe("none");
    // An empty folder cannot be asked, so the platform is.
    const loose = await policyOf(join(root, "sub"), { deny: ["Secret.KEY"], platform: "darwin" });
    expect(await codeOf(loose.check("secret.key"))).toBe("PATH_DENIED");
    expect(await codeOf(loose.check("\u017fECRET.\u212aEY"))).toBe("PATH_DENIED");
    expect(await codeOf(loose.check("other"))).toBe("none");
  });

  it("that only folders can match does not hide a file of that name", async () => {
    const root = tree({ "build/x": "", "src/build": "" });
    const policy = await policyOf(root, { deny: ["build/"] });
    expect(await codeOf(policy.check("build"))).toBe("PATH_DENIED");
    expect(await codeOf(policy.check("build/x"))).toBe("PATH_DENIED");
    expect(await codeOf(policy.check("src/build"))).toBe("none");
  });
});

describe("A withheld folder", () => {
  it("is no part of the ground, as an input or in a walk", async () => {
    const root = tree({ "cache/quarry/x": "", "cache/other": "" });
    const policy = await policyOf(root, { withhold: [join(root, "cache/quarry")] });
    expect(await codeOf(policy.check("cache/quarry/x"))).toBe("PATH_DENIED");
    expect(policy.sieve("not followed")("cache/quarry", "folder")).toBe("denied");
    expect(policy.sieve("not followed")("cache/quarry/x")).toBe("denied");
    expect(policy.sieve("not followed")("cache/other")).toBe("allowed");
  });
});

describe("A sieve", () => {
  it("takes the allowed folders themselves, with or without a slash", async () => {
    const root = tree({ "src/x": "" });
    const sieve = (await policyOf(root)).sieve("not followed");
    expect(sieve(".", "folder")).toBe("allowed");
    expect(sieve("src/", "folder")).toBe("allowed");
    expect(sieve("..", "folder")).toBe("outside");
  });

  it("judges every file of a walk of 40,000", async () => {
    const root = tree();
    for (let folder = 0; folder < 200; folder += 1) mkdirSync(join(root, `d${folder}`));
    const sieve = (await policyOf(root, { deny: ["**/.env", "secrets/", "*.pem"] })).sieve("not followed");
    const verdicts = Array.from({ length: 40_000 }, (_, file) =>
      sieve(`d${file % 200}/${file % 100}.pem`.slice(0, file % 2 ? undefined : -4)),
    );
    expect(verdicts.filter((verdict) => verdict === "denied")).toHaveLength(20_000);
    expect(verdicts.filter((verdict) => verdict === "allowed")).toHaveLength(20_000);
  });

  it("takes names that are not UTF-8", async () => {
    const root = tree({ "secrets/x": "" });
    const sieve = (await policyOf(root, { deny: ["secrets"] })).sieve("not followed");
    expect(sieve(rawPath(root, [0xff]))).toBe("allowed");
    expect(sieve(rawPath(join(root, "secrets"), [0xff]))).toBe("denied");
  });
});

describe("A policy", () => {
  it("wants its allowed folders to be there", async () => {
    const root = tree({ file: "" });
    expect(await codeOf(policyOf(root, { allow: ["missing"] }))).toBe("PATH_NOT_FOUND");
    expect(await codeOf(policyOf(root, { allow: ["file"] }))).toBe("NOT_A_FOLDER");
  });

  it("says at once when a deny glob does not parse", async () => {
    expect(await codeOf(policyOf(tree(), { deny: ["a["] }))).toBe("INVALID_GLOB");
    expect(globs(["*.ts"])("a.ts", "file")).toBe(true);
  });

  it("sees a link that is made after it", async () => {
    const out = tree({ x: "" });
    const root = tree({ "a/x": "" });
    const policy = await policyOf(root);
    expect(await codeOf(policy.check("a/x"))).toBe("none");
    renameSync(join(root, "a"), join(root, "b"));
    await fs.symlink(out, join(root, "a"));
    expect(await codeOf(policy.check("a/x"))).toBe("PATH_OUTSIDE");
  });
});
