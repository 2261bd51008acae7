/** Folders that the process may not read or enter, which only another user than root meets. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tree } from "../support/tree.ts";
import { feedProcess } from "./feed-process.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  "a folder that was closed is told in full when it opens, and heard from then on",
  async () => {
    const root = tree({ "open/file": "x", "shut/inner/file": "x" });
    chmodSync(root, 0o755);
    chmodSync(join(root, "shut"), 0o000);
    const { look } = await feedProcess(root, NOBODY);
    expect(await look()).toEqual({ touched: [], lost: null, unreadable: 1, hears: false });
    chmodSync(join(root, "shut"), 0o755);
    const opened = await look();
    expect(opened).toMatchObject({ lost: null, unreadable: 0, hears: true });
    expect(opened.touched).toEqual(expect.arrayContaining(["shut", "shut/inner", "shut/inner/file"]));
    writeFileSync(join(root, "shut/inner/file"), "y");
    expect((await look()).touched).toEqual(["shut/inner/file"]);
  },
);

test.skipIf(!isRoot)("folders that come where names can be read and nothing entered", async () => {
  const root = tree({ "half/inner/file": "x" });
  chmodSync(root, 0o755);
  chmodSync(join(root, "half"), 0o744);
  const { look } = await feedProcess(root, NOBODY);
  mkdirSync(join(root, "half/new"));
  writeFileSync(join(root, "half/new/file"), "x");
  expect((await look()).touched).toEqual(["half/new"]);
  chmodSync(join(root, "half"), 0o755);
  const opened = await look();
  expect(opened).toMatchObject({ lost: null, unreadable: 0, hears: true });
  expect(opened.touched).toEqual(expect.arrayContaining(["half/inner/file", "half/new/file"]));
  writeFileSync(join(root, "half/new/file"), "y");
  writeFileSync(join(root, "half/inner/file"), "y");
  expect((await look()).touched).toEqual(expect.arrayContaining(["half/new/file", "half/inner/file"]));
});
