import { assert, constantFrom, integer, option, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import type { DatabaseQuery, TableQuery } from "../../../src/model/database.ts";
import { ToolError } from "../../../src/model/errors.ts";
import { nextPage } from "../../../src/sources/sqlite/next-page.ts";
import { parseDatabasePath } from "../../../src/sources/sqlite/parse-path.ts";
import { parseRowPath } from "../../../src/sources/sqlite/row-path.ts";
import { splitDatabase } from "../../../src/sources/sqlite/split-database.ts";

const reading = (rest: string): unknown => {
  const query = parseDatabasePath(rest);
  return query.kind === "table" ? query.reading : query;
};
const query = (given: Partial<TableQuery>): TableQuery => ({
  kind: "query",
  table: "t",
  limit: 20,
  capped: false,
  offset: 0,
  order: null,
  where: null,
  ...given,
});

describe("a path with a database in it", () => {
  const FILES = new Set(["app.db", "x/y.SQLite3", "a:b.db", "a.db?x.sqlite", "C:\\a.db3"]);
  const split = (input: string): ReturnType<typeof splitDatabase> =>
    splitDatabase(input, async (path) => FILES.has(path));

  it.each([
    ["app.db", "app.db", ""],
    ["app.db:", "app.db", ":"],
    ["app.db:users:1", "app.db", ":users:1"],
    ["app.db?q=SELECT 1", "app.db", "?q=SELECT 1"],
    ["app.db:t?where=a='x.db:y'", "app.db", ":t?where=a='x.db:y'"],
    ["x/y.SQLite3:t", "x/y.SQLite3", ":t"],
    ["a:b.db:t", "a:b.db", ":t"],
    ["a.db?x.sqlite:t", "a.db?x.sqlite", ":t"],
    ["C:\\a.db3:t", "C:\\a.db3", ":t"],
  ])("%s is taken apart behind the first database", async (input, database, rest) => {
    expect(await split(input)).toEqual({ database, rest });
  });

  it.each(["", ":", "app.dbx", "app.txt:t", "other.db:t", "db", "app.db/x"])("%j is none", async (input) => {
    expect(await split(input)).toBeNull();
  });

  it("asks about no prefix longer than a path can be", async () => {
    let asked = 0;
    await splitDatabase("a.db:".repeat(100_000), async () => {
      asked++;
      return false;
    });
    expect(asked).toBeLessThan(1_000);
  });
});

describe("what follows a database", () => {
  it.each<[string, unknown]>([
    ["", { kind: "list" }],
    [":", { kind: "list" }],
    ["?", { kind: "list" }],
    [":t", { kind: "schema", table: "t" }],
    [':"a:b?c""d"', { kind: "schema", table: 'a:b?c"d' }],
    [":t:42", { kind: "row", table: "t", key: "42" }],
    [":t:a:b", { kind: "row", table: "t", key: "a:b" }],
    [':t:"a?b"', { kind: "row", table: "t", key: "a?b" }],
    [":t:50%25", { kind: "row", table: "t", key: "50%25" }],
    [":t?", query({})],
    [":t?limit=5&offset=10", query({ limit: 5, offset: 10 })],
    [":t?limit=501", query({ limit: 500, capped: true })],
    [":t?order=name:desc", query({ order: "name:desc" })],
    [":t?where=a%20%3D%201%26%262", query({ where: "a = 1&&2" })],
    [":t?where=name = 'a&limit=1'&limit=3", query({ where: "name = 'a&limit=1'", limit: 3 })],
    [":t?where=a LIKE '%2024%'", query({ where: "a LIKE '%2024%'" })],
    [":t?where=flags %26 4 = 4 AND b = '%26'", query({ where: "flags & 4 = 4 AND b = '%26'" })],
    [":t?where=a=1+1", query({ where: "a=1+1" })],
    [":t?where=a%3D'%ff%zz'", query({ where: "a='%ff%zz'" })],
    ["?q=SELECT 1 & 2", { kind: "raw", sql: "SELECT 1 & 2" }],
    ["?q=SELECT%20*%20FROM%20t", { kind: "raw", sql: "SELECT * FROM t" }],
    ["?q=SELECT 'a&limit=1'", { kind: "raw", sql: "SELECT 'a&limit=1'" }],
  ])("%j is understood", (rest, expected) => {
    expect(reading(rest)).toEqual(expected);
  });

  it.each([
    ["?q=", "no statement"],
    ["?q=%20", "no statement"],
    ["?q=SELECT 1&limit=5", "cannot be combined"],
    ["?limit=5&q=SELECT 1", "cannot be combined"],
    ["?limit=5", "need a table"],
    ["x", "nothing that can follow"],
    [":a\0b", "NUL"],
  ])("%j is refused", (rest, words) => {
    expect(() => parseDatabasePath(rest)).toThrow(words);
  });

  it.each([
    [":t?q=SELECT 1", "cannot be combined"],
    [":t?colour=red", "Unknown parameter: colour"],
    [":t?limit=1&limit=2", "given twice"],
    [":t?limit=0", "no positive whole number"],
    [":t?limit=-1", "no positive whole number"],
    [":t?limit=1e3", "no positive whole number"],
    [":t?offset=99999999999999999999", "no whole number"],
    [":t?order=", "names no column"],
    [":t?where=%20", "holds no condition"],
    [":t:1?limit=5", "takes no parameters"],
    [":t:", "key is missing"],
    [":?limit=5", "name is missing"],
    [':"a', "does not end"],
    [':"a"b', "does not end"],
  ])("%j is refused unless a table is called so", (rest, words) => {
    expect(reading(rest)).toMatchObject({ kind: "refused", message: expect.stringContaining(words) });
    expect(parseDatabasePath(rest)).toMatchObject({ whole: rest.slice(1) });
  });

  it("is understood or refused whatever it is", () => {
    const pieces = constantFrom(":", "?", "&", "=", '"', "'", "%", "q", "limit", " ");
    assert(
      property(string({ unit: pieces }), (rest) => {
        expect(refusalOf(rest)).toSatisfy((thrown) => thrown === null || thrown instanceof ToolError);
      }),
    );
  });

  it("is written for the next page as it will be understood", () => {
    const text = string({ unit: "binary", minLength: 1 }).filter(
      (one) => one.trim() === one && !/[\0\p{Cs}]/u.test(one),
    );
    const odd = string({ unit: constantFrom(":", "?", "&", "=", '"', "'", "%", "2", "6", "a") }).map(
      (one) => `${one}x`,
    );
    const any = integer({ min: 0, max: 1 }).chain((which) => (which === 0 ? text : odd));
    assert(
      property(any, option(any), option(any), integer({ min: 1, max: 500 }), (table, order, where, limit) => {
        const asked = query({ table, order, where, limit });
        const next = parseDatabasePath(nextPage({ name: table }, asked, 40));
        expect((next as DatabaseQuery & { kind: "table" }).reading).toEqual({ ...asked, offset: 40 });
      }),
    );
  });
});

function refusalOf(rest: string): unknown {
  try {
    parseDatabasePath(rest);
    return null;
  } catch (error) {
    return error;
  }
}

describe("where a row is written", () => {
  it.each([
    [":t", { table: "t", key: null }],
    [":t:42", { table: "t", key: "42" }],
    [":t:a:b", { table: "t", key: "a:b" }],
    [':"a?b":"c?d"', { table: "a?b", key: "c?d" }],
  ])("%j is understood", (rest, expected) => {
    expect(parseRowPath(rest)).toEqual(expected);
  });

  it.each([
    ["", "must name a table"],
    [":", "must name a table"],
    ["?q=DELETE FROM t", "takes no parameters"],
    [":t?limit=1", "takes no parameters"],
    [":t:1?limit=1", "takes no parameters"],
    [":t:", "key is empty"],
    [':"t', "does not end"],
    [':t:"k', "does not end"],
  ])("%j is refused", (rest, words) => {
    expect(() => parseRowPath(rest)).toThrow(words);
  });
});
