/**
 * Lines of a file that is too large to hold, in the memory of a chunk and a page. Lines are counted and decoded
 * as `text-lines.ts` does it for files that are held. Called by read for files over 32 MiB.
 */
import type { FileHandle } from "node:fs/promises";
import { STREAM_CHUNK } from "../model/limits.ts";
import type { LineRange } from "../model/selector.ts";
import { eachChunk } from "./file-chunks.ts";
import { CODING_HEAD, type LineCoding, lineCoding } from "./line-coding.ts";
import { type LineBudget, LinePage, type StreamedLine } from "./line-page.ts";

export type { LineBudget, StreamedLine } from "./line-page.ts";

export interface StreamedLines {
  readonly lines: readonly StreamedLine[];
  /** All lines of the file; null when it was not read to its end, and so has more than are here. */
  readonly total: number | null;
}

/** A place in the file, and the line that its byte belongs to. */
interface Mark {
  readonly position: number;
  readonly line: number;
}

interface Stream {
  readonly coding: LineCoding;
  /** Behind its byte order mark. */
  readonly start: Mark;
  /** Whether the end was reached: `feed` says whether it wants more. */
  readonly read: (from: number, feed: (bytes: Buffer) => boolean) => Promise<boolean>;
}

/**
 * The lines of these ranges, which are in order and do not touch. It stops as soon as it has them, or as many as the
 * budget allows; a line that is longer than what is left of it is cut. `chunk` is even.
 */
export async function streamLines(
  file: FileHandle,
  ranges: readonly LineRange[],
  budget: LineBudget,
  signal: AbortSignal | undefined,
  chunk: number = STREAM_CHUNK,
): Promise<StreamedLines> {
  const stream = await openStream(file, signal, chunk);
  return pageOf(stream, stream.start, ranges, budget);
}

/**
 * The last lines of the file, the first ones of them if the budget has no room for all. They are shown with their
 * numbers, so the whole file is counted; that pass remembers where to begin.
 */
export async function tailLines(
  file: FileHandle,
  count: number,
  budget: LineBudget,
  signal: AbortSignal | undefined,
  chunk: number = STREAM_CHUNK,
): Promise<StreamedLines> {
  const stream = await openStream(file, signal, chunk);
  const marks: Mark[] = [];
  const total = await countLines(stream, marks);
  const first = Math.max(1, total - count + 1);
  // A chunk may begin in the middle of its line, so that line must be one to pass over.
  const start = marks.findLast(({ line }) => line < first) ?? stream.start;
  const { lines } = await pageOf(stream, start, [{ first, last: null }], budget);
  return { lines, total };
}

async function openStream(file: FileHandle, signal: AbortSignal | undefined, chunk: number): Promise<Stream> {
  const { size } = await file.stat();
  const head = Buffer.alloc(CODING_HEAD);
  const { bytesRead } = await file.read(head, 0, CODING_HEAD, 0);
  const coding = lineCoding(head.subarray(0, bytesRead));
  return {
    coding,
    start: { position: coding.start, line: 1 },
    read: (from, feed) => eachChunk(file, { from, to: size }, { chunk, signal }, feed),
  };
}

async function pageOf(
  { coding, read }: Stream,
  start: Mark,
  ranges: readonly LineRange[],
  budget: LineBudget,
): Promise<StreamedLines> {
  const page = new LinePage(coding, ranges, budget, start.line);
  const ended = await read(start.position, (bytes) => page.feed(bytes));
  const total = ended ? page.end() : null;
  return { lines: page.lines, total };
}

const NONE: LineRange = { first: Number.POSITIVE_INFINITY, last: null };

/** Chunks between two marks: a file of terabytes must not fill the memory with them. */
const MARKED = 64;

/** Marks where some of its chunks start. */
async function countLines({ coding, start, read }: Stream, marks: Mark[]): Promise<number> {
  const counter = new LinePage(coding, [NONE], { lines: 1, bytes: 1 }, start.line);
  let { position } = start;
  let chunks = 0;
  await read(position, (bytes) => {
    if (chunks % MARKED === 0) marks.push({ position, line: counter.line });
    chunks += 1;
    position += bytes.length;
    return counter.feed(bytes);
  });
  return counter.end();
}
