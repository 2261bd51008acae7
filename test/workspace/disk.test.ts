/** Which paths may be asked about without giving up the turn: none behind a link, where there may be any disk. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { leadsOverLink } from "../../src/workspace/disk.ts";
import { plant } from "../support/tree.ts";

it("A path leads over a link where one of its folders is one, or it is one itself", () => {
  const { root, remove } = plant({ "a/b/c.txt": "x\n" });
  onTestFinished(remove);
  mkdirSync(join(root, "real"));
  symlinkSync("a", join(root, "link"));
  symlinkSync("nowhere", join(root, "a", "dangling"));
  expect(
    ["", "a", "a/b/c.txt", "a/b/c.txt/none", "none/at/all"].filter((path) => leadsOverLink(root, path)),
  ).toEqual([]);
  expect(
    ["link", "link/b/c.txt", "a/dangling", "a/dangling/x"].filter((path) => !leadsOverLink(root, path)),
  ).toEqual([]);
});
