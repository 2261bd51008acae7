import type { GramQuery } from "../../regex/gram-query.ts";
import { Damaged } from "../store/pages.ts";
import { keepBlocks, markBlocks } from "../store/postings.ts";
import type { Segment } from "../store/segment.ts";
import {
  addBit,
  type Bits,
  countBits,
  emptyBits,
  fullBits,
  hasBit,
  intersect,
  listBits,
  nextBit,
  unite,
} from "./bits.ts";

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
  return evaluate(query, blockLevel(layout)) ?? fullBits(layout.segment.blocks);
}

export function matchingDocs(query: GramQuery, layout: Layout): Bits {
  return evaluate(query, docLevel(layout)) ?? fullBits(layout.segment.docs.length);
}

/** What the members of a list are. */
interface Level {
  readonly segment: Segment;
  readonly members: number;
  readonly bitsOf: (list: Buffer | null) => Bits;
  /** Leaves of a few rising members those of the list, at the front, and gives their count; null: ask `bitsOf`. */
  readonly keep: ((list: Buffer, few: Uint32Array, count: number) => number) | null;
}

function blockLevel(layout: Layout): Level {
  const { segment } = layout;
  return {
    segment,
    members: segment.blocks,
    bitsOf: (list) => blocksOf(layout, list),
    keep: (list, few, count) => keepBlocks(list, segment.blocks, few, count),
  };
}

function docLevel(layout: Layout): Level {
  const { segment } = layout;
  const bitsOf = (list: Buffer | null): Bits => docsOf(layout, blocksOf(layout, list));
  return { segment, members: segment.docs.length, bitsOf, keep: null };
}

/** null: all of them. */
function evaluate(query: GramQuery, level: Level): Bits | null {
  switch (query.kind) {
    case "all":
      return null;
    case "none":
      return level.bitsOf(null);
    case "gram":
      return level.bitsOf(listOf(query.gram, level));
    case "or":
      return anyOf(query.parts, level);
    case "and":
      return allOf(query.parts, level);
    default:
      return query satisfies never;
  }
}

function listOf(gram: number, { segment }: Level): Buffer | null {
  const place = segment.find(gram);
  return place === null ? null : segment.list(place);
}

function anyOf(parts: readonly GramQuery[], level: Level): Bits | null {
  let all: Bits | null = null;
  for (const part of parts) {
    const bits = evaluate(part, level);
    if (bits === null) return null;
    if (all === null) all = bits;
    else unite(all, bits);
  }
  return all ?? level.bitsOf(null);
}

/**
 * The rarest first, and of each word one before the others. What costs more to read than to look at what is left is not
 * read.
 */
function allOf(parts: readonly GramQuery[], level: Level): Bits | null {
  let left: Left | null = null;
  let idle = 0;
  for (const { part, bytes, lists } of spread(parts, level.segment)) {
    if (left === null) {
      const bits = evaluate(part, level);
      left = bits === null ? null : leftOf(bits);
      continue;
    }
    const { count }: Left = left;
    if (lists * LIST_TIME + bytes * BYTE_TIME > count * LOOK_TIME) continue;
    left = narrowed(left, part, level);
    idle = left.count > count * LITTLE_LESS ? idle + 1 : 0;
    if (idle > IDLE) break;
  }
  return left === null || left.kind === "many" ? (left?.bits ?? null) : bitsIn(left, level);
}

/** What is left of an AND: bits, or once they are few, each by its number. */
type Left =
  | { readonly kind: "many"; readonly bits: Bits; readonly count: number }
  | { readonly kind: "few"; readonly list: Uint32Array; readonly count: number };

function leftOf(bits: Bits): Left {
  const count = countBits(bits);
  return count > bits.length
    ? { kind: "many", bits, count }
    : { kind: "few", list: listBits(bits, count), count };
}

function narrowed(left: Left, part: GramQuery, level: Level): Left {
  if (left.kind === "few" && part.kind === "gram" && level.keep !== null) {
    const list = listOf(part.gram, level);
    return { ...left, count: list === null ? 0 : level.keep(list, left.list, left.count) };
  }
  const bits = evaluate(part, level);
  if (bits === null) return left;
  if (left.kind === "many") {
    intersect(left.bits, bits);
    return leftOf(left.bits);
  }
  let count = 0;
  for (let at = 0; at < left.count; at++) {
    const member = left.list[at] ?? 0;
    if (hasBit(bits, member)) left.list[count++] = member;
  }
  return { ...left, count };
}

function bitsIn({ list, count }: Extract<Left, { kind: "few" }>, { members }: Level): Bits {
  const bits = emptyBits(members);
  for (let at = 0; at < count; at++) addBit(bits, list[at] ?? 0);
  return bits;
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
