import type { LinesPage } from "../model/read-page.ts";
import type { LineRange, LineSpan, Selector } from "../model/selector.ts";
import { mergeRanges } from "../workspace/line-set.ts";
import { selectorFrom, selectsLines } from "../workspace/selectors.ts";
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
    lineAt: text.line,
    total: text.count,
    elided,
    selectorFrom: (line) => `${raw ? "raw:" : ""}${selectorFrom(selector, line)}`,
    notes: [...pastEnd(missed, selector, text), ...notes],
    show,
  };
}

export function textPage(source: Omit<LinesSource, "text"> & { readonly bytes: Buffer }): LinesPage {
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

/** Failed edits cluster on the lines just outside what was read; only a side that was chosen gets more. */
export function withContext(
  ranges: readonly LineRange[],
  { contextBefore, contextAfter }: Pick<Settings, "contextBefore" | "contextAfter">,
): LineRange[] {
  return mergeRanges(
    ranges.map(({ first, last }) => ({
      first: Math.max(1, first - contextBefore),
      last: last === null ? null : last + contextAfter,
    })),
  );
}

function pastEnd(missed: readonly LineRange[], selector: Selector | null, text: TextLines): string[] {
  const [first] = missed;
  const count = text.count();
  if (count === 0) return ["Empty file"];
  if (first === undefined || selector === null) return [];
  return [
    `Line ${first.first} is past the end, which is line ${count}. Use :${count} for the last line, :1 for the beginning`,
  ];
}
