/**
 * Files with matches as the rows that grep prints, and a part of them: so many after so many. What is counted and
 * where gaps are told differs between dialects. Takes no more files than the part needs. Pure.
 */
import type { GrepLine, GrepRow } from "../model/grep-page.ts";
import type { FilePath, Match } from "../model/match.ts";
import { type Around, extracts } from "./extracts.ts";

export interface RowRules {
  readonly around: Around;
  /** Where lines do not adjoin, and between files. */
  readonly gaps: "with context" | "always";
  /** What offset and limit count: every row, gaps among them, or the lines that match. */
  readonly counted: "rows" | "matching lines";
  readonly offset: number;
  /** null: all. */
  readonly limit: number | null;
  /** What is held of all rows together, whatever the limit. */
  readonly mostBytes: number;
  readonly mostRows: number;
}

/** What of a file the rows are made from. */
export interface Matched {
  readonly matches: readonly Match[];
  readonly lineAt: (line: number) => string | null;
  readonly sizeAt: (line: number) => number | null;
}

export interface RowTaker {
  /** False: the part is full, and there is more. */
  readonly add: (file: FilePath, matched: Matched) => boolean;
  readonly rows: readonly GrepRow[];
}

export function rowTaker(rules: RowRules): RowTaker {
  const { around, gaps, counted, offset, limit } = rules;
  const separated = gaps === "always" || around.before > 0 || around.after > 0;
  const rows: GrepRow[] = [];
  /** Of what is counted, those that came by. */
  let passed = 0;
  let bytes = 0;

  const isFull = (): boolean => limit !== null && passed >= offset + limit;
  const isHeavy = (): boolean => bytes > rules.mostBytes || rows.length >= rules.mostRows;

  const put = (row: GrepRow): void => {
    rows.push(row);
    bytes += row === null ? 3 : row.file.path.length + row.text.length + 16;
  };

  /** Every row counts. */
  const addRows = (file: FilePath, { matches, lineAt, sizeAt }: Matched): boolean => {
    const lines = linesOf(file, extracts(apart(matches), lineAt, around, null), sizeAt);
    for (const row of withGaps(lines, separated, passed > 0)) {
      if (isFull() || isHeavy()) return false;
      passed += 1;
      if (passed > offset) put(row);
    }
    return true;
  };

  /** Matches count, and bring along the lines around them that no other match claims. */
  const addMatches = (file: FilePath, { matches, lineAt, sizeAt }: Matched): boolean => {
    const all = apart(matches);
    const first = Math.max(0, Math.min(all.length, offset - passed));
    const room = limit === null ? all.length : Math.max(0, offset + limit - passed);
    const last = Math.min(all.length, Math.max(first, room));
    const before = all[first - 1]?.line ?? 0;
    const stop = all[last]?.line ?? null;
    passed += last;
    const shown = extracts(all.slice(first, last), lineAt, around, stop);
    const lines = linesOf(file, shown, sizeAt).filter(({ line }) => line > before);
    for (const row of withGaps(lines, separated, rows.length > 0)) {
      if (isHeavy()) return false;
      put(row);
    }
    return last === all.length;
  };

  return { rows, add: counted === "rows" ? addRows : addMatches };
}

/** A match over several lines as one for each; a line that two share, once. */
function apart(matches: readonly Match[]): Match[] {
  const lines: Match[] = [];
  let printed = 0;
  for (const match of matches) {
    let start = 0;
    for (const [at, raw] of match.text.split("\n").entries()) {
      const text = raw.endsWith("\r") && start + raw.length < match.text.length ? raw.slice(0, -1) : raw;
      const line = match.line + at;
      if (line > printed) {
        lines.push({ ...match, line, text, submatches: within(match.submatches, start, text.length) });
        printed = line;
      }
      start += raw.length + 1;
    }
  }
  return lines;
}

function within(spans: Match["submatches"], start: number, length: number): Match["submatches"] {
  return spans
    .map(([from, to]) => [Math.max(0, from - start), Math.min(length, to - start)] as const)
    .filter(([from, to]) => from < to);
}

function linesOf(file: FilePath, shown: ReturnType<typeof extracts>, sizeAt: Matched["sizeAt"]): GrepLine[] {
  return shown.map(({ line, text, spans, hit, elidedBytes }) => ({
    file,
    line,
    text,
    spans,
    hit,
    bytes: elidedBytes ?? sizeAt(line) ?? Buffer.byteLength(text) + 1,
  }));
}

/** `open`: something stands before the first of them. */
function* withGaps(lines: readonly GrepLine[], separated: boolean, open: boolean): Generator<GrepRow> {
  let last: number | null = null;
  for (const row of lines) {
    const adjoins = last === null ? !open : row.line === last + 1;
    if (separated && !adjoins) yield null;
    yield row;
    last = row.line;
  }
}
