/**
 * seeds/omp-write.md, `conflict://`, and issue 4: regions that `read …:conflicts` listed, resolved by their numbers.
 * How regions are found and what counts as a mark is in test/edit.
 */
import { describe, expect, it } from "vitest";
import { editor, type Editor, tagIn } from "./editor.ts";

const CONFLICT = [
  "top",
  "<<<<<<< HEAD",
  "ours 1",
  "=======",
  "theirs 1",
  ">>>>>>> branch",
  "mid",
  "<<<<<<< HEAD",
  "ours 2",
  "||||||| base",
  "base 2",
  "=======",
  "theirs 2",
  ">>>>>>> branch",
  "end",
  "",
].join("\n");

/** Two files with two conflicts each, listed as 1 to 4. */
async function merging(): Promise<Editor> {
  const one = await editor({ "a.txt": CONFLICT, "b.txt": CONFLICT });
  expect(await one.read("a.txt:conflicts")).toContain("\nconflict://1 lines 2-6: ours HEAD, theirs branch\n");
  expect(await one.read("b.txt:conflicts")).toContain(
    "\nconflict://4 lines 8-14: ours HEAD, theirs branch, base base\n",
  );
  return one;
}

describe("A conflict", () => {
  it("is replaced by the content, the answer has the fresh tag, and the tag works at once", async () => {
    const { write, edit, file } = await merging();
    const text = await write("conflict://1", "both\nof them\n");
    expect(text).toBe(`¶a.txt#${tagIn(text)}\nResolved 1 conflict in a.txt`);
    expect(file("a.txt")).toMatch(/^top\nboth\nof them\nmid\n<<<<<<< HEAD\n/);
    await edit(`¶a.txt#${tagIn(text)}`, "replace 2..3:", "+one");
    expect(file("a.txt")).toMatch(/^top\none\nmid\n/);
  });

  it.each([
    ["@ours", "ours 2\n"],
    ["@theirs", "theirs 2\n"],
    ["@both", "ours 2\ntheirs 2\n"],
    ["@base", "base 2\n"],
    ["", ""],
  ])("takes a side by its word: %s", async (word, lines) => {
    const { write, file } = await merging();
    await write("conflict://2", word);
    expect(file("a.txt")).toBe(`${CONFLICT.split("\n").slice(0, 7).join("\n")}\n${lines}end\n`);
  });

  it("keeps the line ends of its file", async () => {
    const { read, write, file } = await editor({ "a.txt": CONFLICT.replaceAll("\n", "\r\n") });
    await read("a.txt:conflicts");
    await write("conflict://1", "x\ny\n");
    await write("conflict://2", "@ours");
    expect(file("a.txt")).toBe("top\r\nx\r\ny\r\nmid\r\nours 2\r\nend\r\n");
  });

  it("the others keep their numbers when one is resolved", async () => {
    const { write, file } = await merging();
    await write("conflict://1", "@theirs");
    await write("conflict://2", "@ours");
    expect(file("a.txt")).toBe("top\ntheirs 1\nmid\nours 2\nend\n");
  });

  it("can be read, whole under the file's tag or one side without", async () => {
    const { read, edit, file } = await merging();
    const text = await read("conflict://1");
    expect(text).toBe(
      `¶a.txt#${tagIn(text)}\n2:<<<<<<< HEAD\n3:ours 1\n4:=======\n5:theirs 1\n6:>>>>>>> branch`,
    );
    expect(await read("conflict://2/ours")).toBe("¶conflict://2/ours\n1|ours 2");
    expect(await read("conflict://2/theirs")).toBe("¶conflict://2/theirs\n1|theirs 2");
    expect(await read("conflict://2/base")).toBe("¶conflict://2/base\n1|base 2");
    await edit(`¶a.txt#${tagIn(text)}`, "replace 2..6:", "+by hand");
    expect(file("a.txt")).toMatch(/^top\nby hand\nmid\n/);
  });
});

describe("Several conflicts at once", () => {
  it("in several files: one header for each under Snapshots, and each tag works", async () => {
    const { write, edit, file } = await merging();
    const text = await write("conflict://*", "@ours");
    const [a, b] = [...text.matchAll(/#([0-9A-F]{4})$/gm)].map(([, tag]) => tag);
    expect(text).toBe(`Resolved 4 conflicts in 2 files\n\nSnapshots:\n¶a.txt#${a}\n¶b.txt#${b}`);
    const resolved = "top\nours 1\nmid\nours 2\nend\n";
    expect([file("a.txt"), file("b.txt")]).toEqual([resolved, resolved]);
    await edit(`¶a.txt#${a}`, "insert head:", "+x", `¶b.txt#${b}`, "insert tail:", "+y");
    expect([file("a.txt"), file("b.txt")]).toEqual([`x\n${resolved}`, `${resolved}y\n`]);
  });

  it("by lists and ranges of numbers", async () => {
    const { write, file } = await merging();
    expect(await write("conflict://1,3-4", "@theirs")).toContain("Resolved 3 conflicts in 2 files");
    expect(file("b.txt")).toBe("top\ntheirs 1\nmid\ntheirs 2\nend\n");
    expect(file("a.txt")).toContain("<<<<<<< HEAD\nours 2");
  });

  it("all of one file have one header, without a list", async () => {
    const { write } = await merging();
    const text = await write("conflict://1-2", "@ours");
    expect(text).toBe(`¶a.txt#${tagIn(text)}\nResolved 2 conflicts in a.txt`);
  });

  it("one that cannot be resolved leaves all of them", async () => {
    const { unwritten, file, put } = await merging();
    expect((await unwritten("conflict://*", "@base")).message).toBe("The conflict of lines 2-6 has no base");
    put("b.txt", `${CONFLICT}more\n`);
    expect((await unwritten("conflict://*", "@ours")).code).toBe("FILE_CHANGED");
    expect(file("a.txt")).toBe(CONFLICT);
  });
});

describe("A write to a conflict that is refused", () => {
  it.each([
    [
      "conflict://1/ours",
      "x",
      "[URL_READ_ONLY] conflict://1/ours is one side of a conflict, which can be read and not written. Write conflict://1 without /ours; the content @ours takes that side.",
    ],
    [
      "conflict://1/theirs",
      "x",
      "[URL_READ_ONLY] conflict://1/theirs is one side of a conflict, which can be read and not written. Write conflict://1 without /theirs; the content @theirs takes that side.",
    ],
    [
      "conflict://9",
      "x",
      "[CONFLICT_NOT_FOUND] No conflict 9 is listed, or it is resolved. Listed are 1-4; read FILE:conflicts lists those of a file.",
    ],
    [
      "conflict://x",
      "x",
      "[INVALID_INPUT] conflict://x is no number of a conflict. Listed are 1-4; read FILE:conflicts lists those of a file.",
    ],
    [
      "conflict://",
      "x",
      "[INVALID_INPUT] conflict:// names no conflict. Listed are 1-4; read FILE:conflicts lists those of a file.",
    ],
    [
      "conflict://1",
      "@base",
      "[INVALID_INPUT] The conflict of lines 2-6 has no base. Use its ours or theirs; git checkout --conflict=diff3 FILE writes the base into the file.",
    ],
    [
      "conflict://1",
      "ours 1\n=======\ntheirs 1\n",
      "[INVALID_INPUT] The content for the conflict of lines 2-6 still holds a conflict mark: its line 2 is =======. Leave the marks out, or use edit where such a line is meant.",
    ],
  ])("%s %j", async (path, content, text) => {
    const { unwritten, file } = await merging();
    expect((await unwritten(path, content)).text).toBe(text);
    expect(file("a.txt")).toBe(CONFLICT);
  });

  it("before any was listed", async () => {
    const { unwritten } = await editor({ "a.txt": CONFLICT });
    const { text } = await unwritten("conflict://1", "x");
    expect(text).toBe(
      "[CONFLICT_NOT_FOUND] No conflict 1 is listed, or it is resolved. None is listed: read FILE:conflicts lists those of a file.",
    );
  });

  it("one that is resolved already", async () => {
    const { write, unwritten } = await merging();
    await write("conflict://1", "@ours");
    expect((await unwritten("conflict://1", "@ours")).code).toBe("CONFLICT_NOT_FOUND");
  });

  it("of a file that was changed since; listed again it has a new number", async () => {
    const { read, write, unwritten, put, file } = await merging();
    put("a.txt", `new\n${CONFLICT}`);
    expect((await unwritten("conflict://1", "@ours")).text).toBe(
      "[FILE_CHANGED] a.txt has changed since conflict 1 was listed. Read a.txt:conflicts again.",
    );
    expect(file("a.txt")).toBe(`new\n${CONFLICT}`);
    expect(await read("a.txt:conflicts")).toContain("\nconflict://5 lines 3-7:");
    await write("conflict://5", "@ours");
    expect(file("a.txt")).toMatch(/^new\ntop\nours 1\nmid\n/);
  });

  it("of a file that was written anew", async () => {
    const { write, unwritten } = await merging();
    await write("a.txt", CONFLICT);
    expect((await unwritten("conflict://1", "@ours")).code).toBe("CONFLICT_NOT_FOUND");
  });
});
