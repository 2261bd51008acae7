/**
 * What an agent reads of its own edit: each file under its new tag, what changed as ` LINE:`, `-LINE:` and `+LINE:`
 * rows, and how the numbers of other lines moved. Long runs are told by their ends: the agent wrote them. Pure.
 */
import type { EditedFile, Hunk, Move, NumberedLine } from "../model/edited.ts";
import { LINE_CHARACTERS } from "../model/limits.ts";
import { count } from "./count.ts";
import { escapeText, quoteName } from "./escape.ts";
import { fit } from "./fit.ts";
import { lineRow } from "./line-row.ts";

export interface EditText {
  readonly text: string;
  /** Lines of each file that were printed in full. */
  readonly shown: readonly (readonly number[])[];
}

/** Within a number of bytes: every file with its tag, and as many of its changes as fit. */
export function editText(files: readonly EditedFile[], warnings: readonly string[], bytes: number): EditText {
  const all = files.reduce((sum, { hunks }) => sum + hunks.length, 0);
  const printed = fit(all, (count) => textOf(files, warnings, count).text, bytes);
  return textOf(files, warnings, printed);
}

function textOf(files: readonly EditedFile[], warnings: readonly string[], changes: number): EditText {
  let left = changes;
  const printed = files.map((file) => {
    const text = fileText(file, Math.min(left, file.hunks.length));
    left = Math.max(0, left - file.hunks.length);
    return text;
  });
  const said = [
    ...new Set([
      ...warnings,
      ...files.flatMap((file) =>
        file.warnings.map((warning) => (files.length > 1 ? `${quoteName(file.label)}: ${warning}` : warning)),
      ),
    ]),
  ];
  const closing = said.length === 0 ? [] : [`Warnings:\n${said.map((line) => escapeText(line)).join("\n")}`];
  return {
    text: [...printed.map(({ text }) => text), ...closing].join("\n\n"),
    shown: printed.map(({ shown }) => shown),
  };
}

function fileText(
  file: EditedFile,
  changes: number,
): { readonly text: string; readonly shown: readonly number[] } {
  const shown: number[] = [];
  const rows = file.hunks
    .slice(0, changes)
    .flatMap((hunk) => [...(hunk.gap ? ["…"] : []), ...hunkRows(hunk, shown)]);
  const more = file.hunks.length - changes;
  const notes = [
    ...(more > 0 ? [`${count(more, "more change")}, made and not shown here`] : []),
    ...(file.merged ? ["The file had changed since it was shown; what was changed since was kept"] : []),
    ...(file.moves.length === 0 ? [] : [`Lines moved: ${movesText(file.moves)}`]),
  ];
  const heading = `¶${quoteName(file.label)}#${file.tag}`;
  return {
    text: [heading, ...file.blocks, ...rows, ...notes.map((note) => `[${note}]`)].join("\n"),
    shown,
  };
}

const MOVES = 8;

/** What is not listed would be taken for unmoved, so it is said that the list is cut. */
function movesText(moves: readonly Move[]): string {
  const more = moves.length - MOVES;
  return `${moves.slice(0, MOVES).map(moveText).join(", ")}${more > 0 ? `, and ${more} more: read it again` : ""}`;
}

/** `5-20 +1`: what was line 5 is line 6 now. */
function moveText({ first, last, by }: Move): string {
  const lines = first === last ? `${first}` : `${first}-${Number.isFinite(last) ? last : ""}`;
  return `${lines} ${by > 0 ? "+" : ""}${by}`;
}

function hunkRows({ above, removed, added, below }: Hunk, shown: number[]): string[] {
  const print = (sign: string, lines: readonly NumberedLine[]): string[] =>
    lines.map(({ line, text }) => {
      const row = lineRow(`${sign}${line}:`, text, LINE_CHARACTERS);
      if (row.whole && sign !== "-") shown.push(line);
      return row.text;
    });
  return [
    ...print(" ", above),
    ...shortened("-", removed, print),
    ...shortened("+", added, print),
    ...print(" ", below),
  ];
}

/** A run is shown whole up to so many rows; of a longer one, so many at each end. */
const WHOLE_RUN = 8;
const RUN_ENDS = 3;

export function shortened(
  sign: string,
  lines: readonly NumberedLine[],
  print: (sign: string, lines: readonly NumberedLine[]) => string[],
): string[] {
  if (lines.length <= WHOLE_RUN) return print(sign, lines);
  const between = lines.length - 2 * RUN_ENDS;
  return [
    ...print(sign, lines.slice(0, RUN_ENDS)),
    `${sign}… ${count(between, "more line")}`,
    ...print(sign, lines.slice(-RUN_ENDS)),
  ];
}
