/**
 * The lines of a file as ripgrep counts and decodes them: ended by a newline, a byte order mark left off, UTF-16
 * told by its mark, bytes that are not UTF-8 replaced. Each line also has its place in the bytes, so that an edit
 * can leave all others as they are. Found as far as somebody asks. Pure.
 */
import { isUtf8 } from "node:buffer";
import { type LineStarts, narrowStarts, wideStarts } from "./line-starts.ts";

/** Where a line is in the bytes of its file. */
export interface ByteSpan {
  readonly start: number;
  /** Behind its text, before its terminator. */
  readonly end: number;
  /** Behind its terminator. */
  readonly next: number;
}

export interface TextLines {
  readonly bytes: Buffer;
  /** A line without its terminator, counted from 1; null past the end. */
  readonly line: (number: number) => string | null;
  readonly span: (number: number) => ByteSpan | null;
  /** The line that a byte is on. */
  readonly around: LineStarts["around"];
  readonly count: () => number;
  /** UTF-8 without a NUL byte. */
  readonly isPlain: () => boolean;
  /** Bytes of the byte order mark. */
  readonly mark: number;
  readonly wide: Wide | null;
}

/** UTF-16, and which of its bytes comes first. */
type Wide = "utf-16le" | "utf-16be";

/** How a text is written; `single-byte`: by some table of 256 characters that nobody named. */
export type Encoding = "utf-8" | Wide | "single-byte";

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export function textLines(bytes: Buffer): TextLines {
  const { mark, wide } = markOf(bytes);
  const unit = wide === null ? 1 : 2;
  const starts =
    wide === null ? narrowStarts(bytes, mark) : wideStarts(bytes, mark, wide === "utf-16le" ? 0 : 1);
  const decode = decoderOf(wide);
  let plain: boolean | null = null;
  const span = (number: number): ByteSpan | null => {
    const place = starts.place(number);
    if (place === null) return null;
    const { start, next } = place;
    return { start, end: withoutTerminator(bytes, start, next, wide), next };
  };
  return {
    bytes,
    mark,
    wide,
    span,
    around: starts.around,
    line: (number) => {
      const place = span(number);
      return place === null ? null : decode(bytes, place.start, place.end);
    },
    isPlain: () => {
      plain ??= !bytes.includes(0) && isUtf8(bytes);
      return plain;
    },
    count: starts.count,
  };

  function withoutTerminator(bytes: Buffer, start: number, next: number, wide: Wide | null): number {
    // A last unit that is cut in half ends no line.
    if (next === start || (next - start) % unit !== 0) return next;
    if (unitAt(bytes, next - unit, wide) !== NEWLINE) return next;
    const end = next - unit;
    return end - start >= unit && unitAt(bytes, end - unit, wide) === RETURN ? end - unit : end;
  }
}

/** What is encoded how; asked only by those who write, because it looks at every byte. */
export function encodingOf({ bytes, wide }: Pick<TextLines, "bytes" | "wide">): Encoding {
  return wide ?? (isUtf8(bytes) ? "utf-8" : "single-byte");
}

/** The bytes of a text in an encoding, without a mark; null when it has no letters for it. */
export function encodeText(text: string, encoding: Encoding): Buffer | null {
  // Half a character would be written as another one.
  if (LONE.test(text)) return null;
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "single-byte") return NOT_ASCII.test(text) ? null : Buffer.from(text, "latin1");
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

const LONE = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about bytes
export const NOT_ASCII: RegExp = /[^\x00-\x7f]/;

function markOf(bytes: Buffer): { readonly mark: number; readonly wide: Wide | null } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { mark: 3, wide: null };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { mark: 2, wide: "utf-16le" };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { mark: 2, wide: "utf-16be" };
  return { mark: 0, wide: null };
}

function unitAt(bytes: Buffer, at: number, wide: Wide | null): number {
  if (wide === null) return bytes[at] ?? -1;
  return wide === "utf-16le" ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
}

function decoderOf(wide: Wide | null): (bytes: Buffer, start: number, end: number) => string {
  if (wide === null) return (bytes, start, end) => bytes.toString("utf8", start, end);
  const decoder = new TextDecoder(wide, { ignoreBOM: true });
  return (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
}
