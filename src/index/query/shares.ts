/**
 * Who looks at which files of a list: two threads take part after part of it, one from the front and one from the back,
 * until all are taken. Neither waits for the other while there is anything left, whatever else the machine is at. Shared
 * by `looking.ts` and `second-thread.ts`.
 */

/** How many parts are taken, by both. */
export type Shares = Int32Array<SharedArrayBuffer>;

/** Files of a part, which take 0.1 to 0.4 ms: so long one may have to wait for the other at the end. */
const SHARED_PART = 16;

export function newShares(): Shares {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** The parts of a list of so many that whoever asks has to look at: the first of each, and the one behind its last. */
export function* takeParts(
  shares: Shares,
  count: number,
  end: "front" | "back",
): Generator<readonly [from: number, to: number]> {
  const parts = Math.ceil(count / SHARED_PART);
  for (let taken = 0; Atomics.add(shares, 0, 1) < parts; taken += 1) {
    const part = end === "front" ? taken : parts - 1 - taken;
    yield [part * SHARED_PART, Math.min(count, (part + 1) * SHARED_PART)];
  }
}
