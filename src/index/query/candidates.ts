import type { Order, Pattern } from "../../model/query.ts";
import { type Entry, type Hold, NO_RANK } from "../entry.ts";
import type { FileTable } from "../file-table.ts";
import { addBit, type Bits, countBits, dropBefore, emptyBits, fullBits, intersect, nextBit } from "./bits.ts";
import { matchingBlocks, matchingDocs } from "./evaluate.ts";
import { prepared } from "./prepared.ts";

/**
 * The files of the tree that may match, in the order asked for, each with the blocks that may: what the grams leave of
 * every segment, and whatever is not indexed as it is. Called by `cursor.ts`, which verifies them one by one.
 */

export interface Candidate {
  readonly entry: Entry;
  /** The blocks of its segment that may match; null: look at all of it. */
  readonly blocks: Bits | null;
}

export interface Candidates extends Iterable<Candidate> {
  readonly count: number;
}

/** `among`: of these, by rank. `from`: only those at or behind this place of the order. */
export function candidatesOf(
  pattern: Pattern,
  order: Order,
  table: FileTable,
  holds: readonly Hold[],
  among: Bits | null = null,
  from = 0,
): Candidates {
  const byPath = table.byPath();
  const blocks = new Map<Hold, Bits>();
  const share = among === null ? 1 : countBits(among) / Math.max(1, byPath.length);
  const ranks = ranksOf({ pattern, share, files: byPath.length }, table, holds, blocks);
  if (among !== null) intersect(ranks, among);
  const entries = order === "mtime" ? table.byAge() : byPath;
  const marked = order === "mtime" ? agesOf(ranks, byPath) : ranks;
  dropBefore(marked, from);

  return {
    count: countBits(marked),
    *[Symbol.iterator]() {
      for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
        const entry = entries[at];
        if (entry === undefined) return;
        yield { entry, blocks: entry.hold === null ? null : (blocks.get(entry.hold) ?? null) };
      }
    },
  };
}

/** The files that may match, and of each segment the blocks. */
function ranksOf(
  { pattern, share, files }: { readonly pattern: Pattern; readonly share: number; readonly files: number },
  { unindexed }: FileTable,
  holds: readonly Hold[],
  blocks: Map<Hold, Bits>,
): Bits {
  const { query, acrossLines } = prepared(pattern).grams;
  if (query.kind === "all") return fullBits(files);
  const marked = emptyBits(files);
  const mark = ({ rank }: Entry): void => addBit(marked, rank);

  for (const entry of unindexed) mark(entry);
  for (const hold of holds) {
    for (const entry of hold.opaque) mark(entry);
    // Across lines ripgrep may find a match behind a NUL byte before it meets that.
    if (pattern.multiline) for (const entry of hold.binary) mark(entry);
    if (acrossLines) {
      markDocs(hold, matchingDocs(query, hold, share), marked);
    } else {
      const matching = matchingBlocks(query, hold, share);
      blocks.set(hold, matching);
      markBlocksOf(hold, matching, marked);
    }
  }
  return marked;
}

/** By age instead. */
function agesOf(ranks: Bits, byPath: readonly Entry[]): Bits {
  const ages = emptyBits(byPath.length);
  for (let at = nextBit(ranks, 0); at !== -1; at = nextBit(ranks, at + 1)) {
    addBit(ages, byPath[at]?.age ?? 0);
  }
  return ages;
}

function markDocs({ ranks }: Hold, docs: Bits, marked: Bits): void {
  for (let doc = nextBit(docs, 0); doc !== -1; doc = nextBit(docs, doc + 1)) {
    const rank = ranks[doc] ?? NO_RANK;
    if (rank !== NO_RANK) addBit(marked, rank);
  }
}

function markBlocksOf({ ranks, starts, docOf }: Hold, blocks: Bits, marked: Bits): void {
  for (let block = nextBit(blocks, 0); block !== -1; ) {
    const doc = docOf[block] ?? 0;
    const rank = ranks[doc] ?? NO_RANK;
    if (rank !== NO_RANK) addBit(marked, rank);
    block = nextBit(blocks, starts[doc + 1] ?? 0);
  }
}
