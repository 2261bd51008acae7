import type { PathKey } from "./path-key.ts";
import type { Seen, Survey } from "./survey.ts";

/** What a survey saw as plain memory, to be handed from one thread to another without a copy. */
export interface PackedSurvey {
  /** Names with a NUL between them. */
  readonly keys: Uint8Array<ArrayBuffer>;
  /** Of each: size, times, inode, names, and whether it is a file, something else or gone. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

const NUMBERS = 6;
const GONE = 0;
const FILE = 1;
const OTHER = 2;

export async function packSurvey({ count, look }: Survey): Promise<PackedSurvey> {
  const keys: PathKey[] = [];
  const numbers = new Float64Array(count * NUMBERS);
  await look((key, seen) => {
    const at = keys.length * NUMBERS;
    keys.push(key);
    if (seen === undefined) return;
    const { size, mtimeMs, ctimeMs, ino, nlink } = seen;
    numbers.set([size, mtimeMs, ctimeMs, ino, nlink, seen.isFile() ? FILE : OTHER], at);
  });
  return { keys: new Uint8Array(Buffer.from(keys.join("\0"), "latin1")), numbers };
}

export function unpackSurvey({ keys, numbers }: PackedSurvey, tell: Parameters<Survey["look"]>[0]): void {
  const text = Buffer.from(keys.buffer, keys.byteOffset, keys.length).toString("latin1");
  const count = numbers.length / NUMBERS;
  for (let from = 0, file = 0; file < count; file++) {
    const nul = text.indexOf("\0", from);
    const end = nul === -1 ? text.length : nul;
    tell(text.slice(from, end), seenOf(numbers.subarray(file * NUMBERS, (file + 1) * NUMBERS)));
    from = end + 1;
  }
}

function seenOf(numbers: Float64Array): Seen | undefined {
  const [size = 0, mtimeMs = 0, ctimeMs = 0, ino = 0, nlink = 0, kind = GONE] = numbers;
  if (kind === GONE) return undefined;
  return { size, mtimeMs, ctimeMs, ino, nlink, isFile: () => kind === FILE };
}
