/**
 * A compiled statement: values in, rows out. In the worker. Of a value only as much is copied out of SQLite as will
 * be shown, so a table of large texts costs what its page costs.
 */
import type { Cell } from "../../model/database.ts";
import type { Functions, Library, Pointer } from "./library.ts";

/** What a row is written with, and a key compared with. */
export type Value = null | bigint | number | string;

/** The connection it was compiled on. */
export interface Owner {
  readonly library: Library;
  /** Throws what SQLite says of a result that is no success. */
  check(code: number): void;
}

const [INTEGER, FLOAT, TEXT, BLOB, ROW, DONE] = [1, 2, 3, 4, 100, 101];
const COPIED = -1;

export class Statement {
  readonly #connection: Owner;
  readonly #pointer: Pointer;

  constructor(connection: Owner, pointer: Pointer) {
    this.#connection = connection;
    this.#pointer = pointer;
  }

  get readsOnly(): boolean {
    return this.#functions.sqlite3_stmt_readonly(this.#pointer) !== 0;
  }

  get parameters(): number {
    return this.#functions.sqlite3_bind_parameter_count(this.#pointer);
  }

  get columns(): string[] {
    const count = this.#functions.sqlite3_column_count(this.#pointer);
    return Array.from({ length: count }, (_, column) => this.#name(column));
  }

  bind(values: readonly Value[]): this {
    for (const [index, value] of values.entries()) this.#connection.check(this.#bindOne(index + 1, value));
    return this;
  }

  /** Whether there is another row. */
  step(): boolean {
    const code = this.#functions.sqlite3_step(this.#pointer);
    if (code !== ROW && code !== DONE) this.#connection.check(code);
    return code === ROW;
  }

  end(): void {
    this.#functions.sqlite3_finalize(this.#pointer);
  }

  /** A value, of a text only so many bytes. */
  cell(column: number, most: number): Cell {
    const { sqlite3_column_type: type, sqlite3_column_bytes: bytes } = this.#functions;
    switch (type(this.#pointer, column)) {
      case INTEGER:
        return { kind: "number", text: String(this.integer(column)) };
      case FLOAT:
        return { kind: "number", text: real(this.#functions.sqlite3_column_double(this.#pointer, column)) };
      case TEXT: {
        const at = this.#functions.sqlite3_column_text(this.#pointer, column);
        const length = bytes(this.#pointer, column);
        return { kind: "text", text: this.#decode(at, length, most), cut: length > most, bytes: length };
      }
      case BLOB:
        return { kind: "blob", bytes: bytes(this.#pointer, column) };
      default:
        return null;
    }
  }

  /** A value of ours as text. */
  text(column: number): string {
    const at = this.#functions.sqlite3_column_text(this.#pointer, column);
    return this.#decode(
      at,
      this.#functions.sqlite3_column_bytes(this.#pointer, column),
      Number.POSITIVE_INFINITY,
    );
  }

  integer(column: number): bigint {
    return this.#functions.sqlite3_column_int64(this.#pointer, column);
  }

  get #functions(): Functions {
    return this.#connection.library.functions;
  }

  #name(column: number): string {
    const at = this.#functions.sqlite3_column_name(this.#pointer, column);
    return this.#connection.library.sqlite.wasm.cstrToJs(at) ?? "";
  }

  #decode(at: Pointer, length: number, most: number): string {
    const bytes = Buffer.from(this.#connection.library.heap().slice(at, at + Math.min(length, most)));
    const text = bytes.toString();
    // A character that the cut went through is not shown as a damaged one.
    return length > most ? text.replace(/\ufffd{1,3}$/, "") : text;
  }

  #bindOne(index: number, value: Value): number {
    const functions = this.#functions;
    if (value === null) return functions.sqlite3_bind_null(this.#pointer, index);
    if (typeof value === "bigint") return functions.sqlite3_bind_int64(this.#pointer, index, value);
    if (typeof value === "number") return functions.sqlite3_bind_double(this.#pointer, index, value);
    const text = Buffer.from(value);
    return this.#connection.library.lend(text, (at) =>
      functions.sqlite3_bind_text(this.#pointer, index, at, text.length, COPIED),
    );
  }
}

/** A floating-point number with all its digits, and told from a whole number. */
function real(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
