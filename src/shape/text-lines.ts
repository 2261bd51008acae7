/**
 * The lines of a file as ripgrep counts and decodes them: ended by a newline, a byte order mark left off, UTF-16
 * told by its mark, bytes that are not UTF-8 replaced. Found as far as somebody asks. Pure.
 */

export interface TextLines {
  /** A line without its terminator, counted from 1; null past the end. */
  line(number: number): string | null;
  count(): number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export function textLines(raw: Buffer): TextLines {
  const bytes = utf8(raw);
  /** Where lines start; the last entry is as far as it was looked. */
  const starts = [0];
  const reach = (number: number): void => {
    for (let at = starts.at(-1) ?? 0; starts.length <= number && at < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, at);
      at = end === -1 ? bytes.length : end + 1;
      starts.push(at);
    }
  };
  return {
    line: (number) => {
      reach(number);
      const [start, end] = [starts[number - 1], starts[number]];
      if (start === undefined || end === undefined) return null;
      return bytes.toString("utf8", start, withoutTerminator(bytes, start, end));
    },
    count: () => {
      reach(Number.POSITIVE_INFINITY);
      return starts.length - 1;
    },
  };
}

function withoutTerminator(bytes: Buffer, start: number, end: number): number {
  if (end === start || bytes[end - 1] !== NEWLINE) return end;
  return end - 1 > start && bytes[end - 2] === RETURN ? end - 2 : end - 1;
}

function utf8(bytes: Buffer): Buffer {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(new TextDecoder("utf-16le").decode(bytes));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(new TextDecoder("utf-16be").decode(bytes));
  return bytes;
}
