/**
 * Lines as agents count them: ended by "\n" and by nothing else, which is how tree-sitter counts rows.
 * `blocks.ts` and `outline.ts` find their way in a text with it.
 */

/** A text that ends with "\n" has no empty line behind it. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return count;
}

/** Where the line that holds this index begins. */
export function lineBegin(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}

/** Where the line that holds this index ends, before its "\n". */
export function lineEnd(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}

/** Is there nothing but blanks before this index on its line? */
export function beginsLine(text: string, index: number): boolean {
  return text.slice(lineBegin(text, index), index).trim() === "";
}
