import { describe, expect, it } from "vitest";
import { doubts } from "../../../src/edit/patch/doubts.ts";
import { unnumbered } from "../../../src/edit/patch/line-numbers.ts";
import type { Operation } from "../../../src/model/patch.ts";

const FILE = [
  "function f() {",
  "  one();",
  "  two();",
  "}",
  "",
  "function g() {",
  "  one();",
  "}",
  "",
  "end",
];

function lineAt(line: number): string | null {
  return FILE[line - 1] ?? null;
}

function replace(first: number, last: number, ...body: string[]): Operation {
  return { kind: "replace", first, last, body, row: 2 };
}

function insert(kind: "insert before" | "insert after", line: number, ...body: string[]): Operation {
  return { kind, line, body, row: 2 };
}

describe("a body is doubted", () => {
  it.each([
    [
      "that ends with the line after its range",
      replace(2, 3, "  three();", "}"),
      "The body of `replace 2..3:` (patch line 2) ends with the line that already follows it, line 4 (`}`): perhaps it is there twice now",
    ],
    [
      "that ends with several lines after its range",
      replace(2, 2, "  x();", "  two();", "}", ""),
      "The body of `replace 2..2:` (patch line 2) ends with the 3 lines that already follow it, lines 3-5: perhaps they are there twice now",
    ],
    [
      "that begins with the line before its range",
      replace(2, 3, "function f() {", "  x();"),
      "The body of `replace 2..3:` (patch line 2) begins with the line that already precedes it, line 1 (`function f() {`): perhaps it is there twice now",
    ],
    [
      "that begins with its anchor",
      insert("insert after", 2, "  one();", "  x();"),
      "The body of `insert after 2:` (patch line 2) begins with the line that already precedes it, line 2 (`  one();`): perhaps it is there twice now",
    ],
    [
      "that ends with its anchor",
      insert("insert before", 3, "  x();", "  two();"),
      "The body of `insert before 3:` (patch line 2) ends with the line that already follows it, line 3 (`  two();`): perhaps it is there twice now",
    ],
    [
      "that ends with the first line of the file",
      { kind: "insert head", body: ["// x", "function f() {"], row: 2 } as const,
      "The body of `insert head:` (patch line 2) ends with the line that already follows it, line 1 (`function f() {`): perhaps it is there twice now",
    ],
    [
      "that has a block twice",
      replace(2, 3, "  a();", "  b();", "", "  c();", "}", "  a();", "  b();", "  c();"),
      "The body of `replace 2..3:` (patch line 2) has the same block of lines twice, from its rows 1 and 6 on: `a();`",
    ],
  ])("%s", (_, operation, doubt) => {
    expect(doubts(operation, lineAt)).toEqual([doubt]);
  });
});

describe("a body is not doubted", () => {
  it.each([
    ["that is new", replace(2, 3, "  x();", "  y();")],
    ["that ends with a blank line as one follows", replace(1, 4, "x", "")],
    ["that keeps what stood there", replace(1, 4, ...FILE.slice(0, 4))],
    ["whose brackets are alike", replace(2, 3, "a {", "}", ")", "]", "b {", "}", ")", "]", "c")],
    ["of equal rows", replace(2, 3, "0,", "0,", "0,", "0,", "0,", "0,", "0,")],
    ["whose blocks share a line", replace(2, 3, "a", "b", "a", "b", "a")],
    ["that deletes", { kind: "delete", first: 1, last: 3, row: 2 } as const],
    ["at the end", { kind: "insert tail", body: ["end"], row: 2 } as const],
    ["past the end", replace(10, 10, "a", "b")],
  ])("%s", (_, operation) => {
    expect(doubts(operation, lineAt)).toEqual([]);
  });

  it("where line and block stood twice before", () => {
    const lines = ["a", "b", "c", "x", "a", "b", "c", "c", "d"];
    const operation = replace(1, 7, "a", "b", "c", "y", "a", "b", "c");
    expect(doubts(operation, (line) => lines[line - 1] ?? null)).toEqual([]);
  });
});

describe("line numbers after +", () => {
  it("are left out where they are those of the lines that are replaced", () => {
    expect(unnumbered(replace(2, 3, "2:  x();", "3:", "4:}"), lineAt)).toEqual({
      operation: replace(2, 3, "  x();", "", "}"),
      warning:
        "The body of `replace 2..3:` had line numbers as read prints them, which were left out: body rows are +TEXT (patch line 2)",
    });
  });

  it.each([
    ["others", replace(2, 3, "3:x", "4:y")],
    ["some", replace(2, 3, "2:x", "y")],
    ["an insert's", insert("insert after", 2, "3:x")],
  ])("are kept: %s", (_, operation) => {
    expect(unnumbered(operation, lineAt)).toBeNull();
  });

  it("are kept where the file's lines have such numbers", () => {
    const schedule = ["9:00 stand-up", "10:00 review", "11:00 tea"];
    expect(unnumbered(replace(2, 2, "2:30 nap"), (line) => schedule[line - 1] ?? null)).toBeNull();
  });
});
