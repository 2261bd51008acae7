/**
 * The rows below an operation, made into the lines it puts into the file. What has no `+` is taken as it stands and
 * warned of; what could be text or something else is refused. Called by `parse.ts` when an operation's rows are over.
 */
import type { OperationHead } from "../../model/patch.ts";
import { isNumbered, withoutOwnNumbers } from "./line-numbers.ts";
import { quoted, refuse } from "./refuse.ts";
import { isBlank } from "./rows.ts";
import { shapeOf } from "./shape.ts";
import type { Warnings } from "./warnings.ts";

export interface BodyRow {
  /** Without its `+`. */
  readonly text: string;
  readonly row: number;
  readonly plus: boolean;
}

export function bodyOf(
  head: OperationHead,
  row: number,
  rows: readonly BodyRow[],
  warnings: Warnings,
): readonly string[] {
  if (rows.length === 0) refuseEmpty(head, row);
  refuseIndentedPlus(rows);
  const texts = rows.map(({ text }) => text);
  warnOfReturns(rows, warnings);
  return copied(head, rows, texts, warnings) ?? asTheyStand(rows, texts, warnings);
}

function refuseEmpty(head: OperationHead, row: number): never {
  const instead =
    head.kind === "replace"
      ? `; to delete these lines, use \`delete ${head.first}..${head.last}\``
      : head.kind === "replace block"
        ? `; to delete the block, use \`delete block ${head.line}\``
        : "";
  refuse(
    row,
    `\`${shapeOf(head)}\` has no body`,
    `Write at least one row \`+TEXT\` below it, \`+\` alone for a blank line${instead}`,
  );
}

/** All of them: indented rows of a patch, or a continued sum. Which of both, nobody can tell. */
function refuseIndentedPlus(rows: readonly BodyRow[]): void {
  const [first] = rows;
  if (
    first === undefined ||
    !rows.every(({ text, plus }) => !plus && (isBlank(text) || /^\s+\+/.test(text)))
  ) {
    return;
  }
  refuse(
    first.row,
    `${quoted(first.text)} has blanks before its +, which may be part of the text or not`,
    "Write + at the very start of every body row: `+TEXT`",
  );
}

/** Where search leaves out lines between two that it prints. */
const GAP = "…";

/**
 * Rows copied with their line numbers, without a `+`: stripped if they are the right ones, else refused. They are
 * taken for copied when all have a number, or the first one has that of its place.
 */
function copied(
  head: OperationHead,
  rows: readonly BodyRow[],
  texts: readonly string[],
  warnings: Warnings,
): readonly string[] | null {
  const [first] = rows;
  if (first === undefined || rows.some(({ plus }) => plus)) return null;
  const numbered = texts.every((text) => isBlank(text) || text === GAP || isNumbered(text));
  if (!numbered && withoutOwnNumbers(head, [first.text]) === null) return null;
  const stripped = withoutOwnNumbers(head, texts);
  if (stripped === null) {
    refuse(
      first.row,
      `${quoted(first.text)} may begin with a line number, as read prints it, or with a number that belongs to the text`,
      "Write body rows as `+TEXT`, with a number only if it belongs to the text",
    );
  }
  warnings.add(
    "numbers",
    first.row,
    () => "Body rows had line numbers as read prints them, which were left out: body rows are `+TEXT`",
  );
  return stripped;
}

function asTheyStand(
  rows: readonly BodyRow[],
  texts: readonly string[],
  warnings: Warnings,
): readonly string[] {
  for (const { text, row, plus } of rows) {
    if (plus) continue;
    if (isBlank(text)) {
      warnings.add(
        "blank",
        row,
        () => "A blank row within a body was taken as a blank line: write `+` for it",
      );
    } else {
      warnings.add(
        "bare",
        row,
        () => "A row without + was taken as text as it stands: body rows are `+TEXT`",
      );
    }
  }
  return texts;
}

function warnOfReturns(rows: readonly BodyRow[], warnings: Warnings): void {
  for (const { text, row } of rows) {
    if (!text.endsWith("\r")) continue;
    warnings.add(
      "return",
      row,
      () =>
        "A carriage return at the end of a row was kept as text, since not every row of the patch has one",
    );
  }
}
