import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commit } from "../../../src/edit/commit/commit.ts";
import { link, tree } from "../../support/tree.ts";
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

/** As fast as it goes: the folder itself for a link that leads out, or a link that leads in for one that leads out. */
const SWAPS = {
  folder: `for (;;) { fs.renameSync("inner", "spare/real"); fs.renameSync("spare/link", "inner");
                      fs.renameSync("inner", "spare/link"); fs.renameSync("spare/real", "inner"); }`,
  link: `fs.renameSync("inner", "real");
         for (;;) for (const target of ["real", outside]) { fs.symlinkSync(target, "next"); fs.renameSync("next", "inner"); }`,
};

describe.skipIf(process.platform !== "linux")("a folder that is swapped for a link that leads out", () => {
  test.each(["folder", "link"] as const)("never lets a write through: the %s is swapped", async (kind) => {
    const outside = tree({ "a.txt": "text\n" });
    // A file that is made, renamed or removed in it changes the folder's time, also when it is gone again.
    const signs = (): unknown[] =>
      [".", "a.txt"].map((name) => {
        const { ino, mtimeNs, ctimeNs } = statSync(join(outside, name), { bigint: true });
        return { ino, mtimeNs, ctimeNs };
      });
    const before = signs();
    const g = await ground({ "inner/a.txt": "text\n", "spare/link": link(outside) });
    const source = `const fs = require("node:fs"); const outside = ${JSON.stringify(outside)};
      process.chdir(${JSON.stringify(g.root)}); console.log("go"); ${SWAPS[kind]}`;
    const swapper = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void swapper.kill("SIGKILL"));
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const codes = new Map<string, number>();
    // On a busy machine all of the first rounds may meet the folder in one state.
    const end = performance.now() + PATIENCE;
    const raced = (): boolean => codes.has("none") && codes.size > 1;
    for (let round = 0; round < ROUNDS || (!raced() && performance.now() < end); round++) {
      // While the folder is away a new file would make it again, and end the race.
      const fresh = kind === "link" && round % 2 === 1;
      const path = join(g.root, "inner", fresh ? `new/n${round}.txt` : "a.txt");
      const change = {
        path,
        policy: g.policy,
        before: fresh ? null : hash("text\n"),
        after: Buffer.from("text\n"),
      };
      const code = await codeOf(commit([change], g.env));
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(swapper.exitCode).toBe(null);
    swapper.kill("SIGKILL");
    expect(signs()).toEqual(before);
    // The race was one: some came through, and some were refused.
    expect(raced()).toBe(true);
    expect(
      [...codes.keys()].filter((code) => !/^(?:none|PATH_|FILE_CHANGED|NOT_A_|WRITE_FAILED)/.test(code)),
    ).toEqual([]);
    expect(leftovers(g)).toEqual([]);
  });
});

const ROUNDS = 300;
const PATIENCE = 30_000;
