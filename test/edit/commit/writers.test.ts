import { closeSync, openSync, statSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { looksBusy, rememberOwn } from "../../../src/edit/commit/writers.ts";
import { tree } from "../../support/tree.ts";

function busy(path: string): boolean {
  return looksBusy(statSync(path, { bigint: true }), path);
}

function writeOwn(path: string): void {
  const fd = openSync(path, "w");
  writeSync(fd, "ours");
  rememberOwn(fd);
  closeSync(fd);
}

describe("A file looks busy", () => {
  it("when somebody else changed it a moment ago, not when we did", () => {
    const root = tree();
    writeOwn(join(root, "ours"));
    expect(busy(join(root, "ours"))).toBe(false);
    writeFileSync(join(root, "theirs"), "theirs");
    expect(busy(join(root, "theirs"))).toBe(true);
    utimesSync(join(root, "theirs"), 1e9, 1e9);
    expect(busy(join(root, "theirs"))).toBe(false);
  });

  it("when we wrote last, and somebody else not long before", () => {
    const path = join(tree({ both: "theirs" }), "both");
    expect(busy(path)).toBe(true);
    writeOwn(path);
    expect(busy(path)).toBe(true);
  });
});
