import { describe, expect, it } from "vitest";
import { parsePatch } from "../../../src/edit/patch/parse.ts";
import { HEADER, operations, parse, warningsOf } from "./patches.ts";

describe("the worked examples", () => {
  it("replace a line with two", async () => {
    expect(await parse(HEADER, "replace 1..1:", '+const X = "b";', "+export const Y = X;")).toEqual({
      sections: [
        {
          path: "a.ts",
          tag: "0A3B",
          row: 1,
          operations: [
            { kind: "replace", first: 1, last: 1, body: ['const X = "b";', "export const Y = X;"], row: 2 },
          ],
        },
      ],
      warnings: [],
    });
  });

  it("insert below and above a line, delete lines", async () => {
    const body = ["console.log(X + Y);"];
    expect(await operations("insert after 5:", "+console.log(X + Y);")).toEqual([
      { kind: "insert after", line: 5, body, row: 2 },
    ]);
    expect(await operations("insert before 5:", "+console.log(X + Y);")).toEqual([
      { kind: "insert before", line: 5, body, row: 2 },
    ]);
    expect(await operations("delete 4..5")).toEqual([{ kind: "delete", first: 4, last: 5, row: 2 }]);
  });

  it("insert at start and end", async () => {
    expect(await operations("insert head:", "+// header", "insert tail:", "+// trailer")).toEqual([
      { kind: "insert head", body: ["// header"], row: 2 },
      { kind: "insert tail", body: ["// trailer"], row: 4 },
    ]);
  });

  it("change several files", async () => {
    const { sections } = await parse(
      "¶src/a.ts#0A3B",
      "replace 4..4:",
      "+const enabled = true;",
      "¶src/b.ts#1F7C",
      "delete 20",
    );
    expect(sections.map(({ path, tag, row }) => [path, tag, row])).toEqual([
      ["src/a.ts", "0A3B", 1],
      ["src/b.ts", "1F7C", 4],
    ]);
    expect(sections[1]?.operations).toEqual([{ kind: "delete", first: 20, last: 20, row: 5 }]);
  });

  it("change blocks", async () => {
    expect(
      await operations("replace block 2:", "+x", "delete block 9", "insert after block 12:", "+y"),
    ).toEqual([
      { kind: "replace block", line: 2, body: ["x"], row: 2 },
      { kind: "delete block", line: 9, row: 4 },
      { kind: "insert after block", line: 12, body: ["y"], row: 5 },
    ]);
  });
});

describe("body rows", () => {
  it("begin with +, whatever follows it", async () => {
    const rows = ["+", "+-a", "++b", "+¶a.ts#0A3B", "+delete 3", "+*** Abort", "+@@", "+  c  "];
    const patch = await parse(HEADER, "insert head:", ...rows);
    expect(patch.sections[0]?.operations).toEqual([
      { kind: "insert head", body: rows.map((row) => row.slice(1)), row: 2 },
    ]);
    expect(patch.warnings).toEqual([]);
  });

  it("without + are taken as they stand, which is said once with their rows", async () => {
    const patch = await parse(HEADER, "replace 1..2:", "const a = 1;", " const b = 2;", "+c");
    expect(patch.sections[0]?.operations[0]).toHaveProperty("body", ["const a = 1;", " const b = 2;", "c"]);
    expect(patch.warnings).toEqual([
      "A row without + was taken as text as it stands: body rows are `+TEXT` (patch lines 3, 4)",
    ]);
  });

  it("that are blank belong to the body only if another row of it follows", async () => {
    const patch = await parse(
      HEADER,
      "",
      "replace 1..2:",
      "",
      "+a",
      "",
      "  ",
      "b",
      "",
      "",
      "delete 5..5",
      "",
    );
    expect(patch.sections[0]?.operations).toEqual([
      { kind: "replace", first: 1, last: 2, body: ["", "a", "", "  ", "b"], row: 3 },
      { kind: "delete", first: 5, last: 5, row: 11 },
    ]);
    expect(patch.warnings).toEqual([
      "A blank row within a body was taken as a blank line: write `+` for it (patch lines 4, 6, 7)",
      "A row without + was taken as text as it stands: body rows are `+TEXT` (patch line 8)",
    ]);
  });

  it("name a few rows and count the others", async () => {
    const [warning] = await warningsOf("insert head:", ...Array.from({ length: 30 }, () => "x"));
    expect(warning).toMatch(/\(patch lines 3, 4, 5, 6, 7, 8, 9, 10 and 22 more\)$/);
  });

  it("may continue a sum, and hold text that resembles an operation", async () => {
    const rows = [
      'const s = "a"',
      '    + "b";',
      "delete this.x;",
      "insert into t values (1);",
      "  - item",
      "***",
    ];
    expect((await operations("replace 4..5:", ...rows))[0]).toHaveProperty("body", rows);
  });

  it("may be the mark that search prints for lines left out", async () => {
    expect((await operations("replace 4..5:", "…"))[0]).toHaveProperty("body", ["…"]);
  });

  it("are blank lines of any number", async () => {
    const [first] = await operations("insert head:", "\n".repeat(299_999), "+x");
    expect(first).toHaveProperty("body.length", 300_001);
  });
});

describe("line numbers in a body", () => {
  const NUMBERS =
    "Body rows had line numbers as read prints them, which were left out: body rows are `+TEXT` (patch line 3)";

  it.each([
    ["replace 9..10:", ["9:a", "10:", "11:  c:d"], ["a", "", "  c:d"]],
    ["replace 9..10:", [" 9:a", "*10:b"], ["a", "b"]],
    ["replace 9..10:", ["9|a"], ["a"]],
    ["replace block 9:", ["9:a", "10:b"], ["a", "b"]],
    ["insert after 9:", ["10:a"], ["a"]],
    ["insert before 9:", ["9:a"], ["a"]],
    ["insert head:", ["1:a"], ["a"]],
  ])("are left out where rows without + carry their own: %s", async (head, rows, body) => {
    expect((await operations(head, ...rows))[0]).toHaveProperty("body", body);
    expect(await warningsOf(head, ...rows)).toEqual([NUMBERS]);
  });

  it("are kept where a + says that they are text", async () => {
    const patch = await parse(HEADER, "replace 12..13:", "+12:34", "+13:35");
    expect(patch.sections[0]?.operations[0]).toHaveProperty("body", ["12:34", "13:35"]);
    expect(patch.warnings).toEqual([]);
  });

  it("are kept where other rows have none", async () => {
    expect((await operations("replace 3..3:", "ports:", "8080:80"))[0]).toHaveProperty("body", [
      "ports:",
      "8080:80",
    ]);
  });
});

describe("what carries a patch", () => {
  const plain = [HEADER, "replace 1..1:", "+a", "+"];

  it.each([
    ["an envelope", ["*** Begin Patch", ...plain, "*** End Patch"].join("\n")],
    ["two envelopes", ["*** Begin Patch", ...plain, "*** End Patch", "", "*** Begin Patch"].join("\n")],
    ["blank rows", ["", " ", ...plain, "", ""].join("\n")],
    ["a byte order mark", `\ufeff${plain.join("\n")}`],
    ["CRLF", plain.map((row) => `${row}\r\n`).join("")],
    ["CRLF without a last one", plain.join("\r\n")],
  ])("is left out in silence: %s", async (_, input) => {
    const { sections, warnings } = await parsePatch(input, async () => false);
    expect(sections.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(sections[0]?.operations.map((operation) => ({ ...operation, row: 0 }))).toEqual([
      { kind: "replace", first: 1, last: 1, body: ["a", ""], row: 0 },
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["```", "```"],
    ["````diff", "````"],
    ["~~~", "~~~"],
  ])("may be a fence %s", async (opening, closing) => {
    const patch = await parse("", opening, ...plain, closing, "");
    expect(patch.sections[0]?.operations).toEqual([
      { kind: "replace", first: 1, last: 1, body: ["a", ""], row: 4 },
    ]);
    expect(patch.warnings).toEqual([
      "The code fence around the patch was left out: it needs none (patch line 2)",
    ]);
  });

  it("may be an indent of all rows", async () => {
    const patch = await parse(...plain.map((row) => `  ${row}`), "", "    b");
    expect(patch.sections[0]?.operations[0]).toHaveProperty("body", ["a", "", "", "  b"]);
    expect(patch.warnings[0]).toBe("Every row was indented, and was read without that indent (patch line 1)");
  });

  it("keeps a carriage return that not every row has, and says so", async () => {
    const patch = await parse(`${HEADER}\r`, "replace 1..1:\r", "+a\r", "+b", "");
    expect(patch.sections[0]?.operations[0]).toHaveProperty("body", ["a\r", "b"]);
    expect(patch.warnings).toEqual([
      "A carriage return at the end of a row was kept as text, since not every row of the patch has one (patch line 3)",
    ]);
  });

  it("ends at *** Abort, which is said", async () => {
    const patch = await parse(HEADER, "delete 3..3", "*** Abort", "delete 4..4", "rubbish");
    expect(patch.sections[0]?.operations).toEqual([{ kind: "delete", first: 3, last: 3, row: 2 }]);
    expect(patch.warnings).toEqual([
      "`*** Abort` ended the patch: what stands before it holds, and of what follows (2 rows) nothing was read (patch line 3)",
    ]);
  });
});

describe("sections of one file", () => {
  it("are one, in the order of the patch", async () => {
    const { sections } = await parse(
      HEADER,
      "delete 9..9",
      "¶b.ts#1111",
      "delete 1..1",
      "¶a.ts#0a3b",
      "delete 3..3",
    );
    expect(
      sections.map(({ path, row, operations }) => [path, row, operations.map(({ row }) => row)]),
    ).toEqual([
      ["a.ts", 1, [2, 6]],
      ["b.ts", 3, [4]],
    ]);
  });
});
