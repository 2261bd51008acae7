/**
 * Search by line in the bytes of a file, where something is known that every match holds: only the lines that hold it
 * are decoded, and nothing is made of the others. Gives what `match-lines.ts` gives. Called by `engine/search-text.ts`
 * for files that are shown from their bytes, and by the index for those that may match.
 */
import { TEXT_IN_PROCESS } from "../model/limits.ts";
import type { Finder } from "./finder.ts";
import { matchLine, matchLines } from "./match-lines.ts";
import { needleLines } from "./needle-lines.ts";
import { Haystack, type Needles } from "./needles.ts";
import type { TextMatch } from "./text-match.ts";

/** Where the lines of the bytes are. */
export interface LinePlaces {
  readonly around: (offset: number) => {
    readonly line: number;
    readonly start: number;
    readonly next: number;
  };
}

/** Lines that hold all needles and do not match, before the whole text is quicker after all. */
const MISSES = 32;
const NEWLINE = 0x0a;

/** Bytes that are UTF-8 without NUL. */
export interface Searched {
  readonly bytes: Buffer;
  readonly places: LinePlaces;
  /** Whole lines in which all matches are, start and length by turns; null: they may be anywhere. */
  readonly parts: readonly number[] | null;
}

/** At most so many records; null: better done with the whole text. */
export function matchBytes(
  finder: Finder,
  needles: Needles,
  { bytes, places, parts }: Searched,
  count: number,
): readonly TextMatch[] | null {
  const records: TextMatch[] = [];
  let misses = 0;
  for (const at of needlePlaces(bytes, needles, parts)) {
    // Its first byte may be one of a byte order mark, which is on no line.
    const { line, start, next } = places.around(at);
    // All of its matches would be told at once, and a line of megabytes has millions.
    if (next - start > TEXT_IN_PROCESS) return null;
    const record = matchLine(finder, bytes.toString("utf8", start, next));
    if (record !== null) records.push({ line, ...record });
    else if (++misses > MISSES) return null;
    if (records.length >= count) break;
  }
  return records;
}

/** A byte of each line that holds all needles. */
function* needlePlaces(bytes: Buffer, needles: Needles, parts: readonly number[] | null): Generator<number> {
  if (parts === null) {
    for (const { at } of needleLines(new Haystack(bytes), needles)) yield at;
    return;
  }
  for (let part = 0; part < parts.length; part += 2) {
    const [from = 0, length = 0] = [parts[part], parts[part + 1]];
    const text = new Haystack(bytes.subarray(from, from + length));
    for (const { at } of needleLines(text, needles)) yield from + at;
  }
}

/** Whether a line of the bytes matches. They are UTF-8 without NUL or byte order mark. */
export function bytesMatch(finder: Finder, needles: Needles, bytes: Buffer): boolean {
  if (needles.all.length === 0) return linesMatch(finder, bytes);
  let misses = 0;
  for (const { start, end } of needleLines(new Haystack(bytes), needles)) {
    if (finder.isMatch(bytes.toString("utf8", start, bytes[end - 1] === NEWLINE ? end - 1 : end)))
      return true;
    if (++misses > MISSES) return linesMatch(finder, bytes.subarray(end));
  }
  return false;
}

/** All lines at once, which mostly do not match; where something does, which may be no line, one after the other. */
function linesMatch(finder: Finder, bytes: Buffer): boolean {
  return finder.isMatchIn(bytes) && matchLines(finder, bytes.toString("utf8")).next().done !== true;
}
