import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { stripPasted } from "../../src/edit/pasted.ts";

const HEADER = "¶src/a.ts#1A2F";
const text = (...lines: string[]): string => lines.join("\n");

describe("What was pasted from read", () => {
  it("goes: header and numbers", () => {
    expect(stripPasted(text(HEADER, "1:const a = 1;", "2:", "3:  b();", ""))).toEqual({
      content: text("const a = 1;", "", "  b();", ""),
      stripped: "both",
    });
  });

  it("goes from any line on, with what search marks, and over lines that were left out", () => {
    expect(stripPasted(text(HEADER, "41:a", "42:b")).content).toBe("a\nb");
    expect(stripPasted(text(HEADER, " 9:a", "*10:b", " 11:c")).content).toBe("a\nb\nc");
    expect(stripPasted(text(HEADER, "1:a", "…", "9:b", "12:c")).content).toBe("a\nb\nc");
    expect(stripPasted(text(HEADER, "7:only"))).toEqual({ content: "only", stripped: "both" });
  });

  it("goes with CRLF, which stays", () => {
    expect(stripPasted("¶a#0000\r\n1:a\r\n2:\r\n3:b\r\n").content).toBe("a\r\n\r\nb\r\n");
  });

  it("goes as the header alone where the lines have no numbers", () => {
    expect(stripPasted(text(HEADER, "const a = 1;", ""))).toEqual({
      content: "const a = 1;\n",
      stripped: "header",
    });
    expect(stripPasted(HEADER)).toEqual({ content: "", stripped: "header" });
    expect(stripPasted(`${HEADER}\n`)).toEqual({ content: "", stripped: "header" });
  });

  it.each([
    ["not every line has one", ["1:a", "b", "3:c"]],
    ["they do not ascend", ["1:a", "3:b", "2:c"]],
    ["one comes twice", ["1:a", "1:b"]],
    ["they are written in two ways", ["*1:a", "2:b"]],
    ["search would have marked none of them", [" 1:a", " 2:b"]],
    ["a gap is said where there is none", ["1:a", "…", "2:b"]],
    ["a gap is said at the end", ["1:a", "2:b", "…"]],
    ["they have zeros before them", ["01:a", "02:b"]],
  ])("keeps its numbers below a header where %s", (_why, lines) => {
    expect(stripPasted(text(HEADER, ...lines))).toEqual({ content: text(...lines), stripped: "header" });
  });

  it("goes without a header only where three lines or more follow each other and look like source", () => {
    expect(stripPasted(text("5:if (a) {", "6:  b();", "7:}", ""))).toEqual({
      content: text("if (a) {", "  b();", "}", ""),
      stripped: "prefixes",
    });
    expect(stripPasted(text("1:def f():", "2:\treturn", "", "4:x")).content).toBe("def f():\n\treturn\n\nx");
    expect(stripPasted(text(" 1:a();", "*2:b();", " 3:c();")).content).toBe("a();\nb();\nc();");
  });
});

describe("What may be meant so", () => {
  it.each([
    ["two lines", ["1:a();", "2:b();"]],
    ["a gap", ["1:a();", "2:b();", "4:c();"]],
    ["a gap row", ["1:a();", "…", "4:c();", "5:d();"]],
    ["a line without a number", ["1:a();", "2:b();", "c();"]],
    ["a numbered list", ["1: one (first)", "2: two", "3: three"]],
    ["times", ["10:00", "11:00", "12:00"]],
    ["records", ["1:alice:x", "2:bob:y", "3:carol:z"]],
    ["records with an empty field", ["1:alice", "2:", "3:carol"]],
    ["prose", ["1:Alice Smith", "2:Bob Jones", "3:Carol"]],
    ["keys of one blank", [" 1:a();", " 2:b();", " 3:c();"]],
    ["a blank line too many", ["1:a();", "", "2:b();", "3:c();"]],
    ["a header that is not the first line", ["x", HEADER, "1:a", "2:b"]],
    ["a header without a tag", ["¶src/a.ts", "1:a"]],
    ["a patch", [HEADER, "replace 3..4:", "+x"]],
    ["a patch with a blank line first", [HEADER, "", "delete 3..4"]],
    ["output of several files", [HEADER, "1:a", "¶b.ts#0000", "1:b"]],
  ])("stays: %s", (_what, lines) => {
    const content = text(...lines);
    expect(stripPasted(content)).toEqual({ content, stripped: "nothing" });
  });

  it("stays: any text without a header whose first line has no number", () => {
    assert(
      property(string({ unit: "binary", maxLength: 200 }), (content) => {
        const plain = `x${content}`;
        expect(stripPasted(plain)).toEqual({ content: plain, stripped: "nothing" });
      }),
    );
  });

  it("stays: rows of numbers, in any order", () => {
    const rows = array(
      integer({ min: 0, max: 12 }).map((n) => `${n}:${n}`),
      { maxLength: 12 },
    );
    assert(
      property(rows, (lines) => {
        expect(stripPasted(text(...lines)).stripped).toBe("nothing");
      }),
    );
  });
});

describe("What read would print of any text", () => {
  const line = string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/[\n\r]/g, ""));
  const path = constantFrom("a.ts", "src/a b#1234.ts", '"a\\n.ts"', "¶.ts");

  it("gives the text, with a header", () => {
    assert(
      property(
        array(line, { minLength: 1, maxLength: 12 }),
        path,
        integer({ min: 1, max: 500 }),
        (lines, path, first) => {
          const printed = [`¶${path}#0AF9`, ...lines.map((line, at) => `${first + at}:${line}`)].join("\n");
          expect(stripPasted(printed)).toEqual({ content: lines.join("\n"), stripped: "both" });
          expect(stripPasted(`${printed}\n`).content).toBe(`${lines.join("\n")}\n`);
        },
      ),
    );
  });

  it("gives the text or is left alone, without one", () => {
    assert(
      property(array(line, { maxLength: 12 }), integer({ min: 1, max: 500 }), (lines, first) => {
        const printed = lines.map((line, at) => `${first + at}:${line}`).join("\n");
        const { content, stripped } = stripPasted(printed);
        expect(content).toBe(stripped === "prefixes" ? lines.join("\n") : printed);
      }),
    );
  });
});

describe("Ten megabytes", () => {
  it.each([
    ["plain", "const a = 1;\n".repeat(800_000)],
    ["one line", "¶".repeat(3_000_000)],
    ["blank lines", "\n".repeat(10_000_000)],
    ["numbers that stop", "1:a\n".repeat(2_500_000)],
    ["one header after another", "¶a#0000\n".repeat(1_000_000)],
    ["a header of signs", `¶${"#0000 ".repeat(1_500_000)}`],
  ])("stay as they are: %s", (_what, content) => {
    expect(stripPasted(content).stripped === "nothing").toBe(true);
  });

  it("are stripped where they are pasted", () => {
    const lines = Array.from({ length: 600_000 }, (_, at) => `${at + 1}:f(${at});`);
    expect(stripPasted(lines.join("\n")).content.slice(0, 12)).toBe("f(0);\nf(1);\n");
  });
});
