/**
 * What a database answered, as text: tables of ASCII, and below them what was left out and the next call to make.
 * Called by read. Pure. A value never breaks its line: newlines, control and bidi characters are spelled out. No row
 * begins like a heading or a note, whoever made the database.
 */
import type { Cell, DatabaseAnswer, DatabaseResult, Rows } from "../model/database.ts";
import { COLUMN_WIDTH, QUERY_ROWS_MOST, TABLE_WIDTH } from "../model/limits.ts";
import { count, grouped } from "./count.ts";
import { escapeText, quoteListed } from "./escape.ts";

/** `name` is the database's path as the next call would write it. */
export function databaseText(answer: DatabaseAnswer, name: string): string {
  const notes = answer.notices.map((notice) => `[${notice}]`);
  return [...resultLines(answer.result, oneLine(name)), ...notes].join("\n");
}

function resultLines(result: DatabaseResult, name: string): string[] {
  switch (result.kind) {
    case "list":
      return listLines(result, name);
    case "schema":
      return schemaLines(result, name);
    case "row":
      return rowLines(result);
    case "query":
      return queryLines(result, name);
    default:
      return [...rowsLines(result.rows), ...cutNote(result.rows)];
  }
}

function listLines({ tables, left }: DatabaseResult & { kind: "list" }, name: string): string[] {
  if (tables.length === 0) return [`[${name} has no tables]`];
  const rows = tables.map((table) => [
    quoteListed(table.name),
    table.kind,
    table.rows === null ? "?" : grouped(table.rows),
  ]);
  const more = `[${count(left, "more table")} not listed; ${name}?q=SELECT name FROM sqlite_schema ORDER BY name LIMIT 500 OFFSET ${tables.length} lists them]`;
  const uncounted = tables.some((table) => table.rows === null)
    ? ["[?: not counted in time, or not countable]"]
    : [];
  return [
    ...draw(["table", "kind", "rows"], rows, TABLE_WIDTH),
    ...uncounted,
    ...(left > 0 ? [more] : []),
    `[Read ${name}:TABLE for its schema, ${name}:TABLE:KEY for one row, ${name}:TABLE?where=… for rows]`,
  ];
}

function schemaLines(
  { table, sql, cut, sample }: DatabaseResult & { kind: "schema" },
  name: string,
): string[] {
  const statement = sql.split(/\r?\n/).map((line) => escapeText(line).replace(/^(?=[¶[]|# )/, "  "));
  return [
    ...statement,
    ...(cut ? ["[The statement is longer]"] : []),
    "",
    ...rowsLines(sample),
    ...(sample.more ? [`[A sample; read ${name}:${pathName(table)}?limit=20 for more rows]`] : []),
  ];
}

function rowLines({ columns, cells }: DatabaseResult & { kind: "row" }): string[] {
  const names = columns.map((column) => clipped(columnName(column), COLUMN_WIDTH));
  const width = Math.max(...names.map(length));
  return cells.map((cell, index) => `${padded(names[index] ?? "", width)} | ${wholeText(cell)}`);
}

function queryLines(result: DatabaseResult & { kind: "query" }, name: string): string[] {
  const { rows, query, next } = result;
  const capped = query.capped ? [`[limit is ${QUERY_ROWS_MOST} at most]`] : [];
  const shown = `rows ${grouped(query.offset + 1)}-${grouped(query.offset + rows.rows.length)}`;
  const more = next === null ? [] : [`[Showing ${shown}; read ${name}${oneLine(next)} for more]`];
  return [...rowsLines(rows), ...capped, ...more];
}

function cutNote(rows: Rows): string[] {
  if (!rows.more) return [];
  return [
    `[Only the first ${count(rows.rows.length, "row")}; use LIMIT and OFFSET in the statement for others]`,
  ];
}

function rowsLines({ columns, rows }: Rows): string[] {
  if (columns.length === 0) return ["[No columns]"];
  const cells = rows.map((row) => row.map((cell) => cellText(cell)));
  const lines = draw(columns.map(columnName), cells, TABLE_WIDTH);
  return rows.length === 0 ? [...lines, "[No rows]"] : lines;
}

/** Columns are narrowed before any is left out; those that still do not fit are named. */
const WIDTHS = [COLUMN_WIDTH, 30, 20, 12];
const BETWEEN = 3;
/** Characters for the names of columns that do not fit. */
const NAMES_LENGTH = 600;

function draw(columns: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
  const natural = columns.map((column, index) =>
    rows.reduce((most, row) => Math.max(most, length(row[index] ?? "")), length(column)),
  );
  const limit = WIDTHS.find((most) => total(natural, most) <= width) ?? WIDTHS[0] ?? COLUMN_WIDTH;
  const widths = natural.map((one) => Math.min(one, limit));
  const shown = fitting(widths, width);
  const line = (texts: readonly string[]): string =>
    widths
      .slice(0, shown)
      .map((most, index) => padded(clipped(texts[index] ?? "", most), most))
      .join(" | ")
      .trimEnd();
  const rule = widths.slice(0, shown).map((most) => "-".repeat(most));
  const left = columns.slice(shown);
  const note = `[${count(left.length, "more column")}: ${clipped(left.join(", "), NAMES_LENGTH)}]`;
  return [line(columns), rule.join("-+-"), ...rows.map(line), ...(left.length > 0 ? [note] : [])];
}

function total(widths: readonly number[], limit: number): number {
  return widths.reduce((sum, width) => sum + Math.min(width, limit) + BETWEEN, -BETWEEN);
}

/** How many columns fit beside each other; the first always does. */
function fitting(widths: readonly number[], width: number): number {
  let shown = 1;
  while (shown < widths.length && total(widths.slice(0, shown + 1), COLUMN_WIDTH) <= width) shown++;
  return shown;
}

/** A value in a table. Text that could be taken for something else stands in quotes. */
function cellText(cell: Cell): string {
  if (cell === null) return "NULL";
  if (cell.kind === "number") return cell.text;
  if (cell.kind === "blob") return `<blob ${count(cell.bytes, "byte")}>`;
  const text = oneLine(cell.text);
  const shown = /^(?:NULL|<blob .*|'.*|[¶[].*|# .*|\s.*|.*\s|)$/u.test(text) ? `'${text}'` : text;
  return cell.cut ? `${shown}…` : shown;
}

/** A value of one row: as much of it as there is. */
function wholeText(cell: Cell): string {
  const text = cellText(cell);
  return cell?.kind === "text" && cell.cut ? `${text} (${count(cell.bytes, "byte")} in all)` : text;
}

/** A query can call its columns anything. */
function columnName(column: string): string {
  return /^(?:[¶[]|# )/.test(column) ? `"${oneLine(column)}"` : oneLine(column);
}

function oneLine(text: string): string {
  return escapeText(text).replaceAll("\t", "\\t");
}

/** A table's name as a path writes it. */
function pathName(table: string): string {
  return oneLine(/[:?"]/.test(table) ? `"${table.replaceAll('"', '""')}"` : table);
}

/** Characters, not halves of them. */
function length(text: string): number {
  let characters = 0;
  for (const _ of text) characters++;
  return characters;
}

function clipped(text: string, most: number): string {
  return length(text) <= most
    ? text
    : `${Array.from(text)
        .slice(0, most - 1)
        .join("")}…`;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - length(text)));
}
