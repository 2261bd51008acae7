import { INDEX_PAGE } from "../../model/limits.ts";
import { Damaged, openPages, type Pages, reused } from "./pages.ts";
import { type DocBytes, Docs } from "./docs.ts";
import { type Take, takeTogether } from "./own-memory.ts";
import { SEGMENT_FORMAT } from "./segment-writer.ts";

/** Reads a segment that `segment-writer.ts` wrote: its files at once, the blocks of a gram when they are asked for. */

export interface Segment {
  /** As it was opened. */
  readonly path: string;
  /** Where it can be opened as long as this one is, also when it has no name any more. */
  readonly openPath: string;
  readonly docs: Docs;
  readonly blocks: number;
  readonly bytes: number;
  /** Where the list of a gram stands, and how long it is; null: no block holds it. @throws Damaged */
  readonly find: (gram: number) => Place | null;
  /** Until the next call. @throws Damaged */
  readonly list: (place: Place) => Buffer;
  /** Every gram with its list, by rising gram; a list is good until the next. @throws Damaged */
  readonly lists: () => Generator<GramList>;
  readonly close: () => void;
}

export interface Place {
  readonly from: number;
  readonly length: number;
}

export interface GramList {
  readonly gram: number;
  readonly bytes: Uint8Array;
}

const HEADER = 8 * 8;
/** Lists read at once, when all are: of each of fifty segments that are merged. */
const READ_AHEAD = 1 << 18;

/** `take`: from where others take their memory that will go with this one. @throws Damaged */
export function openSegment(path: string, take: Take = takeTogether()): Segment {
  const pages = openPages(path);
  try {
    return segmentOf(pages, path, take);
  } catch (cause) {
    pages.close();
    throw cause;
  }
}

function segmentOf(pages: Pages, path: string, take: Take): Segment {
  const header = pages.read(pages.length - HEADER, pages.length);
  const [format = 0, blocks = 0, docCount = 0, , lists = 0, dictionaryEnd = 0, sparseEnd = 0, docsEnd = 0] =
    doubles(header);
  if (format !== SEGMENT_FORMAT) throw new Damaged("another format", path);
  if (![blocks, docCount].every((number) => Number.isSafeInteger(number) && number >= 0))
    throw new Damaged("no number of files", path);
  // For each chunk its first gram, where it begins, and where its first list begins.
  const chunks: readonly number[] = doubles(pages.read(dictionaryEnd, sparseEnd));
  const count = chunks.length / 3;
  // A few megabytes, and asked for every gram of every pattern.
  const dictionary = pages.readInto(lists, dictionaryEnd, take);
  const docBytes: DocBytes = {
    length: docsEnd - sparseEnd,
    read: (from, to) => pages.peek(sparseEnd + from, sparseEnd + to),
  };
  const docs = new Docs(docBytes, docCount, blocks, path, take);

  const chunk = (at: number): { readonly bytes: Buffer; readonly gram: number; readonly list: number } => {
    const end = at + 1 < count ? chunks[at * 3 + 4] : dictionary.length;
    const bytes = dictionary.subarray(chunks[at * 3 + 1], end);
    return { bytes, gram: chunks[at * 3] ?? 0, list: chunks[at * 3 + 2] ?? 0 };
  };

  const find = (gram: number): Place | null => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((chunks[middle * 3] ?? 0) <= gram) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return null;
    const { bytes, ...first } = chunk(low - 1);
    const read = reader(bytes, path);
    let at = first.gram;
    let from = first.list;
    while (!read.ended()) {
      at += read.number();
      const length = read.number();
      if (at === gram) return { from, length };
      if (at > gram) return null;
      from += length;
    }
    return null;
  };

  function* all(): Generator<GramList> {
    // Where they begin and end within pages.
    const room = reused(take, READ_AHEAD + 2 * INDEX_PAGE);
    let window: Uint8Array = Buffer.alloc(0);
    let windowFrom = 0;
    for (let at = 0; at < count; at++) {
      const { bytes, ...first } = chunk(at);
      const read = reader(bytes, path);
      let gram = first.gram;
      let from = first.list;
      while (!read.ended()) {
        gram += read.number();
        const length = read.number();
        if (from + length > windowFrom + window.length) {
          windowFrom = from;
          window = pages.readInto(from, Math.min(lists, from + Math.max(length, READ_AHEAD)), room);
        }
        yield { gram, bytes: window.subarray(from - windowFrom, from - windowFrom + length) };
        from += length;
      }
    }
  }

  return {
    path,
    openPath: `/proc/self/fd/${pages.fd}`,
    docs,
    blocks,
    bytes: pages.length,
    find,
    list: ({ from, length }) => pages.peek(from, from + length),
    lists: all,
    close: pages.close,
  };
}

function doubles(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >> 3 }, (_, at) => bytes.readDoubleLE(at * 8));
}

function reader(
  bytes: Buffer,
  path: string,
): { readonly ended: () => boolean; readonly number: () => number } {
  let at = 0;
  return {
    ended: () => at >= bytes.length,
    number: () => {
      let value = 0;
      let shift = 0;
      for (;;) {
        const byte = bytes[at++];
        if (byte === undefined) throw new Damaged("a chunk of grams", path);
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
        shift += 7;
      }
    },
  };
}
