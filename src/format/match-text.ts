/**
 * Matches as people read them: grouped by file, line numbers in a gutter, `:` after the number of a matching
 * line and `-` after one of context, `…` where lines between were left out. Called by the command line, one
 * match at a time in the order they come; it holds nothing but where it stands and what it had to cut.
 */
import type { Match } from "../model/match.ts";
import { size } from "./count.ts";
import { quoteName } from "./escape.ts";
import { piecesOf, type Row, rowsOf } from "./rows.ts";
import { paint, type Style, show } from "./style.ts";

/** Digits that the gutter has room for before it grows. */
const GUTTER = 4;

export interface MatchText {
  /** The text of the next match, ending in a newline. */
  readonly add: (match: Match) => string;
  /** What it had to do to the text, for the closing line. */
  readonly remarks: TextRemarks;
}

export interface TextRemarks {
  /** Lines that were shortened. */
  readonly shortened: number;
  /** Lines that are not UTF-8 and are shown with replacement characters. */
  readonly invalidUtf8: number;
}

export interface MatchLayout {
  readonly style: Style;
  /** Characters of a line; null shows it whole. */
  readonly lineLimit: number | null;
  /** Context was asked for: a row marks where lines between two matches are left out. */
  readonly gaps: boolean;
}

export function matchText(layout: MatchLayout): MatchText {
  const { style, lineLimit, gaps } = layout;
  const remarks = { shortened: 0, invalidUtf8: 0 };
  let file: string | null = null;
  let lastLine = 0;
  let width = GUTTER;

  const rowText = (row: Row, mark: ":" | "-"): string => {
    if (row.cutBefore || row.cutAfter) remarks.shortened += 1;
    width = Math.max(width, String(row.line).length);
    lastLine = row.line;
    const shown = piecesOf(row).map(({ text, hit }) => {
      const safe = show(style, text);
      return hit ? paint(style, "match", safe) : safe;
    });
    const text = `${ellipsis(style, row.cutBefore)}${shown.join("")}${ellipsis(style, row.cutAfter)}`;
    return gutter(style, row.line, width, mark) + (text === "" ? "" : ` ${text}`);
  };

  const heading = (match: Match): string[] => {
    const key = match.pathBytes ?? match.path;
    if (key === file) return [];
    const blank = file === null ? [] : [""];
    file = key;
    lastLine = 0;
    width = GUTTER;
    return [...blank, paint(style, "path", quoteName(match.path, match.pathBytes))];
  };

  const add = (match: Match): string => {
    const lines = heading(match);
    const first = match.before[0]?.line ?? match.line;
    if (gaps && lastLine > 0 && first > lastLine + 1) {
      lines.push(paint(style, "quiet", "…".padStart(width)));
    }
    for (const { line, text } of match.before) {
      lines.push(...rowsOf(line, text, [], lineLimit).map((row) => rowText(row, "-")));
    }
    lines.push(
      ...rowsOf(match.line, match.text, match.submatches, lineLimit).map((row) => rowText(row, ":")),
    );
    if (match.elidedBytes !== undefined) {
      lines[lines.length - 1] +=
        ` ${paint(style, "quiet", `(a line of about ${size(match.elidedBytes)}, left out)`)}`;
    }
    for (const { line, text } of match.after) {
      lines.push(...rowsOf(line, text, [], lineLimit).map((row) => rowText(row, "-")));
    }
    if (match.invalidUtf8 === true) remarks.invalidUtf8 += 1;
    return `${lines.join("\n")}\n`;
  };

  return { add, remarks };
}

function gutter(style: Style, line: number, width: number, mark: ":" | "-"): string {
  const number = String(line).padStart(width);
  return mark === ":" ? `${paint(style, "line", number)}:` : paint(style, "quiet", `${number}-`);
}

function ellipsis(style: Style, cut: boolean): string {
  return cut ? paint(style, "quiet", "…") : "";
}
