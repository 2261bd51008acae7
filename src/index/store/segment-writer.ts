import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { GRAMS_PER_CHUNK } from "../../model/limits.ts";
import { type Doc, writeDocs } from "./docs.ts";
import { ownMemory } from "./own-memory.ts";
import { pageWriter } from "./pages.ts";
import { writeNumber } from "./postings.ts";

/**
 * Writes a segment: the lists of blocks by rising gram, then the grams with the lengths of their lists in chunks, then
 * where each chunk begins, the files, and the header. Read by `segment.ts`; filled by `run-builder.ts` and `merge.ts`.
 */

/** 1: three bytes of a line are a gram. 2: and the first two of a character beyond ASCII. */
export const SEGMENT_FORMAT = 2;

export interface SegmentWriter {
  /** The list of one gram; grams rise. */
  readonly list: (gram: number, bytes: Uint8Array) => void;
  /** The bytes of several lists that stand behind one another, whose lengths are told by `gram`. */
  readonly gram: (gram: number, length: number) => void;
  readonly bytes: (bytes: Uint8Array) => void;
  /** Writes all the rest to the disk and closes the file. */
  readonly finish: (docs: readonly Doc[], blocks: number) => void;
  /** Closes the file and removes it. */
  readonly abandon: () => void;
}

export function segmentWriter(path: string): SegmentWriter {
  const fd = openSync(path, "wx", 0o600);
  const pages = pageWriter(fd);
  const dictionary = growing();
  const sparse = growing();
  let lists = 0;
  let grams = 0;
  let last = 0;

  const gram = (value: number, length: number): void => {
    if (grams % GRAMS_PER_CHUNK === 0) {
      sparse.double(value);
      sparse.double(dictionary.length());
      sparse.double(lists);
      last = value;
    }
    dictionary.number(value - last);
    dictionary.number(length);
    last = value;
    lists += length;
    grams += 1;
  };

  return {
    gram,
    bytes: (bytes) => pages.write(bytes),
    list: (value, bytes) => {
      gram(value, bytes.length);
      pages.write(bytes);
    },
    finish: (docs, blocks) => {
      const sections = [dictionary.bytes(), sparse.bytes(), writeDocs(docs)];
      const ends = sections.map((section) => {
        pages.write(section);
        return pages.length();
      });
      pages.write(header([SEGMENT_FORMAT, blocks, docs.length, grams, lists, ...ends]));
      pages.finish();
      fsyncSync(fd);
      closeSync(fd);
    },
    abandon: () => {
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}

function header(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [at, value] of values.entries()) bytes.writeDoubleLE(value, at * 8);
  return bytes;
}

interface Growing {
  readonly length: () => number;
  readonly number: (value: number) => void;
  readonly double: (value: number) => void;
  readonly bytes: () => Buffer;
}

function growing(): Growing {
  let into = Buffer.allocUnsafe(1 << 16);
  let at = 0;
  const room = (): void => {
    if (at + 16 <= into.length) return;
    const larger = Buffer.from(ownMemory(into.length * 2));
    into.copy(larger);
    into = larger;
  };
  return {
    length: () => at,
    number: (value) => {
      room();
      at = writeNumber(into, at, value);
    },
    double: (value) => {
      room();
      at = into.writeDoubleLE(value, at);
    },
    bytes: () => into.subarray(0, at),
  };
}
