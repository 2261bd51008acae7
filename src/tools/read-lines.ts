import { ToolError } from "../model/errors.ts";
import type { LinesPage } from "../model/read-page.ts";
import type { LineRange, LineSpan, Selector } from "../model/selector.ts";
import { mergeRanges } from "../workspace/line-set.ts";
import { formatSelector, rangesFrom, selectsLines } from "../workspace/selectors.ts";
import type { Settings } from "../workspace/session.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";

/** Which lines of a text a selector asks for, with the lines around them that edits most often miss. */

export interface LinesSource {
  readonly label: string;
  readonly tag: string | null;
  readonly text: TextLines;
  readonly selector: Selector | null;
  readonly settings: Settings;
  readonly elided?: readonly LineSpan[];
  readonly notes?: readonly string[];
  readonly show?: LinesPage["show"];
}

export function linesPage(source: LinesSource): LinesPage {
  const { label, tag, text, selector, settings, elided = [], notes = [], show = () => {} } = source;
  const raw = selector?.raw ?? false;
  const ranges = wantedRanges(selector, text.count);
  const missed = ranges.filter(({ first }) => text.span(first) === null);
  const there = ranges.filter(({ first }) => text.span(first) !== null);
  const spans = raw ? there : withContext(there, settings);
  return {
    kind: "lines",
    label,
    tag: raw ? null : tag,
    raw,
    spans: spans.map(({ first, last }) => ({ first, last: last ?? Number.POSITIVE_INFINITY })),
    from: there[0]?.first ?? 1,
    brokenOff: null,
    lineAt: text.line,
    total: text.count,
    elided,
    selectorFrom: (line) => restOf(there, line, raw),
    notes: [...missedNotes(missed, text), ...notes],
    show,
  };
}

/** The selector for what is left of these ranges, from a line on; null when only lines around them are. */
export function restOf(ranges: readonly LineRange[], line: number, raw: boolean): string | null {
  const left = rangesFrom(ranges, line);
  return left.length === 0 ? null : formatSelector({ raw, conflicts: false, ranges: left, tail: null });
}

export function textPage(source: Omit<LinesSource, "text"> & { readonly bytes: Buffer }): LinesPage {
  if (source.selector?.conflicts === true) {
    throw new ToolError(
      "SELECTOR_INVALID",
      `${source.label} cannot be edited, so it has no conflicts to resolve`,
      {
        hint: "Use :conflicts behind a file on the disk",
      },
    );
  }
  return linesPage({ ...source, text: textLines(source.bytes) });
}

/** The ranges that are meant; a number of lines at the end needs to know how many there are. */
export function wantedRanges(selector: Selector | null, count: () => number): LineRange[] {
  if (selector === null || !selectsLines(selector)) return [{ first: 1, last: null }];
  const { ranges, tail } = selector;
  return tail === null
    ? [...ranges]
    : mergeRanges([...ranges, { first: Math.max(1, count() - tail + 1), last: null }]);
}

/** Lines around a range. */
export type Context = Pick<Settings, "contextBefore" | "contextAfter">;

/** Failed edits cluster on the lines just outside what was read; only a side that was chosen gets more. */
export function withContext(
  ranges: readonly LineRange[],
  { contextBefore, contextAfter }: Context,
): LineRange[] {
  return mergeRanges(
    ranges.map(({ first, last }) => ({
      first: Math.max(1, first - contextBefore),
      last: last === null ? null : last + contextAfter,
    })),
  );
}

function missedNotes([missed]: readonly LineRange[], text: TextLines): string[] {
  if (text.span(1) === null) return ["Empty file"];
  return missed === undefined ? [] : [pastEnd(missed.first, text.count())];
}

/** Said of a line that is not there: where the end is, and how to read it. */
export function pastEnd(line: number, last: number): string {
  return `Line ${line} is past the end, which is line ${last}. Use :${last} for the last line, :1 for the beginning`;
}
