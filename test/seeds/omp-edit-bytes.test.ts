/**
 * Issue 4, "Bytes that the edit does not name stay as they are", and seeds/omp-edit.md where it says "original lines".
 * Extended attributes and owners are in test/edit/commit.
 */
import { chmodSync, linkSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editor, tagIn } from "./editor.ts";

async function after(before: Buffer | string, ...rows: readonly string[]): Promise<Buffer> {
  const { edit, bytes, tagOf } = await editor({ "a.txt": before });
  await edit(`¶a.txt#${await tagOf("a.txt")}`, ...rows);
  return bytes("a.txt");
}

async function textAfter(before: string, ...rows: readonly string[]): Promise<string> {
  return (await after(before, ...rows)).toString();
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

describe("Encodings", () => {
  it("UTF-8 with a byte order mark keeps it, and line 1 is shown without", async () => {
    const { edit, bytes, read } = await editor({ "a.txt": "\ufeffone\ntwo\n" });
    const shown = await read("a.txt");
    expect(shown).toMatch(/\n1:one\n2:two$/);
    await edit(`¶a.txt#${tagIn(shown)}`, "replace 1..1:", "+é", "insert head:", "+0");
    expect(bytes("a.txt").toString()).toBe("\ufeff0\né\ntwo\n");
  });

  it("UTF-16 of either kind stays what it is", async () => {
    const [text, wanted] = ["one\r\ntwo\r\nthree\r\n", "one\r\n→ 2\r\nthree\r\n"];
    expect(await after(utf16(text), "replace 2..2:", "+→ 2")).toEqual(utf16(wanted));
    expect(await after(utf16(text).swap16(), "replace 2..2:", "+→ 2")).toEqual(utf16(wanted).swap16());
  });

  it("a single-byte file keeps its other bytes where the edited lines are ASCII", async () => {
    const latin = (text: string): Buffer => Buffer.from(text, "latin1");
    expect(await after(latin("caf\xe9\none\nna\xefve\n"), "replace 2..2:", "+two")).toEqual(
      latin("caf\xe9\ntwo\nna\xefve\n"),
    );
  });

  it("and is refused where they are not, with the way out", async () => {
    const { refused, tagOf, bytes } = await editor({ "a.txt": Buffer.from("caf\xe9\none\n", "latin1") });
    const header = `¶a.txt#${await tagOf("a.txt")}`;
    const { text } = await refused(header, "replace 2..2:", "+é");
    expect(text).toBe(
      '[ENCODING_UNKNOWN] a.txt is not UTF-8, and the row "é" has letters beyond ASCII. In such a file only lines of ASCII can be changed; convert it to UTF-8 first.',
    );
    expect((await refused(header, "replace 1..1:", "+cafe")).message).toBe(
      "a.txt is not UTF-8, and line 1 has letters beyond ASCII that cannot be told",
    );
    expect(bytes("a.txt").toString("latin1")).toBe("caf\xe9\none\n");
  });
});

describe("Line ends and the end of the file", () => {
  it("each stays as it is, and new lines get those of the lines they replace or stand beside", async () => {
    expect(await textAfter("a\r\nb\nc\r\nd\n", "replace 3..3:", "+C", "+C2", "insert after 2:", "+x")).toBe(
      "a\r\nb\nx\nC\r\nC2\r\nd\n",
    );
  });

  it("a file without a final newline has none afterwards", async () => {
    expect(await textAfter("a\nb", "insert tail:", "+c")).toBe("a\nb\nc");
    expect(await textAfter("a\nb", "delete 2..2")).toBe("a");
    expect(await textAfter("a\r\nb", "replace 2..2:", "+B", "+c")).toBe("a\r\nB\r\nc");
  });

  it("a file with one keeps it, whatever goes", async () => {
    expect(await textAfter("a\nb\n", "delete 2..2")).toBe("a\n");
    expect(await textAfter("a\nb\n", "replace 2..2:", "+")).toBe("a\n\n");
  });
});

describe("The file itself", () => {
  it("keeps its mode", async () => {
    const { edit, root, tagOf } = await editor({ "a.sh": "#!/bin/sh\none\n" });
    chmodSync(join(root, "a.sh"), 0o750);
    await edit(`¶a.sh#${await tagOf("a.sh")}`, "replace 2..2:", "+two");
    expect(statSync(join(root, "a.sh")).mode & 0o7777).toBe(0o750);
  });

  it("through a symbolic link the target is written, and the link stays", async () => {
    const { edit, root, file, tagOf } = await editor({ "real/a.txt": "one\n", l: { link: "real/a.txt" } });
    const text = await edit(`¶l#${await tagOf("l")}`, "insert tail:", "+two");
    expect(text).toMatch(/^¶l#/);
    expect(lstatSync(join(root, "l")).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(root, "l"))).toBe("real/a.txt");
    expect(file("real/a.txt")).toBe("one\ntwo\n");
    // The tag is that of the file, by whatever name.
    await edit(`¶real/a.txt#${tagIn(text)}`, "delete 1..1");
    expect(file("real/a.txt")).toBe("two\n");
  });

  it("several hard links stay one file", async () => {
    const { edit, root, tagOf } = await editor({ "a.txt": "one\n" });
    linkSync(join(root, "a.txt"), join(root, "b.txt"));
    await edit(`¶a.txt#${await tagOf("a.txt")}`, "replace 1..1:", "+two");
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("two\n");
    expect(statSync(join(root, "a.txt")).ino).toBe(statSync(join(root, "b.txt")).ino);
    expect(statSync(join(root, "a.txt")).nlink).toBe(2);
  });

  it("two names of one file in one patch are refused", async () => {
    const { refused, root, file, tagOf } = await editor({ "a.txt": "one\n" });
    linkSync(join(root, "a.txt"), join(root, "b.txt"));
    const [a, b] = [await tagOf("a.txt"), await tagOf("b.txt")];
    const { message } = await refused(
      `¶a.txt#${a}`,
      "insert head:",
      "+x",
      `¶b.txt#${b}`,
      "insert tail:",
      "+y",
    );
    expect(message).toBe("a.txt and b.txt are the same file");
    expect(file("a.txt")).toBe("one\n");
  });
});

const CELLS = `{
 "cells": [
  {"cell_type":"markdown","id":"m","metadata":{},"source":["# T\\n","text"]},
  {
   "cell_type": "code", "execution_count": 3, "id": "c", "metadata": {"tags": ["x"]},
   "outputs": [{"name": "stdout", "output_type": "stream", "text": ["\\u0031\\n"]}],
   "source": ["a = 1\\n", "print(a)"]
  },
  {"cell_type":"code","execution_count":null,"id":"d","metadata":{},"outputs":[],"source":"z"}
 ],
 "metadata": {"kernelspec": {"name": "p"}}, "nbformat": 4, "nbformat_minor": 5
}
`;

describe("A notebook", () => {
  it("is edited through its cells, and every other byte stays", async () => {
    const { edit, file, read } = await editor({ "n.ipynb": CELLS });
    const shown = await read("n.ipynb");
    expect(shown.split("\n").slice(1)).toEqual([
      "1:# %% [markdown] cell:0",
      "2:# T",
      "3:text",
      "4:# %% [code] cell:1",
      "5:a = 1",
      "6:print(a)",
      "7:# %% [code] cell:2",
      "8:z",
    ]);
    const text = await edit(`¶n.ipynb#${tagIn(shown)}`, "replace 5..5:", "+a = 2");
    expect(file("n.ipynb")).toBe(CELLS.replace("a = 1", "a = 2"));
    await edit(`¶n.ipynb#${tagIn(text)}`, "replace 8..8:", "+y");
    expect(file("n.ipynb")).toBe(CELLS.replace("a = 1", "a = 2").replace('"z"', '"y"'));
  });

  it("the answer shows markers with the numbers that the cells have now, a new one's too", async () => {
    const { edit, tagOf } = await editor({ "n.ipynb": CELLS });
    const text = await edit(
      `¶n.ipynb#${await tagOf("n.ipynb")}`,
      "delete 1..3",
      "insert after 6:",
      "+# %% [markdown]",
      "+new",
    );
    expect(text.split("\n").slice(1)).toEqual([
      "-1:# %% [markdown] cell:0",
      "-2:# T",
      "-3:text",
      " 1:# %% [code] cell:0",
      " 2:a = 1",
      " 3:print(a)",
      "+4:# %% [markdown] cell:1",
      "+5:new",
      " 6:# %% [code] cell:2",
      " 7:z",
      "[Lines moved: 4-6 -3, 7- -1]",
    ]);
  });

  it("a marker that was counted anew and not shown again is not known, and is shown by the refusal", async () => {
    const cells = Array.from({ length: 9 }, (_, at) => ({
      cell_type: "raw",
      id: `c${at}`,
      metadata: {},
      source: `text ${at}`,
    }));
    const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
    const { edit, refused, tagOf } = await editor({ "n.ipynb": notebook });
    const text = await edit(`¶n.ipynb#${await tagOf("n.ipynb")}`, "delete 1..2");
    const again = await refused(`¶n.ipynb#${tagIn(text)}`, "replace 15..16:", "+# %% [raw] cell:8", "+TEXT");
    expect(again.code).toBe("LINE_NOT_SHOWN");
    expect(again.text).toContain("\n*15:# %% [raw] cell:7\n 16:text 8");
    await edit(`¶n.ipynb#${tagIn(text)}`, "replace 16..16:", "+TEXT");
  });

  it("a cell of a single blank line is refused: its line would not be there", async () => {
    const { refused, file, tagOf } = await editor({ "n.ipynb": CELLS });
    const { text } = await refused(`¶n.ipynb#${await tagOf("n.ipynb")}`, "replace 2..3:", "+");
    expect(text).toBe(
      "[NOTEBOOK_INVALID] A cell of n.ipynb would hold a single blank line, which is the same as none. Leave the blank row out: a marker without rows is an empty cell.",
    );
    expect(file("n.ipynb")).toBe(CELLS);
  });

  it("text before the first marker, and a number twice, are refused with the way to write a new cell", async () => {
    const { refused, tagOf } = await editor({ "n.ipynb": CELLS });
    const header = `¶n.ipynb#${await tagOf("n.ipynb")}`;
    const hint = "A new cell begins with # %% [code], # %% [markdown] or # %% [raw], without a number.";
    expect((await refused(header, "insert head:", "+x")).text).toBe(
      `[NOTEBOOK_INVALID] The cells of n.ipynb cannot be changed so: line 1 stands before the first marker. ${hint}`,
    );
    expect((await refused(header, "insert tail:", "+# %% [code] cell:1", "+x")).text).toBe(
      `[NOTEBOOK_INVALID] The cells of n.ipynb cannot be changed so: # %% [code] cell:1 (line 9) repeats a number that another cell has. ${hint}`,
    );
  });

  it("with a tag that was never given, is shown as its cells by the refusal", async () => {
    const { refused, edit, file } = await editor({ "n.ipynb": CELLS });
    const { text } = await refused("¶n.ipynb#0000", "replace 5..5:", "+a = 2");
    expect(text).toContain("\n 4:# %% [code] cell:1\n*5:a = 1\n 6:print(a)");
    await edit(`¶n.ipynb#${tagIn(text)}`, "replace 5..5:", "+a = 2");
    expect(file("n.ipynb")).toBe(CELLS.replace("a = 1", "a = 2"));
  });

  it("as search shows it, the JSON, it is edited as JSON under that tag", async () => {
    const { edit, file, text } = await editor({ "n.ipynb": CELLS });
    const shown = await text({ pattern: "print", paths: "n.ipynb" });
    const [line = ""] = /^\*\d+/m.exec(shown) ?? [];
    const number = Number(line.slice(1));
    await edit(`¶n.ipynb#${tagIn(shown)}`, `replace ${number}..${number}:`, '+   "source": []');
    expect(file("n.ipynb")).toBe(CELLS.replace('"source": ["a = 1\\n", "print(a)"]', '"source": []'));
  });
});
