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

export function isEmpty(bits: Bits): boolean {
  for (let word = 0; word < bits.length; word++) if (bits[word] !== 0) return false;
  return true;
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
