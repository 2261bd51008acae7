/** Answers a query from an open connection. In the worker; one function for each kind of query. */
import type {
  Cell,
  DatabaseQuery,
  DatabaseResult,
  ListedTable,
  TableQuery,
  TableReading,
} from "../../model/database.ts";
import { ToolError } from "../../model/errors.ts";
import {
  COUNT_TIME,
  COUNTS_TIME,
  LISTED_TABLES,
  QUERY_ROWS_MOST,
  ROW_CELL_BYTES,
  SAMPLE_ROWS,
} from "../../model/limits.ts";
import { collect, select } from "./collect.ts";
import type { Connection } from "./connection.ts";
import { nextPage } from "./next-page.ts";
import { raw } from "./raw.ts";
import { rowKey } from "./row-key.ts";
import {
  columnNamed,
  columnsOf,
  findTable,
  noColumn,
  quoted,
  type Table,
  tableNamed,
  tables,
} from "./tables.ts";
import { checkWhere } from "./where.ts";

export function answer(connection: Connection, query: DatabaseQuery): DatabaseResult {
  if (query.kind === "list") return list(connection);
  if (query.kind === "raw") return { kind: "raw", rows: raw(connection, query.sql, QUERY_ROWS_MOST) };
  const whole = findTable(connection, query.whole);
  return whole === null ? tableAnswer(connection, query.reading) : schema(connection, whole);
}

function tableAnswer(connection: Connection, reading: TableReading): DatabaseResult {
  switch (reading.kind) {
    case "schema":
      return schema(connection, tableNamed(connection, reading.table));
    case "row":
      return row(connection, tableNamed(connection, reading.table), reading.key);
    case "query":
      return rows(connection, tableNamed(connection, reading.table), reading);
    default:
      throw new ToolError("INVALID_INPUT", reading.message, { hint: reading.hint });
  }
}

function list(connection: Connection): DatabaseResult {
  const all = tables(connection);
  const shown = all.slice(0, LISTED_TABLES);
  const end = performance.now() + COUNTS_TIME;
  const listed = shown.map((table): ListedTable => ({ ...table, rows: rowsOf(connection, table.name, end) }));
  return { kind: "list", tables: listed, left: all.length - shown.length };
}

/** How many rows a table has; null when that takes too long, or cannot be told (a view of what is gone). */
function rowsOf(connection: Connection, table: string, end: number): number | null {
  const { deadline } = connection;
  connection.deadline = Math.min(deadline, end, performance.now() + COUNT_TIME);
  try {
    if (performance.now() > connection.deadline) return null;
    const cell = select(connection, `SELECT count(*) FROM ${quoted(table)}`, [], 1).rows[0]?.[0];
    return cell?.kind === "number" ? Number(cell.text) : null;
  } catch {
    return null;
  } finally {
    connection.deadline = deadline;
  }
}

function schema(connection: Connection, table: Table): DatabaseResult {
  const sql = table.sql.slice(0, ROW_CELL_BYTES);
  const cut = sql.length < table.sql.length;
  const sample = select(
    connection,
    `SELECT * FROM ${quoted(table.name)} LIMIT ${SAMPLE_ROWS + 1}`,
    [],
    SAMPLE_ROWS,
  );
  return { kind: "schema", table: table.name, sql, cut, sample };
}

function row(connection: Connection, table: Table, key: string): DatabaseResult {
  const { column, values } = rowKey(connection, table, key);
  for (const value of values) {
    const statement = connection.prepare(`SELECT * FROM ${quoted(table.name)} WHERE ${column} = ? LIMIT 1`);
    try {
      const { columns, rows } = collect(statement.bind([value]), 1, ROW_CELL_BYTES);
      const cells: readonly Cell[] | undefined = rows[0];
      if (cells !== undefined) return { kind: "row", table: table.name, key, columns, cells };
    } finally {
      statement.end();
    }
  }
  throw new ToolError("ROW_NOT_FOUND", `No row of ${table.name} has ${column.replaceAll('"', "")} ${key}`, {
    hint: `Look at its rows with db:${table.name}?limit=20`,
  });
}

function rows(connection: Connection, table: Table, query: TableQuery): DatabaseResult {
  const order = query.order === null ? "" : ` ORDER BY ${orderBy(connection, table, query.order)}`;
  if (query.where !== null) checkWhere(query.where);
  const where = query.where === null ? "" : ` WHERE (${query.where}\n)`;
  // One row more than is shown tells whether there are more.
  const page = ` LIMIT ${query.limit + 1} OFFSET ${query.offset}`;
  const sql = `SELECT * FROM ${quoted(table.name)}${where}${order}${page}`;
  const found = raw(connection, sql, query.limit);
  const next = found.more ? nextPage(table, query, query.offset + found.rows.length) : null;
  return { kind: "query", rows: found, query: { ...query, table: table.name }, next };
}

function orderBy(connection: Connection, table: Table, order: string): string {
  const columns = columnsOf(connection, table);
  const direction = /:(asc|desc)$/i.exec(order)?.[1] ?? "";
  const exact = columnNamed(columns, order);
  if (exact !== null) return quoted(exact.name);
  const column = direction === "" ? null : columnNamed(columns, order.slice(0, -direction.length - 1));
  if (column === null)
    throw noColumn(table, columns, order, "; order takes one column, as column or column:desc");
  return `${quoted(column.name)} ${direction.toUpperCase()}`;
}
