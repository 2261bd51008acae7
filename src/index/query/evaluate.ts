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

/** What reading takes, in microseconds: a list, and a byte of it; and what looking at a block takes instead. */
const LIST_TIME = 10;
const BYTE_TIME = 0.003;
const LOOK_TIME = 20;
/** After so many lists in a row that take hardly anything away, the rest will not either. */
const IDLE = 4;
const LITTLE_LESS = 0.95;
/** Grams this near to each other share letters: where one is, the other often is as well. */
const APART = 3;

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
 * The rarest first, and of each word one before the others. What costs more to read than to look at what is left is not
 * read.
 */
function allOf(parts: readonly GramQuery[], layout: Layout, leaf: Leaf): Bits | null {
  let left: Bits | null = null;
  let count = 0;
  let idle = 0;
  for (const { part, bytes, lists } of spread(parts, layout.segment)) {
    if (left !== null && lists * LIST_TIME + bytes * BYTE_TIME > count * LOOK_TIME) continue;
    const bits = evaluate(part, layout, leaf);
    if (bits === null) continue;
    if (left === null) left = bits;
    else intersect(left, bits);
    const now = countBits(left);
    idle = now > count * LITTLE_LESS ? idle + 1 : 0;
    count = now;
    if (idle > IDLE) break;
  }
  return left;
}

interface Weighed {
  readonly part: GramQuery;
  /** Its place in the pattern. */
  readonly at: number;
  /** About how much of the segment it leaves, and what it takes to find out. */
  readonly weight: number;
  readonly bytes: number;
  readonly lists: number;
}

function spread(parts: readonly GramQuery[], segment: Segment): readonly Weighed[] {
  const weighed = parts
    .map((part, at) => ({ part, at, weight: weightOf(part, segment), ...costOf(part, segment) }))
    .sort((one, other) => one.weight - other.weight);
  const first: Weighed[] = [];
  for (const one of weighed) {
    if (first.every(({ at }) => Math.abs(at - one.at) >= APART)) first.push(one);
  }
  return [...first, ...weighed.filter((one) => !first.includes(one))];
}

/** Lists that would be read for it, and their bytes. */
function costOf(query: GramQuery, segment: Segment): Pick<Weighed, "bytes" | "lists"> {
  if (query.kind === "gram") return { lists: 1, bytes: segment.find(query.gram)?.length ?? 0 };
  if (query.kind === "all" || query.kind === "none") return { lists: 0, bytes: 0 };
  const costs = query.parts.map((part) => costOf(part, segment));
  return {
    lists: costs.reduce((sum, { lists }) => sum + lists, 0),
    bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
  };
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
