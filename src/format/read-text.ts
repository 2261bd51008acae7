/**
 * Lines of a text as an agent reads them: `¶PATH#TAG`, then `LINE:text`; `LINE|text` where there is nothing to edit, the
 * bare text when it was asked for raw. Within a number of lines and bytes, and then the selector to go on with. Pure.
 */
import type { LinesPage } from "../model/read-page.ts";
import type { LineSpan } from "../model/selector.ts";
import { grouped } from "./count.ts";
import { bounded, quoteName } from "./escape.ts";
import { lineRow } from "./line-row.ts";

export interface ReadBudget {
  readonly lines: number;
  readonly bytes: number;
}

export interface ReadText {
  readonly text: string;
  /** Lines printed in full, as they are. */
  readonly shown: readonly number[];
  /** Rows without headings and notes, and the first line of them. */
  readonly rows: readonly string[];
  readonly range: LineSpan | null;
  /** What to read next, as a selector without its colon; null when everything that was asked for is here. */
  readonly next: string | null;
  readonly cutBy: "lines" | "bytes" | null;
  /** The lines that a summary leaves out. */
  readonly elided: readonly LineSpan[];
}

/** Room for what is said behind the rows. */
const NOTES = 600;

export function readText(page: LinesPage, budget: ReadBudget): ReadText {
  const heading = page.raw ? [] : [headingOf(page)];
  const room = budget.bytes - NOTES - Buffer.byteLength(heading.join("\n"));
  const taken = take(rowsOf(page), budget.lines, room);
  const next = taken.next === null ? null : page.selectorFrom(taken.next);
  const elided = page.elided.filter(({ first }) => taken.range !== null && first <= taken.range.last);
  const notes = [
    ...taken.notes,
    ...page.notes,
    ...(elided.length === 0 ? [] : [footer(page, elided)]),
    ...(next === null ? [] : [goOn(page, taken.range, next)]),
  ].map((note) => `[${note}]`);
  return {
    text: [...heading, ...taken.rows, ...notes].join("\n"),
    shown: taken.shown,
    rows: taken.rows,
    range: taken.range,
    next,
    cutBy: taken.cutBy,
    elided,
  };
}

function headingOf({ label, tag }: LinesPage): string {
  return `¶${bounded(quoteName(label))}${tag === null ? "" : `#${tag}`}`;
}

interface Row {
  readonly text: string;
  /** null for a gap. */
  readonly lines: LineSpan | null;
  readonly whole: readonly number[];
}

function* rowsOf(page: LinesPage): Generator<Row> {
  const sign = page.tag === null ? "|" : ":";
  const plain = (line: number, content: string): Row => {
    if (page.raw) return { text: content, lines: { first: line, last: line }, whole: [] };
    const row = lineRow(`${line}${sign}`, content);
    return { text: row.text, lines: { first: line, last: line }, whole: row.whole ? [line] : [] };
  };
  const bodies = new Map(page.elided.map((span) => [span.first, span]));
  let printed = 0;
  for (const span of page.spans) {
    if (printed > 0 && !page.raw && span.first > printed + 1) yield GAP;
    for (let line = span.first; line <= span.last; line += 1) {
      const content = page.lineAt(line);
      if (content === null) return;
      const body = bodies.get(line + 1);
      const closing = body === undefined ? null : page.lineAt(body.last + 1);
      if (body === undefined) yield plain(line, content);
      else if (closing !== null && isPair(content, closing)) {
        yield pair(line, content, body.last + 1, closing, sign);
        line = body.last + 1;
      } else {
        yield plain(line, content);
        yield GAP;
        line = body.last;
      }
      printed = line;
    }
  }
}

const GAP: Row = { text: "…", lines: null, whole: [] };

/** A line that opens what the other one closes. */
function isPair(opening: string, closing: string): boolean {
  return /[[({]\s*$/.test(opening) && /^\s*[\])}]/.test(closing);
}

/** Both lines of a pair of braces in one row, with what is between left out. */
function pair(first: number, opening: string, last: number, closing: string, sign: string): Row {
  const [one, other] = [lineRow("", opening), lineRow("", closing.trimStart())];
  return {
    text: `${first}-${last}${sign}${one.text.trimEnd()} … ${other.text}`,
    lines: { first, last },
    whole: [...(one.whole ? [first] : []), ...(other.whole ? [last] : [])],
  };
}

interface Taken {
  readonly rows: readonly string[];
  readonly shown: readonly number[];
  readonly range: LineSpan | null;
  /** The first line that is not here; null when all are. */
  readonly next: number | null;
  readonly cutBy: "lines" | "bytes" | null;
  readonly notes: readonly string[];
}

function take(all: Iterable<Row>, lines: number, bytes: number): Taken {
  const rows: string[] = [];
  const shown: number[] = [];
  const notes: string[] = [];
  let range: LineSpan | null = null;
  let used = 0;
  let count = 0;
  let cutBy: Taken["cutBy"] = null;
  let next: number | null = null;
  for (const row of all) {
    const size = Buffer.byteLength(row.text) + 1;
    if (row.lines !== null && (count >= lines || (count > 0 && used + size > bytes))) {
      cutBy = count >= lines ? "lines" : "bytes";
      next = row.lines.first;
      break;
    }
    if (row.lines !== null && used + size > bytes) {
      // The first line alone is more than an answer holds.
      rows.push(`${clip(row.text, bytes)}…`);
      notes.push(`Line ${row.lines.first} has ${grouped(size)} bytes, and only its beginning is shown`);
      range = row.lines;
      count += 1;
      used = bytes;
      cutBy = "bytes";
      continue;
    }
    rows.push(row.text);
    shown.push(...row.whole);
    used += size;
    if (row.lines === null) continue;
    count += 1;
    range = { first: range?.first ?? row.lines.first, last: row.lines.last };
  }
  // A gap before what was not shown says nothing.
  if (next !== null && rows.at(-1) === GAP.text) rows.pop();
  return { rows, shown, range, next, cutBy, notes };
}

/** The most of a text that so many bytes hold; never half a character. */
function clip(text: string, bytes: number): string {
  const cut = Buffer.from(text).subarray(0, bytes).toString();
  return cut.endsWith("\ufffd") ? cut.slice(0, -1) : cut;
}

/** Ranges that a footer names: enough for any file that a person wrote. */
const RANGES = 40;

function footer({ label }: LinesPage, elided: readonly LineSpan[]): string {
  const lines = elided.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const named = elided.slice(0, RANGES).map(({ first, last }) => `${first}-${last}`);
  const more = elided.length > RANGES ? ` and ${elided.length - RANGES} more` : "";
  return `${grouped(lines)} lines left out; read what you need of ${bounded(quoteName(label))}:${named.join(",")}${more}`;
}

function goOn({ label, total }: LinesPage, range: LineSpan | null, next: string): string {
  const all = total();
  const shown =
    range === null ? "" : `Lines ${range.first}-${range.last}${all === null ? "" : ` of ${grouped(all)}`}. `;
  return `${shown}Read ${bounded(quoteName(label))}:${next} for more`;
}
