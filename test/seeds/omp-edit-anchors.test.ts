/**
 * seeds/omp-edit.md, "Stale snapshot tag", "Limits" and issue 4: tags that do not hold, lines that were not shown, and
 * files that others changed. Every refusal shows the file as it is under its own tag, and the retry needs no read.
 */
import { describe, expect, it } from "vitest";
import { SNAPSHOT_VERSIONS } from "../../src/model/limits.ts";
import { lines } from "./agent.ts";
import { editor, tagIn } from "./editor.ts";

const SEVEN = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const AGAIN = "Below is the file as it is now, under its own tag: check the lines and send the edit again.";

describe("A tag that does not hold", () => {
  it("was never given: two lines around each anchor, under the tag that holds; the retry needs no read", async () => {
    const { refused, edit, file } = await editor({ "a.txt": SEVEN });
    const { text } = await refused("¶a.txt#0000", "replace 4..4:", "+FOUR");
    expect(text).toBe(
      [
        `[TAG_UNKNOWN] Tag 0000 was never given for a.txt in this session. ${AGAIN}`,
        "",
        `¶a.txt#${tagIn(text)}`,
        " 2:two",
        " 3:three",
        "*4:four",
        " 5:five",
        " 6:six",
      ].join("\n"),
    );
    await edit(`¶a.txt#${tagIn(text)}`, "replace 4..4:", "+FOUR");
    expect(file("a.txt")).toBe(SEVEN.replace("four", "FOUR"));
  });

  it("was given for another file, which is named", async () => {
    const { refused, edit, file, tagOf } = await editor({ "a.txt": "one\n", "b.txt": SEVEN });
    const { code, message, text } = await refused(`¶b.txt#${await tagOf("a.txt")}`, "delete 1..1");
    expect(code).toBe("TAG_OF_OTHER_FILE");
    expect(message).toBe(`Tag ${await tagOf("a.txt")} was given for a.txt, not for b.txt`);
    await edit(`¶b.txt#${tagIn(text)}`, "delete 1..1");
    expect(file("b.txt")).toBe(SEVEN.slice(4));
  });

  it("is from too long ago", async () => {
    const { refused, put, tagOf, edit, file } = await editor({ "a.txt": SEVEN });
    const old = await tagOf("a.txt");
    for (let version = 1; version <= SNAPSHOT_VERSIONS; version += 1) {
      put("a.txt", `${version}\n${SEVEN}`);
      await tagOf("a.txt");
    }
    const { code, message, text } = await refused(`¶a.txt#${old}`, "delete 2..2");
    expect(code).toBe("TAG_UNKNOWN");
    expect(message).toBe(`Tag ${old} of a.txt is from too long ago: what was shown under it has been let go`);
    await edit(`¶a.txt#${tagIn(text)}`, "delete 2..2");
    expect(file("a.txt")).toBe(`${SNAPSHOT_VERSIONS}\n${SEVEN.slice(4)}`);
  });

  it("shows where head, tail and a number past the end would go", async () => {
    const { refused } = await editor({ "a.txt": SEVEN });
    const rows = async (...patch: string[]): Promise<string[]> =>
      (await refused("¶a.txt#0000", ...patch)).text.split("\n").slice(3);
    expect(await rows("insert head:", "+x")).toEqual(["*1:one", " 2:two", " 3:three"]);
    expect(await rows("insert tail:", "+x")).toEqual([" 5:five", " 6:six", "*7:seven"]);
    expect(await rows("delete 1..99")).toEqual([
      "*1:one",
      " 2:two",
      " 3:three",
      "…",
      " 5:five",
      " 6:six",
      "*7:seven",
    ]);
  });

  it("changes no file of a patch, also where the others are right", async () => {
    const { refused, file, tagOf } = await editor({ "a.txt": SEVEN, "b.txt": SEVEN, "c.txt": SEVEN });
    const [a, c] = [await tagOf("a.txt"), await tagOf("c.txt")];
    const patch = [`¶a.txt#${a}`, "delete 1..1", "¶b.txt#0000", "delete 1..1", `¶c.txt#${c}`, "delete 1..1"];
    expect((await refused(...patch)).code).toBe("TAG_UNKNOWN");
    for (const name of ["a.txt", "b.txt", "c.txt"]) expect(file(name)).toBe(SEVEN);
  });
});

describe("A line that was never shown", () => {
  it("is told apart from an unknown tag, and shown; the retry needs no read", async () => {
    const { refused, read, edit, file } = await editor({ "a.txt": lines(40, "row") });
    const tag = tagIn(await read("a.txt:1-3"));
    const { text } = await refused(`¶a.txt#${tag}`, "replace 20..30:", "+x");
    expect(text).toBe(
      [
        "[LINE_NOT_SHOWN] Lines 20, 30 of a.txt were not shown in full under this tag. They are shown below: check them, and send the edit again.",
        "",
        `¶a.txt#${tag}`,
        ...[" 18", " 19", "*20", " 21", " 22"].map((row) => `${row}:row ${row.slice(1)}`),
        "…",
        ...[" 28", " 29", "*30", " 31", " 32"].map((row) => `${row}:row ${row.slice(1)}`),
      ].join("\n"),
    );
    await edit(`¶a.txt#${tag}`, "replace 20..30:", "+x");
    expect(file("a.txt").split("\n").slice(18, 21)).toEqual(["row 19", "x", "row 31"]);
  });

  it("is one that was cut at the width of a row: its whole must be read", async () => {
    const { refused, text } = await editor({ "a.txt": `hit ${"x".repeat(900)}\n` });
    const tag = tagIn(await text({ pattern: "hit", paths: "a.txt" }));
    expect(await refused(`¶a.txt#${tag}`, "delete 1..1")).toMatchObject({
      code: "LINE_NOT_SHOWN",
      message: "Line 1 of a.txt was not shown in full under this tag",
      hint: "Read a.txt:1, then edit what it shows",
    });
  });

  it("reading it then is enough", async () => {
    const { edit, file, read, text } = await editor({ "a.txt": `hit ${"x".repeat(900)}\n` });
    const tag = tagIn(await text({ pattern: "hit", paths: "a.txt" }));
    await read("a.txt:1");
    await edit(`¶a.txt#${tag}`, "replace 1..1:", "+short");
    expect(file("a.txt")).toBe("short\n");
  });

  it("may be the inside of a range, the end of a block, and where head and tail go", async () => {
    const body = Array.from({ length: 30 }, (_, at) => `  call(${at});\n`).join("");
    const { edit, file, text } = await editor({ "a.ts": `function f() {\n${body}}\nlast();\n` });
    const tag = tagIn(await text({ pattern: "function f", paths: "a.ts", context: 0 }));
    await edit(
      `¶a.ts#${tag}`,
      "replace block 1:",
      "+f();",
      "insert head:",
      "+first();",
      "insert tail:",
      "+end();",
    );
    expect(file("a.ts")).toBe("first();\nf();\nlast();\nend();\n");
  });
});

describe("A file that others changed since it was shown", () => {
  it("is merged where every named line is found again, and the answer says so", async () => {
    const { edit, file, put, tagOf } = await editor({ "a.txt": SEVEN });
    const tag = await tagOf("a.txt");
    put("a.txt", `zero\n${SEVEN.replace("two", "TWO")}`);
    const text = await edit(`¶a.txt#${tag}`, "replace 5..5:", "+FIVE");
    expect(file("a.txt")).toBe("zero\none\nTWO\nthree\nfour\nFIVE\nsix\nseven\n");
    expect(text).toBe(
      [
        `¶a.txt#${tagIn(text)}`,
        " 4:three",
        " 5:four",
        "-6:five",
        "+6:FIVE",
        " 7:six",
        " 8:seven",
        "[The file had changed since it was shown; what was changed since was kept]",
        "[Lines moved: 1 +1, 3-4 +1, 6-7 +1]",
      ].join("\n"),
    );
  });

  it("is refused where a named line was changed too, with the current lines; the retry needs no read", async () => {
    const { refused, edit, file, put, tagOf } = await editor({ "a.txt": SEVEN });
    const tag = await tagOf("a.txt");
    const changed = `zero\n${SEVEN.replace("five", "V")}`;
    put("a.txt", changed);
    const { text } = await refused(`¶a.txt#${tag}`, "replace 5..5:", "+FIVE");
    expect(text).toBe(
      [
        `[FILE_CHANGED] a.txt has changed since it was shown, and line 5 of that version was changed too or cannot be told from others. Nothing was written. ${AGAIN}`,
        "",
        `¶a.txt#${tagIn(text)}`,
        " 4:three",
        " 5:four",
        "*6:V",
        " 7:six",
        " 8:seven",
      ].join("\n"),
    );
    expect(file("a.txt")).toBe(changed);
    await edit(`¶a.txt#${tagIn(text)}`, "replace 6..6:", "+FIVE");
    expect(file("a.txt")).toBe(changed.replace("V", "FIVE"));
  });

  it("is refused where the inside of a range was changed, though it is not named", async () => {
    const { refused, put, tagOf } = await editor({ "a.txt": SEVEN });
    const tag = await tagOf("a.txt");
    put("a.txt", SEVEN.replace("four", "4"));
    expect((await refused(`¶a.txt#${tag}`, "delete 3..5")).message).toBe(
      "a.txt has changed since it was shown, and lines 3-5 of that version were changed too or cannot be told from others",
    );
  });

  it("is refused where equal lines cannot be told apart", async () => {
    const { refused, put, tagOf } = await editor({ "a.txt": "x\nsame\nsame\ny\n" });
    const tag = await tagOf("a.txt");
    put("a.txt", "x\nsame\ny\n");
    expect((await refused(`¶a.txt#${tag}`, "delete 2..2")).code).toBe("FILE_CHANGED");
  });

  it("head and tail need no line to be found again", async () => {
    const { edit, file, put, tagOf } = await editor({ "a.txt": SEVEN });
    const tag = await tagOf("a.txt");
    put("a.txt", "all\nnew\n");
    await edit(`¶a.txt#${tag}`, "insert head:", "+head", "insert tail:", "+tail");
    expect(file("a.txt")).toBe("head\nall\nnew\ntail\n");
  });

  it("of several files, one that cannot be merged leaves all of them", async () => {
    const { refused, file, put, tagOf } = await editor({ "a.txt": SEVEN, "b.txt": SEVEN });
    const [a, b] = [await tagOf("a.txt"), await tagOf("b.txt")];
    put("b.txt", "gone\n");
    const { code } = await refused(`¶a.txt#${a}`, "delete 1..1", `¶b.txt#${b}`, "delete 1..1");
    expect(code).toBe("FILE_CHANGED");
    expect([file("a.txt"), file("b.txt")]).toEqual([SEVEN, "gone\n"]);
  });
});

describe("Anchors across one's own edits", () => {
  it("the next edit works from nothing but the answer, the one after it too", async () => {
    const { edit, file, tagOf } = await editor({ "a.txt": SEVEN });
    const first = await edit(`¶a.txt#${await tagOf("a.txt")}`, "replace 1..1:", "+1", "+1.5");
    expect(first).toContain("[Lines moved: 2- +1]");
    const second = await edit(`¶a.txt#${tagIn(first)}`, "delete 2..2", "replace 8..8:", "+7");
    await edit(`¶a.txt#${tagIn(second)}`, "insert after 1:", "+new", "replace 6..6:", "+6");
    expect(file("a.txt")).toBe("1\nnew\ntwo\nthree\nfour\nfive\n6\n7\n");
  });

  it("the tag before it still works, as a merge with one's own change", async () => {
    const { edit, file, tagOf } = await editor({ "a.txt": SEVEN });
    const tag = await tagOf("a.txt");
    await edit(`¶a.txt#${tag}`, "insert head:", "+zero");
    await edit(`¶a.txt#${tag}`, "replace 7..7:", "+SEVEN");
    expect(file("a.txt")).toBe(`zero\n${SEVEN.replace("seven", "SEVEN")}`);
  });

  it("lines that were never shown are not known after an edit either", async () => {
    const { edit, refused, read } = await editor({ "a.txt": lines(40, "row") });
    const text = await edit(`¶a.txt#${tagIn(await read("a.txt:1-3"))}`, "insert head:", "+zero");
    expect((await refused(`¶a.txt#${tagIn(text)}`, "delete 30..30")).code).toBe("LINE_NOT_SHOWN");
  });

  it("a conflict that was listed keeps its number when other lines are edited, and is gone with its marks", async () => {
    const conflict = (name: string): string => `<<<<<<< a\n${name} a\n=======\n${name} b\n>>>>>>> b\n`;
    const { edit, file, read, write, unwritten } = await editor({
      "a.txt": `top\n${conflict("one")}mid\n${conflict("two")}`,
    });
    const listed = await read("a.txt:conflicts");
    expect(listed).toContain("conflict://2 lines 8-12");
    await edit(`¶a.txt#${tagIn(listed)}`, "insert head:", "+head", "delete 2..6");
    expect((await unwritten("conflict://1", "x")).code).toBe("CONFLICT_NOT_FOUND");
    await write("conflict://2", "@theirs");
    expect(file("a.txt")).toBe("head\ntop\nmid\ntwo b\n");
  });
});
