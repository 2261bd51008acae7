import {
  array,
  assert,
  constantFrom,
  integer,
  property,
  record,
  uint8Array,
  oneof,
  string,
  double,
} from "fast-check";
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { OWN_MEMORY } from "../../src/model/limits.ts";
import { runJob } from "../../src/index/store/jobs.ts";
import { type Take, takeTogether } from "../../src/index/store/own-memory.ts";
import { openSegment } from "../../src/index/store/segment.ts";
import { bruteForce, contentsOf, type Damage, damaged, place, segmentOf } from "./store.ts";

const { root, remove } = place();
afterAll(remove);
let made = 0;

const content = oneof(
  array(oneof(string(), constantFrom("int main(void)", "return -EINVAL;", "größe ſk")), {
    maxLength: 40,
  }).map((lines) => Buffer.from(lines.join("\n"))),
  // Characters of any length alone on their lines, at their ends, and beside one another.
  array(oneof(string({ unit: "binary", maxLength: 2 }), constantFrom("\n", "\n", "é", "日", "x")), {
    maxLength: 60,
  }).map((parts) => Buffer.from(parts.join(""))),
  uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  // Mostly of what is beyond ASCII.
  array(oneof(integer({ min: 0xbe, max: 0xc4 }), integer({ min: 0x7f, max: 0xff }), constantFrom(0x0a)), {
    maxLength: 200,
  }).map((bytes) => Buffer.from(bytes)),
  integer({ min: 1, max: 3 }).map((size) => Buffer.from(`line ${size} of many\n`.repeat(size * 600))),
);

it("memory that is taken together is spoiled by no size that is none", () => {
  const take = takeTogether();
  const first = take(64).fill(1);
  for (const size of [Number.NaN, -8, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 60])
    expect(() => take(size)).toThrow(RangeError);
  const next = take(64).fill(2);
  expect([first.every((byte) => byte === 1), next.every((byte) => byte === 2)]).toEqual([true, true]);
});

describe("A segment", () => {
  it("holds the blocks of every gram, and of no other", () => {
    assert(
      property(array(content, { minLength: 1, maxLength: 6 }), (contents) => {
        const path = segmentOf(root, `s${made++}`, contents);
        expect(contentsOf(path)).toEqual(bruteForce(root, path));
      }),
      { numRuns: 60 },
    );
  });

  it("made of several is as if it had been built of what they hold", () => {
    const part = record({
      contents: array(content, { minLength: 1, maxLength: 5 }),
      dropped: array(integer({ min: 0, max: 4 })),
    });
    assert(
      property(array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const segments = parts.map(({ contents }) => segmentOf(root, `m${made++}`, contents));
        const kept = parts.map(({ contents, dropped }) => {
          const docs = contents.flatMap((_, at) => (dropped.includes(at) ? [] : [at]));
          return docs.length === contents.length ? null : docs;
        });
        const path = join(root, `merged${made++}`);
        runJob({ kind: "merge", segments, kept, path });
        expect(contentsOf(path)).toEqual(bruteForce(root, path));
        const docs = openSegment(path);
        docs.close();
        const wanted = parts.reduce(
          (sum, { contents }, at) => sum + (kept[at]?.length ?? contents.length),
          0,
        );
        expect(docs.docs).toHaveLength(wanted);
      }),
      { numRuns: 40 },
    );
  });

  it("lies in memory that the system has back, together with those that will go when it goes", () => {
    const paths = ["one", "other"].map((name) => segmentOf(root, name, [Buffer.from(`${name} line\n`)]));
    const blocksOf = (take?: Take): readonly ArrayBufferLike[] =>
      paths.flatMap((path) => {
        const { docs, close } = openSegment(path, take);
        close();
        expect(Array.from(docs, ({ key }) => key)).toEqual([`${basename(path).slice(0, -2)}.0`]);
        return [docs.starts.buffer, docs.order.bytes.buffer, docs.order.starts.buffer];
      });
    const together = new Set(blocksOf(takeTogether()));
    expect([...together].map(({ byteLength }) => byteLength)).toEqual([OWN_MEMORY]);
    expect(new Set(blocksOf()).size).toBe(2);
  });
});

describe("Memory that is taken together", () => {
  it("is zero, and nobody else's, and fits numbers of any length", () => {
    assert(
      property(
        array(oneof(integer({ min: 0, max: 99 }), constantFrom(OWN_MEMORY >> 1, OWN_MEMORY + 1))),
        (lengths) => {
          const take = takeTogether();
          const taken = lengths.map((length) => take(length));
          for (const [at, { buffer, byteOffset, length }] of taken.entries()) {
            expect([length, byteOffset % 8]).toEqual([lengths[at], 0]);
            const ends = new Uint8Array(buffer, byteOffset, length);
            expect([ends.at(0) ?? 0, ends.at(-1) ?? 0]).toEqual([0, 0]);
            ends[0] = ends[length - 1] = 1;
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("A segment that is damaged", () => {
  const damage = record({
    kind: constantFrom<Damage["kind"]>("flip", "cut", "zero", "grow"),
    at: double({ min: 0, max: 1, noNaN: true }),
    bits: integer({ min: 1, max: 255 }),
  });

  it("is noticed, or says the same as before", () => {
    const path = segmentOf(
      root,
      "whole",
      Array.from({ length: 30 }, (_, at) =>
        Buffer.from(`static int probe_${at}(struct device *dev)\n{\n\treturn ${at};\n}\n`.repeat(40)),
      ),
    );
    const before = contentsOf(path);
    const copy = join(root, "damaged");
    let noticed = 0;
    assert(
      property(damage, (damage) => {
        damaged(path, copy, damage);
        const now = quietly(() => contentsOf(copy));
        if (now === null) noticed += 1;
        expect(now ?? before).toEqual(before);
        rmSync(copy);
      }),
      { numRuns: Number(process.env["QUARRY_LONG_CASES"] ?? 300) },
    );
    expect(noticed).toBeGreaterThan(0);
    expect(existsSync(copy)).toBe(false);
  });
});

/** null: an error was thrown. */
function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
