/** What SQLite reports, and the error that an agent gets for it. Called wherever the worker talks to SQLite. */
import { ToolError } from "../../model/errors.ts";

export class SqliteFault extends Error {
  /** SQLite's primary result code. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code & 0xff;
  }
}

const [NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, TOOBIG, CONSTRAINT, AUTH, NOTADB] = [
  7, 8, 9, 10, 11, 13, 14, 18, 19, 23, 26,
];

const INVALID: ReadonlySet<number> = new Set([CORRUPT, CANTOPEN, NOTADB]);

/** The file's content is not a whole database, which may also be because it is being written. */
export function isDamage(error: unknown): boolean {
  return error instanceof SqliteFault && (INVALID.has(error.code) || error.code === IOERR);
}

export function toolError(error: unknown, name: string): unknown {
  if (!(error instanceof SqliteFault)) return error;
  const { code, message } = error;
  if (code === INTERRUPT) return timedOut(name);
  if (INVALID.has(code))
    return new ToolError("DATABASE_INVALID", `${name} cannot be read as a database: ${message}`, {
      hint: "It is damaged, encrypted, or being written; check it with the program that owns it",
    });
  if (code === IOERR) return new ToolError("PATH_UNREADABLE", `${name} cannot be read: ${message}`);
  if (code === AUTH || code === READONLY)
    return new ToolError("SQL_REFUSED", `The statement is refused: ${message}`, { hint: READS_ONLY });
  if (code === FULL)
    return new ToolError("FILE_TOO_LARGE", `${name} would become too large to be changed here`);
  if (code === NOMEM || code === TOOBIG)
    return new ToolError("SQL_FAILED", `The statement needs too much memory: ${message}`, {
      hint: "Ask for fewer columns, shorter values (substr) or fewer rows",
    });
  return new ToolError("SQL_FAILED", `SQLite says: ${message}`, {
    hint:
      code === CONSTRAINT
        ? "Nothing was changed; give values that the table's constraints allow"
        : "List the tables with the database's path alone, and a table's columns with db:table",
  });
}

export const READS_ONLY =
  "One statement that only reads: SELECT, WITH … SELECT, VALUES or EXPLAIN; a schema is read with db:table";

export function timedOut(name: string): ToolError {
  return new ToolError("TIMED_OUT", `The statement on ${name} took too long and was ended`, {
    hint: "Narrow it with where, an indexed column or a smaller limit",
  });
}
