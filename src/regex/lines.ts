/**
 * Lines and offsets of a text in memory, for `match-lines.ts` and `match-spans.ts`: where a line starts and ends, its
 * number, and what rregex's byte offsets are in UTF-16 units.
 */

/** Behind the newline that ends the line `at` is on, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline + 1;
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** A record's text, as the model has it. */
export function withoutTerminator(text: string): string {
  if (!text.endsWith("\n")) return text;
  return text.endsWith("\r\n") ? text.slice(0, -2) : text.slice(0, -1);
}

/** The number of the line that starts at an offset, for rising offsets. */
export function lineCounter(text: string): (start: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (start) => {
    while (next !== -1 && next < start) {
      line += 1;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** From bytes to UTF-16 units of the text, for rising offsets: one pass for any number of them. */
export function unitOffsets(text: string): (byte: number) => number {
  if (isAscii(text)) return (byte) => byte;
  let bytes = 0;
  let units = 0;
  return (byte) => {
    while (bytes < byte) {
      const code = text.charCodeAt(units);
      const pair = code >= 0xd800 && code < 0xdc00;
      bytes += pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
      units += pair ? 2 : 1;
    }
    return units;
  };
}
