/**
 * What an agent reads of one file: a heading with the tag, `*LINE:text` for matches, ` LINE:text` for context, one
 * `…` for lines left out between; `|` in place of the colon where there is nothing to edit. Pure.
 */
import type { Excerpt, Extract } from "../model/excerpt.ts";
import { size } from "./count.ts";
import { bounded, escapeText, oneRow, quoteName } from "./escape.ts";
import { rowsOf } from "./rows.ts";

export interface PrintedRow {
  /** `*` for what matches. */
  readonly sign: "*" | " ";
  /** What is shown of the line. */
  readonly content: string;
  /** All of it, for the agent. */
  readonly text: string;
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
  /** Digits of its largest number. */
  readonly width: number;
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
      rows.push({ sign: " ", content: GAP, text: GAP, line: null, whole: true, begins: false });
    }
    printed = addRows(rows, extract, excerpt.tag === null ? "|" : ":", lineLimit);
  }
  return {
    heading: `${mark}${name}${excerpt.tag === null ? "" : `#${excerpt.tag}`}`,
    displayHeading: `# ${name}`,
    width,
    rows,
  };
}

/** For a person's screen, with a `│` gutter. */
export function displayed({ displayHeading, width, rows }: Block): string {
  return [
    displayHeading,
    ...rows.map(({ sign, content, line }) =>
      line === null
        ? `${" ".repeat(width + 1)}${content}`
        : `${sign}${String(line).padStart(width)}│${escapeText(content)}`,
    ),
  ].join("\n");
}

/** Tells the last line of what was added. */
function addRows(rows: PrintedRow[], extract: Extract, gutter: ":" | "|", lineLimit: number): number {
  const { line, text, spans, hit, elidedBytes } = extract;
  const sign = hit ? "*" : " ";
  let begins = hit;
  let last = line;
  for (const row of rowsOf(line, text, spans, lineLimit)) {
    const content =
      elidedBytes === undefined
        ? `${row.cutBefore ? GAP : ""}${row.text}${row.cutAfter ? GAP : ""}`
        : `(a line of about ${size(elidedBytes)}, left out)`;
    const whole = !row.cutBefore && !row.cutAfter && elidedBytes === undefined;
    rows.push({
      sign,
      content,
      text: `${sign}${row.line}${gutter}${oneRow(content)}`,
      line: row.line,
      whole,
      begins,
    });
    begins = false;
    last = row.line;
  }
  return last;
}
