/**
 * Lines of a text as an agent reads them: `¶PATH#TAG`, then `LINE:text`; `LINE|text` where there is nothing to edit, the
 * bare text when it was asked for raw. Within a number of lines and bytes, and then the selector to go on with. Pure.
 */
import type { LinesPage } from "../model/read-page.ts";
import type { LineSpan } from "../model/selector.ts";
import { grouped } from "./count.ts";
import { bounded, escapeText, quoteName } from "./escape.ts";
import { lineRow } from "./line-row.ts";

export interface ReadBudget {
  readonly lines: number;
  readonly bytes: number;
}

export interface ReadText {
  readonly text: string;
  /** Lines printed in full, as they are. */
  readonly shown: readonly number[];
  /** The rows without their numbers, headings and notes. */
  readonly plain: readonly string[];
  /** Rows that are lines; a pair of braces is one. */
  readonly lines: number;
  readonly range: LineSpan | null;
  /** What to read next, as a selector without its colon; null when everything that was asked for is here. */
  readonly next: string | null;
  readonly cutBy: "lines" | "bytes" | null;
  /** The lines that a summary leaves out. */
  readonly elided: readonly LineSpan[];
}

/** Room for other notes behind the rows, and the least for the rows, whatever names and selectors take. */
const NOTES = 400;
const LEAST = 4_096;

export function readText(page: LinesPage, budget: ReadBudget): ReadText {
  const heading = page.raw ? [] : [headingOf(page)];
  const said = footerSize(page) + goOnSize(page);
  const room = Math.max(budget.bytes - NOTES - said - Buffer.byteLength(heading.join("\n")), LEAST);
  const taken = takeAsked(page, budget.lines, room);
  const next = taken.next === null ? null : page.selectorFrom(taken.next);
  const elided = page.elided.filter(({ first }) => taken.next === null || first < taken.next);
  const notes = [
    ...taken.notes,
    ...page.notes,
    ...(elided.length === 0 ? [] : [footer(page, elided)]),
    ...(next === null ? [] : [goOn(page, taken.range, next)]),
  ].map((note) => `[${escapeText(note)}]`);
  return {
    text: [...heading, ...taken.rows, ...notes].join("\n"),
    shown: taken.shown,
    plain: taken.plain,
    lines: taken.count,
    range: taken.range,
    next,
    cutBy: next === null && !taken.shortened ? null : taken.cutBy,
    elided,
  };
}

function headingOf({ label, tag }: LinesPage): string {
  return `¶${bounded(quoteName(label))}${tag === null ? "" : `#${tag}`}`;
}

interface Row {
  readonly text: string;
  /** Without its number. */
  readonly plain: string;
  /** null for a gap. */
  readonly lines: LineSpan | null;
  readonly whole: readonly number[];
}

function* rowsOf(page: LinesPage): Generator<Row> {
  const sign = page.tag === null ? "|" : ":";
  const bodies = new Map(page.elided.map((span) => [span.first, span]));
  let printed = 0;
  for (const span of page.spans) {
    if (printed > 0 && !page.raw && span.first > printed + 1) yield GAP;
    for (let line = span.first; line <= span.last; line += 1) {
      const left = bodies.get(line);
      if (left !== undefined) {
        yield GAP;
        line = left.last;
        continue;
      }
      const content = page.lineAt(line);
      if (content === null) return;
      const body = bodies.get(line + 1);
      const closing = body === undefined ? null : page.lineAt(body.last + 1);
      if (body !== undefined && closing !== null && isPair(content, closing)) {
        yield pair(line, content, body.last + 1, closing, sign);
        line = body.last + 1;
      } else yield lineOf(page, line, content, sign);
      printed = line;
    }
  }
}

const GAP: Row = { text: "…", plain: "…", lines: null, whole: [] };

function lineOf({ raw }: LinesPage, line: number, content: string, sign: string): Row {
  const lines = { first: line, last: line };
  if (raw) return { text: content, plain: content, lines, whole: [] };
  const row = lineRow(`${line}${sign}`, content);
  return { text: row.text, plain: content, lines, whole: row.whole ? [line] : [] };
}

/** A line that opens what the other one closes. */
function isPair(opening: string, closing: string): boolean {
  return /[[({]\s*$/.test(opening) && /^\s*[\])}]/.test(closing);
}

/** Both lines of a pair of braces in one row, with what is between left out. */
function pair(first: number, opening: string, last: number, closing: string, sign: string): Row {
  const [one, other] = [lineRow("", opening), lineRow("", closing.trimStart())];
  const plain = `${one.text.trimEnd()} … ${other.text}`;
  return {
    text: `${first}-${last}${sign}${plain}`,
    plain,
    lines: { first, last },
    whole: [...(one.whole ? [first] : []), ...(other.whole ? [last] : [])],
  };
}

interface Taken {
  readonly rows: readonly string[];
  readonly plain: readonly string[];
  readonly count: number;
  readonly shown: readonly number[];
  readonly range: LineSpan | null;
  /** The first line that is not here; null when all are. */
  readonly next: number | null;
  readonly cutBy: "lines" | "bytes" | null;
  /** Of a line only the beginning is here. */
  readonly shortened: boolean;
  readonly notes: readonly string[];
}

/** Lines before what was asked for give way to it: otherwise a long one could keep it out for ever. */
function takeAsked(page: LinesPage, lines: number, bytes: number): Taken {
  const taken = take(page, lines, bytes);
  if (taken.next === null || taken.next > page.from) return taken;
  const spans = page.spans
    .filter(({ last }) => last >= page.from)
    .map(({ first, last }) => ({ first: Math.max(first, page.from), last }));
  return take({ ...page, spans }, lines, bytes);
}

function take(page: LinesPage, lines: number, bytes: number): Taken {
  const rows: string[] = [];
  const plain: string[] = [];
  const shown: number[] = [];
  const notes: string[] = [];
  let range: LineSpan | null = null;
  let used = 0;
  let count = 0;
  let cutBy: Taken["cutBy"] = null;
  let next: number | null = null;
  for (const row of rowsOf(page)) {
    const size = Buffer.byteLength(row.text) + 1;
    const isBroken = row.lines !== null && row.lines.first === page.brokenOff;
    const fits = used + size <= bytes && !isBroken;
    if (row.lines !== null && (count >= lines || (count > 0 && !fits))) {
      cutBy = count >= lines ? "lines" : "bytes";
      next = row.lines.first;
      break;
    }
    if (row.lines !== null && !fits) {
      // The first line alone is more than an answer holds.
      const beginning = clip(row.text, bytes);
      rows.push(`${beginning}…`);
      plain.push(`${clip(row.plain, bytes)}…`);
      notes.push(tooLong(row.lines.first, isBroken ? null : Buffer.byteLength(row.plain)));
      range = row.lines;
      count += 1;
      used = bytes;
      cutBy = "bytes";
      // Behind it nothing has been read.
      if (isBroken) next = row.lines.first + 1;
      continue;
    }
    rows.push(row.text);
    plain.push(row.plain);
    shown.push(...row.whole);
    used += size;
    if (row.lines === null) continue;
    count += 1;
    range = { first: range?.first ?? row.lines.first, last: row.lines.last };
  }
  // A gap before what was not shown says nothing.
  if (next !== null && rows.at(-1) === GAP.text) {
    rows.pop();
    plain.pop();
  }
  return { rows, plain, count, shown, range, next, cutBy, shortened: notes.length > 0, notes };
}

function tooLong(line: number, bytes: number | null): string {
  const size = bytes === null ? "is too long for an answer" : `has ${grouped(bytes)} bytes`;
  return `Line ${line} ${size}, and only its beginning is shown; search finds what is in it`;
}

/** The most of a text that so many bytes hold; never half a character. */
function clip(text: string, bytes: number): string {
  const cut = Buffer.from(text).subarray(0, bytes).toString();
  return cut.endsWith("\ufffd") ? cut.slice(0, -1) : cut;
}

/** Ranges that a footer names: enough for any file that a person wrote. */
const RANGES = 400;

function footer({ label }: LinesPage, elided: readonly LineSpan[]): string {
  const lines = elided.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const named = elided.slice(0, RANGES).map(({ first, last }) => `${first}-${last}`);
  const left = elided.length - named.length;
  const more = left > 0 ? ` and ${grouped(left)} more, by the numbers above` : "";
  return `${grouped(lines)} lines left out; read what you need of ${bounded(quoteName(label))}:${named.join(",")}${more}`;
}

/** The most that is said of what is left out. */
function footerSize(page: LinesPage): number {
  return page.elided.length === 0 ? 0 : Buffer.byteLength(footer(page, page.elided));
}

function goOnSize(page: LinesPage): number {
  return Buffer.byteLength(goOn(page, null, page.selectorFrom(page.from) ?? ""));
}

function goOn({ label, total }: LinesPage, range: LineSpan | null, next: string): string {
  const all = total();
  const shown =
    range === null ? "" : `Lines ${range.first}-${range.last}${all === null ? "" : ` of ${grouped(all)}`}. `;
  return `${shown}Read ${bounded(quoteName(label))}:${next} for more`;
}
