import { join } from "node:path";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Elsewhere, lookElsewhere } from "../../src/tools/missing-path.ts";
import { openSession, type SessionOptions } from "../../src/workspace/session.ts";
import { cacheEnv } from "../dialects/workspaces.ts";
import { type Files, FOLDER, link, rawPath, tree } from "../support/tree.ts";
import { codeOf, globs } from "../workspace/ground.ts";

async function look(
  root: string,
  path: string,
  options: Partial<SessionOptions> = {},
  signal?: AbortSignal,
): Promise<Elsewhere> {
  const session = await openSession({ root, globs, env: cacheEnv(), ...options });
  onTestFinished(() => session.close());
  return lookElsewhere(session, path, { env: process.env, signal });
}

const unique = (path: string): Elsewhere => ({ kind: "unique", path });
const near = (...names: string[]): Elsewhere => ({ kind: "near", names });

const CODE: Files = {
  "src/tools/read.ts": "",
  "src/tools/find.ts": "",
  "src/regex/read.ts": "",
  "lib/tools/find.ts": "",
  "docs/Guide.md": "",
};

describe("A path that is not there", () => {
  it("is the one file or folder whose path ends with it", async () => {
    const root = tree(CODE);
    expect(await look(root, "tools/read.ts")).toEqual(unique("src/tools/read.ts"));
    expect(await look(root, "./tools/read.ts")).toEqual(unique("src/tools/read.ts"));
    expect(await look(root, "tools/../tools/./read.ts")).toEqual(unique("src/tools/read.ts"));
    expect(await look(root, "../tools/read.ts")).toEqual(unique("src/tools/read.ts"));
    expect(await look(root, join(root, "tools/read.ts"))).toEqual(unique("src/tools/read.ts"));
    expect(await look(root, "/tools/read.ts")).toEqual(unique("src/tools/read.ts"));
    expect(await look(root, "regex")).toEqual(unique("src/regex"));
    expect(await look(root, "regex/")).toEqual(unique("src/regex"));
  });

  it("is none of several, and they are offered", async () => {
    const root = tree({ ...CODE, "find.tsx": "" });
    expect(await look(root, "tools/find.ts")).toEqual(
      near("lib/tools/find.ts", "src/tools/find.ts", "find.tsx"),
    );
    expect(await look(root, "tools/")).toEqual(near("lib/tools/", "src/tools/"));
  });

  it("is not shortened: its end alone is only offered", async () => {
    const root = tree(CODE);
    expect(await look(root, "app/tools/read.ts")).toMatchObject({ kind: "near" });
    expect(await look(root, "app/tools/read.ts")).toHaveProperty("names.0", "src/tools/read.ts");
    expect(await look(root, "ools/read.ts")).toMatchObject({ kind: "near" });
  });

  it("in other letters is only offered", async () => {
    expect(await look(tree(CODE), "guide.md")).toEqual(near("docs/Guide.md"));
    expect(await look(tree(CODE), "DOCS/Guide.md")).toEqual(near("docs/Guide.md"));
  });

  it("gets the names that are nearest by their letters and their folders", async () => {
    const root = tree({ ...CODE, "lib/raed.ts": "", "src/tools/quite-another.ts": "" });
    expect(await look(root, "src/tool/read.ts")).toHaveProperty("names.0", "src/tools/read.ts");
    expect(await look(root, "src/tools/raed.ts")).toEqual(
      near("src/tools/read.ts", "lib/raed.ts", "src/regex/read.ts"),
    );
    expect(await look(root, "src/tools/quite")).toEqual(near("src/tools/quite-another.ts"));
    expect(await look(root, "nothing-like-it.zig")).toEqual(near());
    expect(await look(root, "src/tols/")).toHaveProperty("names.0", "src/tools/");
    expect(await look(root, "..")).toEqual(near());
  });

  it("is the name in its folder that other systems would write so, ignored or not", async () => {
    const shot = "Screenshot 2026-11-16 at 2.35.10\u202fPM.txt";
    const root = tree({
      "in/gru\u0308n.md": "",
      "in/it\u2019s.md": "",
      [`in/${shot}`]: "",
      ".ignore": "*.md\n",
    });
    expect(await look(root, "in/gr\u00fcn.md")).toEqual(unique("in/gru\u0308n.md"));
    expect(await look(root, "in/it's.md")).toEqual(unique("in/it\u2019s.md"));
    expect(await look(root, `in/${shot.replace("\u202f", " ")}`)).toEqual(unique(`in/${shot}`));
    const both = tree({ "it\u2019s": "", "it\u2018s": "" });
    expect(await look(both, "it's")).toMatchObject({ kind: "near" });
  });
});

describe("What is looked at for it", () => {
  it("is neither ignored nor version control nor behind a link", async () => {
    const outside = tree({ "far/away.ts": "" });
    const root = tree({
      ".git/hooks/away.ts": "",
      ".gitignore": "dist\n",
      "dist/away.ts": "",
      out: link(join(outside, "far")),
    });
    expect(await look(root, "x/away.ts")).toEqual(near());
    expect(await look(root, "away.ts")).toEqual(near());
  });

  it("is nothing that the policy denies: not used, not named, not counted", async () => {
    const root = tree({ "a/key.ts": "", "b/key.ts": "", "secret/keys.ts": "", "in/it\u2019s": "" });
    expect(await look(root, "key.ts", { deny: ["b"] })).toEqual(unique("a/key.ts"));
    expect(await look(root, "keys.ts", { deny: ["secret"] })).toEqual(near("a/key.ts", "b/key.ts"));
    expect(await look(root, "secret/", { deny: ["secret"] })).toEqual(near());
    expect(await look(root, "in/it's", { deny: ["it*"] })).toEqual(near());
    expect(await look(root, "key.ts", { allow: ["a"] })).toEqual(unique("a/key.ts"));
    const deep = tree({ "a/sub/deep.ts": "", "b/deep.ts": "" });
    expect(await look(deep, "deep.ts", { allow: ["a", "a/sub"] })).toEqual(unique("a/sub/deep.ts"));
  });

  it("is nothing of our own cache, which no glob names", async () => {
    const root = tree({ "cache/kept.ts": "", "src/other.ts": "" });
    const env = { ...process.env, QUARRY_CACHE_DIR: join(root, "cache") };
    expect(await look(root, "kept.ts", { env })).toEqual(near());
    expect(await look(root, "kept.ts")).toEqual(unique("cache/kept.ts"));
  });

  it("may hold names that are not UTF-8, which are not offered", async () => {
    const root = tree({ d: FOLDER });
    mkdirSync(rawPath(root, [0x64, 0xff]));
    writeFileSync(Buffer.concat([rawPath(root, [0x64, 0xff]), Buffer.from("/name.ts")]), "");
    expect(await look(root, "name.ts")).toEqual(near());
  });

  it("ends with the caller's signal", async () => {
    expect(await codeOf(look(tree(CODE), "x", {}, AbortSignal.abort()))).toBe("ABORTED");
  });
});
