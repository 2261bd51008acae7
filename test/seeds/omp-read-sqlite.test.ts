/**
 * seeds/omp-read.md, "SQLite databases", and issue 4: a database through one path. What SQLite itself is asked, and that
 * nothing is ever written, is tested in test/sources/sqlite.
 *
 * Without a test: how the database is opened, and how long it waits for others (it reads a file and takes no lock;
 * docs/deviations.md).
 */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  COLUMN_WIDTH,
  QUERY_ROWS,
  QUERY_ROWS_MOST,
  SAMPLE_ROWS,
  TABLE_WIDTH,
} from "../../src/model/limits.ts";
import { databaseBytes, fingerprint } from "../sources/sqlite/build.ts";
import { type Reader, reader } from "./reader.ts";

const SQL = `
  CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, bio TEXT);
  INSERT INTO users VALUES (1, 'ann', NULL), (2, 'bob', 'line 1' || char(10) || 'line 2');
  CREATE TABLE codes(code TEXT PRIMARY KEY, n); INSERT INTO codes VALUES ('x-1', 1);
  CREATE TABLE pairs(a, b, PRIMARY KEY (a, b)); INSERT INTO pairs VALUES (8, 9);
  CREATE TABLE many(n INTEGER);
  INSERT INTO many WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1200) SELECT n FROM c;
`;

async function app(more: Record<string, string> = {}): Promise<Reader> {
  return reader({ "app.db": await databaseBytes(SQL), ...more });
}

describe("A database", () => {
  it("lists its tables with the number of their rows, and the calls to make next", async () => {
    const { read, details } = await app();
    expect(await read("app.db")).toBe(
      [
        "table | kind  | rows",
        "------+-------+------",
        "codes | table | 1",
        "many  | table | 1,200",
        "pairs | table | 1",
        "users | table | 2",
        "[Read app.db:TABLE for its schema, app.db:TABLE:KEY for one row, app.db:TABLE?where=… for rows]",
      ].join("\n"),
    );
    expect(await details("app.db")).toMatchObject({ kind: "database", tag: null });
  });

  it("is told by its name and its first bytes together", async () => {
    const bytes = await databaseBytes("CREATE TABLE t(a)");
    const { read, unread } = await reader({
      "a.sqlite": bytes,
      "a.sqlite3": bytes,
      "a.db3": bytes,
      "a.DB": bytes,
      "text.db": "hello\n",
      "a.dat": bytes,
    });
    for (const name of ["a.sqlite", "a.sqlite3", "a.db3", "a.DB"]) {
      expect(await read(name)).toMatch(/^table \| kind/);
    }
    expect(await read("text.db")).toMatch(/^¶text\.db#[0-9A-F]{4}\n1:hello$/);
    expect((await unread("text.db:users")).text).toBe(
      "[DATABASE_INVALID] text.db is no SQLite database, so text.db:users names nothing in it. Read text.db as the file that it is.",
    );
    expect(await unread("a.dat")).toMatchObject({ code: "KIND_UNSUPPORTED" });
  });

  it("a table is how it is made, and five of its rows", async () => {
    const { read } = await app();
    expect(await read("app.db:codes")).toBe(
      "CREATE TABLE codes(code TEXT PRIMARY KEY, n)\n\ncode | n\n-----+--\nx-1  | 1",
    );
    expect(SAMPLE_ROWS).toBe(5);
    expect((await read("app.db:many")).split("\n").slice(-6)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "[A sample; read app.db:many?limit=20 for more rows]",
    ]);
  });

  it("a row is found by its primary key of one column, else by its number", async () => {
    const { read, unread } = await app();
    expect(await read("app.db:users:2")).toBe("id   | 2\nname | bob\nbio  | line 1\\nline 2");
    expect(await read("app.db:codes:x-1")).toBe("code | x-1\nn    | 1");
    expect(await read("app.db:pairs:1")).toBe("a | 8\nb | 9");
    expect((await unread("app.db:users:9")).text).toBe(
      "[ROW_NOT_FOUND] No row of users has id 9. Look at its rows with app.db:users?limit=20.",
    );
    expect(await unread("app.db:users:1?limit=5")).toMatchObject({
      code: "INVALID_INPUT",
      message: "A row that is looked up by its key takes no parameters",
    });
  });

  it("rows come 20 at a time, 500 at most, and the next call is named and goes on", async () => {
    const { read } = await app();
    expect([QUERY_ROWS, QUERY_ROWS_MOST]).toEqual([20, 500]);
    const first = await read("app.db:many?order=n");
    expect(first.split("\n").slice(2, -1)).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 1)));
    const seen: string[] = [];
    for (let next: string | null = "app.db:many?order=n&limit=9999"; next !== null; ) {
      const text = await read(next);
      seen.push(...text.split("\n").filter((row) => /^\d+$/.test(row)));
      next = /read (.*) for more\]$/.exec(text)?.[1] ?? null;
    }
    expect(seen).toEqual(Array.from({ length: 1200 }, (_, at) => String(at + 1)));
    expect(await read("app.db:many?limit=9999")).toContain("\n[limit is 500 at most]\n");
  });

  it("order, where and offset do what they say, and refuse what they must", async () => {
    const { read, unread } = await app();
    expect(await read("app.db:users?order=name:desc&limit=1")).toContain("\n2  | bob");
    expect(await read("app.db:many?where=n>1190 AND n%2=0&order=n&offset=3&limit=2")).toContain(
      "\n1198\n1200",
    );
    const codes = await Promise.all(
      ["order=nope", "where=n=1;DROP TABLE many", "where=1=1 LIMIT 5", "where=1 --", "x=1", "limit=0"].map(
        async (query) => (await unread(`app.db:many?${query}`)).code,
      ),
    );
    expect(codes).toEqual([
      "COLUMN_NOT_FOUND",
      "SQL_REFUSED",
      "SQL_REFUSED",
      "SQL_REFUSED",
      "INVALID_INPUT",
      "INVALID_INPUT",
    ]);
  });

  it("q is one statement that only reads, and stands alone", async () => {
    const { read, unread, root } = await app();
    const before = fingerprint(root);
    expect(await read("app.db?q=SELECT count(*) AS c FROM many")).toBe("c\n----\n1200");
    const refused = [
      "DELETE FROM many",
      "SELECT 1; SELECT 2",
      "ATTACH 'x.db' AS x",
      "PRAGMA journal_mode=WAL",
      "VACUUM",
    ];
    for (const sql of refused) {
      expect(await unread(`app.db?q=${sql}`)).toMatchObject({ code: "SQL_REFUSED" });
    }
    expect(await unread("app.db?q=")).toMatchObject({
      code: "INVALID_INPUT",
      message: "q holds no statement",
    });
    expect(await unread("app.db?q=SELECT 1&limit=5")).toMatchObject({ code: "INVALID_INPUT" });
    expect(await unread("app.db?q=SELECT nope FROM many")).toMatchObject({ code: "SQL_FAILED" });
    expect(readdirSync(root)).toEqual(["app.db"]);
    expect(fingerprint(root)).toBe(before);
  });

  it("a table is drawn within 120 columns, one of its columns within 40", async () => {
    const { read } = await reader({
      "w.db": await databaseBytes(
        `CREATE TABLE t(a, b, c, d); INSERT INTO t VALUES ('${"x".repeat(90)}', '${"y".repeat(90)}', '${"z".repeat(90)}', 'end')`,
      ),
    });
    expect([TABLE_WIDTH, COLUMN_WIDTH]).toEqual([120, 40]);
    const rows = (await read("w.db:t?limit=1")).split("\n");
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(120);
    expect(rows[2]).toMatch(/^x+… \| y+… \| z+… \| end$/);
    expect(await read("w.db:t:1")).toContain("x".repeat(90));
  });

  it("a table that is not there names those that are", async () => {
    const { unread } = await app();
    expect((await unread("app.db:nope")).text).toBe(
      "[TABLE_NOT_FOUND] No such table: nope. Its tables are codes, many, pairs, users.",
    );
  });

  it("a file called like a table's path is that file", async () => {
    const { read } = await app({ "app.db:users": "a file\n" });
    expect(await read("app.db:users")).toMatch(/^¶app\.db:users#[0-9A-F]{4}\n1:a file$/);
    expect(await read("app.db:users:1")).toContain("name | ann");
  });
});
