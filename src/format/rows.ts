/**
 * A match, or a line of context, as rows: one for each line of the file, none longer than a limit.
 * Called by the text for people and by the text for agents. A row that was shortened says so, and always shows its first match.
 */

export interface Row {
  readonly line: number;
  /** What of the row is shown. */
  readonly text: string;
  /** What of that the pattern matched. */
  readonly spans: readonly Span[];
  /** Something was cut off before or after. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

type Span = readonly [start: number, end: number];

/** The rows of a text that starts at a line; a match over several lines has several. */
export function rowsOf(line: number, text: string, spans: readonly Span[], limit: number | null): Row[] {
  if (!text.includes("\n")) return [row(line, text, spans, limit)];
  const rows: Row[] = [];
  let start = 0;
  for (const [index, raw] of text.split("\n").entries()) {
    const own = raw.endsWith("\r") && start + raw.length < text.length ? raw.slice(0, -1) : raw;
    rows.push(row(line + index, own, within(spans, start, own.length), limit));
    start += raw.length + 1;
  }
  return rows;
}

/** The spans that fall into one row, in the row's own offsets. */
function within(spans: readonly Span[], start: number, length: number): Span[] {
  return spans
    .map(([from, to]): Span => [Math.max(0, from - start), Math.min(length, to - start)])
    .filter(([from, to]) => from < to);
}

function row(line: number, text: string, spans: readonly Span[], limit: number | null): Row {
  if (limit === null || text.length <= limit) return { line, text, spans, cutBefore: false, cutAfter: false };
  const [from, to] = windowOf(text, within(spans, 0, text.length)[0], limit);
  return {
    line,
    text: text.slice(from, to),
    spans: within(spans, from, to - from),
    cutBefore: from > 0,
    cutAfter: to < text.length,
  };
}

export interface RowPiece {
  readonly text: string;
  /** The pattern matched it. */
  readonly hit: boolean;
}

/** The text of a row, cut where a match begins or ends. */
export function piecesOf({ text, spans }: Row): RowPiece[] {
  const pieces: RowPiece[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    const from = Math.max(at, start);
    if (from >= end) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), hit: false });
    pieces.push({ text: text.slice(from, end), hit: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}

/** The part of a long row that is shown: its beginning if the first match lies there, else around that match. */
function windowOf(text: string, first: Span | undefined, limit: number): Span {
  const [start, end] = first ?? [0, 0];
  if (end <= limit) return [0, whole(text, limit)];
  const lead = Math.max(0, Math.floor((limit - (end - start)) / 2));
  const from = Math.max(0, Math.min(start - lead, text.length - limit));
  return [whole(text, from), whole(text, from + limit)];
}

/** A cut never falls between the two halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
