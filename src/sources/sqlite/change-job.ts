/**
 * Inserts, updates or deletes one row in a copy of a database. In the worker; the caller puts the copy in the place of
 * the file. Triggers run and foreign keys hold, as for any other writer.
 */
import { ToolError } from "../../model/errors.ts";
import { DATABASE_CHANGED, SQL_TIME } from "../../model/limits.ts";
import { MemoryBytes, NO_BYTES } from "./bytes.ts";
import { Connection } from "./connection.ts";
import { checkHeader, VERSIONS } from "./header.ts";
import type { ChangeJob, Changed } from "./job.ts";
import type { Library } from "./library.ts";
import { rowKey } from "./row-key.ts";
import type { Value } from "./statement.ts";
import {
  type Column,
  columnNamed,
  columnsOf,
  isWithoutRowid,
  noColumn,
  quoted,
  type Table,
  tableNamed,
} from "./tables.ts";
import { installVfs } from "./vfs.ts";

type Values = readonly (readonly [column: string, value: Value])[];

export function changeJob(library: Library, job: ChangeJob): Changed {
  const main = new MemoryBytes(job.bytes, DATABASE_CHANGED);
  checkHeader(main, job.name);
  // A database in WAL mode without a log differs from any other only in these two bytes. With a journal's it is
  // changed without one, and gets its own back.
  const versions = VERSIONS.map((at) => job.bytes[at] ?? 1);
  for (const at of VERSIONS) job.bytes[at] = 1;
  const vfs = installVfs(library, { main, wal: NO_BYTES });
  const connection = Connection.open(library, vfs, "change", performance.now() + SQL_TIME);
  let message: string;
  try {
    message = change(connection, job);
  } finally {
    connection.close();
  }
  if (!main.changed) return { bytes: null, message };
  const bytes = main.result();
  for (const [index, at] of VERSIONS.entries()) bytes[at] = versions[index] ?? 1;
  return { bytes, message };
}

function change(connection: Connection, job: ChangeJob): string {
  const table = tableNamed(connection, job.table);
  if (/^sqlite_/i.test(table.name))
    throw new ToolError("ROW_INVALID", `${table.name} belongs to SQLite and is not written`);
  if (table.kind === "view")
    throw new ToolError("ROW_INVALID", `${table.name} is a view`, {
      hint: "Write to the tables it is made of",
    });
  const columns = columnsOf(connection, table);
  const values = job.values?.map(([name, value]) => [columnOf(table, columns, name), value] as const) ?? null;
  if (values !== null) refuseTwice(table, values);
  if (job.key === null) return insert(connection, table, values ?? []);
  refuseKeyless(connection, table, columns);
  return values === null ? remove(connection, table, job.key) : update(connection, table, job.key, values);
}

function columnOf(table: Table, columns: readonly Column[], name: string): string {
  const column = columnNamed(columns, name);
  if (column === null) throw noColumn(table, columns, name);
  return column.name;
}

function refuseTwice(table: Table, values: Values): void {
  const names = values.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ToolError("ROW_INVALID", `Two fields name the column ${twice} of ${table.name}`, {
      hint: "SQLite does not tell large and small letters apart",
    });
}

/** Rows that are not named by one value. */
function refuseKeyless(connection: Connection, table: Table, columns: readonly Column[]): void {
  if (columns.filter((column) => column.keyPart > 0).length > 1)
    throw new ToolError("ROW_INVALID", `${table.name} has a primary key of several columns`, {
      hint: "Its rows can be inserted here, not changed or deleted",
    });
  if (isWithoutRowid(connection, table))
    throw new ToolError("ROW_INVALID", `${table.name} is a WITHOUT ROWID table`, {
      hint: "Its rows can be inserted here, not changed or deleted",
    });
}

function insert(connection: Connection, table: Table, values: Values): string {
  const columns = values.map(([name]) => quoted(name)).join(", ");
  const places = values.map(() => "?").join(", ");
  const what = values.length === 0 ? "DEFAULT VALUES" : `(${columns}) VALUES (${places})`;
  const done = run(
    connection,
    `INSERT INTO ${quoted(table.name)} ${what}`,
    values.map(([, value]) => value),
  );
  return done
    ? `Inserted row into ${table.name}`
    : `No row inserted into ${table.name}: a trigger kept it out`;
}

function update(connection: Connection, table: Table, key: string, values: Values): string {
  const set = values.map(([name]) => `${quoted(name)} = ?`).join(", ");
  const done = onRow(connection, table, key, `UPDATE ${quoted(table.name)} SET ${set}`, values);
  return done ? `Updated row '${key}' in ${table.name}` : `No row updated in ${table.name} for key '${key}'`;
}

function remove(connection: Connection, table: Table, key: string): string {
  const done = onRow(connection, table, key, `DELETE FROM ${quoted(table.name)}`, []);
  return done
    ? `Deleted row '${key}' from ${table.name}`
    : `No row deleted from ${table.name} for key '${key}'`;
}

/** Whether a row of that key was there. */
function onRow(connection: Connection, table: Table, key: string, sql: string, values: Values): boolean {
  const { column, values: keys } = rowKey(connection, table, key);
  return keys.some((value) =>
    run(connection, `${sql} WHERE ${column} = ?`, [...values.map(([, given]) => given), value]),
  );
}

/** Whether it changed a row. */
function run(connection: Connection, sql: string, values: readonly Value[]): boolean {
  const statement = connection.prepare(sql);
  try {
    statement.bind(values);
    while (statement.step());
    return connection.changes() > 0;
  } finally {
    statement.end();
  }
}
