/** The tables of a database and how a row of one is found. In the worker, for reads and for changes. */
import type { TableKind } from "../../model/database.ts";
import { ToolError } from "../../model/errors.ts";
import type { Connection } from "./connection.ts";
import { nearNames } from "./near.ts";
import type { Value } from "./statement.ts";

export interface Table {
  readonly name: string;
  readonly kind: TableKind;
  readonly sql: string;
}

export interface Column {
  readonly name: string;
  /** Its place in the primary key, from 1; 0 when it has none. */
  readonly keyPart: number;
}

/** A name as SQL writes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const TABLES =
  "FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
const KIND = "CASE WHEN type = 'view' THEN 'view' WHEN rootpage = 0 THEN 'virtual table' ELSE 'table' END";

/** All of them but SQLite's own. */
export function tables(connection: Connection): Omit<Table, "sql">[] {
  const found: Omit<Table, "sql">[] = [];
  each(connection, `SELECT name, ${KIND} ${TABLES}`, [], (text) => {
    found.push({ name: text(0), kind: text(1) as TableKind });
  });
  return found;
}

/** The table of that name, whose letters may be large or small: that exact one first. */
export function findTable(connection: Connection, name: string): Table | null {
  const found: Table[] = [];
  const sql = `SELECT name, ${KIND}, coalesce(sql, '') FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE ORDER BY name = ? DESC LIMIT 1`;
  each(connection, sql, [name, name], (text) => {
    found.push({ name: text(0), kind: text(1) as TableKind, sql: text(2) });
  });
  return found[0] ?? null;
}

export function tableNamed(connection: Connection, name: string): Table {
  const table = findTable(connection, name);
  if (table !== null) return table;
  const names = tables(connection).map((one) => one.name);
  throw new ToolError("TABLE_NOT_FOUND", `No such table: ${name}`, { hint: offered(name, names, "tables") });
}

export function columnsOf(connection: Connection, table: Table): Column[] {
  const columns: Column[] = [];
  each(connection, "SELECT name, pk FROM pragma_table_xinfo(?)", [table.name], (text) => {
    columns.push({ name: text(0), keyPart: Number(text(1)) });
  });
  return columns;
}

export function columnNamed(columns: readonly Column[], name: string): Column | null {
  const lower = asciiLower(name);
  return (
    columns.find((column) => column.name === name) ??
    columns.find((column) => asciiLower(column.name) === lower) ??
    null
  );
}

export function noColumn(table: Table, columns: readonly Column[], name: string, remark = ""): ToolError {
  const names = columns.map((column) => column.name);
  const hint = offered(name, names, "columns");
  return new ToolError("COLUMN_NOT_FOUND", `No such column in ${table.name}: ${name}`, {
    hint: hint + remark,
  });
}

/** Whether a table has no row numbers. */
export function isWithoutRowid(connection: Connection, table: Table): boolean {
  let without = false;
  each(connection, "SELECT wr FROM pragma_table_list(?) WHERE schema = 'main'", [table.name], (text) => {
    without = text(0) === "1";
  });
  return without;
}

/** The name under which a table's row numbers are reached; null when its columns take all three. */
export function rowidName(columns: readonly Column[]): string | null {
  return ["rowid", "_rowid_", "oid"].find((name) => columnNamed(columns, name) === null) ?? null;
}

function offered(name: string, names: readonly string[], what: string): string {
  if (names.length === 0) return `There are no ${what}`;
  const near = nearNames(name, names);
  if (near.length > 0) return `Did you mean ${near.join(", ")}?`;
  const some = names.slice(0, SOME).join(", ");
  return names.length > SOME ? `Among its ${names.length} ${what} are ${some}` : `Its ${what} are ${some}`;
}

/** Names shown where none is near. */
const SOME = 10;

/** SQLite folds only the letters of ASCII. */
function asciiLower(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function each(
  connection: Connection,
  sql: string,
  values: readonly Value[],
  take: (text: (column: number) => string) => void,
): void {
  const statement = connection.prepare(sql);
  try {
    statement.bind(values);
    while (statement.step()) take((column) => statement.text(column));
  } finally {
    statement.end();
  }
}
