/**
 * What a statement may do, asked by SQLite for every part of it while it is compiled. Whatever is not listed is
 * denied: ATTACH, PRAGMA, every CREATE, DROP and ALTER, transactions, temporary tables (T17).
 */
import type { Library } from "./library.ts";

export type Mode = "read" | "change";

export type Authorizer = (_: number, action: number, first: unknown, second: unknown) => number;

/** Functions that reach out of the database, in builds that have them. */
const FUNCTIONS = new Set([
  "load_extension",
  "fts3_tokenizer",
  "readfile",
  "writefile",
  "edit",
  "sqlite_log",
]);

/** Pragmas that only tell what the schema is: also as table-valued functions, and asked by FTS5 itself. */
const PRAGMAS = new Set([
  "data_version",
  "foreign_key_list",
  "index_info",
  "index_list",
  "index_xinfo",
  "table_info",
  "table_list",
  "table_xinfo",
]);

/**
 * `shadows` are tables of R*Trees: the module compiles statements that write them as soon as one is read. None of
 * them is ever run by a read, and a statement of the caller's that is not read-only is refused by itself.
 */
export function authorizer(library: Library, mode: Mode, shadows: ReadonlySet<string>): Authorizer {
  const { capi } = library.sqlite;
  const reading = new Set<number>([capi.SQLITE_SELECT, capi.SQLITE_READ, capi.SQLITE_RECURSIVE]);
  const writing = new Set<number>([capi.SQLITE_INSERT, capi.SQLITE_UPDATE, capi.SQLITE_DELETE]);
  const change = new Set<number>([...writing, capi.SQLITE_TRANSACTION, capi.SQLITE_SAVEPOINT]);
  const allowed = (action: number, first: unknown, second: unknown): boolean => {
    if (reading.has(action)) return true;
    if (action === capi.SQLITE_FUNCTION) return !FUNCTIONS.has(String(second).toLowerCase());
    if (action === capi.SQLITE_PRAGMA) return PRAGMAS.has(String(first).toLowerCase());
    if (mode === "change") return change.has(action);
    return writing.has(action) && shadows.has(String(first).toLowerCase());
  };
  return (_, action, first, second) => (allowed(action, first, second) ? capi.SQLITE_OK : capi.SQLITE_DENY);
}
