import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commit } from "../../../src/edit/commit/commit.ts";
import { tree } from "../../support/tree.ts";
import { codeOf } from "../../workspace/ground.ts";
import { ground, hash, leftovers } from "./ground.ts";
import { race } from "./races.ts";

describe.skipIf(process.platform !== "linux")("an outside writer", () => {
  test("that appends loses nothing", async () => {
    const g = await ground({});
    const raced = await race(g, "appends", 60);
    expect(raced.lost).toBe(0);
    expect(raced.written).toBeGreaterThan(10);
    expect(raced.refused).toBeLessThan(raced.edits);
    expect(leftovers(g)).toEqual([]);
  });

  test("that replaces the file loses nothing in silence", async () => {
    const g = await ground({});
    const raced = await race(g, "replaces", 60);
    expect(raced.lost).toBeLessThanOrEqual(raced.told);
    expect(raced.refused).toBeLessThan(raced.edits);
    expect(raced.written).toBeGreaterThan(10);
    expect(leftovers(g)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("a folder that is swapped for a link that leads out", () => {
  test("never lets a write through", async () => {
    const outside = tree({ "a.txt": "outside\n", "b.txt": "outside\n" });
    const g = await ground({});
    for (const name of ["inner", "spare"]) mkdirSync(join(g.root, name));
    for (const name of ["inner/a.txt", "inner/b.txt"]) writeFileSync(join(g.root, name), "outside\n");
    symlinkSync(outside, join(g.root, "spare/link"));
    // inner ⇄ spare/link, as fast as it goes.
    const swapper = spawn(process.execPath, [
      "-e",
      `const fs = require("node:fs"); process.chdir(${JSON.stringify(g.root)}); console.log("go");
       for (;;) { fs.renameSync("inner", "spare/real"); fs.renameSync("spare/link", "inner");
                  fs.renameSync("inner", "spare/link"); fs.renameSync("spare/real", "inner"); }`,
    ]);
    onTestFinished(() => void swapper.kill("SIGKILL"));
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const codes = new Map<string, number>();
    for (let round = 0; round < 400; round++) {
      const path = join(g.root, "inner", round % 2 === 0 ? "a.txt" : `new/n${round}.txt`);
      const before = round % 2 === 0 ? hash("outside\n") : null;
      const code = await codeOf(
        commit([{ path, policy: g.policy, before, after: Buffer.from("outside\n") }], g.env),
      );
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    swapper.kill("SIGKILL");
    expect(readdirSync(outside).toSorted()).toEqual(["a.txt", "b.txt"]);
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("outside\n");
    // The race was one: some came through, and some were refused.
    expect(codes.get("none") ?? 0).toBeGreaterThan(0);
    expect(codes.size).toBeGreaterThan(1);
    expect(
      [...codes.keys()].filter((code) => !/^(?:none|PATH_|FILE_CHANGED|NOT_A_|WRITE_FAILED)/.test(code)),
    ).toEqual([]);
    expect(leftovers(g)).toEqual([]);
  });
});
