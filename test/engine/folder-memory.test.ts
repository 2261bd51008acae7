/** What is remembered of a folder, and when it is not. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listFolder, markLeftOut, wasLeftOut } from "../../src/engine/folder-memory.ts";
import { link, tree } from "../support/tree.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** As if the folder had been there for a while. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** A mark stays only with what is remembered. */
function isRemembered(folder: string): boolean {
  markLeftOut(folder, true);
  const was = wasLeftOut(folder);
  markLeftOut(folder, false);
  return was;
}

describe("A folder", () => {
  it("is its subfolders, its links, and whether it holds anything else", () => {
    const root = tree({ "a/x": "", "b/y": "", to: link("a"), broken: link("nowhere") });
    const { folders, links, holdsFiles } = listFolder(root);
    expect([...folders].sort()).toEqual([join(root, "a"), join(root, "b")]);
    expect([...links].sort()).toEqual([join(root, "broken"), join(root, "to")]);
    expect(holdsFiles).toBe(false);
    expect(listFolder(join(root, "a"))).toMatchObject({ folders: [], links: [], holdsFiles: true });
  });

  it("is not remembered while its clock may not tell the next change", () => {
    const root = tree({ "a/x": "" });
    listFolder(root);
    expect(isRemembered(root)).toBe(false);
    later(1_000);
    listFolder(root);
    expect(isRemembered(root)).toBe(false);
    later(2_500);
    listFolder(root);
    expect(isRemembered(root)).toBe(true);
  });

  it("is forgotten when it changes, goes away or is something else now", () => {
    const root = tree({ "in/a/x": "" });
    const folder = join(root, "in");
    later(3_000);
    listFolder(folder);
    expect(isRemembered(folder)).toBe(true);
    vi.useRealTimers();
    mkdirSync(join(folder, "b"));
    expect(listFolder(folder).folders).toHaveLength(2);
    expect(isRemembered(folder)).toBe(false);
    rmSync(folder, { recursive: true });
    expect(listFolder(folder).folders).toEqual([]);
    writeFileSync(folder, "");
    expect(listFolder(folder).folders).toEqual([]);
  });

  it("is not what a link leads to", () => {
    const root = tree({ "a/b/x": "", to: link("a") });
    expect(listFolder(join(root, "to")).folders).toEqual([]);
  });
});
