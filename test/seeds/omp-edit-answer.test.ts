/**
 * seeds/omp-edit.md, "Outputs": new tag, compact diff, moves, warnings, details. Deviations: no `Updated <path>` line
 * where there is no diff (there always is one); `op` is always "update", since write makes new files.
 */
import { describe, expect, it } from "vitest";
import { lines } from "./agent.ts";
import { editor, tagIn } from "./editor.ts";

describe("The answer", () => {
  it("is one text: each file under its new tag, what changed with two lines around, how lines moved", async () => {
    const { edit, tagOf } = await editor({ "a.txt": lines(30, "row"), "b.txt": "one\n" });
    const text = await edit(
      `¶a.txt#${await tagOf("a.txt")}`,
      "delete 5..6",
      "replace 20..20:",
      "+x",
      "+y",
      `¶b.txt#${await tagOf("b.txt")}`,
      "insert tail:",
      "+two",
    );
    expect(text).toBe(
      [
        `¶a.txt#${await tagOf("a.txt")}`,
        " 3:row 3",
        " 4:row 4",
        "-5:row 5",
        "-6:row 6",
        " 5:row 7",
        " 6:row 8",
        "…",
        " 16:row 18",
        " 17:row 19",
        "-20:row 20",
        "+18:x",
        "+19:y",
        " 20:row 21",
        " 21:row 22",
        "[Lines moved: 7-19 -2, 21- -1]",
        "",
        `¶b.txt#${await tagOf("b.txt")}`,
        " 1:one",
        "+2:two",
      ].join("\n"),
    );
  });

  it("tells long runs by their ends", async () => {
    const { edit, tagOf } = await editor({ "a.txt": lines(20, "row") });
    const text = await edit(`¶a.txt#${await tagOf("a.txt")}`, "delete 2..19");
    expect(text.split("\n").slice(1)).toEqual([
      " 1:row 1",
      "-2:row 2",
      "-3:row 3",
      "-4:row 4",
      "-… 12 more lines",
      "-17:row 17",
      "-18:row 18",
      "-19:row 19",
      " 2:row 20",
      "[Lines moved: 20- -18]",
    ]);
  });

  it("names the file of a warning where there are several", async () => {
    const { edit, tagOf } = await editor({ "a.txt": "one\ntwo\n", "b.txt": "one\n" });
    const text = await edit(
      `¶a.txt#${await tagOf("a.txt")}`,
      "replace 1..1:",
      "+ONE",
      "+two",
      `¶b.txt#${await tagOf("b.txt")}`,
      "replace 1..1:",
      "+x",
    );
    expect(text.split("\n\n").at(-1)).toBe(
      "Warnings:\na.txt: The body of `replace 1..1:` (patch line 2) ends with the line that already follows it, line 2 (`two`): perhaps it is there twice now",
    );
  });

  it("an edit that empties a file says so by its diff, and the file can be filled from it", async () => {
    const { edit, file, tagOf } = await editor({ "a.txt": "one\n" });
    const text = await edit(`¶a.txt#${await tagOf("a.txt")}`, "delete 1..1");
    expect(text).toBe(`¶a.txt#${tagIn(text)}\n-1:one`);
    await edit(`¶a.txt#${tagIn(text)}`, "insert head:", "+new");
    expect(file("a.txt")).toBe("new\n");
  });

  it("its details have the diff, the first line that changed, and the same of each file", async () => {
    const { edited, tagOf } = await editor({ "a.txt": lines(9, "row"), "b.txt": "one\n" });
    const details = await edited(
      `¶a.txt#${await tagOf("a.txt")}`,
      "replace 5..5:",
      "+x",
      "+y",
      `¶b.txt#${await tagOf("b.txt")}`,
      "insert head:",
      "+zero",
    );
    const diff = [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -3,5 +3,6 @@",
      " row 3",
      " row 4",
      "-row 5",
      "+x",
      "+y",
      " row 6",
      " row 7",
      "",
    ].join("\n");
    expect(details).toMatchObject({
      op: "update",
      firstChangedLine: 5,
      warnings: [],
      meta: { source: ["a.txt", "b.txt"] },
    });
    expect(details.perFileResults).toMatchObject([
      {
        path: "a.txt",
        tag: await tagOf("a.txt"),
        op: "update",
        diff,
        firstChangedLine: 5,
        merged: false,
        moves: [{ first: 6, last: null, by: 1 }],
      },
      { path: "b.txt", firstChangedLine: 1, moves: [{ first: 1, last: null, by: 1 }] },
    ]);
    expect(details.diff).toBe(details.perFileResults.map((one) => one.diff).join(""));
  });
});

describe("local://", () => {
  it("is edited like any other file, by its URL", async () => {
    const { edit, read, write } = await editor({});
    const made = await write("local://notes/a.md", "one\ntwo\n");
    const text = await edit(`¶local://notes/a.md#${tagIn(made)}`, "replace 2..2:", "+2");
    expect(text).toBe(`¶local://notes/a.md#${tagIn(text)}\n 1:one\n-2:two\n+2:2`);
    expect(await read("local://notes/a.md")).toBe(`¶local://notes/a.md#${tagIn(text)}\n1:one\n2:2`);
  });
});
