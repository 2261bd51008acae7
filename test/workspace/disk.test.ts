/** Which paths may be asked about without giving up the turn: none behind a link, where there may be any disk. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { askedOnce, type Disk, leadsOverLink, patient } from "../../src/workspace/disk.ts";
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

it("A disk is asked once for each path and question, also where that fails", async () => {
  const { root, remove } = plant({ "a.txt": "x\n" });
  onTestFinished(remove);
  const asked: string[] = [];
  const counted = <T>(what: string, ask: (path: string) => Promise<T>) => {
    return (path: string): Promise<T> => {
      asked.push(`${what} ${path.slice(root.length + 1)}`);
      return ask(path);
    };
  };
  const disk = askedOnce({
    stat: counted("stat", patient.stat),
    lstat: counted("lstat", patient.lstat),
    realpath: counted("realpath", patient.realpath),
    readlink: counted("readlink", patient.readlink),
  } satisfies Disk);
  const [there, gone] = [join(root, "a.txt"), join(root, "b.txt")];
  for (let time = 0; time < 2; time += 1) {
    expect((await disk.stat(there)).isFile()).toBe(true);
    expect((await disk.lstat(there)).isFile()).toBe(true);
    expect(await disk.realpath(there)).toBe(there);
    for (const ask of [disk.stat, disk.lstat, disk.realpath, disk.readlink])
      await expect(ask(gone)).rejects.toMatchObject({ code: "ENOENT" });
  }
  const each = ["stat a.txt", "lstat a.txt", "realpath a.txt"];
  expect(asked).toEqual([...each, "stat b.txt", "lstat b.txt", "realpath b.txt", "readlink b.txt"]);
});
