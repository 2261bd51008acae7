import type { Order, Pattern } from "../../model/query.ts";
import type { Entry, FileTable, Hold } from "../file-table.ts";
import { addBit, type Bits, countBits, emptyBits, hasBit, nextBit } from "./bits.ts";
import { matchingBlocks, matchingDocs } from "./evaluate.ts";
import { prepared } from "./prepared.ts";
import type { Sought } from "./sought.ts";

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

export function candidatesOf(
  pattern: Pattern,
  order: Order,
  table: FileTable,
  holds: readonly Hold[],
  among: Sought | null = null,
): Candidates {
  const { query, acrossLines } = prepared(pattern).grams;
  const byAge = order === "mtime";
  const entries = byAge ? table.byAge() : table.byPath();
  const marked = emptyBits(entries.length);
  const mark = (entry: Entry): void => addBit(marked, byAge ? entry.age : entry.rank);
  const blocks = new Map<Hold, Bits>();

  for (const entry of table.unindexed) mark(entry);
  for (const hold of holds) {
    for (const entry of hold.opaque) mark(entry);
    // Across lines ripgrep may find a match behind a NUL byte before it meets that.
    if (pattern.multiline) for (const entry of hold.binary) mark(entry);
    if (query.kind === "all") {
      for (const entry of hold.entries) if (entry !== null) mark(entry);
    } else if (acrossLines) {
      markDocs(hold, matchingDocs(query, hold), mark);
    } else {
      const matching = matchingBlocks(query, hold);
      blocks.set(hold, matching);
      markBlocksOf(hold, matching, mark);
    }
  }

  const all = countBits(marked);
  if (among !== null && among.count < all) keepOnly(marked, among.entries, byAge);

  return {
    count: among === null ? all : countBits(marked),
    *[Symbol.iterator]() {
      for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
        const entry = entries[at];
        if (entry === undefined) return;
        yield { entry, blocks: entry.hold === null ? null : (blocks.get(entry.hold) ?? null) };
      }
    },
  };
}

function keepOnly(marked: Bits, entries: Iterable<Entry>, byAge: boolean): void {
  const kept = emptyBits(marked.length * 32);
  for (const { age, rank } of entries) {
    const at = byAge ? age : rank;
    if (hasBit(marked, at)) addBit(kept, at);
  }
  marked.set(kept);
}

function markDocs({ entries }: Hold, docs: Bits, mark: (entry: Entry) => void): void {
  for (let doc = nextBit(docs, 0); doc !== -1; doc = nextBit(docs, doc + 1)) {
    const entry = entries[doc];
    if (entry !== null && entry !== undefined) mark(entry);
  }
}

function markBlocksOf({ entries, starts, docOf }: Hold, blocks: Bits, mark: (entry: Entry) => void): void {
  for (let block = nextBit(blocks, 0); block !== -1; ) {
    const doc = docOf[block] ?? 0;
    const entry = entries[doc];
    if (entry !== null && entry !== undefined) mark(entry);
    block = nextBit(blocks, starts[doc + 1] ?? 0);
  }
}
