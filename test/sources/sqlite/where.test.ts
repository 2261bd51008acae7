import { describe, expect, it } from "vitest";
import { checkWhere } from "../../../src/sources/sqlite/where.ts";

describe("a where condition", () => {
  it.each([
    "a = 1",
    "a = 'x; -- no comment /* nor this'",
    `"limit" > 1 AND [offset] < 2 AND \`union\` = 3`,
    "a IN (SELECT b FROM c GROUP BY d)",
    "replace(a, 'x', 'y') = 'y'",
    "updated_at > '2024'",
    "a - -1 = 0",
    "name = 'it''s'",
  ])("%s is one", (where) => {
    expect(() => checkWhere(where)).not.toThrow();
  });

  it.each([
    ["1; DROP TABLE t", "semicolon"],
    ["1 -- x", "comment"],
    ["1 /* x", "comment"],
    ["1 LIMIT 5", "LIMIT"],
    ["1 offset 5", "OFFSET"],
    ["1 UNION SELECT 1", "UNION"],
    ["1 except select 1", "EXCEPT"],
    ["PRAGMA x", "PRAGMA"],
    ["ATTACH 'x' AS y", "ATTACH"],
    ["limit(5)", "LIMIT"],
    ["1) OR (1", "did not open"],
    ["(1", "parenthesis open"],
    ["a = 'x", "does not end"],
    ['a = "x', "does not end"],
    ["a = [x", "does not end"],
  ])("%s is none", (where, words) => {
    expect(() => checkWhere(where)).toThrow(words);
  });
});
