/** What is asked of a SQLite database and what it answers, as plain data: both cross into another thread. */

/** How a path behind a database is read as a table and what is wanted of it. */
export type TableReading =
  | { readonly kind: "schema"; readonly table: string }
  | { readonly kind: "row"; readonly table: string; readonly key: string }
  | TableQuery
  /** Makes no sense as such; only a table of that very name can still make it right. */
  | { readonly kind: "refused"; readonly message: string; readonly hint: string };

export interface TableQuery {
  readonly kind: "query";
  readonly table: string;
  readonly limit: number;
  /** More rows were asked for than are given. */
  readonly capped: boolean;
  readonly offset: number;
  /** `column`, `column:asc`, `column:desc`; only the database knows which. */
  readonly order: string | null;
  readonly where: string | null;
}

export type DatabaseQuery =
  | { readonly kind: "list" }
  | { readonly kind: "raw"; readonly sql: string }
  /** `whole` is all that was written: a table of that name wins over the reading. */
  | { readonly kind: "table"; readonly whole: string; readonly reading: TableReading };

/** A value of a row. Numbers are text, so that none loses a digit. */
export type Cell =
  | null
  | { readonly kind: "number"; readonly text: string }
  /** `bytes` is what the whole value takes; `text` may be only its beginning. */
  | { readonly kind: "text"; readonly text: string; readonly cut: boolean; readonly bytes: number }
  | { readonly kind: "blob"; readonly bytes: number };

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** There are more than these. */
  readonly more: boolean;
}

export type TableKind = "table" | "view" | "virtual table";

export interface ListedTable {
  readonly name: string;
  readonly kind: TableKind;
  /** Null when it could not be counted in time, or at all. */
  readonly rows: number | null;
}

export type DatabaseResult =
  | { readonly kind: "list"; readonly tables: readonly ListedTable[]; readonly left: number }
  | {
      readonly kind: "schema";
      readonly table: string;
      readonly sql: string;
      readonly cut: boolean;
      readonly sample: Rows;
    }
  | {
      readonly kind: "row";
      readonly table: string;
      readonly key: string;
      readonly columns: readonly string[];
      readonly cells: readonly Cell[];
    }
  | {
      readonly kind: "query";
      readonly rows: Rows;
      readonly query: TableQuery;
      /** What follows the database's path to read on; null when this is the end. */
      readonly next: string | null;
    }
  | { readonly kind: "raw"; readonly rows: Rows };

export interface DatabaseAnswer {
  readonly result: DatabaseResult;
  /** Sentences on how far the answer can be trusted. */
  readonly notices: readonly string[];
}
