/**
 * Lines of a text with their numbers as `cat -n` prints them, for agents that name text and not lines. Within a number
 * of lines and bytes, and then the view_range to go on with. A long line is cut and says its length. Pure.
 */
import { VIEW_CHARACTERS } from "../model/limits.ts";
import type { LinesPage } from "../model/read-page.ts";
import type { LineRange, LineSpan } from "../model/selector.ts";
import { grouped } from "./count.ts";
import { bounded, escapeText, quoteName } from "./escape.ts";
import { type LineRow, lineRow } from "./line-row.ts";

export interface ViewText {
  readonly text: string;
  /** Lines printed in full. */
  readonly shown: readonly number[];
  readonly lines: number;
  readonly range: LineSpan | null;
  /** What to view next, to the end if it ends in -1; null when everything that was asked for is here. */
  readonly next: readonly [start: number, end: number] | null;
  readonly cutBy: "lines" | "bytes" | null;
}

/** A line behind its number. */
export function viewRow(line: number, content: string, limit: number = VIEW_CHARACTERS): LineRow {
  const row = lineRow(`${String(line).padStart(NUMBER)}\t`, content, limit);
  return row.whole ? row : { ...row, text: `${row.text} [${grouped(content.length)} characters]` };
}

/** Columns of a number: as many as `cat -n` has. */
const NUMBER = 6;

/** Room for the notes behind the rows. */
const NOTES = 400;

export function viewText(
  page: LinesPage,
  ranges: readonly LineRange[],
  budget: { readonly lines: number; readonly bytes: number },
): ViewText {
  const taken = take(page, ranges, { ...budget, bytes: budget.bytes - NOTES - labelSize(page) });
  const rest = taken.next === null ? null : page.selectorFrom(taken.next);
  const notes = [...page.notes, ...(rest === null ? [] : [goOn(page, taken.range, rest)])];
  return {
    text: [...taken.rows, ...notes.map((note) => `[${escapeText(note)}]`)].join("\n"),
    shown: taken.shown,
    lines: taken.count,
    range: taken.range,
    next: rest === null ? null : rangeIn(rest),
    cutBy: rest === null ? null : taken.cutBy,
  };
}

/** The label is named where no view_range can say what is left. */
function labelSize({ label }: LinesPage): number {
  return Buffer.byteLength(bounded(quoteName(label)));
}

interface Taken {
  readonly rows: string[];
  readonly shown: number[];
  count: number;
  range: LineSpan | null;
  /** The first line that is not here; null when all are. */
  next: number | null;
  cutBy: ViewText["cutBy"];
}

function take(
  page: LinesPage,
  ranges: readonly LineRange[],
  budget: { readonly lines: number; readonly bytes: number },
): Taken {
  const taken: Taken = { rows: [], shown: [], count: 0, range: null, next: null, cutBy: null };
  let used = 0;
  for (const line of linesOf(ranges)) {
    const content = page.lineAt(line);
    if (content === null) return isPastEnd(page, line) ? taken : cut(taken, line, "bytes");
    if (taken.count >= budget.lines) return cut(taken, line, "lines");
    const broken = line === page.brokenOff;
    const row = broken ? brokenRow(line, content) : viewRow(line, content);
    used += Buffer.byteLength(row.text) + 1;
    if (taken.count > 0 && used > budget.bytes) return cut(taken, line, "bytes");
    if (taken.range !== null && line > taken.range.last + 1) taken.rows.push("…");
    taken.rows.push(row.text);
    if (row.whole) taken.shown.push(line);
    taken.count += 1;
    taken.range = { first: taken.range?.first ?? line, last: line };
    // Behind it nothing has been read.
    if (broken) return cut(taken, line + 1, "bytes");
  }
  return taken;
}

function* linesOf(ranges: readonly LineRange[]): Generator<number> {
  for (const { first, last } of ranges) {
    const end = last ?? Number.POSITIVE_INFINITY;
    for (let line = first; line <= end; line += 1) yield line;
  }
}

/** Of a text that is not held, the page has only some lines. */
function isPastEnd({ total }: LinesPage, line: number): boolean {
  const lines = total();
  return lines !== null && line > lines;
}

function cut(taken: Taken, next: number, cutBy: "lines" | "bytes"): Taken {
  return { ...taken, next, cutBy };
}

/** Of a line that was not read to its end nobody knows the length. */
function brokenRow(line: number, content: string): LineRow {
  const { text } = lineRow(`${String(line).padStart(NUMBER)}\t`, content, VIEW_CHARACTERS);
  const dots = text.endsWith("…") ? "" : "…";
  return { text: `${text}${dots} [more than ${grouped(content.length)} characters]`, whole: false };
}

/** A selector that is one range, as a view_range; null for any other. */
function rangeIn(selector: string): ViewText["next"] {
  const [all, first, last] = /^(\d+)-(\d*)$/.exec(selector) ?? [];
  return all === undefined ? null : [Number(first), last === "" ? -1 : Number(last)];
}

function goOn({ label, total }: LinesPage, range: LineSpan | null, rest: string): string {
  const lines = total();
  const shown =
    range === null
      ? ""
      : `Lines ${range.first}-${range.last}${lines === null ? "; there are more" : ` of ${grouped(lines)}`}. `;
  const next = rangeIn(rest);
  const call =
    next === null ? `View ${bounded(quoteName(label))}:${rest}` : `Use view_range [${next.join(", ")}]`;
  return `${shown}${call} for the next`;
}
