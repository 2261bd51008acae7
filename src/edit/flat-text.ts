/**
 * A file's text as one string with `\n` between lines, whatever ends them in the file, and the way back from a place in
 * it to the bytes. For changes that are named by text and not by lines. Pure.
 */
import { encodingOf, type Encoding, type TextLines } from "../workspace/text-lines.ts";

export interface FlatText {
  /** Of a file that is in no encoding we know, each byte is a character; only its ASCII ones are what they seem. */
  readonly text: string;
  readonly encoding: Encoding;
  /** Where a character begins in the bytes; the newline of a `\r\n` with its `\r`. */
  readonly byteAt: (index: number) => number;
  /** The line that a character is on, from 1. */
  readonly lineAt: (index: number) => number;
}

export function flatText(lines: TextLines): FlatText {
  const { bytes, mark } = lines;
  const encoding = encodingOf(lines);
  const whole = decoded(bytes.subarray(mark), encoding);
  const pairs = pairsIn(whole);
  const text = pairs.length === 0 ? whole : whole.replaceAll("\r\n", "\n");
  const unit = encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;
  return {
    text,
    encoding,
    byteAt: (index) => {
      const place = index + below(pairs, index);
      if (encoding !== "utf-8") return mark + place * unit;
      return mark + Buffer.byteLength(whole.slice(0, place));
    },
    lineAt: (index) => lineAt(text, index),
  };
}

/** One unit of the string for one unit of the file, but for UTF-8; nothing is replaced. */
function decoded(bytes: Buffer, encoding: Encoding): string {
  if (encoding === "utf-8") return bytes.toString("utf8");
  if (encoding === "single-byte") return bytes.toString("latin1");
  if (encoding === "utf-16le") return bytes.toString("utf16le");
  // A last byte that is half a unit is no text.
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString("utf16le");
}

/** The places of newlines that were `\r\n`, as they are when each of these is one character. */
function pairsIn(text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
    places.push(at - places.length);
  }
  return places;
}

/** How many of these ascending numbers are less. */
function below(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The line that a place of a text is on. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
