/**
 * Search by line in the bytes of a file. Where something is known that every match holds, only the lines that hold it
 * are decoded, else only the blocks that match, and nothing is made of the others. Gives what `match-lines.ts` gives.
 * Called by `engine/search-text.ts` for files that are shown from their bytes, and by the index for those that may match.
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

/**
 * Bytes that are searched at once, with the rest of a line, where no needle says which lines may match. A text is made of
 * all of them where one matches: with 16 KiB a page takes half as long again.
 */
const BLOCK = 4 * 1024;

/** At most so many records; null: better done with the whole text. */
export function matchBytes(
  finder: Finder,
  needles: Needles,
  searched: Searched,
  count: number,
): readonly TextMatch[] | null {
  if (needles.all.length === 0) return matchBlocks(finder, searched, count);
  const { bytes, places, parts } = searched;
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

/** Blocks of lines are searched as they are, and a text is made only of those that match. */
function matchBlocks(
  finder: Finder,
  { bytes, places, parts }: Searched,
  count: number,
): readonly TextMatch[] | null {
  const records: TextMatch[] = [];
  for (const [from, to] of blocksOf(bytes, places.around(0).start, parts)) {
    // A line of megabytes has millions of matches.
    if (to - from > TEXT_IN_PROCESS) return null;
    const block = bytes.subarray(from, to);
    if (!finder.isMatchIn(block)) continue;
    const before = places.around(from).line - 1;
    for (const { line, ...record } of matchLines(finder, block.toString("utf8"))) {
      records.push({ line: before + line, ...record });
      if (records.length >= count) return records;
    }
  }
  return records;
}

/** Whole lines; none of a byte order mark, which ends at `first`. */
function* blocksOf(
  bytes: Buffer,
  first: number,
  parts: readonly number[] | null,
): Generator<readonly [from: number, to: number]> {
  for (const [start, end] of parts === null ? [[0, bytes.length] as const] : spans(parts)) {
    for (let from = Math.max(start, first); from < end; ) {
      const newline = bytes.indexOf(NEWLINE, Math.min(from + BLOCK, end) - 1);
      const to = newline === -1 ? bytes.length : newline + 1;
      yield [from, to];
      from = to;
    }
  }
}

/** From the start of each to behind it. */
function* spans(parts: readonly number[]): Generator<readonly [from: number, to: number]> {
  for (let at = 0; at < parts.length; at += 2) {
    const [from = 0, length = 0] = [parts[at], parts[at + 1]];
    yield [from, from + length];
  }
}

/** A byte of each line that holds all needles. */
function* needlePlaces(bytes: Buffer, needles: Needles, parts: readonly number[] | null): Generator<number> {
  if (parts === null) {
    for (const { at } of needleLines(new Haystack(bytes), needles)) yield at;
    return;
  }
  for (const [from, to] of spans(parts)) {
    const text = new Haystack(bytes.subarray(from, to));
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
