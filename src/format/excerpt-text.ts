/**
 * What an agent reads of one file: a heading with the tag, `*LINE:text` for matches, ` LINE:text` for context, one
 * `…` for lines left out between; `|` in place of the colon where there is nothing to edit. Pure.
 */
import type { Excerpt, Extract } from "../model/excerpt.ts";
import { size } from "./count.ts";
import { bounded, escapeText, oneRow, quoteName } from "./escape.ts";
import { rowsOf } from "./rows.ts";

export interface PrintedRow {
  /** For the agent, and with a `│` gutter for a person's screen. */
  readonly text: string;
  readonly display: () => string;
  /** null for a gap. */
  readonly line: number | null;
  /** The line is there in full. */
  readonly whole: boolean;
  /** A match begins here. */
  readonly begins: boolean;
}

/** One file, printed. */
export interface Block {
  readonly heading: string;
  readonly displayHeading: string;
  readonly rows: readonly PrintedRow[];
}

const GAP = "…";

/** `scope`: the file is all that was searched, or one of several. */
export function block(excerpt: Excerpt, scope: "one" | "several", lineLimit: number): Block {
  const name = bounded(quoteName(excerpt.file.path, excerpt.file.pathBytes));
  const mark = scope === "one" ? "¶" : "# ";
  const last = excerpt.extracts.at(-1);
  const width = String(last === undefined ? 0 : last.line).length;
  const rows: PrintedRow[] = [];
  // Where there is no context at all, the numbers alone tell that lines are left out.
  const gaps = excerpt.extracts.some(({ hit }) => !hit);
  let printed = 0;
  for (const extract of excerpt.extracts) {
    if (gaps && printed > 0 && extract.line > printed + 1) {
      rows.push({
        text: GAP,
        display: () => `${" ".repeat(width + 1)}${GAP}`,
        line: null,
        whole: true,
        begins: false,
      });
    }
    for (const row of extractRows(extract, excerpt.tag === null ? "|" : ":", width, lineLimit)) {
      rows.push(row);
      printed = row.line ?? printed;
    }
  }
  return {
    heading: `${mark}${name}${excerpt.tag === null ? "" : `#${excerpt.tag}`}`,
    displayHeading: `# ${name}`,
    rows,
  };
}

function extractRows(extract: Extract, gutter: ":" | "|", width: number, lineLimit: number): PrintedRow[] {
  const { line, text, spans, hit, elidedBytes } = extract;
  const sign = hit ? "*" : " ";
  return rowsOf(line, text, spans, lineLimit).map((row, at) => {
    const content =
      elidedBytes === undefined
        ? `${row.cutBefore ? GAP : ""}${row.text}${row.cutAfter ? GAP : ""}`
        : `(a line of about ${size(elidedBytes)}, left out)`;
    return {
      text: `${sign}${row.line}${gutter}${oneRow(content)}`,
      display: () => `${sign}${String(row.line).padStart(width)}│${escapeText(content)}`,
      line: row.line,
      whole: !row.cutBefore && !row.cutAfter && elidedBytes === undefined,
      begins: hit && at === 0,
    };
  });
}
