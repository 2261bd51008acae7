/** What is said to be left out: never less than is, and no more than was asked for is gone through. */
import { describe, expect, it } from "vitest";
import { LeftOut } from "../../src/index/left-out.ts";
import { INDEX_IGNORED } from "../../src/model/limits.ts";
import type { Ignored } from "../../src/ripgrep/faults.ts";

const ignored = (path: string): Ignored => ({ path, reason: { kind: "rule", rule: "*" } });

describe("What is left out", () => {
  it("is what was listed, without what is in folders that are others now", () => {
    const left = new LeftOut();
    left.replace(["a/x", "a/b/y", "c/z"].map(ignored));
    left.removeBelow(new Set(["a/b"]));
    left.removeBelow(new Set(["c"]));
    expect(left.told?.map(({ path }) => path)).toEqual(["a/x"]);
    left.replace([ignored("a/b/y")]);
    expect(left.told).toHaveLength(1);
  });

  it("is not known while something has come, and known again when that is gone", () => {
    const left = new LeftOut();
    left.replace([]);
    left.add("a/new", "folder");
    expect(left.told).toBeNull();
    expect([left.has("a/new", "folder"), left.has("a/new", "file")]).toEqual([true, false]);
    left.removeBelow(new Set(["a"]));
    expect(left.has("a/new", "folder")).toBe(false);
    expect(left.told).toEqual([]);
  });

  it("is never said to be nothing once more has come than is remembered", () => {
    const left = new LeftOut();
    left.replace([]);
    for (let at = 0; at <= INDEX_IGNORED; at++) left.add(`f${at}`, "file");
    left.remove(`f${INDEX_IGNORED}`);
    expect(left.told).toBeNull();
  });

  it("is never said to be nothing while something is, that could not be remembered", () => {
    const left = new LeftOut();
    left.replace([]);
    left.add("kept", "file");
    left.unnamed();
    left.remove("kept");
    expect(left.told).toBeNull();
  });
});
