/** The blocks that a question leaves of a segment hold every one that satisfies it. */
import { type Arbitrary, array, assert, constantFrom, letrec, nat, oneof, property } from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { countBits, hasBit } from "../../src/index/query/bits.ts";
import { type Layout, matchingBlocks, matchingDocs } from "../../src/index/query/evaluate.ts";
import { openSegment, type Segment } from "../../src/index/store/segment.ts";
import type { GramQuery } from "../../src/regex/gram-query.ts";
import { gramsIn, satisfies } from "../regex/gram-law.ts";
import { place, segmentOf } from "./store.ts";

const { root, remove } = place();
afterAll(remove);

/** Files of many blocks, in which words are rare, frequent, and beyond ASCII. */
const CONTENTS = Array.from({ length: 24 }, (_, file) =>
  Buffer.from(
    Array.from({ length: 300 + file * 70 }, (_, line) => {
      const word = `${line % 5} ${(file * 40_009 + line * 9).toString(36)}${file}`;
      return `${word} of${word.includes("x") ? " größe λ" : ""}${word.includes("q1") ? "\nжα\n" : ""}`;
    }).join("\n"),
  ),
);
const segment = openSegment(segmentOf(root, "evaluated", CONTENTS));
afterAll(segment.close);
const layout = layoutOf(segment);
const blocks = blocksOf(segment);
const docs = Array.from(segment.docs, ({ key }) => gramsIn(readFileSync(join(root, key))));
const present = [...new Set(blocks.flatMap((grams) => [...grams]))];

/** Of grams that are there, and a few that are not. */
const { query: anyQuery } = letrec<{ query: GramQuery }>((tie) => {
  const gram = nat(Math.floor(present.length * 1.1)).map(
    (at): GramQuery => ({ kind: "gram", gram: present[at] ?? 0x7f_7f_7f }),
  );
  const joined = (kind: "and" | "or", parts: Arbitrary<GramQuery[]>): Arbitrary<GramQuery> =>
    parts.map((parts) => ({ kind, parts }));
  const few = array(tie("query"), { minLength: 1, maxLength: 6 });
  return {
    query: oneof(
      { maxDepth: 3, depthSize: "small" },
      { weight: 8, arbitrary: gram },
      { weight: 1, arbitrary: constantFrom<GramQuery>({ kind: "all" }, { kind: "none" }) },
      { weight: 1, arbitrary: joined("or", array(gram, { minLength: 17, maxLength: 60 })) },
      { weight: 4, arbitrary: joined("and", few) },
      { weight: 2, arbitrary: joined("or", few) },
    ),
  };
});

describe("A question to a segment", () => {
  it("is answered with every block that may match, and every file", () => {
    const seen = { kept: 0, leftOut: 0 };
    assert(
      property(anyQuery, constantFrom(1, 0.1, 0.001), (query, share) => {
        const found = matchingBlocks(query, layout, share);
        const missed = blocks.flatMap((grams, at) =>
          satisfies(grams, query) && !hasBit(found, at) ? [at] : [],
        );
        expect(missed).toEqual([]);
        const foundDocs = matchingDocs(query, layout, share);
        const missedDocs = docs.flatMap((grams, at) =>
          satisfies(grams, query) && !hasBit(foundDocs, at) ? [at] : [],
        );
        expect(missedDocs).toEqual([]);
        for (const at of blocks.keys()) seen[hasBit(found, at) ? "kept" : "leftOut"] += 1;
      }),
      { numRuns: 1_000 },
    );
    expect(seen.leftOut).toBeGreaterThan(seen.kept);
  });

  it("rules out no more than is worth its time where few of the files are asked for", () => {
    const common: GramQuery[] = present
      .filter((gram) => blocks.filter((grams) => grams.has(gram)).length > blocks.length / 3)
      .map((gram) => ({ kind: "gram", gram }));
    const left = (share: number): number =>
      countBits(matchingBlocks({ kind: "and", parts: common }, layout, share));
    expect(left(1)).toBeLessThan(left(0.000_001));
  });

  it("leaves the blocks of one gram, and of many that are rare", () => {
    const rare = present
      .filter((gram) => blocks.filter((grams) => grams.has(gram)).length === 1)
      .slice(0, 20);
    expect(rare).toHaveLength(20);
    const asked: GramQuery = { kind: "or", parts: rare.map((gram) => ({ kind: "gram", gram })) };
    const found = matchingBlocks(asked, layout);
    for (const [at, grams] of blocks.entries()) expect(hasBit(found, at)).toBe(satisfies(grams, asked));
  });
});

function layoutOf(segment: Segment): Layout {
  const { starts } = segment.docs;
  const docOf = new Uint32Array(segment.blocks);
  for (let doc = 0; doc < segment.docs.length; doc++) docOf.fill(doc, starts[doc], starts[doc + 1]);
  return { segment, starts, docOf };
}

function blocksOf({ docs }: Segment): Set<number>[] {
  return Array.from(docs).flatMap(({ key, blocks }) => {
    const bytes = readFileSync(join(root, key));
    let from = 0;
    return blocks.map((length) => gramsIn(bytes.subarray(from, (from += length))));
  });
}
