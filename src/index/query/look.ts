import { TAGGED_FILE, WHERE_LEAST, WHERE_PARTS } from "../../model/limits.ts";
import type { Where } from "../../model/found.ts";
import { type Stamp } from "../../workspace/stamp.ts";
import type { PathKey } from "../path-key.ts";
import { hasBit } from "./bits.ts";
import type { Candidate } from "./candidates.ts";

/**
 * What has to be looked at to know whether a file matches, said without the index, so that any thread can do it. Made by
 * `looking.ts`, done by `verify.ts`.
 */
export interface Look extends Stamp {
  readonly key: PathKey;
  /** Where it may match while it looks like this, start and length by turns; null: all of it. */
  readonly parts: readonly number[] | null;
}

/** `local`: what matches is on one line, and so in one block. */
export function lookOf({ entry, blocks }: Candidate, local: boolean): Look {
  const { key, hold, doc } = entry;
  const { size, mtimeMs, ctimeMs, ino } = entry.stamp;
  const look = { key, size, mtimeMs, ctimeMs, ino, parts: null };
  if (hold === null || blocks === null || !local) return look;
  const { docs } = hold.segment;
  if (docs.kindAt(doc) !== "text") return look;
  const parts: number[] = [];
  const end = docs.starts[doc + 1] ?? 0;
  for (let block = docs.starts[doc] ?? 0, from = 0; block < end; block++) {
    const length = docs.lengthOf(block);
    if (hasBit(blocks, block)) parts.push(from, length);
    from += length;
  }
  return { ...look, parts };
}

/** Where a file matches that does, if that says much more than that it does. */
export function whereOf({ size, mtimeMs, ctimeMs, ino, parts }: Look): Where | null {
  // A larger one has no tag, and is shown as ripgrep tells of it.
  if (parts === null || size < WHERE_LEAST || size > TAGGED_FILE) return null;
  const runs = joined(parts);
  const sum = runs.reduce((before, length, at) => (at % 2 === 0 ? before : before + length), 0);
  const says = sum * 2 <= size && runs.length <= 2 * WHERE_PARTS;
  return says ? { size, mtimeMs, ctimeMs, ino, parts: runs } : null;
}

/** Those that adjoin made one. */
function joined(parts: readonly number[]): readonly number[] {
  const runs: number[] = [];
  let end = -1;
  for (let at = 0; at < parts.length; at += 2) {
    const [from = 0, length = 0] = [parts[at], parts[at + 1]];
    if (from === end) runs[runs.length - 1] = (runs.at(-1) ?? 0) + length;
    else runs.push(from, length);
    end = from + length;
  }
  return runs;
}

/** Many of them, to be handed to another thread. */
export interface PackedLooks {
  /** Each ended by a NUL, which is in no name. */
  readonly keys: string;
  /** Of each its stamp, how many numbers its parts are, or `ALL`, and those. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

const ALL = -1;
/** The numbers of each before its parts. */
const HEAD = 5;

export function packLooks(looks: readonly Look[]): PackedLooks {
  const count = looks.reduce((sum, { parts }) => sum + HEAD + (parts?.length ?? 0), 0);
  const numbers = new Float64Array(count);
  let at = 0;
  for (const { size, mtimeMs, ctimeMs, ino, parts } of looks) {
    numbers[at] = size;
    numbers[at + 1] = mtimeMs;
    numbers[at + 2] = ctimeMs;
    numbers[at + 3] = ino;
    numbers[at + 4] = parts?.length ?? ALL;
    at += HEAD;
    for (const number of parts ?? []) numbers[at++] = number;
  }
  return { keys: looks.map(({ key }) => `${key}\0`).join(""), numbers };
}

export function unpackLooks({ keys, numbers }: PackedLooks): Look[] {
  let at = 0;
  const number = (): number => numbers[at++] ?? 0;
  return keys
    .split("\0")
    .slice(0, -1)
    .map((key): Look => {
      const [size, mtimeMs, ctimeMs, ino, count] = [number(), number(), number(), number(), number()];
      const parts = count === ALL ? null : Array.from({ length: count }, number);
      return { key, size, mtimeMs, ctimeMs, ino, parts };
    });
}
