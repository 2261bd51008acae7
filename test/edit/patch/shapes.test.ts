import { describe, expect, it } from "vitest";
import { HEADER, parse, warningsOf } from "./patches.ts";
import { shapeOf } from "../../../src/edit/patch/shape.ts";

const ONE = "a range is written N..M, of one line N..N";
const DOTS = "a range is written with two dots, N..M";
const COLON = "replace and insert end in a colon";
const NUMBER = "a line is named by its number alone";
const CASE = "operations are written in small letters";
const BLANKS = "there is one blank between words, and none elsewhere";
const ZERO = "a line number begins with no zero";

describe("a tolerated shape is read, and the right one shown", () => {
  it.each([
    ["replace 5:", "replace 5..5:", [ONE]],
    ["replace 5", "replace 5..5:", [ONE, COLON]],
    ["replace 5..7", "replace 5..7:", [COLON]],
    ["replace 5-7:", "replace 5..7:", [DOTS]],
    ["replace 5…7:", "replace 5..7:", [DOTS]],
    ["replace 5...7:", "replace 5..7:", [DOTS]],
    ["replace 5–7:", "replace 5..7:", [DOTS]],
    ["replace 5 .. 7:", "replace 5..7:", [DOTS]],
    ["replace 5 7:", "replace 5..7:", [DOTS]],
    ["replace 5 to 7:", "replace 5..7:", [DOTS]],
    ["replace lines 5..7:", "replace 5..7:", [NUMBER]],
    ["replace line 5:", "replace 5..5:", [ONE, NUMBER]],
    ["replace L5..L7:", "replace 5..7:", [NUMBER]],
    ["REPLACE 5..7:", "replace 5..7:", [CASE]],
    ["Replace Block 5:", "replace block 5:", [CASE]],
    ["replace  5..7 :", "replace 5..7:", [BLANKS]],
    ["  replace 5..7:", "replace 5..7:", [BLANKS]],
    ["replace 05..7:", "replace 5..7:", [ZERO]],
    ["replace block 5", "replace block 5:", [COLON]],
    ["insert before 5", "insert before 5:", [COLON]],
    ["insert after line 5:", "insert after 5:", [NUMBER]],
    ["insert after  block 5:", "insert after block 5:", [BLANKS]],
    ["insert after block 5", "insert after block 5:", [COLON]],
    ["insert head", "insert head:", [COLON]],
    ["Insert tail", "insert tail:", [COLON, CASE]],
  ])("%s", async (row, right, why) => {
    const patch = await parse(HEADER, row, "+x");
    expect(patch.sections[0]?.operations.map(shapeOf)).toEqual([right]);
    expect(patch.warnings).toEqual(
      why.map((each) => `\`${row}\` was read as \`${right}\`: ${each} (patch line 2)`),
    );
  });

  it.each([
    ["delete 5", "delete 5..5", [ONE]],
    ["delete 5-7", "delete 5..7", [DOTS]],
    ["delete lines 5 7", "delete 5..7", [DOTS, NUMBER]],
    ["DELETE BLOCK 5", "delete block 5", [CASE]],
    ["delete block  5", "delete block 5", [BLANKS]],
  ])("%s", async (row, right, why) => {
    const patch = await parse(HEADER, row);
    expect(patch.sections[0]?.operations.map(shapeOf)).toEqual([right]);
    expect(patch.warnings).toEqual(
      why.map((each) => `\`${row}\` was read as \`${right}\`: ${each} (patch line 2)`),
    );
  });

  it("once for each kind, with all rows", async () => {
    expect(await warningsOf("delete 5", "delete 7", "delete 10-11", "delete 9")).toEqual([
      `\`delete 5\` was read as \`delete 5..5\`: ${ONE} (patch lines 2, 3, 5)`,
      `\`delete 10-11\` was read as \`delete 10..11\`: ${DOTS} (patch line 4)`,
    ]);
  });

  it("in silence where only blanks follow", async () => {
    expect(await warningsOf("delete 5..6  ", "insert head: \t", "+x")).toEqual([]);
  });
});

describe("a header", () => {
  it.each([
    ["¶a.ts#0a3b", "a.ts"],
    ["¶a.ts#0A3B  ", "a.ts"],
    ["¶src/a b.ts#0A3B", "src/a b.ts"],
    ["¶c#.ts#1234#0A3B", "c#.ts#1234"],
    ["¶¶.ts#0A3B", "¶.ts"],
    ["¶C:\\x:1-2#0A3B", "C:\\x:1-2"],
    ['¶"a\\nb.ts"#0A3B', "a\nb.ts"],
    ['¶"\\"x\\" "#0A3B', '"x" '],
    ["# a.ts#0A3B", "a.ts"],
    ['# "a\\tb"#0A3B', "a\tb"],
    // Called so, and known: only such a file may begin with what is noise elsewhere.
    ["¶*** a#0A3B", "*** a"],
    ["¶Update File: a#0A3B", "Update File: a"],
    ["¶Delete File: a#0A3B", "Delete File: a"],
  ])("names a file: %s", async (header, path) => {
    const patch = await parse(header, "delete 1..1");
    expect(patch.sections.map((section) => [section.path, section.tag])).toEqual([[path, "0A3B"]]);
    expect(patch.warnings).toEqual([]);
  });

  it.each([
    "*** Update File: ¶a.ts#1111",
    "*** Add File: ¶a.ts#1111",
    "Update File: ¶a.ts#1111",
    "*** ¶a.ts#1111 ***",
    "¶ Update File: a.ts#1111",
    "¶*** Update File: a.ts#1111",
    "¶*** a.ts#1111 ***",
    "¶ a.ts#1111",
    "¶a.ts #1111",
    " ¶a.ts#1111",
  ])("is read without what stands around it: %s", async (header) => {
    const recovered = await parse("¶b.ts#0000", "delete 1..1", header, "delete 1..1");
    expect(recovered.sections[1]).toMatchObject({ path: "a.ts", tag: "1111", row: 3 });
    expect(recovered.warnings).toEqual([
      `\`${header}\` was read as \`¶a.ts#1111\`: a header stands alone on its row (patch line 3)`,
    ]);
  });

  it("as search prints it is text where its tag is not known", async () => {
    const patch = await parse(HEADER, "insert head:", "# Title#BEEF");
    expect(patch.sections).toHaveLength(1);
    expect(patch.sections[0]?.operations[0]).toHaveProperty("body", ["# Title#BEEF"]);
  });

  it("as search prints it may be indented where no text can stand", async () => {
    const { sections, warnings } = await parse("¶b.ts#1111", "delete 1..1", " # a.ts#0A3B", "delete 1..1");
    expect(sections.map(({ path }) => path)).toEqual(["b.ts", "a.ts"]);
    expect(warnings).toEqual([
      "` # a.ts#0A3B` was read as `# a.ts#0A3B`: a header stands alone on its row (patch line 3)",
    ]);
  });

  it("ends the body before it", async () => {
    const { sections } = await parse(HEADER, "insert head:", "+x", "# b.ts#0A3B", "delete 1..1");
    expect(sections.map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
  });
});
