/**
 * Lines taken out of a file and put into it, byte by byte: whatever no splice names stays as it is, with its own
 * terminator and encoding. A file that does not end with a newline still does not, unless its last line has become a
 * blank one, which would be none without. Called with splices that are in order and do not overlap. Pure.
 */
import { ToolError } from "../model/errors.ts";
import { encodeText, type Encoding, encodingOf, NOT_ASCII, type TextLines } from "../workspace/text-lines.ts";

export interface Splice {
  /** The line it begins at; one past the end adds there. */
  readonly at: number;
  /** So many lines are taken out. */
  readonly remove: number;
  /** And these put in their place, without terminators. */
  readonly body: readonly string[];
}

export function applySplices(text: TextLines, splices: readonly Splice[], name: string): Buffer {
  const encoding = encodingOf(text);
  refuseUnwritable(text, splices, encoding, name);
  const { bytes } = text;
  const parts: Buffer[] = [];
  /** How far the old file is dealt with. */
  let done = 0;
  /** The length of the terminator of the last line in `parts`; null when there is no line yet. */
  let terminator: number | null = null;
  /** That line has no text. */
  let blank = false;
  const keepTo = (line: number): void => {
    const before = text.span(line - 1);
    const end = before?.next ?? (line <= 1 ? text.mark : bytes.length);
    if (end <= done) return;
    parts.push(bytes.subarray(done, end));
    done = end;
    if (before === null) return;
    terminator = before.next - before.end;
    blank = before.end === before.start;
  };
  const put = (row: Buffer, end: Buffer): void => {
    parts.push(row, end);
    terminator = end.length;
    blank = row.length === 0;
  };
  const endsInNewline = lastTerminator(text) !== 0;
  for (const { at, remove, body } of splices) {
    keepTo(at);
    if (body.length > 0 && terminator === 0) {
      // The file's last line gets its newline when another comes behind it.
      if (isTorn(text)) throw torn(name);
      parts.push(terminatorAt(text, at - 1, encoding));
    }
    for (const [index, row] of body.entries()) {
      const like = remove > 0 ? at + Math.min(index, remove - 1) : at - 1;
      put(encodeText(row, encoding) ?? Buffer.alloc(0), terminatorAt(text, like, encoding));
    }
    const removed = remove > 0 ? text.span(at + remove - 1) : null;
    done = Math.max(done, removed?.next ?? done);
  }
  if (done < bytes.length) return Buffer.concat([...parts, bytes.subarray(done)]);
  const whole = Buffer.concat(parts);
  return endsInNewline || blank ? whole : whole.subarray(0, whole.length - (terminator ?? 0));
}

/** UTF-16 that ends within a character: whatever came behind it would be read as other letters. */
function isTorn({ bytes, wide }: TextLines): boolean {
  return wide !== null && bytes.length % 2 !== 0;
}

/** Of the last line; an empty file counts as one that ends with a newline. */
function lastTerminator({ bytes, mark, wide }: TextLines): number {
  if (bytes.length <= mark) return 1;
  if (wide === null) return bytes.at(-1) === 0x0a ? 1 : 0;
  const last = (bytes.length - mark) % 2 === 0 ? bytes.subarray(-2) : Buffer.alloc(2);
  return (wide === "utf-16le" ? last.readUInt16LE() : last.readUInt16BE()) === 0x0a ? 2 : 0;
}

/** The terminator of a line; of one that has none, that of its neighbours. */
export function terminatorAt(text: TextLines, line: number, encoding: Encoding): Buffer {
  for (const near of [line, line - 1, line + 1, 1]) {
    const span = near < 1 ? null : text.span(near);
    if (span !== null && span.next > span.end) return text.bytes.subarray(span.end, span.next);
  }
  return encodeText("\n", encoding) ?? Buffer.from("\n");
}

function refuseUnwritable(
  text: TextLines,
  splices: readonly Splice[],
  encoding: Encoding,
  name: string,
): void {
  for (const { at, remove, body } of splices) {
    const bad = body.find((row) => row.includes("\0") || encodeText(row, encoding) === null);
    if (bad !== undefined) throw unwritable(bad, encoding, name);
    if (encoding !== "single-byte") continue;
    for (let line = at; line < at + remove; line += 1) {
      const old = text.line(line);
      if (old !== null && NOT_ASCII.test(old)) throw unreadable(line, name);
    }
  }
}

/** Why a text cannot be put into a file. */
export function unwritable(row: string, encoding: Encoding, name: string): ToolError {
  const shown = JSON.stringify(row.slice(0, 80));
  if (row.includes("\0")) {
    return new ToolError("BINARY_FILE", `The row ${shown} for ${name} holds a NUL, and text has none`);
  }
  if (encoding !== "single-byte") {
    return new ToolError("ENCODING_UNKNOWN", `The row ${shown} for ${name} holds half a character`, {
      hint: "Write the character whole",
    });
  }
  return new ToolError(
    "ENCODING_UNKNOWN",
    `${name} is not UTF-8, and the row ${shown} has letters beyond ASCII`,
    { hint: "In such a file only lines of ASCII can be changed; convert it to UTF-8 first" },
  );
}

function torn(name: string): ToolError {
  return new ToolError(
    "ENCODING_UNKNOWN",
    `${name} is UTF-16 and ends with half a character, so that nothing can stand behind it`,
    { hint: "Replace its last line, or mend its encoding first" },
  );
}

function unreadable(line: number, name: string): ToolError {
  return new ToolError(
    "ENCODING_UNKNOWN",
    `${name} is not UTF-8, and line ${line} has letters beyond ASCII that cannot be told`,
    { hint: "In such a file only lines of ASCII can be changed; convert it to UTF-8 first" },
  );
}
