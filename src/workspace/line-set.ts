/** Sets of lines as spans in order that do not touch. Selectors and snapshots are made of them. Pure. */
import type { LineRange, LineSpan } from "../model/selector.ts";

/** In order, overlapping and touching ones made one. */
export function mergeRanges<Range extends LineRange>(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || (before.last !== null && before.last + 1 < range.first)) {
      merged.push(range);
    } else if (before.last !== null && (range.last === null || range.last > before.last)) {
      merged[merged.length - 1] = { ...before, last: range.last };
    }
  }
  return merged;
}

/** Is the line in one of these, which are in order? */
export function holdsLine(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some(({ first, last }) => first <= line && (last === null || line <= last));
}

/** Are all lines of the span in one of these, which do not touch? */
export function holdsSpan(ranges: readonly LineRange[], span: LineSpan): boolean {
  return ranges.some(({ first, last }) => first <= span.first && (last === null || span.last <= last));
}

/** Single lines and spans as spans. */
export function toSpans(lines: Iterable<number | LineSpan>): LineSpan[] {
  return Array.from(lines, (line) => (typeof line === "number" ? { first: line, last: line } : line));
}
