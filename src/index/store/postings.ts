/**
 * The blocks that hold a gram, as bytes. Gaps in seven bits a byte; where a bit for every block takes less, those bits.
 * Which of the two it is tells the length: gaps are always shorter than bits. Written by `segment-writer.ts`, read by
 * `segment.ts`.
 */

const MORE = 0x80;
const PART = 0x7f;

export function bitsLength(blocks: number): number {
  return (blocks + 7) >> 3;
}

/** A number in seven bits a byte, lowest first; gives the place behind it. */
export function writeNumber(into: Uint8Array, at: number, value: number): number {
  let rest = value;
  let to = at;
  while (rest > PART) {
    into[to++] = (rest & PART) | MORE;
    rest >>>= 7;
  }
  into[to++] = rest;
  return to;
}

/** Writes rising block numbers; `into` has room for as many bytes as bits or gaps could take. */
export function writeBlocks(
  into: Uint8Array,
  at: number,
  list: Uint32Array,
  count: number,
  blocks: number,
): number {
  const most = at + bitsLength(blocks);
  let to = at;
  let last = -1;
  for (let index = 0; index < count && to < most; index++) {
    const block = list[index] ?? 0;
    to = writeNumber(into, to, block - last - 1);
    last = block;
  }
  if (to < most) return to;
  into.fill(0, at, most);
  for (let index = 0; index < count; index++) {
    const block = list[index] ?? 0;
    const place = at + (block >> 3);
    into[place] = (into[place] ?? 0) | (1 << (block & 7));
  }
  return most;
}

/** Sets the bit of every block, in words; what does not fit the number of blocks is no list of ours. */
export function markBlocks(bytes: Uint8Array, blocks: number, into: Uint32Array): boolean {
  if (bytes.length === bitsLength(blocks)) return markBits(bytes, into);
  let block = -1;
  let value = 0;
  let shift = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    value |= (byte & PART) << shift;
    if (byte >= MORE) {
      shift += 7;
      continue;
    }
    block += value + 1;
    if (block >= blocks || block < 0) return false;
    const word = block >>> 5;
    into[word] = (into[word] ?? 0) | (1 << (block & 31));
    value = 0;
    shift = 0;
  }
  return shift === 0;
}

function markBits(bytes: Uint8Array, into: Uint32Array): boolean {
  let at = 0;
  for (let word = 0; at + 4 <= bytes.length; word++, at += 4) {
    const four =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    into[word] = (into[word] ?? 0) | four;
  }
  for (; at < bytes.length; at++) {
    const word = at >>> 2;
    into[word] = (into[word] ?? 0) | ((bytes[at] ?? 0) << ((at & 3) << 3));
  }
  return true;
}

/** Leaves of rising block numbers those in the list, at the front, and gives their count. */
export function keepBlocks(bytes: Uint8Array, blocks: number, from: Uint32Array, count: number): number {
  let kept = 0;
  if (bytes.length === bitsLength(blocks)) {
    for (let index = 0; index < count; index++) {
      const block = from[index] ?? 0;
      if (((bytes[block >>> 3] ?? 0) & (1 << (block & 7))) !== 0) from[kept++] = block;
    }
    return kept;
  }
  let at = 0;
  let block = -1;
  for (let index = 0; index < count; index++) {
    const wanted = from[index] ?? 0;
    while (block < wanted && at < bytes.length) {
      let value = 0;
      let shift = 0;
      let byte = bytes[at++] ?? 0;
      while (byte >= MORE && at < bytes.length) {
        value |= (byte & PART) << shift;
        shift += 7;
        byte = bytes[at++] ?? 0;
      }
      block += (value | (byte << shift)) + 1;
    }
    if (block === wanted) from[kept++] = wanted;
    else if (block < wanted) break;
  }
  return kept;
}

/** Writes the block numbers, each moved by `move`, behind `at` and gives the place behind the last. */
export function listBlocks(
  bytes: Uint8Array,
  blocks: number,
  into: Uint32Array,
  at: number,
  move: number,
): number {
  let to = at;
  if (bytes.length === bitsLength(blocks)) {
    for (let place = 0; place < bytes.length; place++) {
      for (let rest = bytes[place] ?? 0; rest !== 0; rest &= rest - 1) {
        into[to++] = move + (place << 3) + (31 - Math.clz32(rest & -rest));
      }
    }
    return to;
  }
  let block = move - 1;
  let value = 0;
  let shift = 0;
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place] ?? 0;
    value |= (byte & PART) << shift;
    if (byte >= MORE) {
      shift += 7;
      continue;
    }
    block += value + 1;
    into[to++] = block;
    value = 0;
    shift = 0;
  }
  return to;
}
