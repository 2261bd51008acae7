/**
 * Where the lines of bytes start, for `text-lines.ts`. Found as far as somebody asks: of a text in single bytes newlines
 * are only counted, four bytes at a time, and looked for near the line that is asked for; of UTF-16 every start is
 * noted. Pure.
 */
import { NEWLINES_COUNTED } from "../model/limits.ts";

export interface LinePlace {
  /** From 1. */
  readonly line: number;
  readonly start: number;
  /** Behind its terminator. */
  readonly next: number;
}

export interface LineStarts {
  /** null past the end. */
  readonly place: (line: number) => LinePlace | null;
  /** The line that a byte is on. */
  readonly around: (offset: number) => LinePlace;
  readonly count: () => number;
}

const NEWLINE = 0x0a;
/** Lines next to one that is known are found from there. */
const NEAR = 16;

/** `from`: behind the byte order mark, of which no byte is on a line. */
export function narrowStarts(bytes: Buffer, from: number): LineStarts {
  const chunks = Math.ceil(bytes.length / NEWLINES_COUNTED);
  /** Newlines before each chunk; of the first so many that is known. */
  const before = new Uint32Array(chunks + 1);
  let counted = 0;
  let last: LinePlace = { line: 1, start: from, next: endOf(from) };

  function endOf(at: number): number {
    const newline = bytes.indexOf(NEWLINE, at);
    return newline === -1 ? bytes.length : newline + 1;
  }
  /** Chunk by chunk, until there are so many of them or so many newlines. */
  const countTo = (chunk: number, newlines = Number.POSITIVE_INFINITY): void => {
    for (; counted < chunk && (before[counted] ?? 0) < newlines; counted += 1) {
      const start = counted * NEWLINES_COUNTED;
      const end = Math.min(start + NEWLINES_COUNTED, bytes.length);
      before[counted + 1] = (before[counted] ?? 0) + newlinesIn(bytes, start, end);
    }
  };
  /** Before a byte, with the chunks before it. */
  const newlinesBefore = (offset: number): number => {
    const chunk = Math.floor(offset / NEWLINES_COUNTED);
    countTo(chunk);
    return (before[chunk] ?? 0) + newlinesIn(bytes, chunk * NEWLINES_COUNTED, offset);
  };
  /** Behind the newline with this number, which there is; from the start of its chunk. */
  const behindNewline = (number: number): number => {
    let [low, high] = [0, counted];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((before[middle] ?? 0) >= number) high = middle;
      else low = middle + 1;
    }
    let at = (low - 1) * NEWLINES_COUNTED;
    for (let passed = before[low - 1] ?? 0; passed < number; passed++) at = bytes.indexOf(NEWLINE, at) + 1;
    return at;
  };
  /** From the last one that was asked for. */
  const stepped = (line: number): LinePlace | null => {
    let place = last;
    while (place.line < line) {
      if (place.next >= bytes.length) return null;
      place = { line: place.line + 1, start: place.next, next: endOf(place.next) };
    }
    while (place.line > line) {
      const newline = place.start - from < 2 ? -1 : bytes.lastIndexOf(NEWLINE, place.start - 2);
      place = { line: place.line - 1, start: Math.max(newline + 1, from), next: place.start };
    }
    return place;
  };
  const farPlace = (line: number): LinePlace | null => {
    countTo(chunks, line - 1);
    if ((before[counted] ?? 0) < line - 1) return null;
    const start = line === 1 ? from : behindNewline(line - 1);
    return start < bytes.length ? { line, start, next: endOf(start) } : null;
  };

  return {
    place: (line) => {
      if (line < 1 || from >= bytes.length) return null;
      const place = Math.abs(line - last.line) <= NEAR ? stepped(line) : farPlace(line);
      last = place ?? last;
      return place;
    },
    around: (given) => {
      const offset = Math.max(given, from);
      if (offset >= last.start && offset < last.next) return last;
      const newline = offset === 0 ? -1 : bytes.lastIndexOf(NEWLINE, offset - 1);
      const start = Math.max(newline + 1, from);
      const place = { line: newlinesBefore(start) + 1, start, next: endOf(offset) };
      // Behind the last newline there is no line to go on from.
      if (start < bytes.length) last = place;
      return place;
    },
    count: () => {
      if (from >= bytes.length) return 0;
      countTo(chunks);
      return (before[chunks] ?? 0) + (bytes.at(-1) === NEWLINE ? 0 : 1);
    },
  };
}

/** Newlines from a byte up to another. Four bytes at a time, each a sum of its own until one might be full. */
export function newlinesIn(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  let at = from;
  const isAligned = (bytes.byteOffset + from) % 4 === 0;
  const words = isAligned
    ? new Uint32Array(bytes.buffer, bytes.byteOffset + from, (to - from) >>> 2)
    : NO_WORDS;
  for (let word = 0; word < words.length; ) {
    const end = Math.min(words.length, word + 255);
    let sums = 0;
    for (; word < end; word++) {
      // The highest bit of each byte that is no newline, and then of those that are.
      const other = (words[word] ?? 0) ^ 0x0a_0a_0a_0a;
      sums += ~(((other & 0x7f_7f_7f_7f) + 0x7f_7f_7f_7f) | other | 0x7f_7f_7f_7f) >>> 7;
    }
    count += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  for (at += words.length * 4; at < to; at++) if (bytes[at] === NEWLINE) count += 1;
  return count;
}

const NO_WORDS = new Uint32Array(0);

/** UTF-16; `low`: where the lower byte of a unit is. */
export function wideStarts(bytes: Buffer, from: number, low: 0 | 1): LineStarts {
  /** The last one known is as far as it was looked. Plain memory: a file may have a million. */
  let starts = new Uint32Array(FIRST_LINES);
  let known = 1;
  starts[0] = from;
  const endOf = (start: number): number => {
    for (let at = bytes.indexOf(NEWLINE, start); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      if (at % 2 === low && bytes[at ^ 1] === 0) return (at | 1) + 1;
    }
    return bytes.length;
  };
  const reach = (line: number): void => {
    for (let at = starts[known - 1] ?? from; known <= line && at < bytes.length; known += 1) {
      at = endOf(at);
      if (known === starts.length) starts = grown(starts);
      starts[known] = at;
    }
  };
  const placeOf = (line: number): LinePlace => ({
    line,
    start: starts[line - 1] ?? 0,
    next: starts[line] ?? bytes.length,
  });

  return {
    place: (line) => {
      reach(line);
      return line < 1 || line >= known ? null : placeOf(line);
    },
    around: (given) => {
      const offset = Math.max(given, from);
      while ((starts[known - 1] ?? 0) <= offset && (starts[known - 1] ?? 0) < bytes.length) reach(known);
      let [first, behind] = [0, known - 1];
      while (first < behind) {
        const middle = (first + behind + 1) >>> 1;
        if ((starts[middle] ?? 0) <= offset) first = middle;
        else behind = middle - 1;
      }
      return placeOf(first + 1);
    },
    count: () => {
      reach(Number.POSITIVE_INFINITY);
      return known - 1;
    },
  };
}

/** Room for so many lines at first, and for four times as many when it is full. */
const FIRST_LINES = 256;

function grown(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(starts.length * 4);
  more.set(starts);
  return more;
}
