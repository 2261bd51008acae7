/** What goes between the caller's thread and the worker: plain data, once in each direction. */
import type { DatabaseAnswer, DatabaseQuery } from "../../model/database.ts";
import type { ErrorCode } from "../../model/errors.ts";
import type { Value } from "./statement.ts";

export interface ReadJob {
  readonly kind: "read";
  readonly name: string;
  /** Descriptors that the caller holds open until the worker has ended. */
  readonly main: number;
  readonly wal: number | null;
  readonly query: DatabaseQuery;
}

export interface ChangeJob {
  readonly kind: "change";
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: string;
  readonly key: string | null;
  /** By column; null deletes the row. */
  readonly values: readonly (readonly [column: string, value: Value])[] | null;
}

export type Job = ReadJob | ChangeJob;

export interface Changed {
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly message: string;
}

export type Reply =
  /** SQLite is loaded: from now on the clock runs. */
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: DatabaseAnswer }
  | { readonly kind: "changed"; readonly changed: Changed }
  | {
      readonly kind: "refused";
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string | undefined;
    };
