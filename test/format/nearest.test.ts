import { assert, property, string, nat } from "fast-check";
import { expect, it } from "vitest";
import { edits, nearest } from "../../src/format/nearest.ts";

it("counts letters that are put in, dropped, replaced or swapped", () => {
  const pairs = [
    ["read", "read", 0],
    ["raed", "read", 1],
    ["red", "read", 1],
    ["", "abc", 3],
    ["ca", "abc", 3],
    ["kitten", "sitting", 3],
  ] as const;
  expect(pairs.map(([a, b]) => edits(a, b))).toEqual(pairs.map(([, , distance]) => distance));
});

it("a bound changes only what is beyond it", () => {
  const letters = string({ unit: "grapheme-ascii", maxLength: 8 }).map((text) =>
    text.replace(/[^a-c]/g, "a"),
  );
  assert(
    property(letters, letters, nat(8), (a, b, most) => {
      const whole = edits(a, b);
      expect(Math.min(edits(a, b, most), most + 1)).toBe(Math.min(whole, most + 1));
      expect(edits(b, a)).toBe(whole);
    }),
  );
});

it("offers what is alike, and nothing else", () => {
  expect(nearest("serach", ["search", "find"])).toBe("search");
  expect(nearest("sea", ["search", "find"])).toBe("search");
  expect(nearest("xyz", ["search", "find"])).toBeNull();
  expect(nearest("-c", ["-A", "-B", "-C"])).toBe("-C");
  expect(nearest("Glob", ["grep", "glob"])).toBe("glob");
});
