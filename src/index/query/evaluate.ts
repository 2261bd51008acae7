import type { GramQuery } from "../../regex/gram-query.ts";
import { Damaged } from "../store/pages.ts";
import { markBlocks } from "../store/postings.ts";
import type { Segment } from "../store/segment.ts";
import { addBit, type Bits, countBits, emptyBits, fullBits, intersect, nextBit, unite } from "./bits.ts";

/**
 * Which blocks, or which files, of a segment may match: the gram expression put to its lists, the shortest first.
 * Called for each segment by `candidates.ts`.
 */

export interface Layout {
  readonly segment: Segment;
  /** The first block of each file, and behind the last; and the file of each block. */
  readonly starts: Uint32Array;
  readonly docOf: Uint32Array;
}

/** Lists asked of one AND: behind so many, the blocks that are left hold the pattern, or nearly do. */
const MOST_LISTS = 12;
/** Fewer are looked at sooner than another list is read. */
const FEW_BLOCKS = 2;
const LITTLE_LESS = 0.95;

/** By block: what must be together lies in one block. By file: it may lie anywhere in the file. */
export function matchingBlocks(query: GramQuery, layout: Layout): Bits {
  return evaluate(query, layout, (list) => blocksOf(layout, list)) ?? fullBits(layout.segment.blocks);
}

export function matchingDocs(query: GramQuery, layout: Layout): Bits {
  const count = layout.segment.docs.length;
  return evaluate(query, layout, (list) => docsOf(layout, blocksOf(layout, list))) ?? fullBits(count);
}

type Leaf = (list: Buffer | null) => Bits;

/** null: all of them. */
function evaluate(query: GramQuery, layout: Layout, leaf: Leaf): Bits | null {
  const { segment } = layout;
  switch (query.kind) {
    case "all":
      return null;
    case "none":
      return leaf(null);
    case "gram": {
      const place = segment.find(query.gram);
      return leaf(place === null ? null : segment.list(place));
    }
    case "or":
      return anyOf(query.parts, layout, leaf);
    case "and":
      return allOf(query.parts, layout, leaf);
    default:
      return query satisfies never;
  }
}

function anyOf(parts: readonly GramQuery[], layout: Layout, leaf: Leaf): Bits | null {
  let all: Bits | null = null;
  for (const part of parts) {
    const bits = evaluate(part, layout, leaf);
    if (bits === null) return null;
    if (all === null) all = bits;
    else unite(all, bits);
  }
  return all ?? leaf(null);
}

/**
 * The rarest first. Once nothing is left the rest need not be read, and once a list takes hardly anything away those
 * behind it, which are longer, will not either.
 */
function allOf(parts: readonly GramQuery[], layout: Layout, leaf: Leaf): Bits | null {
  const weighed = parts
    .map((part) => ({ part, weight: weightOf(part, layout.segment) }))
    .sort((one, other) => one.weight - other.weight)
    .slice(0, MOST_LISTS);
  let left: Bits | null = null;
  let count = 0;
  for (const { part } of weighed) {
    const bits = evaluate(part, layout, leaf);
    if (bits === null) continue;
    if (left === null) {
      left = bits;
      count = countBits(left);
    } else {
      intersect(left, bits);
      const now = countBits(left);
      if (now > count * LITTLE_LESS) return left;
      count = now;
    }
    if (count <= FEW_BLOCKS) return left;
  }
  return left;
}

/** About how much of the segment the part leaves: bytes of lists. */
function weightOf(query: GramQuery, segment: Segment): number {
  switch (query.kind) {
    case "all":
      return Number.POSITIVE_INFINITY;
    case "none":
      return 0;
    case "gram":
      return segment.find(query.gram)?.length ?? 0;
    case "or":
      return query.parts.reduce((sum, part) => sum + weightOf(part, segment), 0);
    case "and":
      return Math.min(...query.parts.map((part) => weightOf(part, segment)));
    default:
      return query satisfies never;
  }
}

function blocksOf({ segment }: Layout, list: Buffer | null): Bits {
  const bits = emptyBits(segment.blocks);
  if (list !== null && !markBlocks(list, segment.blocks, bits))
    throw new Damaged("a list of blocks", segment.path);
  return bits;
}

function docsOf({ segment, starts, docOf }: Layout, blocks: Bits): Bits {
  const docs = emptyBits(segment.docs.length);
  for (let block = nextBit(blocks, 0); block !== -1; ) {
    const doc = docOf[block] ?? 0;
    addBit(docs, doc);
    block = nextBit(blocks, starts[doc + 1] ?? 0);
  }
  return docs;
}
