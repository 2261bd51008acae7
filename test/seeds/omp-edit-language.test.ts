/**
 * seeds/omp-edit.md, "Inputs", "Worked examples" and "Tolerated input shapes", through the tool; the parser's own tests
 * are in test/edit/patch. Without a test here: `details.diagnostics` and the session's edit mode, which are no part of
 * Quarry; the streaming preview, which there is none of; the grammar for constrained decoding.
 */
import { describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";
import { editor, type Editor, tagIn } from "./editor.ts";

const A = 'const X = "a";\nconst Y = X;\n\nconsole.log(X);\nconsole.log(Y);\nexport { X, Y };\n';

describe("Worked examples", () => {
  it("the reference file has the shape that read returns", async () => {
    const { read } = await editor({ "a.ts": A });
    expect(await read("a.ts")).toBe(
      `¶a.ts#B730\n1:const X = "a";\n2:const Y = X;\n3:\n4:console.log(X);\n5:console.log(Y);\n6:export { X, Y };`,
    );
  });

  it("replace line 1 with two lines", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": A });
    const header = `¶a.ts#${await tagOf("a.ts")}`;
    const text = await edit(header, "replace 1..1:", '+const X = "b";', "+export const Y = X;");
    expect(file("a.ts")).toBe(A.replace('const X = "a";', 'const X = "b";\nexport const Y = X;'));
    expect(text).toBe(
      [
        `¶a.ts#${await tagOf("a.ts")}`,
        '-1:const X = "a";',
        '+1:const X = "b";',
        "+2:export const Y = X;",
        " 3:const Y = X;",
        " 4:",
        "[Lines moved: 2- +1]",
      ].join("\n"),
    );
  });

  it("insert below line 5", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": A });
    await edit(`¶a.ts#${await tagOf("a.ts")}`, "insert after 5:", "+console.log(X + Y);");
    expect(file("a.ts")).toBe(A.replace("(Y);\n", "(Y);\nconsole.log(X + Y);\n"));
  });

  it("insert above line 5", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": A });
    await edit(`¶a.ts#${await tagOf("a.ts")}`, "insert before 5:", "+console.log(X + Y);");
    expect(file("a.ts")).toBe(A.replace("(X);\n", "(X);\nconsole.log(X + Y);\n"));
  });

  it("delete lines 4..5 entirely", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": A });
    await edit(`¶a.ts#${await tagOf("a.ts")}`, "delete 4..5");
    expect(file("a.ts")).toBe('const X = "a";\nconst Y = X;\n\nexport { X, Y };\n');
  });

  it("insert at start and end of file", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": A });
    await edit(`¶a.ts#${await tagOf("a.ts")}`, "insert head:", "+// header", "insert tail:", "+// trailer");
    expect(file("a.ts")).toBe(`// header\n${A}// trailer\n`);
  });

  it("several files", async () => {
    const b = Array.from({ length: 21 }, (_, at) => `line ${at + 1}\n`);
    const { edit, file, tagOf } = await editor({ "src/a.ts": A, "src/b.ts": b.join("") });
    await edit(
      `¶src/a.ts#${await tagOf("src/a.ts")}`,
      "replace 4..4:",
      "+const enabled = true;",
      `¶src/b.ts#${await tagOf("src/b.ts")}`,
      "delete 20",
    );
    expect(file("src/a.ts")).toBe(A.replace("console.log(X);", "const enabled = true;"));
    expect(file("src/b.ts")).toBe(b.toSpliced(19, 1).join(""));
  });
});

describe("Body rows", () => {
  it("+ alone is a blank line; text that begins with - or + has a + before it", async () => {
    const { edit, file, tagOf } = await editor({ "a.md": "one\ntwo\n" });
    await edit(`¶a.md#${await tagOf("a.md")}`, "replace 1..1:", "+", "+- item", "++ sum", "+  in");
    expect(file("a.md")).toBe("\n- item\n+ sum\n  in\ntwo\n");
  });

  it("there is no row that repeats a line: what is in no range stays", async () => {
    const { edit, file, tagOf } = await editor({ "a.md": "one\ntwo\nthree\n" });
    await edit(`¶a.md#${await tagOf("a.md")}`, "replace 1..1:", "+1", "replace 3..3:", "+3");
    expect(file("a.md")).toBe("1\ntwo\n3\n");
  });

  it("several inserts at one place come in the order of the patch, behind a line before those before the next", async () => {
    const { edit, file, tagOf } = await editor({ "a.md": "one\ntwo\n" });
    const header = `¶a.md#${await tagOf("a.md")}`;
    await edit(header, "insert before 2:", "+c", "insert after 1:", "+a", "insert after 1:", "+b");
    expect(file("a.md")).toBe("one\na\nb\nc\ntwo\n");
  });
});

describe("Headers", () => {
  it("`# PATH#TAG`, as search prints it for several files, is a header when the tag is known", async () => {
    const { edit, file, text } = await editor({ "a.txt": "hit\n", "b.txt": "hit\n" });
    const [first = "", , , second = ""] = (await text({ pattern: "hit" })).split("\n");
    expect([first, second]).toEqual([expect.stringMatching(/^# a\.txt#/), expect.stringMatching(/^# b/)]);
    await edit(first, "replace 1..1:", "+one", second, "replace 1..1:", "+two");
    expect([file("a.txt"), file("b.txt")]).toEqual(["one\n", "two\n"]);
  });

  it("otherwise it is text", async () => {
    const { edit, file, tagOf } = await editor({ "a.md": "one\n" });
    const header = `¶a.md#${await tagOf("a.md")}`;
    const text = await edit(header, "insert tail:", "# other.md#0A3B");
    expect(file("a.md")).toBe("one\n# other.md#0A3B\n");
    expect(text).toContain("Warnings:\nA row without + was taken as text as it stands");
  });

  it("a tag in small letters is the same", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": A });
    await edit(`¶a.ts#${(await tagOf("a.ts")).toLowerCase()}`, "delete 1..5");
    expect(file("a.ts")).toBe("export { X, Y };\n");
  });

  it("a name that needs quotes is taken as it was printed, and so is a path from the root", async () => {
    const { edit, file, read, root } = await editor({ "a\nb.txt": "one\n", "c.txt": "one\n" });
    const [quoted = ""] = (await read("a\nb.txt")).split("\n");
    expect(quoted).toMatch(/^¶"a\\nb\.txt"#/);
    await edit(quoted, "insert tail:", "+two");
    expect(file("a\nb.txt")).toBe("one\ntwo\n");
    const tag = tagIn(await read("c.txt"));
    expect(await edit(`¶${root}/c.txt#${tag}`, "insert tail:", "+two")).toMatch(/^¶c\.txt#/);
  });

  it("several sections of a file are one; the same file under two names is refused", async () => {
    const { edit, file, tagOf, refused } = await editor({ "a.txt": "one\ntwo\n", l: { link: "a.txt" } });
    const tag = await tagOf("a.txt");
    await edit(`¶a.txt#${tag}`, "replace 1..1:", "+1", `¶a.txt#${tag}`, "replace 2..2:", "+2");
    expect(file("a.txt")).toBe("1\n2\n");
    const now = await tagOf("a.txt");
    const { text } = await refused(`¶a.txt#${now}`, "delete 1..1", `¶l#${now}`, "delete 2..2");
    expect(text).toBe(
      "[PATCH_INVALID] Patch lines 1 and 3 name the same file: a.txt and l. Put all operations on a file into one section.",
    );
  });
});

/** What is understood, what it is said to be, and what becomes of `1` to `6`, one to a line. */
const TOLERATED: readonly (readonly [
  name: string,
  rows: readonly string[],
  warning: string,
  after: string,
])[] = [
  [
    "replace N:",
    ["replace 2:", "+b"],
    "`replace 2:` was read as `replace 2..2:`: a range is written N..M, of one line N..N (patch line 2)",
    "1b3456",
  ],
  [
    "delete N",
    ["delete 2"],
    "`delete 2` was read as `delete 2..2`: a range is written N..M, of one line N..N (patch line 2)",
    "13456",
  ],
  [
    "replace without its colon",
    ["replace 2..3", "+b"],
    "`replace 2..3` was read as `replace 2..3:`: replace and insert end in a colon (patch line 2)",
    "1b456",
  ],
  [
    "insert without its colon",
    ["insert after 2", "+b"],
    "`insert after 2` was read as `insert after 2:`: replace and insert end in a colon (patch line 2)",
    "12b3456",
  ],
  [
    "replace N-M:",
    ["replace 2-3:", "+b"],
    "`replace 2-3:` was read as `replace 2..3:`: a range is written with two dots, N..M (patch line 2)",
    "1b456",
  ],
  [
    "replace N…M:",
    ["replace 2…3:", "+b"],
    "`replace 2…3:` was read as `replace 2..3:`: a range is written with two dots, N..M (patch line 2)",
    "1b456",
  ],
  [
    "replace N M:",
    ["replace 2 3:", "+b"],
    "`replace 2 3:` was read as `replace 2..3:`: a range is written with two dots, N..M (patch line 2)",
    "1b456",
  ],
  [
    "rows without +",
    ["replace 2..3:", "b", "c"],
    "A row without + was taken as text as it stands: body rows are `+TEXT` (patch lines 3, 4)",
    "1bc456",
  ],
  [
    "*** Abort",
    ["delete 2..2", "*** Abort", "delete 3..3"],
    "`*** Abort` ended the patch: what stands before it holds, and of what follows (1 row) nothing was read (patch line 3)",
    "13456",
  ],
  [
    "rows copied with the numbers of their lines",
    ["replace 2..3:", "2:b", "3:c"],
    "Body rows had line numbers as read prints them, which were left out: body rows are `+TEXT` (patch line 3)",
    "1bc456",
  ],
  [
    "+ rows copied with the numbers of their lines",
    ["replace 2..3:", "+2:b", "+3:c"],
    "The body of `replace 2..3:` had line numbers as read prints them, which were left out: body rows are +TEXT (patch line 2)",
    "1bc456",
  ],
];

async function six(): Promise<Editor & { readonly header: string }> {
  const one = await editor({ "a.txt": "1\n2\n3\n4\n5\n6\n" });
  return { ...one, header: `¶a.txt#${await one.tagOf("a.txt")}` };
}

describe("Tolerated shapes, each with a warning (deviation: the seed takes most of them silently)", () => {
  it.each(TOLERATED)("%s", async (_, rows, warning, after) => {
    const { edit, file, header } = await six();
    const text = await edit(header, ...rows);
    expect(text.split("\n\nWarnings:\n")[1]).toBe(warning);
    expect(file("a.txt").replaceAll("\n", "")).toBe(after);
  });

  it("the envelope of another patch language is left out without a word", async () => {
    const { edit, file, header } = await six();
    expect(await edit("*** Begin Patch", header, "delete 1..1", "*** End Patch")).not.toContain("Warnings");
    expect(file("a.txt")).toBe("2\n3\n4\n5\n6\n");
  });

  it("a header with that language's words around it is understood, with its tag", async () => {
    const { edit, file, header } = await six();
    const text = await edit(`*** Update File: ${header}`, "delete 1..1");
    expect(text).toContain(
      `Warnings:\n\`*** Update File: ${header}\` was read as \`${header}\`: a header stands alone on its row (patch line 1)`,
    );
    expect(file("a.txt")).toBe("2\n3\n4\n5\n6\n");
  });

  it("the details carry the warnings too", async () => {
    const { edited, header } = await six();
    const { warnings } = await edited(header, "delete 2");
    expect(warnings).toEqual([expect.stringContaining("was read as `delete 2..2`")]);
  });

  it("a body that ends with the line standing after its range is warned of, and so is one above", async () => {
    const { edit, header } = await six();
    expect(await edit(header, "replace 2..3:", "+b", "+4")).toContain(
      "The body of `replace 2..3:` (patch line 2) ends with the line that already follows it, line 4 (`4`): perhaps it is there twice now",
    );
  });

  it("a body that repeats a block is warned of", async () => {
    const { edit, header } = await six();
    const block = ["+a();", "+b();", "+c();"];
    expect(await edit(header, "insert after 2:", ...block, ...block)).toContain(
      "The body of `insert after 2:` (patch line 2) has the same block of lines twice, from its rows 1 and 4 on: `a();`",
    );
  });
});

describe("The description (seeds/omp-notes.md: lessons from failures)", () => {
  it.each([
    ["span both ends of a brace pair or neither", "Span both braces of a pair or neither"],
    ["give only new lines to an insert", "A body holds only what shall stand there"],
    ["do not end with the line after the range", "do not end it with the line after the range"],
    ["do not repeat a block", "nor repeat a block"],
    ["name only lines that were shown", "Change files by lines that search, read, write or edit showed"],
    ["prefer a small insert", "Prefer a small insert to a wide replace"],
  ])("teaches: %s", (_, sentence) => {
    const description = toolDefinitions().find(({ name }) => name === "edit")?.description;
    expect(description).toContain(sentence);
  });
});
