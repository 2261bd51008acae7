/** Segments of planted texts, and what brute force says is in them. */
import {
  copyFileSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listBlocks } from "../../src/index/store/postings.ts";
import { runJob } from "../../src/index/store/jobs.ts";
import { openSegment, type Segment } from "../../src/index/store/segment.ts";

export interface Place {
  readonly root: string;
  readonly remove: () => void;
}

export function place(): Place {
  const root = mkdtempSync(join(tmpdir(), "quarry-store-"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A segment of files `0`, `1`, … with these contents. */
export function segmentOf(root: string, name: string, contents: readonly Buffer[]): string {
  const keys = contents.map((content, at) => {
    const key = `${name}.${at}`;
    writeFileSync(join(root, key), content);
    return key;
  });
  const [path] = runJob({ kind: "build", root, keys, path: join(root, name) });
  if (path === undefined) throw new Error("no segment was written");
  return path;
}

/** Every gram with its blocks; a block by its file and its number there. */
export function contentsOf(path: string): Map<number, string[]> {
  const segment = openSegment(path);
  try {
    return gramsOf(segment);
  } finally {
    segment.close();
  }
}

function gramsOf(segment: Segment): Map<number, string[]> {
  const names = Array.from(segment.docs).flatMap(({ key, blocks }) => blocks.map((_, at) => `${key}:${at}`));
  const found = new Map<number, string[]>();
  const into = new Uint32Array(segment.blocks);
  for (const { gram, bytes } of segment.lists()) {
    const count = listBlocks(bytes, segment.blocks, into, 0, 0);
    found.set(
      gram,
      Array.from(into.subarray(0, count), (block) => names[block] ?? "none"),
    );
    const at = segment.find(gram);
    if (at === null || !segment.list(at).equals(bytes)) throw new Error(`gram ${gram} is found elsewhere`);
  }
  return found;
}

/** The same by looking at every byte; the blocks are as the segment says. */
export function bruteForce(root: string, path: string): Map<number, string[]> {
  const segment = openSegment(path);
  segment.close();
  const found = new Map<number, string[]>();
  for (const { key, blocks } of segment.docs) {
    const bytes = readFileSync(join(root, key));
    let start = 0;
    for (const [at, length] of blocks.entries()) {
      const block = bytes.subarray(start, start + length);
      const grams = new Set<number>();
      for (let from = 0; from + 3 <= block.length; from++) {
        const gram = block.subarray(from, from + 3);
        if (!gram.includes(0x0a)) grams.add(gram.readUIntBE(0, 3));
      }
      for (let from = 0; from + 2 <= block.length; from++) {
        const [lead = 0, behind = 0] = block.subarray(from, from + 2);
        const isPair = lead >= 0xc2 && lead <= 0xf4 && behind >= 0x80 && behind <= 0xbf;
        if (isPair) grams.add(0x0a_00_00 + block.readUInt16BE(from));
      }
      for (const gram of grams) found.set(gram, [...(found.get(gram) ?? []), `${key}:${at}`]);
      start += length;
    }
  }
  return new Map([...found].toSorted(([one], [other]) => one - other));
}

export interface Damage {
  readonly kind: "flip" | "cut" | "zero" | "grow";
  /** Of its length. */
  readonly at: number;
  readonly bits: number;
}

/** A copy of a file with something wrong with it. */
export function damaged(path: string, copy: string, { kind, at, bits }: Damage): void {
  copyFileSync(path, copy);
  const { size } = statSync(path);
  const place = Math.min(Math.floor(at * size), size - 1);
  if (kind === "cut") {
    truncateSync(copy, place);
    return;
  }
  const fd = openSync(copy, kind === "grow" ? "a" : "r+");
  try {
    if (kind === "flip") {
      const was = readFileSync(path).subarray(place, place + 1);
      writeSync(fd, Buffer.from([(was[0] ?? 0) ^ bits]), 0, 1, place);
    } else if (kind === "zero") writeSync(fd, Buffer.alloc(Math.min(64, size - place)), 0, undefined, place);
    else writeSync(fd, Buffer.alloc(bits, bits));
  } finally {
    closeSync(fd);
  }
}
