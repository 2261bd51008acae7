/**
 * Reads over a record that is too long to hold, and keeps what matters of it: the path from its head and
 * the line number from behind the text. Everything else is counted and dropped as it passes.
 */

export interface Skimmer {
  readonly feed: (bytes: Buffer) => void;
  /** The record without its text, as JSON that the reader of whole records understands. */
  readonly finish: () => Buffer;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The head of a record up to its text. A quote inside the path is escaped, so this cannot end inside it. */
const HEAD = /^\{"type":"(match|context)","data":\{"path":(\{.*?\}),"lines":\{"(?:text|bytes)":"/s;
/** Long enough for `},"line_number":…`. */
const TAIL = 64;

export function skimmer(head: Buffer): Skimmer {
  const parsed = HEAD.exec(head.toString("utf8"));
  let inText = parsed !== null;
  let backslashes = 0;
  let textBytes = 0;
  let tail = "";

  const feed = (bytes: Buffer): void => {
    let from = 0;
    if (inText) {
      const end = textEnd(bytes, backslashes);
      textBytes += end === -1 ? bytes.length : end;
      if (end === -1) {
        backslashes = trailingBackslashes(bytes, bytes.length, backslashes);
        return;
      }
      inText = false;
      from = end;
    }
    if (tail.length < TAIL) tail += bytes.toString("latin1", from, from + TAIL);
  };

  if (parsed !== null) feed(head.subarray(Buffer.byteLength(parsed[0])));
  return {
    feed,
    finish: () => {
      const [, type, path] = parsed ?? [];
      const line = /"line_number":(\d+)/.exec(tail)?.[1] ?? "0";
      return Buffer.from(
        `{"type":"${type ?? "unknown"}","data":{"path":${path ?? "null"},"lines":{"text":""},` +
          `"line_number":${line},"submatches":[],"elided":${textBytes}}}`,
      );
    },
  };
}

/** Where the JSON string ends: the first quote after an even number of backslashes. */
function textEnd(bytes: Buffer, carried: number): number {
  let at = bytes.indexOf(QUOTE);
  while (at !== -1) {
    if (trailingBackslashes(bytes, at, carried) % 2 === 0) return at;
    at = bytes.indexOf(QUOTE, at + 1);
  }
  return -1;
}

/** Backslashes right before `end`, with those carried over from the bytes before when they reach that far. */
function trailingBackslashes(bytes: Buffer, end: number, carried: number): number {
  let count = 0;
  while (count < end && bytes[end - 1 - count] === BACKSLASH) count++;
  return count === end ? count + carried : count;
}
