/**
 * How a file's bytes are lines of text, told by its byte order mark as in `text-lines.ts`: UTF-16 by its mark,
 * all else UTF-8 with what is invalid replaced. Called by `line-stream.ts`. Pure.
 */

export interface LineCoding {
  /** Bytes of the mark, which are no text. */
  readonly start: number;
  /** Bytes of a newline, and of any other character at least. A chunk starts at a multiple of it behind the mark. */
  readonly unit: 1 | 2;
  /** Where the next newline starts; -1 for none. */
  readonly newline: (bytes: Buffer, from: number) => number;
  /** The text of a line whose newline was left off; `ended` drops the carriage return before it. */
  readonly decode: (bytes: Buffer, ended: boolean) => string;
}

const NEWLINE = 0x0a;

export function lineCoding(head: Buffer): LineCoding {
  if (head[0] === 0xff && head[1] === 0xfe) return utf16("utf-16le", 0);
  if (head[0] === 0xfe && head[1] === 0xff) return utf16("utf-16be", 1);
  return { ...UTF8, start: head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0 };
}

/** The bytes of a file's beginning that tell its coding. */
export const CODING_HEAD = 3;

const UTF8: LineCoding = {
  start: 0,
  unit: 1,
  newline: (bytes, from) => bytes.indexOf(NEWLINE, from),
  decode: (bytes, ended) => withoutReturn(bytes.toString("utf8"), ended),
};

/** `low`: which byte of a unit is the low one. */
function utf16(name: "utf-16le" | "utf-16be", low: 0 | 1): LineCoding {
  // A mark inside the text is a character.
  const decoder = new TextDecoder(name, { ignoreBOM: true });
  return {
    start: 2,
    unit: 2,
    newline: (bytes, from) => {
      for (let at = bytes.indexOf(NEWLINE, from); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
        const other = low === 0 ? at + 1 : at - 1;
        if (at % 2 === low && bytes[other] === 0) return at - low;
      }
      return -1;
    },
    decode: (bytes, ended) => withoutReturn(decoder.decode(bytes), ended),
  };
}

function withoutReturn(text: string, ended: boolean): string {
  return ended && text.endsWith("\r") ? text.slice(0, -1) : text;
}
