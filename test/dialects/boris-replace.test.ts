import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { databaseBytes } from "../sources/sqlite/build.ts";
import { FOLDER } from "../support/tree.ts";
import { boris, details, manyLines, notebook, numbered } from "./boris-hands.ts";
import { codeIn, textOf } from "./workspaces.ts";

describe("str_replace", () => {
  it("replaces a text that stands once, and shows the lines around it as view does", async () => {
    const { replace, file } = await boris({ "a.txt": manyLines(9) });
    const answer = await replace({ path: "a.txt", old_str: "line 4\nline 5", new_str: "four\n4b\nfive" });
    expect(file("a.txt")).toBe(manyLines(9).replace("line 4\nline 5", "four\n4b\nfive"));
    expect(textOf(answer)).toBe(
      `Edited a.txt. Its lines there now:\n${numbered(2, ["line 2", "line 3", "four", "4b", "five", "line 6", "line 7"])}`,
    );
    expect(details(answer)).toMatchObject({
      path: "a.txt",
      firstChangedLine: 4,
      linesRemoved: 2,
      linesAdded: 3,
      warnings: [],
    });
    expect(details(answer).diff).toContain("-line 4\n-line 5\n+four\n+4b\n+five\n");
  });

  it("deletes without new_str, lines and parts of them, and the whole text", async () => {
    const { replace, file } = await boris({ "a.txt": "one\ntwo\nthree\n", "b.txt": "all" });
    expect(textOf(await replace({ path: "a.txt", old_str: "two\n" }))).toBe(
      `Edited a.txt. Its lines there now:\n${numbered(1, ["one", "three"])}`,
    );
    expect(file("a.txt")).toBe("one\nthree\n");
    await replace({ path: "a.txt", old_str: "ne\nth", new_str: null });
    expect(file("a.txt")).toBe("oree\n");
    expect(textOf(await replace({ path: "b.txt", old_str: "all" }))).toBe("Edited b.txt, which is empty now");
    expect(file("b.txt")).toBe("");
  });

  it("adds and takes the newline at the end only when told", async () => {
    const { replace, file } = await boris({ "a.txt": "one\ntwo" });
    await replace({ path: "a.txt", old_str: "one", new_str: "1" });
    expect(file("a.txt")).toBe("1\ntwo");
    await replace({ path: "a.txt", old_str: "two", new_str: "two\n" });
    expect(file("a.txt")).toBe("1\ntwo\n");
    await replace({ path: "a.txt", old_str: "two\n", new_str: "two" });
    expect(file("a.txt")).toBe("1\ntwo");
  });

  it("tells long bodies by their ends", async () => {
    const { replace } = await boris({ "a.txt": "one\n" });
    const answer = await replace({ path: "a.txt", old_str: "one\n", new_str: manyLines(30) });
    expect(textOf(answer)).toBe(
      `Edited a.txt. Its lines there now:\n${numbered(1, ["line 1", "line 2", "line 3"])}\n… 24 more lines\n${numbered(28, ["line 28", "line 29", "line 30"])}`,
    );
  });

  it("refuses a text that stands there several times, with their number and lines", async () => {
    const { replace, file } = await boris({
      "a.txt": "x\ny\nx\nx x\n",
      "b.txt": "aaa",
      "c.txt": "z\n".repeat(30),
    });
    const answer = await replace({ path: "a.txt", old_str: "x", new_str: "y" });
    expect(textOf(answer)).toBe(
      "[TEXT_AMBIGUOUS] old_str stands 4 times in a.txt, at lines 1, 3, 4. Take in more of the lines around the one that is meant, until it is unique.",
    );
    expect(textOf(await replace({ path: "b.txt", old_str: "aa", new_str: "y" }))).toContain(
      "stands 2 times in b.txt, at line 1",
    );
    expect(textOf(await replace({ path: "c.txt", old_str: "z", new_str: "y" }))).toContain(
      "stands 30 times in c.txt, at lines 1, 2, 3, 4, 5, 6, 7, 8 and 22 more places",
    );
    expect(file("a.txt")).toBe("x\ny\nx\nx x\n");
  });

  it("says in what a text differs that is not there", async () => {
    const { replace } = await boris({
      "a.ts": "function f() {\n  return 1;   \n}\n\nfunction g() {\n\treturn 2;\n}\n",
      "mac.txt": "one\rtwo\r",
      "end.txt": "one\ntwo",
    });
    const told = async (old_str: string, path = "a.ts"): Promise<string> => {
      const answer = await replace({ path, old_str, new_str: "never" });
      expect(codeIn(answer)).toBe("TEXT_NOT_FOUND");
      return textOf(answer).split("\n")[0] ?? "";
    };
    expect(await told("  return 1;\n}")).toContain("line 2 differs only in blanks at line ends");
    expect(await told("function g() {\n    return 2;\n}")).toContain("line 5 differs only in indentation");
    expect(await told("Function G() {")).toContain("line 5 differs only in upper and lower case");
    expect(await told("return  2;")).toContain("line 6 differs only in blanks");
    expect(await told("one\ntwo", "mac.txt")).toContain("line 1 differs only in line ends");
    expect(await told("two\n", "end.txt")).toContain("line 2 differs only in the newline at the end");
    expect(await told("     5\tfunction g() {\n     6\t\treturn 2;")).toContain(
      "line 5 differs only in the numbers before its lines. Leave out the numbers that view prints",
    );
    expect(await told("function g() {\n\treturn 3;\n}")).toContain(
      "line 5 agrees with it, and line 6 does not",
    );
    expect(await told("functoin f( {")).toContain("line 1 comes nearest");
    expect(await told("nothing like it at all")).toContain("no line of it comes near");
    expect(await told("\n\n\n")).toContain("no line of it comes near");
  });

  it("shows the lines that come near", async () => {
    const { replace } = await boris({ "a.txt": manyLines(20) });
    expect(textOf(await replace({ path: "a.txt", old_str: "line 9\nline  10", new_str: "" }))).toBe(
      `[TEXT_NOT_FOUND] old_str is not in a.txt; line 9 differs only in blanks. Send it as it stands there.\n\n${numbered(7, ["line 7", "line 8", "line 9", "line 10", "line 11", "line 12"])}`,
    );
  });

  it("refuses what cannot be meant", async () => {
    const { replace, file } = await boris({
      "a.txt": "one😀\n",
      "a.zip": zip([{ name: "b.txt", data: "x" }]),
      "a.db": await databaseBytes("CREATE TABLE t(x)"),
      d: FOLDER,
    });
    const told = async (input: object): Promise<string> => textOf(await replace({ path: "a.txt", ...input }));
    expect(await told({ old_str: "", new_str: "x" })).toContain("[INVALID_INPUT] old_str is empty");
    expect(await told({ old_str: "one", new_str: "one" })).toContain("[NO_CHANGE]");
    expect(await told({ old_str: "\ud83d", new_str: "x" })).toContain("old_str holds half a character");
    expect(await told({ old_str: "one", new_str: "\ude00" })).toContain("[ENCODING_UNKNOWN]");
    expect(await told({ old_str: "one", new_str: "a\0b" })).toContain("[BINARY_FILE]");
    expect(await told({ new_str: "x" })).toContain("[INVALID_INPUT] old_str is missing");
    expect(await told({ old_str: "x", newstr: "y" })).toContain("Did you mean new_str?");
    expect(await told({ path: "d", old_str: "x" })).toContain("[NOT_A_FILE]");
    expect(await told({ path: "", old_str: "x" })).toContain("[INVALID_INPUT]");
    expect(await told({ path: "b.txt", old_str: "x" })).toBe(
      "[PATH_NOT_FOUND] There is no file b.txt. Did you mean a.txt? create_file makes new files.",
    );
    expect(await told({ path: "a.zip:b.txt", old_str: "x" })).toContain(
      "[KIND_UNSUPPORTED] a.zip:b.txt is an entry of an archive, which is not changed here",
    );
    expect(await told({ path: "a.zip", old_str: "x" })).toContain(
      "[KIND_UNSUPPORTED] a.zip is a zip archive",
    );
    expect(await told({ path: "a.db", old_str: "x" })).toContain(
      "[KIND_UNSUPPORTED] a.db is a SQLite database, and no text",
    );
    expect(await told({ path: "docs://nothing", old_str: "x" })).toMatch(/^\[URL_/);
    expect(file("a.txt")).toBe("one😀\n");
  });

  it("refuses files over the limit, and changes that would make them so", async () => {
    const { root, replace, file } = await boris({ "a.txt": "one\n" }, { settings: { maxFileSize: 100 } });
    expect(codeIn(await replace({ path: "a.txt", old_str: "one", new_str: "x".repeat(200) }))).toBe(
      "FILE_TOO_LARGE",
    );
    expect(file("a.txt")).toBe("one\n");
    writeFileSync(join(root, "big.txt"), `one\n${"x".repeat(200)}`);
    expect(textOf(await replace({ path: "big.txt", old_str: "one", new_str: "" }))).toContain(
      "[FILE_TOO_LARGE] big.txt has 204 bytes, and 100 is the most that is changed here",
    );
  });

  it("takes time by the lengths alone, whatever they hold", async () => {
    const text = "a".repeat(4_000_000);
    const { replace } = await boris({ "a.txt": text });
    expect(codeIn(await replace({ path: "a.txt", old_str: `b${"a".repeat(2_000_000)}`, new_str: "" }))).toBe(
      "TEXT_NOT_FOUND",
    );
    expect(codeIn(await replace({ path: "a.txt", old_str: "a".repeat(2_000_000), new_str: "" }))).toBe(
      "TEXT_AMBIGUOUS",
    );
  });
});

describe("the bytes of str_replace (T30, T31)", () => {
  it("match and keep line ends, also where they are mixed", async () => {
    const { replace, file } = await boris({
      "crlf.txt": "a\r\nb\r\nc\r\n",
      "mixed.txt": "one\r\ntwo\nthree\r\nfour\n",
    });
    await replace({ path: "crlf.txt", old_str: "a\nb\n", new_str: "a\nx\ny\n" });
    expect(file("crlf.txt")).toBe("a\r\nx\r\ny\r\nc\r\n");
    await replace({ path: "crlf.txt", old_str: "y\r\n", new_str: "y\r\nz\r\n" });
    expect(file("crlf.txt")).toBe("a\r\nx\r\ny\r\nz\r\nc\r\n");
    // A line that stays keeps its own end; the new one gets that of the line whose place it takes.
    await replace({ path: "mixed.txt", old_str: "one\ntwo\nthree", new_str: "one\nnew\ntwo\nthree" });
    expect(file("mixed.txt")).toBe("one\r\nnew\ntwo\nthree\r\nfour\n");
    await replace({ path: "mixed.txt", old_str: "three", new_str: "3\n3b" });
    expect(file("mixed.txt")).toBe("one\r\nnew\ntwo\n3\r\n3b\r\nfour\n");
  });

  it("stay in their encoding, with their mark", async () => {
    const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
    const { replace, bytes } = await boris({
      "bom.txt": "\ufeffä\nb\n",
      "le.txt": wide("ä\r\nb\r\n😀"),
      "be.txt": wide("ä\nb\n").swap16(),
      "torn.txt": Buffer.concat([wide("ab\n"), Buffer.from([0x41])]),
      "latin.txt": Buffer.from("caf\xe9 = 1\nna\xefve = 2\n", "latin1"),
      "sjis.txt": Buffer.from([0x83, 0x5c, 0x0a]),
    });
    const put = async (path: string, old_str: string, new_str: string): Promise<string> =>
      codeIn(await replace({ path, old_str, new_str }));
    expect(await put("bom.txt", "ä\nb", "ö\n😀\nb")).toBe("none");
    expect(bytes("bom.txt").toString()).toBe("\ufeffö\n😀\nb\n");
    expect(await put("le.txt", "b\n😀", "c\nd")).toBe("none");
    expect(bytes("le.txt")).toEqual(wide("ä\r\nc\r\nd"));
    expect(await put("be.txt", "ä", "ö\nü")).toBe("none");
    expect(bytes("be.txt")).toEqual(wide("ö\nü\nb\n").swap16());
    expect(await put("torn.txt", "b", "c")).toBe("none");
    expect(bytes("torn.txt")).toEqual(Buffer.concat([wide("ac\n"), Buffer.from([0x41])]));
    // Letters beyond ASCII around the text stay the bytes that they are.
    expect(await put("latin.txt", " = 1\nna", " = 3\nna")).toBe("none");
    expect(bytes("latin.txt").toString("latin1")).toBe("caf\xe9 = 3\nna\xefve = 2\n");
    expect(await put("latin.txt", "caf\ufffd", "cafe")).toBe("ENCODING_UNKNOWN");
    expect(await put("latin.txt", "= 2", "= é")).toBe("ENCODING_UNKNOWN");
    // What may be the second half of a letter is not taken for one of ASCII.
    expect(await put("sjis.txt", "\\", "/")).toBe("ENCODING_UNKNOWN");
    expect(bytes("sjis.txt")).toEqual(Buffer.from([0x83, 0x5c, 0x0a]));
  });

  it("are written with mode, hard links and links kept", async () => {
    const { root, replace, file } = await boris({ "a.sh": "#!/bin/sh\none\n", "dir/b.txt": "one\n" });
    chmodSync(join(root, "a.sh"), 0o754);
    linkSync(join(root, "dir/b.txt"), join(root, "hard.txt"));
    symlinkSync("dir/b.txt", join(root, "soft.txt"));
    const { ino } = statSync(join(root, "hard.txt"));
    await replace({ path: "a.sh", old_str: "one", new_str: "two" });
    expect(statSync(join(root, "a.sh")).mode & 0o777).toBe(0o754);
    await replace({ path: "soft.txt", old_str: "one", new_str: "two" });
    expect(readlinkSync(join(root, "soft.txt"))).toBe("dir/b.txt");
    expect([file("hard.txt"), file("dir/b.txt")]).toEqual(["two\n", "two\n"]);
    expect(statSync(join(root, "hard.txt"))).toMatchObject({ ino, nlink: 2 });
    expect(lstatSync(join(root, "hard.txt")).isFile()).toBe(true);
  });

  it("of a notebook change in the cell alone", async () => {
    const before = notebook("print(1)\n", "two");
    const { replace, file } = await boris({ "a.ipynb": before });
    const answer = await replace({ path: "a.ipynb", old_str: "print(1)", new_str: 'print("é")' });
    expect(textOf(answer)).toContain('     2\tprint("é")');
    const cells = (text: string): { source: string[]; outputs: unknown[] }[] =>
      (JSON.parse(text) as { cells: { source: string[]; outputs: unknown[] }[] }).cells;
    expect(cells(file("a.ipynb"))[0]?.source.join("")).toContain('print("é")');
    expect(cells(file("a.ipynb"))[0]?.outputs).toEqual(cells(before)[0]?.outputs);
    expect(cells(file("a.ipynb"))[1]).toEqual(cells(before)[1]);
  });

  it("of a generated file may be changed, as with edit", async () => {
    const { replace, file } = await boris({ "a.go": "// Code generated by x. DO NOT EDIT.\nvar a = 1\n" });
    expect(codeIn(await replace({ path: "a.go", old_str: "a = 1", new_str: "a = 2" }))).toBe("none");
    expect(file("a.go")).toContain("a = 2");
  });

  it("are not those of somebody else who writes meanwhile (T33)", async () => {
    const { root, replace, file } = await boris({ "a.txt": manyLines(20) });
    const place = join(root, "a.txt");
    let outside = 0;
    const done = new AbortController();
    const writer = (async () => {
      for (; !done.signal.aborted && outside < 400; outside += 1) {
        appendFileSync(place, `outside ${outside};\n`);
        await new Promise((resolve) => setTimeout(resolve, outside % 4));
      }
    })();
    const codes: string[] = [];
    for (let line = 1; line <= 12; line += 1) {
      codes.push(
        codeIn(await replace({ path: "a.txt", old_str: `line ${line}\n`, new_str: `new ${line}\n` })),
      );
    }
    done.abort();
    await writer;
    const text = file("a.txt");
    const lost = Array.from({ length: outside }, (_, at) => `outside ${at};\n`).filter(
      (row) => !text.includes(row),
    );
    expect(lost).toEqual([]);
    // Done or refused, and in the file as it was told.
    expect(codes.filter((code) => code !== "none" && code !== "FILE_CHANGED")).toEqual([]);
    expect(codes.map((_, at) => (text.includes(`new ${at + 1}\n`) ? "none" : "FILE_CHANGED"))).toEqual(codes);
  });

  it("of two that replace at the same time are both there (T33)", async () => {
    const { replace, file } = await boris({ "a.txt": manyLines(40) });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        replace({ path: "a.txt", old_str: `line ${2 * at + 1}\n`, new_str: `new ${2 * at + 1}\n` }),
      ),
    );
    expect(answers.map(codeIn)).toEqual(Array.from({ length: 20 }, () => "none"));
    expect(file("a.txt")).toBe(manyLines(40).replace(/line (\d*[13579])\n/g, "new $1\n"));
  });
});
