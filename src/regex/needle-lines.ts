/**
 * The lines of bytes that hold all of a pattern's needles, and so may match: no others need be looked at. Each needle is
 * looked for once through the bytes, from where the others are. Called by `match-bytes.ts`.
 */
import type { Haystack, Needles } from "./needles.ts";

export interface LineSpan {
  readonly start: number;
  /** Behind its newline. */
  readonly end: number;
  /** A byte of what was sought on it. */
  readonly at: number;
}

const NEWLINE = 0x0a;
const MARK = Buffer.from("\uFEFF");

export function* needleLines(text: Haystack, { all, start: first }: Needles): Generator<LineSpan> {
  const { bytes } = text;
  const seeks = all.map(({ seek }) => seek(text));
  let at = 0;
  for (;;) {
    let farthest = at;
    for (const seek of seeks) {
      const found = seek(at);
      if (found === -1) return;
      if (found > farthest) farthest = found;
    }
    const start = farthest === 0 ? 0 : bytes.lastIndexOf(NEWLINE, farthest - 1) + 1;
    if (start > at && seeks.length > 1) {
      // Those that were found before this line may be on it too.
      at = start;
      continue;
    }
    const newline = bytes.indexOf(NEWLINE, farthest);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (first === null || beginsWith(bytes, start, first)) yield { start, end, at: farthest };
    if (end >= bytes.length) return;
    at = end;
  }
}

/** The first line may stand behind a byte order mark, or begin with what is none. */
function beginsWith(bytes: Buffer, start: number, text: Buffer): boolean {
  return isAt(bytes, start, text) || (start === 0 && isAt(bytes, 0, MARK) && isAt(bytes, MARK.length, text));
}

function isAt(bytes: Buffer, from: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[from + at] !== text[at]) return false;
  return true;
}
