import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { changeRow, type RowChanged } from "../../../src/sources/sqlite/change-row.ts";
import { refuseIfInUse } from "../../../src/sources/sqlite/in-use.ts";
import { parseRowPath } from "../../../src/sources/sqlite/row-path.ts";
import { tree } from "../../support/tree.ts";
import { changeHere, databaseBytes, LOGGED, rowsIn } from "./build.ts";

let bytes: Buffer;
beforeAll(async () => {
  bytes = await databaseBytes(`
    CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody', email TEXT UNIQUE, big INTEGER, any BLOB);
    INSERT INTO users(id, name, email) VALUES (1, 'Ada', 'a@x'), (2, 'Bob', 'b@x');
    CREATE TABLE log(what); CREATE TRIGGER t AFTER UPDATE ON users BEGIN INSERT INTO log VALUES (old.name || '>' || new.name); END;
    CREATE TABLE posts(user INTEGER REFERENCES users(id), title); INSERT INTO posts VALUES (1, 'first');
    CREATE TABLE pairs(a, b, PRIMARY KEY (a, b)); CREATE TABLE small(k PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE refusing(x); CREATE TRIGGER r BEFORE INSERT ON refusing BEGIN SELECT RAISE(IGNORE); END;
    CREATE VIRTUAL TABLE words USING fts5(text); CREATE VIEW names AS SELECT name FROM users;
    CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, x)`);
});

const write = (rest: string, content: string, base: Buffer = bytes): Promise<RowChanged> =>
  changeHere(base, { ...parseRowPath(rest), content });

/** The rows after a change, as another program reads them. */
const after = async (changed: RowChanged, sql: string): Promise<unknown[][]> =>
  rowsIn(changed.bytes ?? Buffer.alloc(0), sql);

describe("changing a row", () => {
  it.each([
    [
      ":users",
      "{name: 'Zoë', active: 1}".replace("active", "big"),
      "Inserted row into users",
      "SELECT name, big FROM users WHERE id = 3",
      [["Zoë", 1]],
    ],
    [
      ":users",
      "{}",
      "Inserted row into users",
      "SELECT id, name, email FROM users WHERE id = 3",
      [[3, "nobody", null]],
    ],
    [
      ":USERS",
      "{NAME: 'C', any: true}",
      "Inserted row into users",
      "SELECT name, any FROM users WHERE id = 3",
      [["C", 1]],
    ],
    [
      ":users:1",
      "{email: 'ada@x', big: '9007199254740993'}",
      "Updated row '1' in users",
      "SELECT name, email, CAST(big AS TEXT), typeof(big) FROM users WHERE id = 1",
      [["Ada", "ada@x", "9007199254740993", "integer"]],
    ],
    [":users:1", "{name: 'Eve'}", "Updated row '1' in users", "SELECT what FROM log", [["Ada>Eve"]]],
    [":users:2", "  \n", "Deleted row '2' from users", "SELECT id FROM users", [[1]]],
    [":posts:1", "{title: null}", "Updated row '1' in posts", "SELECT title FROM posts", [[null]]],
    [
      ":words",
      "{text: 'hello there'}",
      "Inserted row into words",
      "SELECT text FROM words WHERE words MATCH 'there'",
      [["hello there"]],
    ],
    [":small", "{k: 1, v: -0.5}", "Inserted row into small", "SELECT k, v FROM small", [[1, -0.5]]],
    [":counted", "{x: 1}", "Inserted row into counted", "SELECT id, x FROM counted", [[1, 1]]],
  ])("%s with %j: %s", async (rest, content, message, sql, rows) => {
    const original = Buffer.from(bytes);
    const changed = await write(rest, content);
    expect(changed.message).toBe(message);
    expect(await after(changed, sql)).toEqual(rows);
    expect(await after(changed, "PRAGMA integrity_check")).toEqual([["ok"]]);
    expect(bytes.equals(original)).toBe(true);
  });

  it.each([
    [":users:99", "{name: 'x'}", "No row updated in users for key '99'"],
    [":users:99", "", "No row deleted from users for key '99'"],
    [":refusing", "{x: 1}", "No row inserted into refusing"],
  ])("%s with %j changes nothing and says so", async (rest, content, words) => {
    const changed = await write(rest, content);
    expect(changed.bytes).toBeNull();
    expect(changed.message).toContain(words);
  });

  it.each([
    [":users", "", "ROW_INVALID", "no row to insert"],
    [":users", "[1]", "ROW_INVALID", "JSON5 object"],
    [":users", "null", "ROW_INVALID", "JSON5 object"],
    [":users", "{name: ", "ROW_INVALID", "no valid JSON5"],
    [":users:1", "{}", "ROW_INVALID", "names no column"],
    [":users", "{name: {first: 'x'}}", "ROW_INVALID", "an object"],
    [":users", "{name: ['x']}", "ROW_INVALID", "a list"],
    [":users", "{big: 9007199254740993}", "ROW_INVALID", "too large"],
    [":users", "{big: NaN}", "ROW_INVALID", "NaN"],
    [":users", "{name: '\\ud800'}", "ROW_INVALID", "half a character"],
    [":users", "{nme: 'x'}", "COLUMN_NOT_FOUND", "nme"],
    [":users", "{__proto__: 'x'}", "COLUMN_NOT_FOUND", "__proto__"],
    [":users", "{__proto__: {name: 'x'}}", "ROW_INVALID", "__proto__"],
    [":users", "{name: 'x', NAME: 'y'}", "ROW_INVALID", "Two fields"],
    [":usrs", "{}", "TABLE_NOT_FOUND", "usrs"],
    [":pairs:1", "{a: 1}", "ROW_INVALID", "several columns"],
    [":small:1", "", "ROW_INVALID", "WITHOUT ROWID"],
    [":names", "{name: 'x'}", "ROW_INVALID", "view"],
    [":sqlite_sequence", "{name: 'x'}", "ROW_INVALID", "belongs to SQLite"],
    [":users", "{email: 'a@x'}", "SQL_FAILED", "UNIQUE constraint failed: users.email"],
    [":users", "{name: null}", "SQL_FAILED", "NOT NULL constraint failed: users.name"],
    [":posts", "{user: 77}", "SQL_FAILED", "FOREIGN KEY constraint failed"],
    [":users:1", "", "SQL_FAILED", "FOREIGN KEY constraint failed"],
  ])("%s with %j is refused with %s", async (rest, content, code, words) => {
    await expect(write(rest, content)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  it("leaves a database in the journal mode it had, and grows it", async () => {
    const changed = await write(":t", `{a: '${"x".repeat(5000)}'}`, LOGGED.main);
    expect(changed.bytes?.subarray(18, 20)).toEqual(Buffer.from([2, 2]));
    const plain = Buffer.from(changed.bytes ?? []);
    plain.fill(1, 18, 20);
    expect(await rowsIn(plain, "SELECT length(a) FROM t; ")).toEqual([[15], [5000]]);
  });

  it("refuses what is too large, no database, or given up", async () => {
    const huge = Buffer.alloc(256 * 1024 * 1024 + 1);
    await expect(write(":t", "{}", huge)).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
    await expect(write(":t", "{}", Buffer.from("no"))).rejects.toMatchObject({ code: "DATABASE_INVALID" });
    const given = changeRow(bytes, { table: "users", key: null, content: "{}" }, "x", AbortSignal.abort());
    await expect(given).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("is done in a thread of its own, and refused there", async () => {
    const users = { table: "users", key: null };
    const changed = await changeRow(bytes, { ...users, content: "{name: 'Zoë'}" }, "test.db", undefined);
    expect(changed.message).toBe("Inserted row into users");
    expect(await after(changed, "SELECT name FROM users WHERE id = 3")).toEqual([["Zoë"]]);
    const refused = changeRow(bytes, { ...users, content: "{name: null}" }, "test.db", undefined);
    await expect(refused).rejects.toMatchObject({ code: "SQL_FAILED" });
    expect(bytes.length).toBeGreaterThan(0);
  });

  it("ends a trigger that does not end", async () => {
    const base = await databaseBytes(`CREATE TABLE t(a); CREATE TRIGGER e AFTER INSERT ON t BEGIN
      SELECT count(*) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c); END`);
    await expect(write(":t", "{a: 1}", base)).rejects.toMatchObject({ code: "TIMED_OUT" });
  });
});

describe("a database that is about to be replaced", () => {
  const check = async (root: string): Promise<void> => {
    const path = join(root, "test.db");
    const handle = await open(path);
    try {
      await refuseIfInUse(path, handle);
    } finally {
      await handle.close();
    }
  };

  it("may be when nobody has it open", async () => {
    await expect(check(tree({ "test.db": bytes, "test.db-journal": "" }))).resolves.toBeUndefined();
  });

  it.each(["-wal", "-journal"])("may not be while a %s stands beside it", async (suffix) => {
    const root = tree({ "test.db": bytes, [`test.db${suffix}`]: "x" });
    await expect(check(root)).rejects.toMatchObject({ code: "DATABASE_BUSY" });
  });

  it.runIf(process.platform === "linux")("may not be while another process has it open", async () => {
    const root = tree({ "test.db": bytes });
    const hold = `require("fs").openSync(${JSON.stringify(join(root, "test.db"))}, "r"); console.log("open"); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ["-e", hold], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill());
    await once(child.stdout, "data");
    await expect(check(root)).rejects.toMatchObject({
      code: "DATABASE_BUSY",
      message: expect.stringContaining(`rocess ${child.pid}`),
    });
    child.kill();
    await once(child, "close");
    await expect(check(root)).resolves.toBeUndefined();
  });

  it.runIf(process.platform === "linux")(
    "may be while our own process reads it, not while it writes it",
    async () => {
      const root = tree({ "test.db": bytes });
      const reading = await open(join(root, "test.db"), "r");
      await expect(check(root)).resolves.toBeUndefined();
      const writing = await open(join(root, "test.db"), "r+");
      await expect(check(root)).rejects.toMatchObject({ code: "DATABASE_BUSY" });
      await Promise.all([reading.close(), writing.close()]);
    },
  );
});
