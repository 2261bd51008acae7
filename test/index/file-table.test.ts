/** The lists of a table, patched where little changed, are those of a table that was made anew. */
import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { expect, test } from "vitest";
import { type Hold, holdOf, NO_RANK } from "../../src/index/entry.ts";
import { FileTable } from "../../src/index/file-table.ts";
import type { Segment } from "../../src/index/store/segment.ts";

const STAMP = { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 };
const KEYS = ["a", "b/a", "b/c", "c", "d/e/f", "g"];

/** A segment of files that are all as they were, of which only the names count. */
function segmentOf(keys: readonly string[]): Hold {
  const docs = {
    length: keys.length,
    starts: Uint32Array.from([...keys, ""].keys()),
    keyAt: (doc: number) => keys[doc] ?? "",
    stampAt: () => STAMP,
    mtimeAt: () => STAMP.mtimeMs,
    readAt: () => 1,
    kindAt: () => "text",
  };
  return holdOf("segment", { docs, blocks: keys.length } as unknown as Segment);
}

test("A segment knows the places of its files, whatever came, went and changed", () => {
  assert(
    property(
      array(
        record({ op: constantFrom("put", "remove", "index", "distrust", "look"), at: nat(KEYS.length - 1) }),
        { maxLength: 25 },
      ),
      (steps) => {
        const table = new FileTable();
        const hold = segmentOf(KEYS);
        for (const { op, at } of steps) {
          const key = KEYS[at] ?? "";
          const entry = table.get(key);
          if (op === "put") table.put(key, STAMP, false);
          else if (op === "remove") table.remove(key);
          else if (op === "index") table.index(hold, at, () => true);
          else if (op === "distrust" && entry !== undefined) table.distrust(entry);
          else table.byPath();
        }
        table.byPath();
        expect([...hold.ranks]).toEqual(hold.entries.map((entry) => entry?.rank ?? NO_RANK));
        expect(hold.entries.every((entry) => entry === null || table.get(entry.key) === entry)).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});
