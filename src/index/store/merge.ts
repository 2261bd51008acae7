import type { Doc } from "./docs.ts";
import { ownMemory } from "./own-memory.ts";
import { bitsLength, listBlocks, writeBlocks, writeNumber } from "./postings.ts";
import type { GramList, Segment } from "./segment.ts";
import { segmentWriter } from "./segment-writer.ts";

/**
 * Makes one segment of several, without the files that are gone or have changed since. The blocks of each are moved
 * behind those of the one before; where nothing of a segment is left out its lists are copied, but for their first
 * gap. Runs in a thread of its own (`build-thread.ts`).
 */

export interface Merged {
  readonly segment: Segment;
  /** Which of its files are kept. */
  readonly keep: (doc: number) => boolean;
}

/** A segment on its way into another: where its blocks go. */
interface Source {
  readonly lists: Iterator<GramList>;
  readonly blocks: number;
  /** The number of its first block; of each, where some are left out, -1 for those. */
  readonly base: number;
  readonly moved: Int32Array | null;
  next: GramList | undefined;
}

export function mergeSegments(given: readonly Merged[], path: string): void {
  const docs: Doc[] = [];
  const sources: Source[] = [];
  let base = 0;
  for (const { segment, keep } of given) {
    const kept = Array.from(segment.docs).filter((_, at) => keep(at));
    const moved = kept.length === segment.docs.length ? null : movedBlocks(segment, keep, base);
    const lists = segment.lists();
    sources.push({ lists, blocks: segment.blocks, base, moved, next: nextOf(lists) });
    for (const doc of kept) docs.push(doc);
    base += kept.reduce((sum, { blocks }) => sum + blocks.length, 0);
  }
  const writer = segmentWriter(path);
  try {
    mergeLists(sources, base, writer.list);
    writer.finish(docs, base);
  } catch (cause) {
    writer.abandon();
    throw cause;
  }
}

function movedBlocks({ docs, blocks }: Segment, keep: Merged["keep"], base: number): Int32Array {
  const moved = new Int32Array(blocks).fill(-1);
  let from = 0;
  let to = base;
  for (let doc = 0; doc < docs.length; doc++) {
    const end = docs.starts[doc + 1] ?? from;
    if (keep(doc)) for (let block = from; block < end; block++) moved[block] = to++;
    from = end;
  }
  return moved;
}

function mergeLists(
  sources: readonly Source[],
  blocks: number,
  write: (gram: number, list: Uint8Array) => void,
): void {
  // A list stands here with what will be left out of it.
  const most = blocks + Math.max(0, ...sources.map((source) => source.blocks));
  const list = new Uint32Array(ownMemory(most * Uint32Array.BYTES_PER_ELEMENT), 0, most);
  const bytes = new Uint8Array(bitsLength(blocks) + 16);
  for (;;) {
    let gram = Number.POSITIVE_INFINITY;
    for (const { next } of sources) if (next !== undefined && next.gram < gram) gram = next.gram;
    if (gram === Number.POSITIVE_INFINITY) return;
    const holding = sources.filter(({ next }) => next?.gram === gram);
    const length = joined(holding, blocks, bytes) ?? anew(holding, blocks, list, bytes);
    if (length > 0) write(gram, bytes.subarray(0, length));
    for (const source of holding) source.next = nextOf(source.lists);
  }
}

/** The lists one behind the other, where all are gaps and stay gaps; else null. */
function joined(sources: readonly Source[], blocks: number, into: Uint8Array): number | null {
  const most = bitsLength(blocks);
  let at = 0;
  let last = -1;
  for (const { next, blocks: own, base, moved } of sources) {
    const bytes = next?.bytes ?? new Uint8Array();
    if (moved !== null || bytes.length === bitsLength(own) || at + bytes.length + 8 >= most) return null;
    const first = readFirst(bytes);
    at = writeNumber(into, at, base + first.value - last - 1);
    into.set(bytes.subarray(first.length), at);
    at += bytes.length - first.length;
    last = base + lastBlock(bytes);
  }
  return at;
}

function anew(sources: readonly Source[], blocks: number, list: Uint32Array, into: Uint8Array): number {
  let count = 0;
  for (const { next, blocks: own, base, moved } of sources) {
    if (next === undefined) continue;
    const from = count;
    count = listBlocks(next.bytes, own, list, count, moved === null ? base : 0);
    if (moved === null) continue;
    let to = from;
    for (let at = from; at < count; at++) {
      const block = moved[list[at] ?? 0] ?? -1;
      if (block !== -1) list[to++] = block;
    }
    count = to;
  }
  return count === 0 ? 0 : writeBlocks(into, 0, list, count, blocks);
}

function readFirst(bytes: Uint8Array): { readonly value: number; readonly length: number } {
  let value = 0;
  let length = 0;
  let shift = 0;
  for (;;) {
    const byte = bytes[length++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, length };
    shift += 7;
  }
}

/** The sum of the gaps, and of the blocks between them. */
function lastBlock(bytes: Uint8Array): number {
  let block = -1;
  let value = 0;
  let shift = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte >= 0x80) {
      shift += 7;
      continue;
    }
    block += value + 1;
    value = 0;
    shift = 0;
  }
  return block;
}

function nextOf(lists: Iterator<GramList>): GramList | undefined {
  const next = lists.next();
  return next.done === true ? undefined : next.value;
}
