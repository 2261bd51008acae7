/**
 * One connection to one database, for one job, in the worker. Everything that bounds a statement is set here before
 * the first byte of the database is read: the authorizer, memory, lengths, and the clock.
 */
import { SQL_LENGTH, SQL_MEMORY, SQL_VALUE } from "../../model/limits.ts";
import { authorizer, type Mode } from "./authorizer.ts";
import { SqliteFault } from "./fault.ts";
import type { Library, Pointer } from "./library.ts";
import { type Owner, Statement } from "./statement.ts";

/** Steps of SQLite's machine between two looks at the clock: a fraction of a millisecond. */
const STEPS = 10_000;

export class Connection implements Owner {
  readonly library: Library;
  readonly database: Pointer;
  /** When SQLite stops by itself, in milliseconds of `performance.now()`. */
  deadline: number;

  private constructor(library: Library, database: Pointer, deadline: number) {
    this.library = library;
    this.database = database;
    this.deadline = deadline;
  }

  /** On the file system of that name. */
  static open(library: Library, vfs: string, mode: Mode, deadline: number): Connection {
    const database = opened(library, vfs, mode);
    const connection = new Connection(library, database, deadline);
    connection.#confine(mode);
    return connection;
  }

  close(): void {
    this.library.functions.sqlite3_close_v2(this.database);
  }

  /** Compiles the first statement of a text; null when it holds none. */
  compile(sql: string): { readonly statement: Statement | null; readonly rest: string } {
    const { sqlite, functions, lend, heap } = this.library;
    const text = Buffer.from(sql);
    return lend(text, (at) =>
      lend(new Uint8Array(8), (out) => {
        const code = functions.sqlite3_prepare_v3(this.database, at, text.length + 1, 0, out, out + 4);
        this.check(code);
        const pointer = sqlite.wasm.peekPtr(out);
        const tail = sqlite.wasm.peekPtr(out + 4);
        const rest = Buffer.from(heap().slice(tail, at + text.length)).toString();
        return { statement: pointer === 0 ? null : new Statement(this, pointer), rest };
      }),
    );
  }

  /** Compiles one statement of ours. */
  prepare(sql: string): Statement {
    const { statement } = this.compile(sql);
    if (statement === null) throw new SqliteFault(1, "no statement");
    return statement;
  }

  run(sql: string): void {
    const statement = this.prepare(sql);
    try {
      while (statement.step());
    } finally {
      statement.end();
    }
  }

  /** Rows that the last statement itself changed, without its triggers. */
  changes(): number {
    return this.library.functions.sqlite3_changes(this.database);
  }

  check(code: number): void {
    if (code === 0) return;
    const message = this.library.sqlite.wasm.cstrToJs(this.library.functions.sqlite3_errmsg(this.database));
    throw new SqliteFault(code, message ?? `result code ${code}`);
  }

  #confine(mode: Mode): void {
    const { capi } = this.library.sqlite;
    const { sqlite3_limit: limit } = this.library.functions;
    capi.sqlite3_progress_handler(this.database, STEPS, () => (performance.now() > this.deadline ? 1 : 0), 0);
    capi.sqlite3_db_config(this.database, capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
    capi.sqlite3_db_config(this.database, capi.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, 0);
    capi.sqlite3_db_config(this.database, capi.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, 0);
    limit(this.database, capi.SQLITE_LIMIT_LENGTH, SQL_VALUE);
    limit(this.database, capi.SQLITE_LIMIT_SQL_LENGTH, SQL_LENGTH);
    limit(this.database, capi.SQLITE_LIMIT_ATTACHED, 0);
    for (const pragma of [...PRAGMAS.both, ...PRAGMAS[mode]]) this.run(`PRAGMA ${pragma}`);
    this.#authorize(mode, new Set());
    this.#authorize(mode, this.#shadows());
  }

  #authorize(mode: Mode, shadows: ReadonlySet<string>): void {
    const { capi } = this.library.sqlite;
    capi.sqlite3_set_authorizer(this.database, authorizer(this.library, mode, shadows), 0);
  }

  /** The tables in which R*Trees keep themselves. */
  #shadows(): Set<string> {
    const statement = this.prepare(
      "SELECT lower(name) FROM sqlite_schema WHERE type = 'table' AND rootpage = 0 AND sql LIKE '%using%rtree%'",
    );
    const shadows = new Set<string>();
    try {
      while (statement.step())
        for (const part of ["node", "rowid", "parent"]) shadows.add(`${statement.text(0)}_${part}`);
    } finally {
      statement.end();
    }
    return shadows;
  }
}

const PRAGMAS: Readonly<Record<Mode | "both", readonly string[]>> = {
  both: [`hard_heap_limit = ${SQL_MEMORY}`, "temp_store = MEMORY", "cell_size_check = ON"],
  // Exclusive locking is what lets a log be read without the shared memory file beside it.
  read: ["locking_mode = EXCLUSIVE", "query_only = ON"],
  change: ["locking_mode = EXCLUSIVE", "journal_mode = MEMORY", "foreign_keys = ON"],
};

function opened({ sqlite, functions, lend }: Library, vfs: string, mode: Mode): Pointer {
  const { capi, wasm } = sqlite;
  const flags = mode === "read" ? capi.SQLITE_OPEN_READONLY : capi.SQLITE_OPEN_READWRITE;
  return lend(Buffer.from("database"), (name) =>
    lend(Buffer.from(vfs), (system) =>
      lend(new Uint8Array(4), (out) => {
        const code = functions.sqlite3_open_v2(name, out, flags, system);
        if (code !== 0) throw new SqliteFault(code, "unable to open the database");
        return wasm.peekPtr(out);
      }),
    ),
  );
}
