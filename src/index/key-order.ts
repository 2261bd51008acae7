import type { PathKey } from "./path-key.ts";

/**
 * Names in an order of their own, one behind the other: those of the saved segments, as they lie there. A survey that
 * tells of a tree in this order needs no names for them, and whoever hears it no search for their files. It is memory
 * that threads share: a copy of it would be megabytes. Made by `segments.ts`, followed by `survey.ts`.
 */
export interface KeyOrder {
  readonly bytes: Uint8Array;
  /** Where each begins, and behind the last. */
  readonly starts: Uint32Array;
}

export const NO_ORDER: KeyOrder = { bytes: new Uint8Array(), starts: new Uint32Array(1) };

export function countOf({ starts }: KeyOrder): number {
  return starts.length - 1;
}

/** Each with its place. */
export function* keysOf({ bytes, starts }: KeyOrder): Generator<PathKey> {
  const names = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 1; at < starts.length; at++) yield names.toString("latin1", starts[at - 1], starts[at]);
}

/** One behind the other. Of one alone nothing is copied. */
export function joined(orders: readonly KeyOrder[]): KeyOrder {
  const [only, ...others] = orders;
  if (only === undefined) return NO_ORDER;
  if (others.length === 0) return only;
  const count = orders.reduce((sum, order) => sum + countOf(order), 0);
  const length = orders.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const starts = new Uint32Array(new SharedArrayBuffer((count + 1) * Uint32Array.BYTES_PER_ELEMENT));
  const all = new Uint8Array(new SharedArrayBuffer(length));
  let [place, end] = [0, 0];
  for (const { bytes, starts: own } of orders) {
    for (const start of own.subarray(0, -1)) starts[place++] = end + start;
    all.set(bytes, end);
    end += bytes.length;
  }
  starts[place] = end;
  return { bytes: all, starts };
}
