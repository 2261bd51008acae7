import { array, assert, constant, nat, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { databaseText } from "../../src/format/table-text.ts";
import type { Cell, DatabaseResult, Rows, TableQuery } from "../../src/model/database.ts";

const text = (value: string): Cell => ({ kind: "text", text: value, cut: false, bytes: value.length });
const number = (value: number): Cell => ({ kind: "number", text: String(value) });
const shown = (result: DatabaseResult): string[] =>
  databaseText({ result, notices: [] }, "app.db").split("\n");
const raw = (columns: string[], rows: Cell[][], more = false): string[] =>
  shown({ kind: "raw", rows: { columns, rows, more } });

describe("the text of a database's answer", () => {
  it("draws rows and tells NULL, empty text, blobs and their look-alikes apart", () => {
    const cells: Cell[] = [
      null,
      text(""),
      text("NULL"),
      { kind: "blob", bytes: 12 },
      text("<blob 12 bytes>"),
      text("'x'"),
      text("x "),
    ];
    expect(
      raw(
        ["id", "value"],
        cells.map((cell, index) => [number(index), cell]),
      ),
    ).toEqual([
      "id | value",
      "---+------------------",
      "0  | NULL",
      "1  | ''",
      "2  | 'NULL'",
      "3  | <blob 12 bytes>",
      "4  | '<blob 12 bytes>'",
      "5  | ''x''",
      "6  | 'x '",
    ]);
  });

  it("spells out what would break or reorder a line", () => {
    expect(raw(["a\nb"], [[text("1\n2\t3\u202e4\u001b[31m\u0000")]])).toEqual([
      "a\\nb",
      "-".repeat(28),
      "1\\n2\\t3\\u{202e}4\\x1b[31m\\x00",
    ]);
  });

  it("cuts wide cells, and names the columns that do not fit", () => {
    const lines = raw(["long"], [[text("x".repeat(100))]]);
    expect(lines[2]).toBe(`${"x".repeat(39)}…`);
    const columns = Array.from({ length: 40 }, (_, index) => `column_${index}`);
    const wide = raw(columns, [columns.map((column) => text(column))]);
    expect(wide.at(-1)).toMatch(/^\[\d+ more columns: column_\d+, .*column_39\]$/);
  });

  it("is never wider than it may be, and keeps every row on one line", () => {
    const cell = oneof(
      string({ unit: "binary", maxLength: 80 }).map(text),
      constant(null),
      nat().map(number),
    );
    assert(
      property(
        array(string({ unit: "binary", maxLength: 60 }), { minLength: 1, maxLength: 12 }),
        array(array(cell)),
        (columns, given) => {
          const rows = given.map((row) => columns.map((_, index) => row[index] ?? null));
          const lines = raw(columns, rows).filter((line) => !line.startsWith("["));
          expect(raw(columns, rows).length).toBeGreaterThanOrEqual(2 + rows.length);
          expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(120);
          expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u);
        },
      ),
    );
  });

  it("lists tables", () => {
    const tables = [
      { name: "users", kind: "table", rows: 1234 },
      { name: "odd\nname", kind: "view", rows: null },
    ] as const;
    expect(shown({ kind: "list", tables, left: 3 })).toEqual([
      "table       | kind  | rows",
      "------------+-------+------",
      "users       | table | 1,234",
      '"odd\\nname" | view  | ?',
      expect.stringContaining("not counted"),
      expect.stringContaining("3 more tables not listed"),
      expect.stringContaining("app.db:TABLE:KEY"),
    ]);
    expect(shown({ kind: "list", tables: [], left: 0 })).toEqual(["[app.db has no tables]"]);
  });

  it("shows a schema with a sample", () => {
    const sample: Rows = { columns: ["a"], rows: [[number(1)]], more: true };
    const sql = "CREATE TABLE t(\r\n  a\u001b\n)";
    expect(shown({ kind: "schema", table: "a:b", sql, cut: false, sample })).toEqual([
      "CREATE TABLE t(",
      "  a\\x1b",
      ")",
      "",
      "a",
      "-",
      "1",
      '[A sample; read app.db:"a:b"?limit=20 for more rows]',
    ]);
  });

  it("shows one row with its values whole", () => {
    const long: Cell = { kind: "text", text: "y".repeat(500), cut: true, bytes: 9000 };
    expect(
      shown({ kind: "row", table: "t", key: "1", columns: ["id", "name"], cells: [number(1), long] }),
    ).toEqual(["id   | 1", `name | ${"y".repeat(500)}… (9,000 bytes in all)`]);
  });

  it("ends with the next call where there are more rows", () => {
    const query: TableQuery = {
      kind: "query",
      table: "t",
      limit: 500,
      capped: true,
      offset: 20,
      order: null,
      where: null,
    };
    const rows: Rows = { columns: ["a"], rows: [[number(1)], [number(2)]], more: true };
    expect(shown({ kind: "query", rows, query, next: ":t?limit=500&offset=22" }).slice(-2)).toEqual([
      "[limit is 500 at most]",
      "[Showing rows 21-22; read app.db:t?limit=500&offset=22 for more]",
    ]);
    expect(raw(["a"], [[number(1)]], true).at(-1)).toContain("Only the first 1 row");
    expect(raw(["a"], []).at(-1)).toBe("[No rows]");
  });

  it("ends with what is to be known of it", () => {
    const result: DatabaseResult = { kind: "raw", rows: { columns: ["a"], rows: [], more: false } };
    expect(
      databaseText({ result, notices: ["It changed."] }, "x")
        .split("\n")
        .at(-1),
    ).toBe("[It changed.]");
  });
});
