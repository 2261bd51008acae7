/** Files below folders are counted as if each were counted by itself. */
import { array, assert, constantFrom, property, record, subarray } from "fast-check";
import { expect, test } from "vitest";
import { FolderCounts } from "../../src/index/folder-counts.ts";

const KEYS = ["a", "b", "d/a", "d/b", "d/e/a", "d/e/b", "de/a", "d/ef/a"];
const FOLDERS = ["", "d", "d/e", "de", "d/ef", "nowhere"];

test("Every folder has as many files as came and did not go", () => {
  assert(
    property(
      // Looked at after some steps only: between two looks files wait to be counted.
      array(record({ key: constantFrom(...KEYS), looks: subarray(FOLDERS) }), { maxLength: 40 }),
      (steps) => {
        const counts = new FolderCounts();
        const there = new Set<string>();
        const expected = (folder: string): number =>
          [...there].filter((key) => folder === "" || key.startsWith(`${folder}/`)).length;
        for (const { key, looks } of steps) {
          if (there.delete(key)) counts.went(key);
          else {
            there.add(key);
            counts.came(key);
          }
          for (const folder of looks) expect(counts.below(folder)).toBe(expected(folder));
        }
        for (const folder of FOLDERS) expect(counts.below(folder)).toBe(expected(folder));
      },
    ),
    { numRuns: 500 },
  );
});
