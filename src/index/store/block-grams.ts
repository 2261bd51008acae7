import { INDEX_BLOCK } from "../../model/limits.ts";

/**
 * The grams of a text, block by block. A gram is three bytes that follow one another in a line, a block some whole
 * lines, so that a match within a line has all its grams in one block. Called by `run-builder.ts`.
 */

const NEWLINE = 0x0a;
/** Before the first byte of a block: as if a line had just ended. */
const LINE_START = (NEWLINE << 8) | NEWLINE;
const GRAM = 0xff_ff_ff;

export interface BlockGrams {
  /** Writes the different grams of `bytes[start..end)` behind `at` and gives the end of what was written. */
  readonly collect: (bytes: Uint8Array, start: number, end: number, into: Uint32Array, at: number) => number;
}

export function blockGrams(): BlockGrams {
  const seen = new Uint8Array(GRAM + 1);
  // Grams that hold a newline count as seen for ever: no test for line ends is needed in the loop.
  for (let pair = 0; pair <= 0xff_ff; pair++) {
    seen[(pair << 8) | NEWLINE] = 1;
    seen[((pair >> 8) << 16) | (NEWLINE << 8) | (pair & 0xff)] = 1;
    seen[(NEWLINE << 16) | pair] = 1;
  }
  return {
    collect: (bytes, start, end, into, at) => {
      const behind = fill(seen, bytes, start, end, into, at);
      for (let made = at; made < behind; made++) seen[into[made] ?? 0] = 0;
      return behind;
    },
  };
}

function fill(
  seen: Uint8Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint32Array,
  first: number,
): number {
  let at = first;
  let gram = LINE_START;
  for (let from = start; from < end; from++) {
    gram = ((gram << 8) | (bytes[from] ?? 0)) & GRAM;
    if (seen[gram] === 0) {
      seen[gram] = 1;
      into[at++] = gram;
    }
  }
  return at;
}

/** Where the block that starts here ends: behind the first line end after its size, or with the text. */
export function blockEnd(bytes: Buffer, start: number, end: number): number {
  if (end - start <= INDEX_BLOCK) return end;
  const newline = bytes.indexOf(NEWLINE, start + INDEX_BLOCK - 1);
  return newline === -1 || newline >= end ? end : newline + 1;
}
