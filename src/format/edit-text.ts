/**
 * What an agent reads of its own edit: each file under its new tag, what changed as ` LINE:`, `-LINE:` and `+LINE:`
 * rows, and how the numbers of other lines moved. Long runs are told by their ends: the agent wrote them. Pure.
 */
import type { EditedFile, Hunk, Move, NumberedLine } from "../model/edited.ts";
import { LINE_CHARACTERS } from "../model/limits.ts";
import { count } from "./count.ts";
import { escapeText, quoteName } from "./escape.ts";
import { lineRow } from "./line-row.ts";

export interface EditText {
  readonly text: string;
  /** Lines of each file that were printed in full. */
  readonly shown: readonly (readonly number[])[];
}

export function editText(files: readonly EditedFile[], warnings: readonly string[]): EditText {
  const printed = files.map(fileText);
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

function fileText(file: EditedFile): { readonly text: string; readonly shown: readonly number[] } {
  const shown: number[] = [];
  const rows = file.hunks.flatMap((hunk, at) => {
    const before = file.hunks[at - 1];
    const gap = before === undefined || adjoin(before, hunk) ? [] : ["…"];
    return [...gap, ...hunkRows(hunk, shown)];
  });
  const notes = [
    ...(file.merged ? ["The file had changed since it was shown; what others changed was kept"] : []),
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

function adjoin(before: Hunk, hunk: Hunk): boolean {
  const last = before.below.at(-1) ?? before.added.at(-1);
  const first = hunk.above[0] ?? hunk.added[0];
  return last !== undefined && first !== undefined && last.line + 1 === first.line;
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

function shortened(
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
