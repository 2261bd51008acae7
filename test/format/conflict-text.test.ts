import { array, assert, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { findConflicts } from "../../src/edit/conflicts.ts";
import { type ConflictPage, conflictText } from "../../src/format/conflict-text.ts";
import { oneRow } from "../../src/format/escape.ts";
import { ConflictList } from "../../src/workspace/conflict-list.ts";

function page(lines: readonly string[], label = "a.ts", limit?: number): ConflictPage {
  const lineAt = (line: number): string | null => lines[line - 1] ?? null;
  const { conflicts, broken } = findConflicts(lines.length, lineAt);
  const listed = new ConflictList(limit).list(`/root/${label}`, label, "hash", conflicts);
  return { label, listed, total: conflicts.length, broken, lineAt };
}

const TWO = [
  "first",
  "<<<<<<< HEAD",
  "const a = 1;",
  "||||||| 1234abc",
  "const a = 0;",
  "=======",
  "const a = 2;",
  ">>>>>>> topic",
  "",
  "<<<<<<<",
  "=======",
  "",
  ">>>>>>> topic",
];

describe("The conflicts of a file", () => {
  it("are printed with their URLs, sides and lines, and how to resolve them", () => {
    expect(conflictText(page(TWO), 512, 50_000)).toEqual({
      text: [
        "conflict://1 lines 2-8: ours HEAD, theirs topic, base 1234abc",
        "2:<<<<<<< HEAD",
        "3:const a = 1;",
        "4:||||||| 1234abc",
        "5:const a = 0;",
        "6:=======",
        "7:const a = 2;",
        "8:>>>>>>> topic",
        "",
        "conflict://2 lines 10-13: ours (no name), theirs topic",
        "10:<<<<<<<",
        "11:=======",
        "12:",
        "13:>>>>>>> topic",
        "",
        "Resolve with write: path conflict://1, content the lines that take its place, or @ours, @theirs, @both. Several at once: conflict://1,2",
      ].join("\n"),
      shown: [2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13],
      cut: false,
    });
  });

  it("offer the base where all have one", () => {
    expect(conflictText(page(TWO.slice(0, 9)), 512, 50_000).text).toMatch(/or @ours, @theirs, @both, @base$/);
  });

  it("are said not to be there", () => {
    const { text, shown } = conflictText(page(["a", "======="]), 512, 50_000);
    expect(text).toBe("No unresolved conflicts in a.ts");
    expect(shown).toEqual([]);
  });

  it("tell of marks that form none", () => {
    const { text } = conflictText(page(["<<<<<<< HEAD", "a"]), 512, 50_000);
    expect(text).toBe(
      "No unresolved conflicts in a.ts\nConflict marks that form no whole conflict, or one within another: lines 1; use edit for them",
    );
    const many = conflictText(page(Array.from({ length: 20 }, () => "<<<<<<<")), 512, 50_000).text;
    expect(many).toContain("lines 1, 2, 3, 4, 5, 6, 7, 8 and 12 more;");
    expect(conflictText(page([">>>>>>>", ...TWO]), 512, 50_000).text).toContain("lines 1; use edit");
  });

  it("do not count a shortened line as shown; one that was spelled out is", () => {
    const lines = ["<<<<<<<", "x".repeat(600), "a\rb", "c\u2028d", "plain", "=======", ">>>>>>>"];
    const { text, shown } = conflictText(page(lines), 512, 50_000);
    expect(shown).toEqual([1, 3, 4, 5, 6, 7]);
    expect(text).toContain(`\n2:${"x".repeat(512)}…\n3:a\\rb\n4:c\\u{2028}d\n`);
  });

  it("spell out what a name would do to the page", () => {
    const lines = ["<<<<<<< a\u202eb\u0007", "=======", `>>>>>>> ${"y".repeat(500)}`];
    const [heading] = conflictText(page(lines), 512, 50_000).text.split("\n");
    expect(heading).toBe(`conflict://1 lines 1-3: ours a\\u{202e}b\\x07, theirs ${"y".repeat(80)}…`);
  });
});

describe("More than fits", () => {
  it("names the next call", () => {
    const lines = Array.from({ length: 50 }, () => ["<<<<<<<", "a", "=======", "b", ">>>>>>>", ""]).flat();
    const { text, shown } = conflictText(page(lines), 512, 700);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(700);
    expect(text).toContain(
      "46 more conflicts, conflict://5 to conflict://50: read a.ts:25-29 for the next one",
    );
    expect(shown.at(-1)).toBe(23);
  });

  it("shows the first in part, and says where to read on", () => {
    const lines = [
      "<<<<<<<",
      ...Array.from({ length: 100 }, (_, at) => `line ${at}`),
      "=======",
      ">>>>>>>",
      ...TWO,
    ];
    const { text, shown } = conflictText(page(lines), 512, 700);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(700);
    const last = shown.at(-1) ?? 0;
    expect(shown).toEqual(Array.from({ length: last }, (_, at) => at + 1));
    expect(text).toContain(`[Lines ${last + 1}-103 do not fit: read a.ts:${last + 1}-103]`);
    expect(text).toContain("2 more conflicts, conflict://2 to conflict://3: read a.ts:105-111");
  });

  it("tells of those that could not be listed", () => {
    const { text } = conflictText(page(TWO, "a.ts", 1), 512, 50_000);
    expect(text).toContain("1 conflict after these: resolve some, then read again");
  });

  it("keeps within its bytes and prints each line that it calls shown, whatever the text", () => {
    const side = array(
      string({ unit: "binary", maxLength: 30 }).map((text) => text.replace(/\n/g, "")),
      {
        maxLength: 8,
      },
    );
    assert(
      property(array(side, { maxLength: 12 }), integer({ min: 600, max: 3_000 }), (sides, bytes) => {
        const lines = sides.flatMap((all) => ["<<<<<<< h", ...all, "=======", ...all, ">>>>>>> t"]);
        const { text, shown } = conflictText(page(lines), 512, bytes);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
        const rows = new Set(text.split("\n"));
        expect(shown.filter((line) => !rows.has(`${line}:${oneRow(lines[line - 1] ?? "")}`))).toEqual([]);
      }),
    );
  });

  it("of ten megabytes is not looked at beyond the page", () => {
    const lines = Array.from({ length: 300_000 }, () => ["<<<<<<<", "=======", ">>>>>>>"]).flat();
    const full = page(lines);
    const asked = new Set<number>();
    const lineAt = (line: number): string | null => {
      asked.add(line);
      return full.lineAt(line);
    };
    const { text } = conflictText({ ...full, lineAt }, 512, 50_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50_000);
    expect(asked.size).toBeLessThan(5_000);
    expect(text).toContain("290,000 conflicts after these");
  });
});
