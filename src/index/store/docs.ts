import type { Stamp } from "../../workspace/stamp.ts";
import type { PathKey } from "../path-key.ts";
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
const STAMP = 5 * 8;
/** A number in seven bits a byte takes no more. */
const NUMBER = 5;

export function writeDocs(docs: readonly Doc[]): Buffer {
  const room = docs.reduce(
    (sum, { key, blocks }) => sum + key.length + STAMP + (blocks.length + 2) * NUMBER + 1,
    0,
  );
  const into = Buffer.allocUnsafe(room);
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

/** @throws Damaged */
export function readDocs(bytes: Buffer, count: number, path: string): Doc[] {
  const docs: Doc[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Damaged("the list of files", path);
  };
  const double = (): number => {
    if (at + 8 > bytes.length) throw new Damaged("the list of files", path);
    at += 8;
    return bytes.readDoubleLE(at - 8);
  };
  while (docs.length < count) {
    const length = number();
    const key = bytes.toString("latin1", at, at + length);
    at += length;
    const kind = KINDS[bytes[at++] ?? KINDS.length];
    if (kind === undefined) throw new Damaged("the list of files", path);
    const stamp = { size: double(), mtimeMs: double(), ctimeMs: double(), ino: double(), readAt: double() };
    const blocks = Array.from({ length: number() }, number);
    docs.push({ key, kind, ...stamp, blocks });
  }
  return docs;
}
