/**
 * What is known of a large file that is not held: which content it is, and where its lines are, so that a few of them can
 * be read by themselves. Made in one pass, in memory that stays in a core's cache. Called by `tools/sketched-view.ts`.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { NEWLINES_COUNTED, STREAM_CHUNK } from "../model/limits.ts";
import { newlinesIn } from "./line-starts.ts";
import { fillNow } from "./read-now.ts";

export interface Sketch {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Newlines before every `NEWLINES_COUNTED` bytes, and in all of them. */
  readonly newlines: Uint32Array;
}

/** The longest letter of UTF-8: what is left of one is put in front of the bytes that follow. */
const LETTER = 4;

/** null: it is not UTF-8 without NUL, or not as long as it was. */
export function sketchOf(fd: number, size: number): Sketch | null {
  const memory = Buffer.allocUnsafeSlow(LETTER + STREAM_CHUNK);
  const hash = createHash("sha256");
  const newlines = new Uint32Array(Math.ceil(size / NEWLINES_COUNTED) + 1);
  let [count, chunk, left] = [0, 0, 0];
  for (let position = 0; position < size; position += STREAM_CHUNK) {
    const end = LETTER + Math.min(STREAM_CHUNK, size - position);
    const bytes = memory.subarray(LETTER, end);
    if (fillNow(fd, bytes, position) < bytes.length || bytes.includes(0)) return null;
    hash.update(bytes);
    const whole = position + STREAM_CHUNK >= size ? end : endOfLetters(memory, end);
    if (!isUtf8(memory.subarray(LETTER - left, whole))) return null;
    left = end - whole;
    for (let from = LETTER; from < end; from += NEWLINES_COUNTED) {
      count += newlinesIn(memory, from, Math.min(from + NEWLINES_COUNTED, end));
      newlines[++chunk] = count;
    }
    memory.copy(memory, LETTER - left, whole, end);
  }
  return { hash: hash.digest("hex"), size, newlines };
}

/** Where the last letter begins, if it may be cut, or the end. */
function endOfLetters(bytes: Buffer, end: number): number {
  for (let at = end - 1; at >= end - LETTER; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return at;
  }
  return end;
}

/** Bytes of a file from the beginning of a chunk of a sketch up to another, or to the end. */
export interface Window {
  readonly from: number;
  readonly to: number;
  /** Newlines before it. */
  readonly newlines: number;
  /** The first and last line that are whole in it. */
  readonly first: number;
  readonly last: number;
}

/** What has to be read to show lines, which begin and end at bytes of the file, with so many before and after them. */
export function windowAround(
  { newlines, size }: Sketch,
  lines: { readonly from: number; readonly to: number },
  { before, after }: { readonly before: number; readonly after: number },
): Window {
  const at = (chunk: number): number => newlines[chunk] ?? 0;
  const chunks = newlines.length - 1;
  let start = Math.floor(lines.from / NEWLINES_COUNTED);
  // Of a line that begins before it, the end is in it, and not shown.
  const above = at(start) - before - 1;
  while (start > 0 && at(start) > above) start -= 1;
  let end = Math.min(Math.ceil(lines.to / NEWLINES_COUNTED), chunks);
  const below = at(end) + after;
  while (end < chunks && at(end) < below) end += 1;
  const isEnd = end === chunks;
  return {
    from: start * NEWLINES_COUNTED,
    to: isEnd ? size : end * NEWLINES_COUNTED,
    newlines: at(start),
    first: at(start) + (start === 0 ? 1 : 2),
    last: at(end) + (isEnd ? 1 : 0),
  };
}
