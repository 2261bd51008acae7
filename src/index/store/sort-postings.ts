import { bitsLength, writeBlocks } from "./postings.ts";

/**
 * Turns grams by block into blocks by gram: two passes of a radix sort that keep the order of blocks, twelve bits of
 * the gram each. The half of the gram that a place tells need not be carried, so that the other half and the block
 * fit one word. Called by `run-builder.ts`.
 */

const HALF = 12;
const HALVES = 1 << HALF;
const LOW = HALVES - 1;
/** A block's number has the rest of a word. */
const BLOCK_BITS = 20;
const BLOCK = (1 << BLOCK_BITS) - 1;

/**
 * `ends[b]` is where the grams of block `b` end in `held`; both arrays are used up. Tells each gram, rising, with its
 * list, which is good until the next.
 */
export function sortPostings(
  held: Uint32Array,
  spare: Uint32Array,
  ends: readonly number[],
  tell: (gram: number, list: Uint8Array) => void,
): void {
  const count = ends.at(-1) ?? 0;
  const low = new Uint32Array(HALVES + 1);
  const high = new Uint32Array(HALVES + 1);
  for (let at = 0; at < count; at++) {
    const gram = held[at] ?? 0;
    addTo(low, (gram & LOW) + 1, 1);
    addTo(high, (gram >>> HALF) + 1, 1);
  }
  for (let half = 0; half < HALVES; half++) {
    addTo(low, half + 1, low[half] ?? 0);
    addTo(high, half + 1, high[half] ?? 0);
  }
  byLowHalf(held, spare, ends, low.slice());
  byHighHalf(spare, held, low, high.slice());
  tellLists(held, high, ends.length, tell);
}

function byLowHalf(from: Uint32Array, to: Uint32Array, ends: readonly number[], next: Uint32Array): void {
  let at = 0;
  for (let block = 0; block < ends.length; block++) {
    const end = ends[block] ?? 0;
    for (; at < end; at++) {
      const gram = from[at] ?? 0;
      const half = gram & LOW;
      const place = next[half] ?? 0;
      next[half] = place + 1;
      to[place] = ((gram >>> HALF) << BLOCK_BITS) | block;
    }
  }
}

function byHighHalf(from: Uint32Array, to: Uint32Array, starts: Uint32Array, next: Uint32Array): void {
  for (let half = 0; half < HALVES; half++) {
    const end = starts[half + 1] ?? 0;
    for (let at = starts[half] ?? 0; at < end; at++) {
      const value = from[at] ?? 0;
      const high = value >>> BLOCK_BITS;
      const place = next[high] ?? 0;
      next[high] = place + 1;
      to[place] = (half << BLOCK_BITS) | (value & BLOCK);
    }
  }
}

function tellLists(
  sorted: Uint32Array,
  starts: Uint32Array,
  blocks: number,
  tell: (gram: number, list: Uint8Array) => void,
): void {
  const list = new Uint32Array(blocks);
  // Gaps are written until they pass the length of bits, by at most one number.
  const bytes = new Uint8Array(bitsLength(blocks) + 8);
  for (let half = 0; half < HALVES; half++) {
    const end = starts[half + 1] ?? 0;
    let at = starts[half] ?? 0;
    while (at < end) {
      const lowHalf = (sorted[at] ?? 0) >>> BLOCK_BITS;
      let count = 0;
      for (; at < end; at++) {
        const value = sorted[at] ?? 0;
        if (value >>> BLOCK_BITS !== lowHalf) break;
        list[count++] = value & BLOCK;
      }
      const length = writeBlocks(bytes, 0, list, count, blocks);
      tell((half << HALF) | lowHalf, bytes.subarray(0, length));
    }
  }
}

function addTo(counts: Uint32Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}
