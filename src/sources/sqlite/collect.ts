/** Runs a statement and keeps the rows that will be shown, within bounds of rows and of bytes. In the worker. */
import type { Cell, Rows } from "../../model/database.ts";
import { CELL_BYTES, CELLS_BYTES } from "../../model/limits.ts";
import type { Connection } from "./connection.ts";
import type { Statement, Value } from "./statement.ts";

/** What a value costs beside its text. */
const CELL_COST = 16;

/** The rows of a statement of ours. */
export function select(connection: Connection, sql: string, values: readonly Value[], most: number): Rows {
  const statement = connection.prepare(sql);
  try {
    return collect(statement.bind(values), most);
  } finally {
    statement.end();
  }
}

export function collect(statement: Statement, most: number, cellBytes: number = CELL_BYTES): Rows {
  const columns = statement.columns;
  const rows: Cell[][] = [];
  let left = CELLS_BYTES;
  while (statement.step()) {
    if (rows.length === most || left <= 0) return { columns, rows, more: true };
    const row = columns.map((_, column) => statement.cell(column, cellBytes));
    left -= row.reduce((sum, cell) => sum + CELL_COST + (cell?.kind === "text" ? cell.text.length : 0), 0);
    rows.push(row);
  }
  return { columns, rows, more: false };
}
