/**
 * SQLite as this room calls it: the functions of its C interface, by pointers, which the package's own types only
 * describe in part. Loaded in the worker and nowhere else.
 */
import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";

export type Pointer = number;

export interface Functions {
  readonly sqlite3_open_v2: (name: Pointer, database: Pointer, flags: number, vfs: Pointer) => number;
  readonly sqlite3_close_v2: (database: Pointer) => number;
  readonly sqlite3_errmsg: (database: Pointer) => Pointer;
  readonly sqlite3_limit: (database: Pointer, limit: number, value: number) => number;
  readonly sqlite3_changes: (database: Pointer) => number;
  readonly sqlite3_prepare_v3: (
    database: Pointer,
    sql: Pointer,
    length: number,
    flags: number,
    statement: Pointer,
    tail: Pointer,
  ) => number;
  readonly sqlite3_step: (statement: Pointer) => number;
  readonly sqlite3_finalize: (statement: Pointer) => number;
  readonly sqlite3_stmt_readonly: (statement: Pointer) => number;
  readonly sqlite3_bind_parameter_count: (statement: Pointer) => number;
  readonly sqlite3_bind_null: (statement: Pointer, index: number) => number;
  readonly sqlite3_bind_int64: (statement: Pointer, index: number, value: bigint) => number;
  readonly sqlite3_bind_double: (statement: Pointer, index: number, value: number) => number;
  readonly sqlite3_bind_text: (
    statement: Pointer,
    index: number,
    text: Pointer,
    length: number,
    free: number,
  ) => number;
  readonly sqlite3_column_count: (statement: Pointer) => number;
  readonly sqlite3_column_name: (statement: Pointer, column: number) => Pointer;
  readonly sqlite3_column_type: (statement: Pointer, column: number) => number;
  readonly sqlite3_column_int64: (statement: Pointer, column: number) => bigint;
  readonly sqlite3_column_double: (statement: Pointer, column: number) => number;
  readonly sqlite3_column_text: (statement: Pointer, column: number) => Pointer;
  readonly sqlite3_column_bytes: (statement: Pointer, column: number) => number;
}

export interface Library {
  readonly sqlite: Sqlite3Static;
  readonly functions: Functions;
  /** Its memory now: it moves when it grows, so nobody keeps it. */
  readonly heap: () => Uint8Array;
  /** Copies bytes and a NUL into its memory, for as long as the work takes. */
  readonly lend: <Result>(bytes: Uint8Array, work: (at: Pointer) => Result) => Result;
}

export async function loadLibrary(): Promise<Library> {
  const { default: load } = await import("@sqlite.org/sqlite-wasm");
  const sqlite = await load({ print: () => {}, printErr: () => {} });
  const heap = (): Uint8Array => sqlite.wasm.heap8u();
  return {
    sqlite,
    functions: sqlite.wasm.exports as Functions,
    heap,
    lend: (bytes, work) => {
      const at = sqlite.wasm.alloc(bytes.length + 1);
      try {
        heap().set(bytes, at);
        heap()[at + bytes.length] = 0;
        return work(at);
      } finally {
        sqlite.wasm.dealloc(at);
      }
    },
  };
}
