import { DOCS_READ } from "../../model/limits.ts";
import type { Stamp } from "../../workspace/stamp.ts";
import type { KeyOrder } from "../key-order.ts";
import type { PathKey } from "../path-key.ts";
import { ownMemory, type Take } from "./own-memory.ts";
import { Damaged } from "./pages.ts";
import { writeNumber } from "./postings.ts";

/** The files of a segment: which they are, what they were when they were read, and where their blocks end. */

/**
 * `text`: UTF-8 without NUL. `bytes`: other bytes without NUL, which only ripgrep matches. `binary`: indexed to its
 * first NUL. `opaque`: not indexed, and so never left out; in another encoding, too large, or not readable.
 */
export type DocKind = "text" | "bytes" | "binary" | "opaque";
const KINDS: readonly DocKind[] = ["text", "bytes", "binary", "opaque"];

export interface Doc extends Stamp {
  readonly key: PathKey;
  readonly kind: DocKind;
  /** When it was read, by the clock. */
  readonly readAt: number;
  /** Bytes of each block. */
  readonly blocks: readonly number[];
}

/** Numbers as they are: size, three of the stamp, the time of reading. */
const NUMBERS = 5;
const STAMP = NUMBERS * 8;
/** A number in seven bits a byte takes no more. */
const NUMBER = 5;

export function writeDocs(docs: readonly Doc[]): Buffer {
  const room = docs.reduce(
    (sum, { key, blocks }) => sum + key.length + STAMP + (blocks.length + 2) * NUMBER + 1,
    0,
  );
  const into = Buffer.from(ownMemory(room));
  let at = 0;
  for (const doc of docs) {
    at = writeNumber(into, at, doc.key.length);
    at += into.write(doc.key, at, "latin1");
    into[at++] = KINDS.indexOf(doc.kind);
    for (const value of [doc.size, doc.mtimeMs, doc.ctimeMs, doc.ino, doc.readAt])
      at = into.writeDoubleLE(value, at);
    at = writeNumber(into, at, doc.blocks.length);
    for (const length of doc.blocks) at = writeNumber(into, at, length);
  }
  return into.subarray(0, at);
}

/** Where they stand. */
export interface DocBytes {
  readonly length: number;
  /** Until the next call. @throws Damaged */
  readonly read: (from: number, to: number) => Buffer;
}

function words(take: Take, count: number): Uint32Array {
  const { buffer, byteOffset } = take(count * Uint32Array.BYTES_PER_ELEMENT);
  return new Uint32Array(buffer, byteOffset, count);
}

function doubles(take: Take, count: number): Float64Array {
  const { buffer, byteOffset } = take(count * Float64Array.BYTES_PER_ELEMENT);
  return new Float64Array(buffer, byteOffset, count);
}

/** The same as they were read: numbers side by side, and an object of one only when it is asked for. */
export class Docs implements Iterable<Doc> {
  readonly length: number;
  /** The first block of each file, and behind the last. */
  readonly starts: Uint32Array;
  readonly #blocks: Uint32Array;
  readonly #stamps: Float64Array;
  readonly #kinds: Uint8Array;
  /** All names, one behind the other, and where each begins: shared with the thread that looks for them on disk. */
  readonly #keys: Buffer;
  readonly #keyStarts: Uint32Array;

  /** @throws Damaged */
  constructor(bytes: DocBytes, count: number, blocks: number, path: string, take: Take) {
    this.length = count;
    this.starts = words(take, count + 1);
    this.#blocks = words(take, blocks);
    this.#stamps = doubles(take, count * NUMBERS);
    this.#kinds = take(count);
    this.#keyStarts = words(take, count + 1);
    this.#keys = take(Math.max(0, bytes.length - count * (STAMP + 1)));
    this.#read(bytes, path);
  }

  keyAt(doc: number): PathKey {
    return this.#keys.toString("latin1", this.#keyStarts[doc], this.#keyStarts[doc + 1]);
  }

  kindAt(doc: number): DocKind {
    return KINDS[this.#kinds[doc] ?? 0] ?? "opaque";
  }

  readAt(doc: number): number | undefined {
    return this.#stamps[doc * NUMBERS + 4];
  }

  stampAt(doc: number): Stamp {
    const at = doc * NUMBERS;
    const stamps = this.#stamps;
    const [size = 0, mtimeMs = 0] = [stamps[at], stamps[at + 1]];
    const [ctimeMs = 0, ino = 0] = [stamps[at + 2], stamps[at + 3]];
    return { size, mtimeMs, ctimeMs, ino };
  }

  mtimeAt(doc: number): number | undefined {
    return this.#stamps[doc * NUMBERS + 1];
  }

  /** All names. */
  get order(): KeyOrder {
    return { bytes: this.#keys.subarray(0, this.#keyStarts.at(-1)), starts: this.#keyStarts };
  }

  /** Bytes of a block of the segment. */
  lengthOf(block: number): number {
    return this.#blocks[block] ?? 0;
  }

  at(doc: number): Doc {
    const blocks = Array.from(this.#blocks.subarray(this.starts[doc], this.starts[doc + 1]));
    const readAt = this.readAt(doc) ?? 0;
    return { key: this.keyAt(doc), kind: this.kindAt(doc), ...this.stampAt(doc), readAt, blocks };
  }

  *[Symbol.iterator](): Generator<Doc> {
    for (let doc = 0; doc < this.length; doc++) yield this.at(doc);
  }

  #read({ length: end, read }: DocBytes, path: string): void {
    let bytes: Buffer = Buffer.alloc(0);
    let view = new DataView(bytes.buffer);
    /** Where these are, and where the next is among them. */
    let from = 0;
    let at = 0;
    let block = 0;
    let names = 0;
    const damaged = (): Damaged => new Damaged("the list of files", path);
    /** Part by part: whole, it would be as much garbage as is kept. */
    const have = (length: number): void => {
      if (at + length <= bytes.length || from + bytes.length === end) return;
      from += at;
      at = 0;
      bytes = read(from, Math.min(end, from + Math.max(length, DOCS_READ)));
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    };
    const number = (): number => {
      have(NUMBER);
      let value = 0;
      for (let shift = 0; shift < 35; shift += 7) {
        const byte = bytes[at++];
        if (byte === undefined) break;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return value;
      }
      throw damaged();
    };
    for (let doc = 0; doc < this.length; doc++) {
      const length = number();
      have(length);
      names += bytes.copy(this.#keys, names, at, at + length);
      this.#keyStarts[doc + 1] = names;
      at += length;
      have(STAMP + 1);
      const kind = bytes[at++] ?? KINDS.length;
      if (kind >= KINDS.length || at + STAMP > bytes.length) throw damaged();
      this.#kinds[doc] = kind;
      for (let value = 0; value < NUMBERS; value++, at += 8)
        this.#stamps[doc * NUMBERS + value] = view.getFloat64(at, true);
      const count = number();
      if (block + count > this.#blocks.length) throw damaged();
      for (let last = block + count; block < last; block++) this.#blocks[block] = number();
      this.starts[doc + 1] = block;
    }
  }
}
