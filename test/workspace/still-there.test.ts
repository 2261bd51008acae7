import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isStillThere, stillThere } from "../../src/workspace/still-there.ts";
import { link, tree } from "../support/tree.ts";
import { policyOf } from "./ground.ts";

describe("What a walk found", () => {
  it("is there by where its folder and itself are now", async () => {
    const outside = tree({ "o.txt": "x", "sub/o.txt": "x" });
    const root = tree({
      "a/f.txt": "x",
      "a/secret/k.txt": "x",
      "a/k.pem": "x",
      in: link("a"),
      out: link(outside),
      "a/up": link("../a"),
      "a/leak": link(join(outside, "o.txt")),
      "a/gone": link("nothing"),
    });
    const policy = await policyOf(root, { deny: ["a/secret", "*.pem"] });
    const expected = {
      "a/f.txt": true,
      "in/f.txt": true,
      a: true,
      in: true,
      "a/up": true,
      "a/up/up/f.txt": true,
      "a/none.txt": false,
      "in/o.txt": false,
      out: false,
      "out/o.txt": false,
      "out/sub/o.txt": false,
      "out/none.txt": false,
      "a/leak": false,
      "a/gone": false,
      "a/secret": false,
      "a/secret/k.txt": false,
      "in/secret/k.txt": false,
      "a/k.pem": false,
      "nowhere/f.txt": false,
      "a/f.txt/f.txt": false,
    };
    const paths = Object.keys(expected).map((path) => join(root, path));
    expect(await stillThere(policy, paths)).toEqual(Object.values(expected));
    expect(paths.map((path) => isStillThere(policy, path))).toEqual(Object.values(expected));
    const bytes = paths.map((path) => Buffer.from(path));
    expect(await stillThere(policy, bytes)).toEqual(Object.values(expected));
  });

  it("follows a link that is turned between two looks", async () => {
    const outside = tree({ "o.txt": "x" });
    const root = tree({ "a/f.txt": "x", d: link("a") });
    const policy = await policyOf(root);
    const paths = [join(root, "d/f.txt"), join(root, "d/o.txt")];
    expect(await stillThere(policy, paths)).toEqual([true, false]);
    rmSync(join(root, "d"));
    symlinkSync(outside, join(root, "d"));
    expect(await stillThere(policy, paths)).toEqual([false, false]);
  });

  it.runIf(process.platform === "linux")("may have a name that is not UTF-8", async () => {
    const root = tree({});
    const policy = await policyOf(root);
    const folder = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]);
    const file = Buffer.concat([folder, Buffer.from("/"), Buffer.from([0xfd])]);
    mkdirSync(folder);
    writeFileSync(file, "x");
    const other = Buffer.concat([folder, Buffer.from("/"), Buffer.from([0xfc])]);
    expect(await stillThere(policy, [file, other, folder])).toEqual([true, false, true]);
  });
});
