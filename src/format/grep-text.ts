/**
 * The rows of grep as lines of text: `path:line:text` for what matches, `path-line-text` for what stands around it,
 * `--` for a gap. Called by the dialects that print so. Pure.
 */
import type { GrepLine, GrepPage, GrepRow } from "../model/grep-page.ts";
import { bounded, oneRow, quoteListed } from "./escape.ts";
import { rowsOf } from "./rows.ts";

export interface GrepLayout {
  readonly lineNumbers: boolean;
  /** What becomes of a line's text; it is one row. */
  readonly text: (row: GrepLine) => string;
}

export function grepLines({ mode, rows, files }: GrepPage, layout: GrepLayout): string[] {
  if (mode === "content") return rows.map((row) => grepLine(row, layout));
  return files.map(({ file, lines }) => {
    const name = nameOf(file);
    return mode === "count" ? `${name}:${lines}` : name;
  });
}

function grepLine(row: GrepRow, { lineNumbers, text }: GrepLayout): string {
  if (row === null) return "--";
  const sign = row.hit ? ":" : "-";
  return [nameOf(row.file), ...(lineNumbers ? [row.line] : []), oneRow(text(row))].join(sign);
}

function nameOf({ path, pathBytes }: GrepLine["file"]): string {
  return bounded(quoteListed(path, pathBytes));
}

/** As ripgrep says it with `--max-columns`, which counts bytes. */
export function withinColumns(columns: number): GrepLayout["text"] {
  return ({ text, hit, bytes }) =>
    bytes > columns ? (hit ? "[Omitted long matching line]" : "[Omitted long context line]") : text;
}

/** A long line is shown around its first match. */
export function aroundMatch(characters: number): GrepLayout["text"] {
  return ({ line, text, spans }) => {
    const [row] = rowsOf(line, text, spans, characters);
    if (row === undefined) return text;
    return `${row.cutBefore ? "…" : ""}${row.text}${row.cutAfter ? "…" : ""}`;
  };
}
