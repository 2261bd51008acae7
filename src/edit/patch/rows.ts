/**
 * Takes the text of a patch apart into rows, without what only carried it here: a byte order mark, `\r\n` at the end
 * of every row, a code fence or an indent around the whole. A fence becomes blank rows, so that rows keep their
 * numbers. Called by `parse.ts`.
 */
import { ToolError } from "../../model/errors.ts";
import { PATCH_BYTES } from "../../model/limits.ts";
import type { Warnings } from "./warnings.ts";

export function rowsOf(input: string, warnings: Warnings): string[] {
  if (input.length > PATCH_BYTES || Buffer.byteLength(input) > PATCH_BYTES) {
    throw new ToolError("PATCH_INVALID", `The patch is larger than ${PATCH_BYTES / 1024 / 1024} MiB`, {
      hint: "Edit in several calls, or write the file anew",
    });
  }
  const rows = withoutReturns((input.startsWith("\ufeff") ? input.slice(1) : input).split("\n"));
  if (rows.at(-1) === "") rows.pop();
  if (rows.every(isBlank)) {
    throw new ToolError("PATCH_INVALID", "The patch is empty", {
      hint: "Begin with ¶PATH#TAG, then an operation such as `replace N..M:`, then its rows as `+TEXT`",
    });
  }
  return withoutIndent(withoutFence(rows, warnings), warnings);
}

export function isBlank(row: string): boolean {
  return row.trim() === "";
}

/** Only where every row has one: a single `\r` can be meant for the file. What follows the last `\n` ends in none. */
function withoutReturns(rows: string[]): string[] {
  const last = rows.length - 1;
  if (last === 0 || !rows.every((row, at) => at === last || row.endsWith("\r"))) return rows;
  return rows.map((row, at) => (at === last ? row : row.slice(0, -1)));
}

const FENCE = /^(`{3,}|~{3,})[\w-]*$/;

function withoutFence(rows: string[], warnings: Warnings): string[] {
  const first = rows.findIndex((row) => !isBlank(row));
  const last = rows.findLastIndex((row) => !isBlank(row));
  const [, opening] = FENCE.exec((rows[first] ?? "").trim()) ?? [];
  if (opening === undefined || first === last || rows[last]?.trim() !== opening) return rows;
  warnings.add("fence", first + 1, () => "The code fence around the patch was left out: it needs none");
  return rows.map((row, at) => (at === first || at === last ? "" : row));
}

/** All rows of a patch may stand further in, as where it was pasted from. One row that does not, and none does. */
function withoutIndent(rows: string[], warnings: Warnings): string[] {
  const first = rows.findIndex((row) => !isBlank(row));
  const [indent = ""] = /^[ \t]*/.exec(rows[first] ?? "") ?? [];
  if (indent === "" || !rows.every((row) => row.startsWith(indent) || isBlank(row))) return rows;
  warnings.add("indent", first + 1, () => "Every row was indented, and was read without that indent");
  return rows.map((row) => (row.startsWith(indent) ? row.slice(indent.length) : ""));
}
