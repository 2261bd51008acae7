/** Databases for tests, written by SQLite itself, and ways to ask them. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import load from "@sqlite.org/sqlite-wasm";
import type { DatabaseAnswer } from "../../../src/model/database.ts";
import { changeJob } from "../../../src/sources/sqlite/change-job.ts";
import { type RowChange, type RowChanged, rowJob } from "../../../src/sources/sqlite/change-row.ts";
import { toolError } from "../../../src/sources/sqlite/fault.ts";
import { type Library, loadLibrary } from "../../../src/sources/sqlite/library.ts";
import { parseDatabasePath } from "../../../src/sources/sqlite/parse-path.ts";
import { readDatabase } from "../../../src/sources/sqlite/read-database.ts";
import { readJob } from "../../../src/sources/sqlite/read-job.ts";

/** The bytes of a database after some statements. */
export async function databaseBytes(sql: string): Promise<Buffer> {
  const sqlite = await load();
  const database = new sqlite.oo1.DB(":memory:");
  try {
    database.exec(sql);
    return Buffer.from(sqlite.capi.sqlite3_js_db_export(database));
  } finally {
    database.close();
  }
}

/** All rows of a statement over a database's bytes, as another program would read them. */
export async function rowsIn(bytes: Buffer, sql: string): Promise<unknown[][]> {
  const sqlite = await load();
  const database = new sqlite.oo1.DB(":memory:");
  try {
    const at = sqlite.wasm.allocFromTypedArray(new Uint8Array(bytes));
    // Owned by the database from here on, and freed with it.
    sqlite.capi.sqlite3_deserialize(database, "main", at, bytes.length, bytes.length, 1);
    return database.exec(sql, { returnValue: "resultRows", rowMode: "array" });
  } finally {
    database.close();
  }
}

/** As read does: through the worker. */
export async function ask(path: string, rest: string, signal?: AbortSignal): Promise<DatabaseAnswer> {
  const beside = (suffix: string): Promise<FileHandle> | null =>
    existsSync(path + suffix) ? open(path + suffix) : null;
  const main = await open(path);
  const [wal, journal] = [await beside("-wal"), await beside("-journal")];
  try {
    const query = parseDatabasePath(rest);
    return await readDatabase({ main, wal, journal, name: "test.db" }, query, signal);
  } finally {
    await Promise.all([main.close(), wal?.close(), journal?.close()]);
  }
}

let library: Promise<Library> | undefined;

/** The same in the test's own thread, for many questions: without the clock that ends a thread. */
export async function askHere(path: string, rest: string): Promise<DatabaseAnswer> {
  library ??= loadLibrary();
  const sqlite = await library;
  const main = openSync(path, "r");
  const wal = existsSync(`${path}-wal`) ? openSync(`${path}-wal`, "r") : null;
  try {
    return readJob(sqlite, { kind: "read", name: "test.db", main, wal, query: parseDatabasePath(rest) });
  } catch (error) {
    throw toolError(error, "test.db");
  } finally {
    closeSync(main);
    if (wal !== null) closeSync(wal);
  }
}

export async function changeHere(bytes: Buffer, change: RowChange): Promise<RowChanged> {
  library ??= loadLibrary();
  const sqlite = await library;
  const job = await rowJob(bytes, change, "test.db");
  try {
    const changed = changeJob(sqlite, job);
    return { ...changed, bytes: changed.bytes && Buffer.from(changed.bytes) };
  } catch (error) {
    throw toolError(error, "test.db");
  }
}

/** Everything that can be told of a folder from outside: names, contents, times, permissions. */
export function fingerprint(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) {
    const { mtimeNs, ctimeNs, mode, ino } = statSync(join(folder, name), { bigint: true });
    hash.update(`${name} ${mtimeNs} ${ctimeNs} ${mode} ${ino}\n`).update(readFileSync(join(folder, name)));
  }
  return hash.digest("hex");
}

/** The cells of an answer's rows as plain text. */
export function cells({ result }: DatabaseAnswer): (string | null)[][] {
  if (result.kind === "list") return result.tables.map((table) => [table.name, String(table.rows)]);
  const rows =
    result.kind === "row" ? [result.cells] : result.kind === "schema" ? result.sample.rows : result.rows.rows;
  return rows.map((row) =>
    row.map((cell) => (cell === null ? null : cell.kind === "blob" ? `blob ${cell.bytes}` : cell.text)),
  );
}

/**
 * A database in WAL mode with pages of 512 bytes and its log, copied while the writer was at work, by the real SQLite
 * 3.40.1: one row in the database, one committed to the log, and sixty more in the log that never were:
 *   PRAGMA page_size=512; PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0; CREATE TABLE t(a);
 *   INSERT INTO t VALUES('in the database'); PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES('in the log');
 *   PRAGMA cache_size=1; BEGIN; INSERT INTO t … 60 rows 'not committed N…'; (copied here)
 */
export const LOGGED: { readonly main: Buffer; readonly wal: Buffer } = {
  main: unpacked(
    "H4sIAAAAAAACAwsO9MksSVVIyy/KTSxRMGZgYmBiYnBQUGBgADIhGAYYgZgFjU8IMDHoJTPyghQz3mcAolFAXyDPyCbOz8+oX5KYlJNaUsLkHOTqGOKqEOLo5OOqUKKRqAmJm7cMQDQKhjsQZGTSzsxTKMlIVUhJBCaJxOJUAPh9+usABAAA",
  ),
  wal: unpacked(
    "H4sIAAAAAAACA+2WPUwTYRjH3/cOrqW0Sv3gSy1XypfWaukHxcE4aEyMhneDgUjaSkWC0IEbRGMUN3Vwc1MnHRUibiZ+TGpCYkxwcIEwuBljDAwE1CsVc/GfXAz/zfAMTd7r5ZfneZ9/frnMNeOGiC3WC6EJu+RQZDn31Pu6P/Oq7fKZs8YHUf5D23j+vXD14/Xpu0uB0kM5L+QX+2er/rfya1p4eMy0LhTMi8WhoNSiv0+DOSuXz40X7Hf00osbuZj2r/ke5aM/S7nwCLWeC3lHHhNfxQP7uNnq8eiTkbGiZZ4rjo4OW1Zh0ExfIqrHAF6K4lUCL0nxKoCXoHg68DoZ3r/kosKZiytT+vvHtz/lS7kwREjIKZmVNeKlKNqHP6UC+mTrX21SfSo/AuPURVbDRR6heD7gdVO8KuBlKJ4XeF0Mz15ypTMXx2MP+2bU/blyLhqFfCIHZEA8FyP2oZyJnbhCaiS1A4HUTCqIQMpOqgaBlJ7UdgRSflLbEJggc2E4c9E8O/HiR8vaSZdcNEALCW6megRSM6k6BHI2q0UgZTO1G9dI6UztQmA3mQuPMxezTe/yR7MnnrnkogkviZsphEBqJrUPgZzR9iKQM9oeBHJGa0RgisyF15mL0MLM57dvxt180QotJLmZWhDIWTqCQM5ozQjkjBZGIGc0E4FxMhdVzlzcXBkJZ++db3DJRRRaSHEzHUAgZ+n9eEmc0ToQyBmtHYGc0doQyH53+py5uFV7Oji/eqrXJReduEZupjgCOUsfRiBntEMI5IwWQyBntIMIZL87q5256Oib+LZYN5d1yUUGWkhzM3UhkLN0GoGc0VII5IyWxDVyRksgkDLaLx7ZtxMQFQAA",
  ),
};

function unpacked(text: string): Buffer {
  return gunzipSync(Buffer.from(text, "base64"));
}
