import { type GramQuery, sizeOf } from "../../regex/gram-query.ts";
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
import { type Scales, scales } from "./weigh.ts";

/**
 * Which blocks, or which files, of a segment may match: the gram expression put to its lists, the shortest first, as
 * long as reading one takes less than looking at what it may rule out. Called for each segment by `candidates.ts`.
 */

export interface Layout {
  readonly segment: Segment;
  /** The first block of each file, and behind the last; and the file of each block. */
  readonly starts: Uint32Array;
  readonly docOf: Uint32Array;
}

/**
 * By block: what must be together lies in one block. By file: it may lie anywhere in the file. `share`: which part of the
 * files is asked for, so that what is ruled out elsewhere is worth nothing.
 */
export function matchingBlocks(query: GramQuery, layout: Layout, share = 1): Bits {
  const { segment } = layout;
  const reading: Reading = { segment, share, by: "block", of: (blocks) => blocks, ...scales(segment) };
  return evaluate(query, reading) ?? fullBits(segment.blocks);
}

export function matchingDocs(query: GramQuery, layout: Layout, share = 1): Bits {
  const { segment } = layout;
  const of = (blocks: Bits): Bits => docsOf(layout, blocks);
  const reading: Reading = { segment, share, by: "file", of, ...scales(segment) };
  return evaluate(query, reading) ?? fullBits(segment.docs.length);
}

interface Reading extends Scales {
  readonly segment: Segment;
  readonly share: number;
  readonly by: "block" | "file";
  /** What is asked for, of the blocks that hold a gram. */
  readonly of: (blocks: Bits) => Bits;
}

/** Parts asked of one AND, those that rule out hardly anything in a row, and what that is. */
const MOST_PARTS = 32;
const IDLE_PARTS = 4;
const LITTLE_LESS = 0.95;
/**
 * Microseconds that ruling out a share of the blocks saves, for each that is left: to look at one takes five times that.
 * And for all of them, of which not all may be looked at.
 */
const WORTH = 5;
const MOST_WORTH = 4_000;
/** Parts with so many between them in the pattern share no byte. */
const APART = 3;
/** Parts of more grams are weighed where the others leave much: finding a gram takes this many microseconds. */
const SIMPLE = 32;
const FIND = 2;
/** An OR of more lists than these that leaves half of all blocks or more is not read. */
const MANY_LISTS = 16;

/** null: all of them. */
function evaluate(query: GramQuery, reading: Reading): Bits | null {
  switch (query.kind) {
    case "all":
      return null;
    case "none":
    case "gram":
      return anyOf([query], reading);
    case "or": {
      const hopeless =
        query.parts.length > MANY_LISTS && reading.weightOf(query) > reading.segment.blocks / 2;
      return hopeless ? null : anyOf(query.parts, reading);
    }
    case "and":
      return allOf(query.parts, reading);
    default:
      return query satisfies never;
  }
}

/** All lists of an OR are read into the same bits. */
function anyOf(parts: readonly GramQuery[], reading: Reading): Bits | null {
  const { segment, find, of } = reading;
  const blocks = emptyBits(segment.blocks);
  const others: GramQuery[] = [];
  for (const part of parts) {
    if (part.kind !== "gram") others.push(part);
    else mark(part.gram);
  }
  const all = of(blocks);
  for (const part of others) {
    if (part.kind === "none") continue;
    const bits = evaluate(part, reading);
    if (bits === null) return null;
    unite(all, bits);
  }
  return all;

  function mark(gram: number): void {
    const place = find(gram);
    if (place !== null && !markBlocks(segment.list(place), segment.blocks, blocks))
      throw new Damaged("a list of blocks", segment.path);
  }
}

/**
 * The rarest first, and what takes longer to read than to do without not at all. Where hardly anything is ruled out any
 * more the pattern itself is frequent. Those of many grams come last, and those of several steps.
 */
function allOf(parts: readonly GramQuery[], reading: Reading): Bits | null {
  let left: Left | null = null;
  let count = reading.segment.blocks;
  let worth = Number.POSITIVE_INFINITY;
  const take = (ordered: readonly GramQuery[]): void => {
    let idle = 0;
    for (const part of ordered) {
      const now: Left | null = reading.costOf(part) > worth ? left : narrowed(left, part, reading);
      if (now === null || now === left) continue;
      idle = now.count > count * LITTLE_LESS ? idle + 1 : 0;
      left = now;
      ({ count } = now);
      worth = Math.min(count * reading.share * WORTH, MOST_WORTH);
      if (idle === IDLE_PARTS) return;
    }
  };
  take(inOrder(parts, reading, isSimple));
  take(inOrder(parts, reading, (part) => !isSimple(part) && sizeOf(part) * FIND <= worth));
  return left === null ? null : bitsOf(left);
}

/** What is left of an AND: bits, or once they are few, each by its number. */
type Left =
  | { readonly kind: "many"; readonly bits: Bits; readonly count: number }
  | { readonly kind: "few"; readonly list: Uint32Array; readonly count: number; readonly words: number };

function leftOf(bits: Bits): Left {
  const count = countBits(bits);
  if (count > bits.length) return { kind: "many", bits, count };
  return { kind: "few", list: listBits(bits, count), count, words: bits.length };
}

function bitsOf(left: Left): Bits {
  if (left.kind === "many") return left.bits;
  const bits = new Uint32Array(left.words);
  for (let at = 0; at < left.count; at++) addBit(bits, left.list[at] ?? 0);
  return bits;
}

/** The same where the part says nothing. */
function narrowed(left: Left | null, part: GramQuery, reading: Reading): Left | null {
  const { segment, find, by } = reading;
  if (left?.kind === "few" && part.kind === "gram" && by === "block") {
    const place = find(part.gram);
    const list = place === null ? null : segment.list(place);
    return { ...left, count: list === null ? 0 : keepBlocks(list, segment.blocks, left.list, left.count) };
  }
  const bits = evaluate(part, reading);
  if (bits === null || left === null) return bits === null ? left : leftOf(bits);
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

/** A few lists, all of which are read. */
function isSimple(part: GramQuery): boolean {
  if (part.kind === "or")
    return part.parts.length <= SIMPLE && part.parts.every(({ kind }) => kind === "gram");
  return part.kind !== "and";
}

/** By rising weight, but first those that share no byte with one before: neighbours rule out the same. */
function inOrder(
  parts: readonly GramQuery[],
  { weightOf }: Reading,
  isMeant: (part: GramQuery) => boolean,
): GramQuery[] {
  const rest = parts
    .map((part, place) => ({ part, place, weight: isMeant(part) ? weightOf(part) : -1 }))
    .filter(({ weight }) => weight !== -1)
    .sort((one, other) => one.weight - other.weight);
  const ordered: typeof rest = [];
  while (rest.length > 0 && ordered.length < MOST_PARTS) {
    const apart = rest.findIndex(({ place }) => ordered.every((one) => Math.abs(one.place - place) >= APART));
    ordered.push(...rest.splice(Math.max(apart, 0), 1));
  }
  return ordered.map(({ part }) => part);
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
