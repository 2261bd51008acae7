/**
 * Which row a key means: by the only column of the primary key, else by row number. In the worker, for reads and
 * changes. A key is text; SQLite compares it as its column's type says, and where a column has none, as a number next.
 */
import { ToolError } from "../../model/errors.ts";
import type { Connection } from "./connection.ts";
import { type Column, columnsOf, isWithoutRowid, quoted, rowidName, type Table } from "./tables.ts";
import type { Value } from "./statement.ts";

export interface RowKey {
  /** The column, as SQL writes it. */
  readonly column: string;
  /** What it is compared with, one after the other, until a row is found. */
  readonly values: readonly Value[];
}

export function rowKey(connection: Connection, table: Table, key: string): RowKey {
  if (table.kind === "view")
    throw new ToolError("INVALID_INPUT", `${table.name} is a view, whose rows have no key`, {
      hint: whereHint(table),
    });
  const columns = columnsOf(connection, table);
  const parts = columns.filter((column) => column.keyPart > 0);
  if (parts.length === 1) return { column: quoted(parts[0]?.name ?? ""), values: [key, ...numbers(key)] };
  if (isWithoutRowid(connection, table))
    throw new ToolError("INVALID_INPUT", `${table.name} has a key of several columns and no row numbers`, {
      hint: whereHint(table, parts),
    });
  return { column: rowNumber(table, columns), values: integers(table, key) };
}

function rowNumber(table: Table, columns: readonly Column[]): string {
  const name = rowidName(columns);
  if (name !== null) return name;
  throw new ToolError("INVALID_INPUT", `The row numbers of ${table.name} are hidden by its columns`, {
    hint: whereHint(table),
  });
}

const INT64 = 2n ** 63n;

function integers(table: Table, key: string): Value[] {
  const number = /^[-+]?\d{1,19}$/.test(key.trim()) ? BigInt(key.trim().replace("+", "")) : INT64;
  if (number >= -INT64 && number < INT64) return [number];
  throw new ToolError(
    "INVALID_INPUT",
    `${key} is no row number, and ${table.name} has no primary key of one column`,
    {
      hint: whereHint(table),
    },
  );
}

/** A key that is a number, as a number: only columns without a type tell the two apart. */
function numbers(key: string): Value[] {
  if (/^-?\d{1,19}$/.test(key)) {
    const number = BigInt(key);
    return number >= -INT64 && number < INT64 ? [number] : [];
  }
  return /^-?\d+\.\d+(?:e[-+]?\d+)?$/i.test(key) ? [Number(key)] : [];
}

function whereHint(table: Table, parts: readonly Column[] = []): string {
  const condition = parts.map((column) => `${quoted(column.name)} = …`).join(" AND ");
  return `Rows are also found by read db:${table.name}?where=${condition === "" ? "…" : condition}`;
}
