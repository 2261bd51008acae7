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

/** `rows` are those right below the operation's own row, as they stand in the patch. */
export function bodyOf(
  head: OperationHead,
  row: number,
  rows: readonly string[],
  warnings: Warnings,
): readonly string[] {
  if (rows.length === 0) refuseEmpty(head, row);
  const bare = !rows.some(hasPlus);
  if (bare) refuseIndentedPlus(rows, row + 1);
  else refuseFence(rows, row + 1);
  warnOfReturns(rows, row + 1, warnings);
  return (bare ? copied(head, rows, row + 1, warnings) : null) ?? asTheyStand(rows, row + 1, warnings);
}

function hasPlus(row: string): boolean {
  return row.startsWith("+");
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
function refuseIndentedPlus(rows: readonly string[], first: number): void {
  if (!rows.every((row) => isBlank(row) || /^\s+\+/.test(row))) return;
  const at = rows.findIndex((row) => !isBlank(row));
  refuse(
    first + at,
    `${quoted(rows[at] ?? "")} has blanks before its +, which may be part of the text or not`,
    "Write + at the very start of every body row: `+TEXT`",
  );
}

/** The end of a code fence that began nowhere, or text that lacks its `+`. */
function refuseFence(rows: readonly string[], first: number): void {
  const last = rows.at(-1) ?? "";
  if (!/^(?:`{3,}|~{3,})$/.test(last.trim())) return;
  refuse(
    first + rows.length - 1,
    `${quoted(last)} ends the body without a +, and may be text or the end of a code fence`,
    "Write + before it if it is text, or leave it out",
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
  rows: readonly string[],
  first: number,
  warnings: Warnings,
): readonly string[] | null {
  const numbered = rows.every((row) => isBlank(row) || row === GAP || isNumbered(row));
  if (!rows.some(isNumbered)) return null;
  if (!numbered && withoutOwnNumbers(head, rows.slice(0, 1)) === null) return null;
  const stripped = withoutOwnNumbers(head, rows);
  if (stripped === null) {
    const at = rows.findIndex(isNumbered);
    refuse(
      first + at,
      `${quoted(rows[at] ?? "")} may begin with a line number, as read prints it, or with a number that belongs to the text`,
      "Write body rows as `+TEXT`, with a number only if it belongs to the text",
    );
  }
  warnings.add(
    "numbers",
    first,
    () => "Body rows had line numbers as read prints them, which were left out: body rows are `+TEXT`",
  );
  return stripped;
}

function asTheyStand(rows: readonly string[], first: number, warnings: Warnings): readonly string[] {
  return rows.map((row, at) => {
    if (hasPlus(row)) return row.slice(1);
    if (isBlank(row)) {
      warnings.add(
        "blank",
        first + at,
        () => "A blank row within a body was taken as a blank line: write `+` for it",
      );
    } else {
      warnings.add(
        "bare",
        first + at,
        () => "A row without + was taken as text as it stands: body rows are `+TEXT`",
      );
    }
    return row;
  });
}

function warnOfReturns(rows: readonly string[], first: number, warnings: Warnings): void {
  for (const [at, row] of rows.entries()) {
    if (!row.endsWith("\r")) continue;
    warnings.add(
      "return",
      first + at,
      () =>
        "A carriage return at the end of a row was kept as text, since not every row of the patch has one",
    );
  }
}
