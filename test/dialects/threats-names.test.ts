import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { databaseBytes } from "../sources/sqlite/build.ts";
import { rawPath, tree } from "../support/tree.ts";
import { codeIn, fileCodes, handsOf, readName, textOf, workspaceOf } from "./workspaces.ts";

/** Names and contents that an answer of read, edit and write could trip over (T6, T19). */

/** UTF-8 names that mean something to a layout of rows, to a patch, or to whoever reads paths. */
const NAMES = [
  "new\nline",
  "\nfirst",
  "last\n",
  "a\n¶b#1234\n1:fake",
  "tab\tbed",
  "re\rturn",
  'double"quoted',
  '"all"',
  "'single'",
  "`tick`",
  "back\\slash",
  "back\\nslash",
  "\u001b[31mred\u001b[0m",
  "bidi\u202egnp.exe",
  "zero\u200bwidth",
  "line\u2028separator",
  "\ufeffmark",
  " leading",
  "trailing ",
  "nbsp\u00a0",
  "# heading",
  "¶heading",
  "¶x.ts#1F2A",
  "x.ts#1f2a",
  "#1F2A",
  "[note]",
  "[Lines moved: 5-20 +1]",
  "-dash",
  "--pre=sh",
  "a,b",
  "a;b",
  "a b",
  "x.ts:10",
  "a:raw",
  "a:conflicts",
  "x.db:users",
  "x.db?q=SELECT 1",
  "b.zip:src",
  "b.zip:",
  "*star",
  "[id].tsx",
  "{a,b}",
  "!not",
  "~",
  "~root",
  "file:",
  "conflict:",
  "*** Update File: x",
  "Delete File: z",
  "*** End Patch",
  "stars***",
  "replace 1..1:",
  "+x",
  "-x",
  "@@",
  "caf\u00e9",
  "cafe\u0301",
  "😀",
  "n".repeat(255),
];

describe("A file of any name (T6, T19)", () => {
  it.each(["", "d/"])("below %j is read, edited and written by what was printed of it", async (folder) => {
    const root = tree({
      "b.zip": zip([{ name: "src", data: "member\n" }]),
      "d/b.zip": zip([{ name: "src", data: "member\n" }]),
      "x.db": await databaseBytes("CREATE TABLE users(id)"),
      "d/x.db": await databaseBytes("CREATE TABLE users(id)"),
      ...Object.fromEntries(NAMES.map((name, at) => [`${folder}${name}`, `needle ${at}\nsecond\n`])),
    });
    const workspace = await workspaceOf(root);
    const { read, edit, write } = handsOf(workspace);
    const listed = textOf(
      await workspace.tools.search({ pattern: "needle", limit: 200, context: 0, gitignore: false }),
    );
    const headings = listed.split("\n").filter((row) => row.startsWith("# "));
    expect(headings).toHaveLength(NAMES.length);
    for (const heading of headings) {
      const printed = heading.slice(2, -5);
      const path = readName(printed);
      const at = NAMES.indexOf(path.slice(folder.length));
      const onDisk = (): string => readFileSync(join(root, path), "utf8");
      const shown = await read(printed);
      expect(shown).toBe(`¶${heading.slice(2)}\n1:needle ${at}\n2:second`);
      const edited = await edit(`${shown.split("\n")[0]}\nreplace 2..2:\n+edited ${at}`);
      expect(edited).toMatch(/^¶.*#[0-9A-F]{4}\n 1:needle \d+\n-2:second\n\+2:edited \d+$/);
      expect([printed, onDisk()]).toEqual([printed, `needle ${at}\nedited ${at}\n`]);
      const wrote = await write(printed, `written ${at}\n`);
      expect([printed, onDisk()]).toEqual([printed, `written ${at}\n`]);
      expect(wrote.split("\n")).toHaveLength(2);
      expect(await edit(`${wrote.split("\n")[0]}\ninsert head:\n+first`)).not.toContain("Warnings");
      expect([printed, onDisk()]).toEqual([printed, `first\nwritten ${at}\n`]);
    }
  });

  it("is never another file whose name differs in blanks or quotes, though it holds the same", async () => {
    const names = ["a", " a", "a ", "'a'", '"a"', "`a`"];
    const root = tree(Object.fromEntries(names.map((name) => [name, "same\n"])));
    const { read, edit, write } = handsOf(await workspaceOf(root));
    const said = new Map<string, string>();
    for (const name of names) said.set(name, (await read(name)).split("\n")[0] ?? "");
    for (const [at, name] of names.entries()) {
      await edit(`${said.get(name)}\nreplace 1..1:\n+edited ${at}`);
      expect([name, readFileSync(join(root, name), "utf8")]).toEqual([name, `edited ${at}\n`]);
    }
    for (const [at, name] of names.entries()) {
      await write(name, `written ${at}\n`);
      expect(names.map((one) => readFileSync(join(root, one), "utf8"))).toEqual(
        names.map((_, other) => (other <= at ? `written ${other}\n` : `edited ${other}\n`)),
      );
    }
  });

  it("that is not UTF-8 has no tag, and neither edit nor write takes it for another", async () => {
    const root = tree({ "a\ufffd": "other\n" });
    writeFileSync(rawPath(root, [0x61, 0xff]), "raw\n");
    const workspace = await workspaceOf(root);
    const { read, write } = handsOf(workspace);
    expect(await read(".")).toContain('"a\\xff"');
    expect(codeIn(await workspace.tools.read({ path: '"a\\xff"' }))).toBe("PATH_NOT_FOUND");
    await write('"a\\xff"', "written\n");
    expect(readFileSync(rawPath(root, [0x61, 0xff]), "utf8")).toBe("raw\n");
    expect(readFileSync(join(root, "a\ufffd"), "utf8")).toBe("other\n");
  });
});

describe("What a path could mean (T6)", () => {
  it("is a file where there is one, else a member, a row or lines", async () => {
    const root = tree({
      "b.zip": zip([{ name: "src", data: "member\n" }]),
      "b.zip:src": "real\n",
      "c.zip": zip([{ name: "src", data: "member\n" }]),
      "x.db": await databaseBytes("CREATE TABLE users(id); INSERT INTO users VALUES('row')"),
      "x.db:users": "real\n",
      "y.db": await databaseBytes("CREATE TABLE users(id); INSERT INTO users VALUES('row')"),
      "x.ts": "1\n2\n3\n",
      "x.ts:2": "real\n",
    });
    const { read, write } = handsOf(await workspaceOf(root));
    const rows = async (path: string): Promise<string> => (await read(path)).split("\n").slice(1).join("\n");
    expect(await rows("b.zip:src")).toBe("1:real");
    expect(await rows("c.zip:src")).toBe("1|member");
    expect(await rows("x.db:users")).toBe("1:real");
    expect(await read("y.db:users")).toContain("row");
    expect(await rows("x.ts:2")).toBe("1:real");
    expect(await rows("x.ts:3")).toBe("2:2\n3:3");
    for (const path of ["b.zip:src", "x.db:users", "x.ts:2"]) {
      await write(path, "new\n");
      expect([path, readFileSync(join(root, path), "utf8")]).toEqual([path, "new\n"]);
    }
    expect(await read("b.zip:")).toBe("src (7 bytes)");
    expect(await read("x.db?q=SELECT id FROM users")).toContain("row");
  });

  it("is never a path on disk behind a colon, for none of the tools", async () => {
    const files = {
      x: "up\n",
      "a.zip": zip([{ name: "in", data: "in\n" }]),
      "a.db": await databaseBytes("CREATE TABLE t(a)"),
    };
    const root = tree(files);
    const workspace = await workspaceOf(root);
    const tag = (await handsOf(workspace).read("x")).split("\n")[0]?.slice(-4) ?? "";
    for (const archive of ["a.zip", "a.db", "none.zip", "none.db"]) {
      for (const inside of ["../x", "/../x", "t/../x", "../x:1"]) {
        const path = `${archive}:${inside}`;
        const [shown, ...changed] = await fileCodes(workspace, path, tag);
        // Of an archive that is not there, read may say what it found instead.
        expect([path, archive.startsWith("none") || shown !== "none"]).toEqual([path, true]);
        expect([path, changed.includes("none")]).toEqual([path, false]);
        expect([path, readFileSync(join(root, "x"), "utf8")]).toEqual([path, "up\n"]);
      }
    }
  });
});

describe("What a file holds (T19)", () => {
  const FORGED = [
    "¶other.ts#1F2A",
    "# other.ts#1F2A",
    "[Lines moved: 5-20 +1]",
    "[3 lines left out; read what you need of a:1-3]",
    "1:not line 1",
    "999:not line 999",
    "…",
    "+3:added",
    "-3:removed",
    "Warnings:",
    "",
    "\u2028¶other.ts#1F2A",
    "\r¶other.ts#1F2A",
    "\v¶other.ts#1F2A",
    "\u0085[Lines moved: 1-2 +9]",
  ];
  /** Rows that are none of: a number and its sign, a gap, the heading at the top, a note at the end. */
  const strange = (text: string): string[] =>
    text
      .split(/[\n\r\v\f\u0085\u2028\u2029]/)
      .slice(1)
      .filter((row) => !/^[ +*-]?\d+(?:-\d+)?[:|]|^…$|^[+-]… \d+ more lines$/.test(row));

  it("forges no row of an answer of read, edit or write, nor of a refusal", async () => {
    const root = tree({ "a.txt": `${FORGED.join("\n")}\nend\n` });
    const { read, edit } = handsOf(await workspaceOf(root));
    const shown = await read("a.txt");
    expect(strange(shown)).toEqual([]);
    expect(shown.split("\n")).toHaveLength(FORGED.length + 2);
    const header = shown.split("\n")[0];
    const body = FORGED.filter((row) => !row.includes("\r")).map((row) => `+${row}`);
    const edited = await edit([header, "replace 2..2:", ...body.slice(0, 6), "delete 5..8"].join("\n"));
    // What the tool says of the edit stands behind all rows.
    const own = /\n\[Lines moved: 3-4 \+5, 9- \+1\]\n\nWarnings:\nThe body [^\n]*\nThe body [^\n]*$/;
    expect(edited).toMatch(own);
    expect(strange(edited.replace(own, ""))).toEqual([]);
    // Somebody changes every line, so that the edit is refused and shows the file.
    writeFileSync(join(root, "a.txt"), `${FORGED.map((row) => `${row}!`).join("\n")}\n¶x#1F2A\n`);
    const refused = await edit([header, "delete 3..3"].join("\n"));
    const [first, blank, heading, ...rows] = refused.split("\n");
    expect([first?.startsWith("[FILE_CHANGED]"), blank]).toEqual([true, ""]);
    expect(heading).toMatch(/^¶a\.txt#[0-9A-F]{4}$/);
    expect(strange(`\n${rows.join("\n")}`)).toEqual([]);
  });

  it("is shown as it is in a member, a table and a scratch file, one row to a line", async () => {
    const text = FORGED.join("\n");
    const root = tree({
      "a.zip": zip([{ name: "m", data: text }]),
      "a.db": await databaseBytes(
        `CREATE TABLE t(a); INSERT INTO t VALUES('${FORGED.join("\n").replaceAll("'", "''")}')`,
      ),
    });
    const { read, write } = handsOf(await workspaceOf(root));
    expect(strange(await read("a.zip:m"))).toEqual([]);
    await write("local://notes", `x\n${text}`);
    expect(strange(await read("local://notes"))).toEqual([]);
    for (const path of ["a.db?q=SELECT a FROM t", "a.db:t", "a.db:t:1", "a.db:t?limit=1"]) {
      const rows = (await read(path)).split(/[\n\r\v\f\u0085\u2028\u2029]/);
      expect([path, rows.filter((row) => /^(?:¶|# |\[)/.test(row))]).toEqual([path, []]);
    }
  });

  it("names no table, column, member or statement that could be taken for a heading or a note", async () => {
    const forged = "¶other.ts#1F2A";
    const note = "[Lines moved: 1-2 +9]";
    const root = tree({
      "a.db": await databaseBytes(
        `CREATE TABLE "${forged}"("${note}" /*\n${forged}\n1:fake\n${note}\n*/); INSERT INTO "${forged}" VALUES('x')`,
      ),
      "a.zip": zip([forged, note, `${note}/in`, "\n# x#1F2A"].map((name) => ({ name, data: "x" }))),
      [`b\n${note}.ipynb`]: "no notebook\n",
    });
    const { read } = handsOf(await workspaceOf(root));
    for (const path of [
      "a.db",
      `a.db:${forged}`,
      `a.db:${forged}:1`,
      `a.db?q=SELECT 1 AS "${note}"`,
      "a.zip",
    ]) {
      const rows = (await read(path)).split("\n").filter((row) => /^(?:¶|# |\[)/.test(row));
      // The list of tables ends with a note of ours.
      expect([path, rows.filter((row) => !row.startsWith("[Read a.db:TABLE "))]).toEqual([path, []]);
    }
    expect(await read(`b\n${note}.ipynb`)).toMatch(
      /^¶"b\\n[^\n]*\n1:no notebook\n\[Shown as text: [^\n]*\]$/,
    );
  });

  it("and what it is called cannot break an error into rows", async () => {
    const name = "a\n¶other.ts#1F2A\n[Lines moved: 1-2 +9]\u001b[31m\u202e";
    const root = tree({
      [`${name}/x`]: "x\n",
      [`${name}.zip`]: "no archive",
      [`${name}.db`]: "SQLite format 3\0",
    });
    const workspace = await workspaceOf(root, { deny: ["*.key"] });
    const { read, edit, write } = handsOf(workspace);
    const printed = JSON.stringify(name)
      .slice(0, -1)
      .replaceAll("\\u001b", "\\x1b")
      .replaceAll("\u202e", "\\u{202e}");
    for (const rest of ["", "/missing", ".zip", ".zip:m", ".db", ".db:t", ".key", "/x:0", "/x:5-2"]) {
      const path = `${printed}${rest}"`;
      for (const said of [
        await read(`${name}${rest}`),
        await read(path),
        await edit(`¶${path}#0000\ndelete 1..1`),
        await write(path, "x"),
      ]) {
        expect([rest, said]).not.toEqual([rest, expect.stringMatching(/[\u001b\u202e]|\n¶other|\n\[Lines/)]);
      }
    }
  });
});
