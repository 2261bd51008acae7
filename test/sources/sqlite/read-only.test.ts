/** T17: whatever a statement says, the folder of the database is as it was. */
import { join } from "node:path";
import { assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { plant, tree } from "../../support/tree.ts";
import { ask, askHere, cells, databaseBytes, fingerprint, LOGGED } from "./build.ts";

let bytes: Buffer;
beforeAll(async () => {
  bytes = await databaseBytes(`CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x');
    CREATE VIEW v AS SELECT * FROM t; CREATE TRIGGER w INSTEAD OF INSERT ON v BEGIN INSERT INTO t(b) VALUES (new.b); END;
    CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('y');
    CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0, 1)`);
});

const WRITING = [
  "INSERT INTO t(b) VALUES (1)",
  "INSERT INTO v(b) VALUES (1)",
  "INSERT INTO t(b) VALUES (1) RETURNING a",
  "INSERT INTO f(f) VALUES ('optimize')",
  "INSERT INTO f(f, rank) VALUES ('automerge', 2)",
  "INSERT INTO r_node VALUES (9, x'00')",
  "DELETE FROM r_node",
  "DELETE FROM r",
  "REPLACE INTO t VALUES (1, 2)",
  "UPDATE t SET b = 2",
  "UPDATE sqlite_schema SET sql = ''",
  "DELETE FROM t",
  "DELETE FROM sqlite_schema",
  "CREATE TABLE n(x)",
  "CREATE TEMP TABLE n(x)",
  "CREATE TABLE n AS SELECT 1",
  "CREATE INDEX i ON t(b)",
  "CREATE VIEW z AS SELECT 1",
  "CREATE TEMP VIEW z AS SELECT 1",
  "CREATE VIRTUAL TABLE g USING fts5(x)",
  "CREATE VIRTUAL TABLE temp.d USING dbstat",
  "DROP TABLE t",
  "DROP VIEW v",
  "ALTER TABLE t RENAME TO u",
  "ALTER TABLE t ADD COLUMN c",
  "VACUUM",
  "VACUUM INTO 'made.db'",
  "VACUUM main INTO 'file:made.db?vfs=unix'",
  "ATTACH 'made.db' AS n",
  "ATTACH ':memory:' AS n",
  "DETACH main",
  "PRAGMA journal_mode = WAL",
  "PRAGMA writable_schema = ON",
  "PRAGMA user_version = 7",
  "PRAGMA user_version",
  "PRAGMA table_info(t)",
  "PRAGMA data_version",
  "PRAGMA wal_checkpoint(TRUNCATE)",
  "PRAGMA query_only = OFF",
  "PRAGMA temp_store_directory = '/tmp'",
  "PRAGMA incremental_vacuum",
  "PRAGMA optimize",
  "REINDEX",
  "ANALYZE",
  "BEGIN",
  "BEGIN IMMEDIATE",
  "COMMIT",
  "SAVEPOINT s",
  "RELEASE s",
  "ROLLBACK",
  "SELECT load_extension('x')",
  "SELECT fts3_tokenizer('x', x'00')",
  "SELECT writefile('made', 'x')",
  "SELECT readfile('/etc/passwd')",
  "SELECT edit('x')",
  "SELECT sqlite_log(1, 'x')",
  "SELECT * FROM pragma_journal_mode('wal')",
  "SELECT * FROM pragma_user_version",
  "SELECT * FROM pragma_wal_checkpoint",
];

/** Clothes for a statement that do not make it another one. */
const LEADS = ["", " ", ";", "-- x\n", "/* SELECT */ ", "\n\t", "EXPLAIN ", "EXPLAIN QUERY PLAN ", "\ufeff"];
const BEFORE = ["", "SELECT 1; ", "SELECT 1;;/* */ ", "VALUES (1);-- x\n", "WITH c AS (SELECT 1) "];
const TAILS = ["", ";", " -- SELECT", "; SELECT 1", " /* open", ";;\n"];

describe("a statement that would write", () => {
  it.each(WRITING)("%s is refused and leaves the folder as it was", async (statement) => {
    const root = tree({ "test.db": bytes });
    const before = fingerprint(root);
    const code = await askHere(join(root, "test.db"), `?q=${statement}`).catch(
      (error: { code: string }) => error.code,
    );
    expect(code).toMatch(/^SQL_(?:REFUSED|FAILED)$/);
    expect(fingerprint(root)).toBe(before);
  });

  it("is refused in whatever clothes, and leaves the folder as it was", async () => {
    const { root, remove } = plant({
      "test.db": bytes,
      "logged.db": LOGGED.main,
      "logged.db-wal": LOGGED.wal,
    });
    const before = fingerprint(root);
    const clothed = tuple(
      constantFrom("test.db", "logged.db"),
      constantFrom(...BEFORE),
      constantFrom(...LEADS),
      constantFrom(...WRITING),
      constantFrom(...TAILS),
    );
    try {
      await assert(
        asyncProperty(clothed, async ([name, first, lead, statement, tail]) => {
          const sql = `${first}${lead}${statement}${tail}`;
          const outcome = await askHere(join(root, name), `?q=${sql}`).then(
            () => "explained",
            (error: { code: string }) => error.code,
          );
          // A function may be explained that would be refused.
          const explains = lead.startsWith("EXPLAIN") && statement.startsWith("SELECT");
          expect(["SQL_REFUSED", "SQL_FAILED", ...(explains ? ["explained"] : [])]).toContain(outcome);
          expect(fingerprint(root)).toBe(before);
        }),
        { numRuns: 400 },
      );
    } finally {
      remove();
    }
  });

  it("is refused in a condition, too", async () => {
    const root = tree({ "test.db": bytes });
    const before = fingerprint(root);
    const conditions = [
      "1); DELETE FROM t; --",
      "1) UNION SELECT * FROM t; --",
      "load_extension('x')",
      "1 RETURNING a",
    ];
    for (const where of conditions)
      await expect(askHere(join(root, "test.db"), `:t?where=${where}`)).rejects.toMatchObject({
        code: expect.stringMatching(/^SQL_(?:REFUSED|FAILED)$/),
      });
    expect(fingerprint(root)).toBe(before);
  });

  it("is refused in the thread of its own, where the next statement finds everything as it was", async () => {
    const root = tree({ "test.db": bytes });
    const before = fingerprint(root);
    await expect(ask(join(root, "test.db"), "?q=DELETE FROM t")).rejects.toMatchObject({
      code: "SQL_REFUSED",
    });
    expect(cells(await ask(join(root, "test.db"), ":t"))).toEqual([["1", "x"]]);
    expect(fingerprint(root)).toBe(before);
  });
});
