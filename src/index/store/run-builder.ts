import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { GRAMS_HELD, INDEXED_FILE } from "../../model/limits.ts";
import { keyOnDisk, type PathKey } from "../path-key.ts";
import { blockEnd, blockGrams, mostGrams } from "./block-grams.ts";
import type { Stamp } from "../../workspace/stamp.ts";
import type { Doc, DocKind } from "./docs.ts";
import { ownMemory } from "./own-memory.ts";
import { sortPostings } from "./sort-postings.ts";
import { segmentWriter } from "./segment-writer.ts";

/**
 * Builds segments of files: reads each, cuts it into blocks, gathers the grams of each block, and writes a segment
 * when there are as many as may be held. Runs in a thread of its own (`build-thread.ts`).
 */

export interface RunBuilder {
  /** Takes in one file; what cannot be read is taken in as opaque. */
  readonly add: (key: PathKey) => void;
  /** Writes what is held. The segments written, in order. */
  readonly finish: () => readonly string[];
}

/** `nextPath` names the next segment file. */
export function runBuilder(root: string, nextPath: () => string): RunBuilder {
  const grams = blockGrams();
  let held = new Uint32Array(GRAMS_HELD);
  let spare = new Uint32Array(GRAMS_HELD);
  // One more than a file may have: whether it is read to its end is seen at the end.
  const bytes = Buffer.from(ownMemory(INDEXED_FILE + 1));
  let docs: Doc[] = [];
  let ends: number[] = [];
  let count = 0;
  const written: string[] = [];

  const write = (): void => {
    if (docs.length === 0) return;
    const path = nextPath();
    const writer = segmentWriter(path);
    try {
      sortPostings(held, spare, ends, (gram, list) => writer.list(gram, list));
      writer.finish(docs, ends.length);
    } catch (cause) {
      writer.abandon();
      throw cause;
    }
    written.push(path);
    docs = [];
    ends = [];
    count = 0;
  };

  /** For the grams of a block. The blocks of a file stay together. */
  const makeRoom = (grams: number): boolean => {
    if (count + grams <= held.length) return true;
    if (held.length > GRAMS_HELD) return false;
    const larger = new Uint32Array(GRAMS_HELD * GRAMS_OF_ONE);
    larger.set(held);
    held = larger;
    spare = new Uint32Array(larger.length);
    return count + grams <= held.length;
  };

  /** The bytes of a file, or null for what is not indexed; and its stamp, from before it was read. */
  const readFile = (key: PathKey): { readonly length: number | null; readonly stamp: Stamp } => {
    let fd = -1;
    try {
      fd = openSync(keyOnDisk(root, key), READ);
      const info = fstatSync(fd);
      const stamp = { size: info.size, mtimeMs: info.mtimeMs, ctimeMs: info.ctimeMs, ino: info.ino };
      if (!info.isFile() || info.size > INDEXED_FILE) return { length: null, stamp };
      let length = 0;
      for (;;) {
        const read = readSync(fd, bytes, length, bytes.length - length, null);
        length += read;
        if (read === 0) return { length, stamp };
        // It grows while it is read: its stamp will not hold.
        if (length > INDEXED_FILE) return { length: null, stamp };
      }
    } catch {
      return { length: null, stamp: UNKNOWN };
    } finally {
      if (fd !== -1) closeSync(fd);
    }
  };

  const add = (key: PathKey): void => {
    const readAt = Date.now();
    const { length, stamp } = readFile(key);
    const kind = length === null ? "opaque" : kindOf(bytes.subarray(0, length));
    const end = length === null || kind === "opaque" ? 0 : kind === "binary" ? bytes.indexOf(0) : length;
    // Without what is behind it of files before, in which no line end need be looked for.
    const text = bytes.subarray(0, end);
    const blocks: number[] = [];
    const before = { count, blocks: ends.length };
    for (let start = 0; start < end; ) {
      const stop = blockEnd(text, start, end);
      if (!makeRoom(mostGrams(stop - start))) {
        count = before.count;
        ends.length = before.blocks;
        docs.push({ key, kind: "opaque", ...stamp, readAt, blocks: [] });
        return;
      }
      count = grams.collect(text, start, stop, held, count);
      ends.push(count);
      blocks.push(stop - start);
      start = stop;
    }
    docs.push({ key, kind, ...stamp, readAt, blocks });
    if (count > GRAMS_HELD / 2 || ends.length > BLOCKS_OF_RUN) write();
  };

  return {
    add,
    finish: () => {
      write();
      return written;
    },
  };
}

/** What may be held for one file, of what is held for many. */
const GRAMS_OF_ONE = 4;
/** Half of what a block's number has room for. */
const BLOCKS_OF_RUN = 1 << 19;
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
/** Never that of a file. */
const UNKNOWN: Stamp = { size: -1, mtimeMs: -1, ctimeMs: -1, ino: -1 };

function kindOf(bytes: Buffer): DocKind {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  // ripgrep reads UTF-16 by its mark.
  if (mark === 0xfeff || mark === 0xfffe) return "opaque";
  if (bytes.includes(0)) return "binary";
  return isUtf8(bytes) ? "text" : "bytes";
}
