import { INDEX_BLOCK } from "../../model/limits.ts";
import { ownMemory } from "./own-memory.ts";

/**
 * The grams of a text, block by block. A gram is three bytes that follow one another in a line, a block some whole
 * lines, so that a match within a line has all its grams in one block. The first two bytes of a character beyond ASCII
 * are a pair, told as the gram of a newline and both: a letter of two bytes has no other gram. Called by
 * `run-builder.ts`, asked for by `regex/gram-strings.ts`.
 */

const NEWLINE = 0x0a;
const PAIR = NEWLINE << 16;
/** Of the last two bytes of a gram: the bits that tell the first and the second byte of a character, and what they are. */
const PAIR_BITS = 0xc0_c0;
const IS_PAIR = 0xc0_80;
/** First bytes of characters, and bytes behind them. */
const [FIRST_LEAD, LAST_LEAD] = [0xc2, 0xf4];
const [FIRST_BEHIND, LAST_BEHIND] = [0x80, 0xbf];
/** Before the first byte of a block: as if a line had just ended. */
const LINE_START = (NEWLINE << 8) | NEWLINE;
const GRAM = 0xff_ff_ff;

export interface BlockGrams {
  /** Writes the different grams of `bytes[start..end)` behind `at` and gives the end of what was written. */
  readonly collect: (bytes: Uint8Array, start: number, end: number, into: Uint32Array, at: number) => number;
}

export function blockGrams(): BlockGrams {
  const seen = new Uint8Array(ownMemory(GRAM + 1), 0, GRAM + 1);
  // Grams that hold a newline count as seen for ever: no test for line ends is needed in the loop.
  for (let pair = 0; pair <= 0xff_ff; pair++) {
    seen[(pair << 8) | NEWLINE] = 1;
    seen[((pair >> 8) << 16) | (NEWLINE << 8) | (pair & 0xff)] = 1;
    seen[(NEWLINE << 16) | pair] = 1;
  }
  // But for pairs, which are met like this at the beginning of a line.
  for (let lead = FIRST_LEAD; lead <= LAST_LEAD; lead++) {
    seen.fill(0, PAIR | (lead << 8) | FIRST_BEHIND, (PAIR | (lead << 8) | LAST_BEHIND) + 1);
  }
  return {
    collect: (bytes, start, end, into, at) => {
      const behind = addPairs(seen, into, at, fill(seen, bytes, start, end, into, at));
      for (let made = at; made < behind; made++) seen[into[made] ?? 0] = 0;
      return behind;
    },
  };
}

/** The most grams that so many bytes have: one ends with each byte, and a pair with every second one. */
export function mostGrams(length: number): number {
  return Math.min(length + (length >> 1), GRAM + 1);
}

/** Every pair ends some gram, so that the different grams tell all of them. */
function addPairs(seen: Uint8Array, into: Uint32Array, first: number, behind: number): number {
  let at = behind;
  for (let made = first; made < behind; made++) {
    const gram = into[made] ?? 0;
    if ((gram & PAIR_BITS) !== IS_PAIR) continue;
    const pair = PAIR | (gram & 0xff_ff);
    if (seen[pair] !== 0) continue;
    seen[pair] = 1;
    into[at++] = pair;
  }
  return at;
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
