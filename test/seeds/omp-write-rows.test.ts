/**
 * seeds/omp-write.md, SQLite rows, in our words. Deviation: the database is replaced whole, and refused while somebody
 * has it open or a log is beside it, so there is no `busy_timeout`. Every refusal leaves the database as it was.
 */
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { databaseBytes, rowsIn } from "../sources/sqlite/build.ts";
import { editor, type Editor } from "./editor.ts";

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', email TEXT, active INTEGER);
  INSERT INTO users (id, name, active) VALUES (42, 'Bob', 0), (43, 'Eve', 1);
  CREATE TABLE named (name TEXT PRIMARY KEY, n);
  INSERT INTO named VALUES ('a b', 1);
  CREATE TABLE plain (x);
  INSERT INTO plain VALUES ('first'), ('second');
  CREATE TABLE pair (a, b, PRIMARY KEY (a, b));
  CREATE TABLE bare (a PRIMARY KEY) WITHOUT ROWID;
  CREATE VIEW seen AS SELECT 1 AS x;
  CREATE TABLE "odd:name?" (x);`;

let made: Promise<Buffer> | undefined;

async function database(): Promise<Editor & { readonly rows: (sql: string) => Promise<unknown[][]> }> {
  made ??= databaseBytes(SCHEMA);
  const one = await editor({ "data/app.db": await made });
  return { ...one, rows: (sql) => rowsIn(one.bytes("data/app.db"), sql) };
}

describe("A row", () => {
  it("is inserted, as in the worked example", async () => {
    const { write, rows } = await database();
    expect(await write("data/app.db:users", "{name: 'Ada', active: true}")).toBe("Inserted row into users");
    expect(await rows("SELECT id, name, email, active FROM users ORDER BY id DESC LIMIT 1")).toEqual([
      [44, "Ada", null, 1],
    ]);
  });

  it("of an empty object is one of defaults", async () => {
    const { write, rows } = await database();
    expect(await write("data/app.db:users", "{}")).toBe("Inserted row into users");
    expect(await rows("SELECT name FROM users WHERE id = 44")).toEqual([["nobody"]]);
  });

  it("is updated by its key, as in the worked examples", async () => {
    const { write, rows } = await database();
    expect(await write("data/app.db:users:42", "{email: 'ada@example.com'}")).toBe(
      "Updated row '42' in users",
    );
    expect(await write("data/app.db:users:42", "{name: 'Ada', active: true}")).toBe(
      "Updated row '42' in users",
    );
    expect(await rows("SELECT * FROM users ORDER BY id")).toEqual([
      [42, "Ada", "ada@example.com", 1],
      [43, "Eve", null, 1],
    ]);
  });

  it("is deleted by its key where the content is empty or blank", async () => {
    const { write, rows } = await database();
    expect(await write("data/app.db:users:42", "")).toBe("Deleted row '42' from users");
    expect(await write("data/app.db:users:43", " \n\t")).toBe("Deleted row '43' from users");
    expect(await rows("SELECT count(*) FROM users")).toEqual([[0]]);
  });

  it("that is not there is told, and nothing is written", async () => {
    const { write, bytes } = await database();
    const before = bytes("data/app.db");
    expect(await write("data/app.db:users:7", "{name: 'x'}")).toBe("No row updated in users for key '7'");
    expect(await write("data/app.db:users:7", "")).toBe("No row deleted from users for key '7'");
    expect(bytes("data/app.db")).toEqual(before);
  });

  it("is found by the only column of the primary key, else by its row number", async () => {
    const { write, rows } = await database();
    expect(await write("data/app.db:named:a b", "{n: 2}")).toBe("Updated row 'a b' in named");
    expect(await write("data/app.db:plain:2", "{x: 'SECOND'}")).toBe("Updated row '2' in plain");
    expect(await rows("SELECT n FROM named UNION ALL SELECT x FROM plain")).toEqual([
      [2],
      ["first"],
      ["SECOND"],
    ]);
  });

  it("into a table of which the name is quoted", async () => {
    const { write, rows } = await database();
    expect(await write('data/app.db:"odd:name?"', "{x: 1}")).toBe("Inserted row into odd:name?");
    expect(await rows('SELECT x FROM "odd:name?"')).toEqual([[1]]);
  });

  it("its content is data, whatever it looks like", async () => {
    const { written, rows } = await database();
    const details = await written("data/app.db:plain", "{x: '¶a.txt#0A3B\\n1:one'}");
    expect(details).toMatchObject({
      kind: "database",
      path: "data/app.db",
      stripped: "nothing",
      snapshots: [],
    });
    expect(await rows("SELECT x FROM plain WHERE x LIKE '¶%'")).toEqual([["¶a.txt#0A3B\n1:one"]]);
  });

  it("nothing is left beside the database", async () => {
    const { write, root } = await database();
    await write("data/app.db:users", "{}");
    expect(readdirSync(join(root, "data"))).toEqual(["app.db"]);
  });
});

const TABLE = "Use db:table to insert, db:table:key to change.";
const PARAMETERS =
  'A write into a database takes no parameters. Name the row by its key: db:table:key; a name that holds a question mark is quoted: "a?b".';
const EXAMPLE = "Write it as {name: 'Ada', active: true}.";

describe("A row that is refused", () => {
  it.each([
    ["data/app.db:users?limit=1", "{}", `[INVALID_INPUT] ${PARAMETERS}`],
    ["data/app.db?q=SELECT 1", "{}", `[INVALID_INPUT] ${PARAMETERS}`],
    ["data/app.db", "{}", `[INVALID_INPUT] A write into a database must name a table. ${TABLE}`],
    ["data/app.db:", "{}", `[INVALID_INPUT] A write into a database must name a table. ${TABLE}`],
    [
      "data/app.db:users:",
      "{}",
      "[INVALID_INPUT] The row's key is empty. Use db:table:key, or db:table to insert.",
    ],
    [
      "data/app.db:users",
      "",
      "[ROW_INVALID] There is no row to insert. Give a JSON5 object, {} for a row of defaults; to delete a row name its key: db:table:key.",
    ],
    [
      "data/app.db:users:42",
      "{}",
      "[ROW_INVALID] The row names no column to update. Give the columns that change; empty content deletes the row.",
    ],
    [
      "data/app.db:users",
      "{a",
      `[ROW_INVALID] The row is no valid JSON5: invalid end of input at 1:3. ${EXAMPLE}`,
    ],
    ["data/app.db:users", "[1]", `[ROW_INVALID] A row is a JSON5 object. ${EXAMPLE}`],
    ["data/app.db:users", "'x'", `[ROW_INVALID] A row is a JSON5 object. ${EXAMPLE}`],
    [
      "data/app.db:users",
      "{name: [1]}",
      "[ROW_INVALID] The field name holds a list. Give it as JSON in a string.",
    ],
    [
      "data/app.db:users",
      "{name: {}}",
      "[ROW_INVALID] The field name holds an object. Give it as JSON in a string.",
    ],
    [
      "data/app.db:pair:1",
      "{a: 1}",
      "[ROW_INVALID] pair has a primary key of several columns. Its rows can be inserted here, not changed or deleted.",
    ],
    [
      "data/app.db:bare:1",
      "{a: 1}",
      "[ROW_INVALID] bare is a WITHOUT ROWID table. Its rows can be inserted here, not changed or deleted.",
    ],
    ["data/app.db:seen", "{x: 1}", "[ROW_INVALID] seen is a view. Write to the tables it is made of."],
    [
      "data/app.db:users",
      "{nam: 'x'}",
      "[COLUMN_NOT_FOUND] No such column in users: nam. Did you mean name?",
    ],
    [
      "data/app.db:nope",
      "{}",
      "[TABLE_NOT_FOUND] No such table: nope. Its tables are bare, named, odd:name?, pair, plain, seen, users.",
    ],
    [
      "data/app.db:users:42",
      "{name: null}",
      "[SQL_FAILED] SQLite says: NOT NULL constraint failed: users.name. Nothing was changed; give values that the table's constraints allow.",
    ],
    [
      "data/app.db:plain:x",
      "{x: 1}",
      "[INVALID_INPUT] x is no row number, and plain has no primary key of one column. Rows are also found by read db:plain?where=…",
    ],
  ])("%s %s", async (path, content, text) => {
    const { unwritten, bytes } = await database();
    const before = bytes("data/app.db");
    const told = await unwritten(path, content);
    expect(told.text).toBe(text);
    expect(bytes("data/app.db")).toEqual(before);
  });

  it("of a database that is not there, which is never made", async () => {
    const { unwritten, root } = await database();
    expect((await unwritten("nope.sqlite:users", "{}")).text).toBe(
      "[PATH_NOT_FOUND] There is no SQLite database nope.sqlite. write changes rows of databases that are there; make it with sqlite3 first.",
    );
    expect(existsSync(join(root, "nope.sqlite"))).toBe(false);
  });

  it("of a file that is called like a database and is none (deviation: the seed writes a file called so)", async () => {
    const { unwritten, write, file, root } = await editor({ "f.db": "text\n" });
    expect((await unwritten("f.db:users", "{}")).text).toBe(
      "[DATABASE_INVALID] f.db is no SQLite database, so no row of it is written. Write f.db itself as a file, or name a database.",
    );
    expect(existsSync(join(root, "f.db:users"))).toBe(false);
    await write("f.db", "new\n");
    expect(file("f.db")).toBe("new\n");
  });

  it("while a log or a journal stands beside it", async () => {
    for (const suffix of ["-wal", "-journal"]) {
      const { unwritten, bytes, put } = await database();
      const before = bytes("data/app.db");
      put(`data/app.db${suffix}`, "x");
      expect((await unwritten("data/app.db:users", "{}")).text).toBe(
        `[DATABASE_BUSY] data/app.db is in use: a ${suffix} file stands beside it. Close the program that has it open, so that it puts its changes into the file, then write again.`,
      );
      expect(bytes("data/app.db")).toEqual(before);
    }
  });

  it.runIf(process.platform === "linux")("while a process has it open to write", async () => {
    const { unwritten, write, bytes, root } = await database();
    const before = bytes("data/app.db");
    const open = openSync(join(root, "data/app.db"), "r+");
    try {
      expect(await unwritten("data/app.db:users", "{}")).toMatchObject({
        code: "DATABASE_BUSY",
        message: `data/app.db is in use: process ${process.pid} has it open`,
      });
      expect(bytes("data/app.db")).toEqual(before);
    } finally {
      closeSync(open);
    }
    expect(await write("data/app.db:users", "{}")).toBe("Inserted row into users");
  });
});
