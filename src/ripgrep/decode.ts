import { isUtf8 } from "node:buffer";
import { ToolError } from "../model/errors.ts";
import type { FilePath, Line, Match } from "../model/match.ts";

/**
 * Turns the held records of one file into matches: text without its terminator, offsets in UTF-16 units,
 * and each line of context given once, to the match it follows where that reaches, else to the next.
 */

type RawText = { readonly text: string } | { readonly bytes: string };

interface RecordData {
  readonly lines: RawText;
  readonly line_number: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
  readonly elided?: number;
}

type MutableMatch = Omit<Match, "after"> & { after: Line[] };

const NEWLINE = 0x0a;

export interface MatchDecoder {
  /** The matches of the next records. The last one waits for more context, until there are no more records. */
  readonly decode: (records: Buffer, last: boolean) => Match[];
}

/** Decodes one file, in one piece or several. `after` is the number of lines of context asked for. */
export function matchDecoder(file: FilePath, after: number): MatchDecoder {
  let open: MutableMatch | null = null;
  let reach = 0;
  let waiting: Line[] = [];
  return {
    decode: (records, last) => {
      const matches: Match[] = [];
      for (let from = 0; from < records.length; ) {
        const end = records.indexOf(NEWLINE, from);
        const record = parse(records.toString("utf8", from, end));
        from = end + 1;
        if (record.type === "context") {
          const line = decodeLine(record.data);
          if (open !== null && line.line <= reach) open.after.push(line);
          else waiting.push(line);
          continue;
        }
        if (open !== null) matches.push(open);
        open = decodeMatch(file, record.data, waiting);
        reach = open.line + newlines(open.text) + after;
        waiting = [];
      }
      if (last && open !== null) matches.push(open);
      return matches;
    },
  };
}

function parse(record: string): { readonly type: string; readonly data: RecordData } {
  try {
    return JSON.parse(record) as { type: string; data: RecordData };
  } catch (cause) {
    throw new ToolError("RIPGREP_FAILED", "ripgrep printed a record that is broken", {
      hint: "Run `quarry doctor` to see which ripgrep is used",
      cause,
    });
  }
}

function decodeMatch(file: FilePath, data: RecordData, before: readonly Line[]): MutableMatch {
  const text = readText(data.lines);
  const submatches = data.submatches.map(({ start, end }) => [text.offset(start), text.offset(end)] as const);
  return { ...file, ...decodeLine(data, text), submatches, before, after: [] };
}

function decodeLine(data: RecordData, decoded: DecodedText = readText(data.lines)): Line {
  return {
    line: data.line_number,
    text: decoded.text,
    ...(decoded.invalidUtf8 ? { invalidUtf8: true as const } : {}),
    ...(data.elided === undefined ? {} : { elidedBytes: data.elided }),
  };
}

interface DecodedText {
  readonly text: string;
  readonly invalidUtf8: boolean;
  /** A byte offset, as an offset in `text`. Asked for in rising order. */
  readonly offset: (byte: number) => number;
}

function readText(raw: RawText): DecodedText {
  if ("bytes" in raw) {
    const bytes = Buffer.from(raw.bytes, "base64");
    const text = withoutTerminator(bytes.toString("utf8"));
    return { text, invalidUtf8: !isUtf8(bytes), offset: risingOffset(bytes, text.length) };
  }
  const text = withoutTerminator(raw.text);
  if (Buffer.byteLength(raw.text) === raw.text.length) {
    return { text, invalidUtf8: false, offset: (byte) => Math.min(byte, text.length) };
  }
  return { text, invalidUtf8: false, offset: risingOffset(Buffer.from(raw.text), text.length) };
}

/** Adds up the units between one offset and the next, so that many matches on a long line cost one pass. */
function risingOffset(bytes: Buffer, limit: number): (byte: number) => number {
  let at = 0;
  let units = 0;
  return (byte) => {
    const to = characterStart(bytes, byte);
    if (to > at) {
      units += bytes.toString("utf8", at, to).length;
      at = to;
    }
    return Math.min(units, limit);
  };
}

/** Where the character begins that this byte belongs to: a pattern on bytes may match a part of one. */
function characterStart(bytes: Buffer, byte: number): number {
  for (let start = byte; start >= 0 && byte - start < 4; start--) {
    const lead = bytes[start] ?? 0;
    if ((lead & 0xc0) === 0x80) continue;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return byte - start < length ? start : byte;
  }
  return byte;
}

function withoutTerminator(text: string): string {
  if (!text.endsWith("\n")) return text;
  return text.endsWith("\r\n") ? text.slice(0, -2) : text.slice(0, -1);
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
