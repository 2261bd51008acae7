import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modificationTimes } from "../../src/engine/order.ts";
import { comparePaths } from "../../src/workspace/path-order.ts";
import { search } from "../../src/quarry.ts";
import { rg } from "../support/ripgrep.ts";
import { plant, rawPath, touch, tree } from "../support/tree.ts";

/** Names on both sides of the slash, and of every width in UTF-8 and UTF-16. */
const letter = fc.constantFrom(
  ...(" !#-.0AZ_a~é\u07ff€\ud7ff\ue000\ufffd日😀\u{10ffff}".match(/./gsu) ?? []),
);
const name = fc
  .array(letter, { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join(""))
  .filter((text) => text !== "." && text !== "..");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));

/** Paths that can stand on one disk: a file is not also a folder. */
const paths = fc.uniqueArray(path, { minLength: 2, maxLength: 25 }).map((list) => {
  const kept: string[] = [];
  for (const one of list) {
    if (!kept.some((other) => one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)))
      kept.push(one);
  }
  return kept;
});

describe("the order by path", () => {
  it("is that of ripgrep, whatever the names", () => {
    fc.assert(
      fc.property(paths, (list) => {
        const { root, remove } = plant(Object.fromEntries(list.map((path) => [path, ""])));
        try {
          const listed = rg(
            root,
            "--files",
            "--hidden",
            "--no-ignore",
            "--null",
            "--sort",
            "path",
            "--",
            "./",
          ).toString();
          const theirs = listed
            .split("\0")
            .slice(0, -1)
            .map((path) => path.replace(/^\.\//, ""));
          expect([...list].sort(comparePaths)).toEqual(theirs);
        } finally {
          remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is an order: nothing is before itself, and of two one is before the other", () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(Math.sign(comparePaths(one, other)) + Math.sign(comparePaths(other, one))).toBe(0);
        expect(comparePaths(one, other) === 0).toBe(one === other);
      }),
    );
  });

  it("is the same in twenty runs, whichever thread was first", async () => {
    const root = tree(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [`d${at % 13}/f${(at * 7) % 300}`, "needle\n"]),
      ),
    );
    // Names that look alike when they are shown.
    for (const byte of [0xf0, 0xff, 0xfe, 0xc0, 0x80]) writeFileSync(rawPath(root, [byte]), "needle\n");
    const orders = new Set<string>();
    for (let at = 0; at < 20; at++) {
      const { hits } = await search({ root, pattern: "needle" }).collect();
      orders.add(hits.map(({ path, pathBytes }) => pathBytes ?? path).join("\n"));
    }
    expect(orders.size).toBe(1);
    expect([...orders][0]?.split("\n")).toHaveLength(305);
  });
});

describe("modification times", () => {
  it("are those on disk, and 0 for what is gone", async () => {
    const root = tree({ a: "", b: "" });
    touch(root, "a", 1_000_000);
    writeFileSync(rawPath(root, [0xff]), "");
    const raw = { path: "�", pathBytes: Buffer.from([0xff]).toString("base64") };
    const [a, gone, odd, absolute] = await modificationTimes(root, [
      { path: "a" },
      { path: "x/y" },
      raw,
      { path: join(root, "a") },
    ]);
    expect([a, gone, absolute]).toEqual([1e9, 0, 1e9]);
    expect(odd).toBeGreaterThan(1e9);
  });
});
