import { randomBytes } from "node:crypto";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseDatabasePath } from "../../../src/sources/sqlite/parse-path.ts";
import { readDatabase } from "../../../src/sources/sqlite/read-database.ts";
import { tree } from "../../support/tree.ts";
import { ask, askHere, cells, databaseBytes, fingerprint, LOGGED } from "./build.ts";

let bytes: Buffer;
beforeAll(async () => {
  bytes = await databaseBytes(`
    CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, score REAL, data BLOB);
    INSERT INTO users VALUES (1, 'Ada', 1.5, x'0011'), (2, 'Bob', NULL, NULL), (3, '', 2.0, 'x');
    CREATE TABLE codes(code TEXT PRIMARY KEY, n); INSERT INTO codes VALUES ('a:b', 9007199254740993), ('7', 1);
    CREATE TABLE loose(k PRIMARY KEY, v); INSERT INTO loose VALUES (5, 'number'), ('five', 'text');
    CREATE TABLE pairs(a, b, v, PRIMARY KEY (a, b)); INSERT INTO pairs VALUES (1, 2, 'by row number');
    CREATE TABLE strict_pairs(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO strict_pairs VALUES (1, 2);
    CREATE TABLE hidden(rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO hidden VALUES ('x', 'y', 'z');
    CREATE TABLE "a:b?c=d"(x); INSERT INTO "a:b?c=d" VALUES ('odd name');
    CREATE TABLE "x?y"(x); CREATE TABLE odd("n:desc" INTEGER, n INTEGER); INSERT INTO odd VALUES (1, 2), (2, 1);
    CREATE TABLE many(n); INSERT INTO many WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1200) SELECT i FROM c;
    CREATE VIEW named AS SELECT name FROM users; CREATE VIEW broken AS SELECT * FROM gone;
    CREATE VIEW endless AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c;
    CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES ('hello world');
    CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); INSERT INTO boxes VALUES (1, 0, 1);
  `);
});
const database = (): string => join(tree({ "test.db": bytes }), "test.db");

describe("reading a database", () => {
  it("lists tables with their rows, and views", async () => {
    const { result } = await ask(database(), "");
    expect(result).toMatchObject({ kind: "list", left: 0 });
    expect(result.kind === "list" ? result.tables : []).toEqual(
      expect.arrayContaining([
        { name: "users", kind: "table", rows: 3 },
        { name: "many", kind: "table", rows: 1200 },
        { name: "named", kind: "view", rows: 3 },
        { name: "broken", kind: "view", rows: null },
        { name: "endless", kind: "view", rows: null },
        { name: "words", kind: "virtual table", rows: 1 },
        { name: "boxes", kind: "virtual table", rows: 1 },
      ]),
    );
  });

  it("lists so many tables, and says how many more there are", async () => {
    const tables = Array.from({ length: 510 }, (_, index) => `CREATE TABLE t${index}(x);`).join("");
    const path = join(tree({ "t.db": await databaseBytes(tables) }), "t.db");
    const { result } = await askHere(path, "");
    expect(result).toMatchObject({ kind: "list", left: 10, tables: { length: 500 } });
  });

  it("shows a table's statement and some of its rows", async () => {
    const answer = await askHere(database(), ":many");
    expect(answer.result).toMatchObject({
      kind: "schema",
      sql: "CREATE TABLE many(n)",
      sample: { more: true },
    });
    expect(cells(answer)).toEqual([["1"], ["2"], ["3"], ["4"], ["5"]]);
  });

  it.each([
    [":users:2", ["2", "Bob", null, null]],
    [":USERS:1", ["1", "Ada", "1.5", "blob 2"]],
    [":codes:a:b", ["a:b", "9007199254740993"]],
    [":codes:7", ["7", "1"]],
    [":loose:5", ["5", "number"]],
    [":loose:five", ["five", "text"]],
    [":pairs:1", ["1", "2", "by row number"]],
  ])("%s finds a row by its key", async (rest, row) => {
    expect(cells(await askHere(database(), rest))).toEqual([row]);
  });

  it.each([
    [':"a:b?c=d"', [["odd name"]]],
    [":a:b?c=d", [["odd name"]]],
    [":x?y", []],
    [":users?order=id:desc&limit=1", [["3", "", "2.0", "x"]]],
    [":users?where=name = 'Ada' OR score IS NULL&order=name:DESC&limit=1", [["2", "Bob", null, null]]],
    [
      ":odd?order=n:desc",
      [
        ["1", "2"],
        ["2", "1"],
      ],
    ],
    [
      ":odd?order=n",
      [
        ["2", "1"],
        ["1", "2"],
      ],
    ],
    [":many?offset=1199", [["1200"]]],
    [":endless?limit=2", [["1"], ["2"]]],
    ["?q=SELECT text FROM words WHERE words MATCH 'hello'", [["hello world"]]],
    ["?q=SELECT id FROM boxes WHERE x0 <= 1", [["1"]]],
    ["?q=VALUES (1), (2);  -- and no more", [["1"], ["2"]]],
    ["?q=;/* first */ WITH a AS (SELECT 1 AS x) SELECT x FROM a", [["1"]]],
    ["?q=SELECT name FROM pragma_table_info('codes')", [["code"], ["n"]]],
    [
      "?q=SELECT 1e300, -0.5, 9e999, -9223372036854775808",
      [["1e+300", "-0.5", "Inf", "-9223372036854775808"]],
    ],
  ])("%s gives rows", async (rest, rows) => {
    expect(cells(await askHere(database(), rest))).toEqual(rows);
  });

  it("explains a statement", async () => {
    const answer = await askHere(database(), "?q=EXPLAIN QUERY PLAN SELECT * FROM users WHERE id = 1");
    expect(cells(answer).flat().join(" ")).toContain("SEARCH users");
  });

  it("goes from page to page", async () => {
    const path = database();
    const seen: (string | null)[] = [];
    let rest: string | null = ":many?limit=500&where=n > 0&order=n:desc";
    while (rest !== null) {
      const answer = await askHere(path, rest);
      seen.push(...cells(answer).flat());
      rest = answer.result.kind === "query" ? answer.result.next : null;
    }
    expect(seen.map(Number)).toEqual(Array.from({ length: 1200 }, (_, index) => 1200 - index));
  });

  it("gives no more rows of a statement than it says", async () => {
    const { result } = await askHere(database(), "?q=SELECT n FROM many");
    expect(result).toMatchObject({ rows: { more: true, rows: { length: 500 } } });
  });

  it("takes only the beginning of a long value, and no half characters", async () => {
    const { result } = await askHere(
      database(),
      "?q=SELECT replace(hex(zeroblob(5000)), '00', 'é'), zeroblob(60000000)",
    );
    const [text, blob] = result.kind === "raw" ? (result.rows.rows[0] ?? []) : [];
    expect(text).toEqual({ kind: "text", text: "é".repeat(128), cut: true, bytes: 10_000 });
    expect(blob).toEqual({ kind: "blob", bytes: 60_000_000 });
  });

  it.each([
    [":usrs", "TABLE_NOT_FOUND", "users"],
    [":zzzzzzzz", "TABLE_NOT_FOUND", "Among its"],
    [":users?order=nme", "COLUMN_NOT_FOUND", "name"],
    [":users?order=id,name", "COLUMN_NOT_FOUND", "one column"],
    [":users:9", "ROW_NOT_FOUND", "db:users?limit=20"],
    [":strict_pairs:1", "INVALID_INPUT", `"a" = … AND "b" = …`],
    [":pairs:x", "INVALID_INPUT", "where="],
    [":hidden:1", "INVALID_INPUT", "where="],
    [":named:1", "INVALID_INPUT", "where="],
    [":users:1?limit=1", "INVALID_INPUT", "quote a key"],
    [":users?colour=1", "INVALID_INPUT", "limit, offset, order, where"],
    [":users?where=nope = 1", "SQL_FAILED", "db:table"],
    [":users?where=id = ?", "SQL_REFUSED", "values"],
    [":users?where=id = 1; DROP TABLE users", "SQL_REFUSED", "one condition"],
    [":broken", "SQL_FAILED", ""],
    ["?q=SELECT * FROM users WHERE id = :id", "SQL_REFUSED", "values"],
    ["?q=SELEC 1", "SQL_FAILED", ""],
    ["?q=-- nothing", "SQL_REFUSED", "SELECT"],
    ["?q=SELECT zeroblob(1e9)", "SQL_FAILED", "fewer"],
    ["?q=SELECT group_concat(hex(zeroblob(1e6))) FROM many", "SQL_FAILED", "fewer"],
  ])("%s is answered with %s", async (rest, code, hint) => {
    await expect(askHere(database(), rest)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
  });
});

describe("a statement that does not end", () => {
  const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

  it("is ended by SQLite's own clock", async () => {
    await expect(ask(database(), `?q=${ENDLESS}`)).rejects.toMatchObject({ code: "TIMED_OUT" });
  });

  it("is ended with its thread when SQLite is deep in one function", async () => {
    const deep = "?q=SELECT instr(zeroblob(30000000), CAST(zeroblob(15000000) || x'01' AS BLOB))";
    await expect(ask(database(), deep)).rejects.toMatchObject({ code: "TIMED_OUT" });
  });

  it("is ended when the caller gives up", async () => {
    const controller = new AbortController();
    const answer = ask(database(), `?q=${ENDLESS}`, controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(answer).rejects.toMatchObject({ code: "ABORTED" });
    await expect(ask(database(), "", AbortSignal.abort())).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("a database with a log", () => {
  it("is read with what was committed to the log, and nothing is made beside it", async () => {
    const root = tree({ "test.db": LOGGED.main, "test.db-wal": LOGGED.wal });
    const before = fingerprint(root);
    expect(cells(await ask(join(root, "test.db"), ":t"))).toEqual([["in the database"], ["in the log"]]);
    expect(fingerprint(root)).toBe(before);
  });

  it("is read without one when there is none", async () => {
    const root = tree({ "test.db": LOGGED.main });
    const before = fingerprint(root);
    expect(cells(await askHere(join(root, "test.db"), ":t"))).toEqual([["in the database"]]);
    expect(fingerprint(root)).toBe(before);
  });

  it("is read as far as the log is whole", async () => {
    const damaged = Buffer.from(LOGGED.wal);
    damaged.fill(0xff, 32 + 24 + 100, 32 + 24 + 200);
    const root = tree({ "test.db": LOGGED.main, "test.db-wal": damaged });
    expect(cells(await askHere(join(root, "test.db"), ":t"))).toEqual([["in the database"]]);
  });

  it("is read without it when the last writer took it away", async () => {
    const root = tree({ "test.db": LOGGED.main, "test.db-wal": LOGGED.wal });
    const main = await open(join(root, "test.db"));
    const wal = await open(join(root, "test.db-wal"));
    rmSync(join(root, "test.db-wal"));
    const answer = await readDatabase(
      { main, wal, journal: null, name: "test.db" },
      parseDatabasePath(":t"),
      undefined,
    );
    await Promise.all([main.close(), wal.close()]);
    expect(cells(answer)).toEqual([["in the database"]]);
  });

  it.each([
    ["empty", Buffer.alloc(0)],
    ["noise", randomBytes(4096)],
  ])("is read when the log is %s", async (_, wal) => {
    const root = tree({ "test.db": LOGGED.main, "test.db-wal": wal });
    expect(cells(await askHere(join(root, "test.db"), ":t"))).toEqual([["in the database"]]);
  });
});

describe("a database that somebody writes", () => {
  it("says that a journal stands beside it", async () => {
    const hot = tree({ "test.db": bytes, "test.db-journal": Buffer.from("d9d505f920a163d7", "hex") });
    expect((await ask(join(hot, "test.db"), ":users:1")).notices).toEqual([
      expect.stringContaining("journal"),
    ]);
    const kept = tree({ "test.db": bytes, "test.db-journal": Buffer.alloc(512) });
    expect((await ask(join(kept, "test.db"), ":users:1")).notices).toEqual([]);
  });

  it("says that it changed while it was read", async () => {
    const path = database();
    const clock = setInterval(() => utimesSync(path, new Date(), new Date()), 5);
    try {
      const work =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 100000) SELECT max(x) FROM c";
      const answer = await ask(path, `?q=${work}`);
      expect(cells(answer)).toEqual([["100000"]]);
      expect(answer.notices).toEqual([expect.stringContaining("while it was read")]);
    } finally {
      clearInterval(clock);
    }
  });
});

describe("a file that is no sound database", () => {
  it("is refused when it does not begin like one", async () => {
    const root = tree({ "a.db": "SQLite format 3", "b.db": "", "c.db": Buffer.alloc(4096) });
    for (const name of ["a.db", "b.db", "c.db"])
      await expect(askHere(join(root, name), "")).rejects.toMatchObject({ code: "DATABASE_INVALID" });
  });

  it("is refused when it keeps its text in a way that would be misread", async () => {
    const wide = Buffer.from(bytes);
    wide[59] = 2;
    await expect(askHere(join(tree({ "a.db": wide }), "a.db"), "")).rejects.toMatchObject({
      code: "KIND_UNSUPPORTED",
    });
  });

  it("is read or refused, whatever is damaged", async () => {
    const sound =
      await databaseBytes(`CREATE TABLE users(id INTEGER PRIMARY KEY, name); CREATE INDEX i ON users(name);
      INSERT INTO users WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 900) SELECT i, 'n' || i FROM c;
      CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words SELECT name FROM users`);
    const path = join(tree({ "test.db": sound }), "test.db");
    const codes = new Set<unknown>();
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(sound);
      const at = 16 + Math.floor((round / 60) * (damaged.length - 116));
      randomBytes(100).copy(damaged, at);
      writeFileSync(path, round % 3 === 0 ? damaged.subarray(0, at) : damaged);
      for (const rest of ["", ":users", ":words", ":users?order=name"])
        await askHere(path, rest).catch((error: { code: unknown }) => codes.add(error.code));
    }
    expect(codes).toContain("DATABASE_INVALID");
    const known = new Set<unknown>([
      "DATABASE_INVALID",
      "KIND_UNSUPPORTED",
      "SQL_FAILED",
      "TABLE_NOT_FOUND",
      "COLUMN_NOT_FOUND",
    ]);
    expect([...codes].filter((code) => !known.has(code))).toEqual([]);
  });
});
