import type { Seen, Survey, TellSeen } from "./survey.ts";
import { countOf, type KeyOrder, keysOf } from "./key-order.ts";
import { SEEN_TOGETHER } from "../model/limits.ts";
import type { PathKey } from "./path-key.ts";

/**
 * What a survey saw as plain memory, to be handed from one thread to another without a copy, part by part: what is seen
 * is taken while the rest is looked at. A file with a place in the order that both know is told by that; only of all
 * else the name is told too.
 */
export interface PackedSurvey {
  /** With a NUL between them; empty: they are those of the order. */
  readonly keys: Uint8Array<ArrayBuffer>;
  /** Of each: its place, size, times, inode, names, and what it is. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

const NUMBERS = 7;
const GONE = 0;
const FILE = 1;
const OTHER = 2;

/** Parts come in order, those with places before those without. */
export async function packSurvey(
  { look }: Survey,
  order: KeyOrder,
  tell: (part: PackedSurvey) => void,
): Promise<void> {
  let keys: PathKey[] = [];
  let numbers = new Float64Array(SEEN_TOGETHER * NUMBERS);
  let count = 0;
  const flush = (): void => {
    if (count === 0) return;
    const names = new Uint8Array(Buffer.from(keys.join("\0"), "latin1"));
    tell({ keys: names, numbers: numbers.slice(0, count * NUMBERS) });
    keys = [];
    count = 0;
  };
  let hasPlaces = countOf(order) > 0;
  await look((key, seen, place) => {
    if (count === SEEN_TOGETHER || (hasPlaces && place === -1)) flush();
    if (place === -1) {
      hasPlaces = false;
      keys.push(key);
    }
    const at = count * NUMBERS;
    numbers[at] = place;
    numbers[at + 1] = seen?.size ?? 0;
    numbers[at + 2] = seen?.mtimeMs ?? 0;
    numbers[at + 3] = seen?.ctimeMs ?? 0;
    numbers[at + 4] = seen?.ino ?? 0;
    numbers[at + 5] = seen?.nlink ?? 0;
    numbers[at + 6] = seen === undefined ? GONE : seen.isFile() ? FILE : OTHER;
    count += 1;
  }, order);
  flush();
}

/** Of every part in turn. */
export function unpackSurvey(order: KeyOrder, tell: TellSeen): (part: PackedSurvey) => void {
  const known = keysOf(order);
  let reached = -1;
  let key: PathKey = "";
  const keyAt = (place: number): PathKey => {
    for (; reached < place; reached++) key = known.next().value ?? "";
    return key;
  };
  return ({ keys, numbers }) => {
    const names = keys.length === 0 ? null : Buffer.from(keys).toString("latin1").split("\0");
    for (let file = 0; file * NUMBERS < numbers.length; file++) {
      // As a whole number: what is kept of a file would have an object for it otherwise.
      const place = (numbers[file * NUMBERS] ?? -1) | 0;
      tell(names === null ? keyAt(place) : (names[file] ?? ""), seenOf(numbers, file * NUMBERS), place);
    }
  };
}

/** One by one: taken apart as a list, they take ten times as long. */
function seenOf(numbers: Float64Array, at: number): Seen | undefined {
  const kind = numbers[at + 6];
  if (kind === GONE) return undefined;
  return {
    size: numbers[at + 1] ?? 0,
    mtimeMs: numbers[at + 2] ?? 0,
    ctimeMs: numbers[at + 3] ?? 0,
    ino: numbers[at + 4] ?? 0,
    nlink: numbers[at + 5] ?? 0,
    isFile: () => kind === FILE,
  };
}
