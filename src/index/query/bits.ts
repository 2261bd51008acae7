/** Sets of small numbers, a bit for each, in words. */

export type Bits = Uint32Array;

export function emptyBits(count: number): Bits {
  return new Uint32Array((count + 31) >>> 5);
}

export function fullBits(count: number): Bits {
  const bits = emptyBits(count).fill(0xff_ff_ff_ff);
  const rest = count & 31;
  if (rest !== 0) bits[bits.length - 1] = 2 ** rest - 1;
  return bits;
}

export function addBit(bits: Bits, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

/** All from `from` up to `to`. */
export function addBits(bits: Bits, from: number, to: number): void {
  const [first, last] = [(from + 31) >>> 5, to >>> 5];
  if (first > last) {
    for (let at = from; at < to; at += 1) addBit(bits, at);
    return;
  }
  for (let at = from; at < first << 5; at += 1) addBit(bits, at);
  bits.fill(0xff_ff_ff_ff, first, last);
  for (let at = last << 5; at < to; at += 1) addBit(bits, at);
}

export function removeBit(bits: Bits, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) & ~(1 << (at & 31));
}

/** All that are less. */
export function dropBefore(bits: Bits, from: number): void {
  const word = from >>> 5;
  bits.fill(0, 0, word);
  if (word < bits.length) bits[word] = (bits[word] ?? 0) & (-1 << (from & 31));
}

export function hasBit(bits: Bits, at: number): boolean {
  return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
}

/** Leaves in `bits` what is in both. */
export function intersect(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) & (other[word] ?? 0);
}

export function unite(bits: Bits, other: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) | (other[word] ?? 0);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    let rest = bits[word] ?? 0;
    // By pairs, fours and eights of bits, all at once.
    rest -= (rest >>> 1) & 0x55_55_55_55;
    rest = (rest & 0x33_33_33_33) + ((rest >>> 2) & 0x33_33_33_33);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
  }
  return count;
}

/** The first member at or behind `from`; -1: there is none. */
export function nextBit(bits: Bits, from: number): number {
  let word = from >>> 5;
  if (word >= bits.length) return -1;
  let rest = (bits[word] ?? 0) & (-1 << (from & 31));
  while (rest === 0) {
    word += 1;
    if (word >= bits.length) return -1;
    rest = bits[word] ?? 0;
  }
  return (word << 5) + (31 - Math.clz32(rest & -rest));
}

/** The members, rising. */
export function listBits(bits: Bits, count: number): Uint32Array<ArrayBuffer> {
  const list = new Uint32Array(count);
  let to = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
      list[to++] = (word << 5) + (31 - Math.clz32(rest & -rest));
    }
  }
  return list;
}
