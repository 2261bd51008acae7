import { describe, expect, test } from "vitest";
import { type MatchLayout, matchText } from "../../src/format/match-text.ts";
import type { Match } from "../../src/model/match.ts";

const PLAIN: MatchLayout = { style: { colour: false, escape: false }, lineLimit: 512, gaps: false };

function match(line: number, text: string, more: Partial<Match> = {}): Match {
  return { path: "src/a.ts", line, text, submatches: [], before: [], after: [], ...more };
}

function print(matches: readonly Match[], layout: Partial<MatchLayout> = {}): string {
  const { add } = matchText({ ...PLAIN, ...layout });
  return matches.map(add).join("");
}

const hit = (text: string): string => `\x1b[1;31m${text}\x1b[0m`;

describe("matches for people", () => {
  test("are grouped by file with line numbers in a gutter", () => {
    const text = print([match(3, "one"), match(12, "two"), match(4, "three", { path: "b.ts" })]);
    expect(text).toBe("src/a.ts\n   3: one\n  12: two\n\nb.ts\n   4: three\n");
  });

  test("have a gutter that grows with the line numbers, file by file", () => {
    const text = print([
      match(9, "a"),
      match(123456, "b"),
      match(123457, "c"),
      match(1, "d", { path: "b.ts" }),
    ]);
    expect(text).toBe("src/a.ts\n   9: a\n123456: b\n123457: c\n\nb.ts\n   1: d\n");
  });

  test("mark context with a dash and what lies between with …", () => {
    const text = print(
      [
        match(3, "hit", { before: [{ line: 2, text: "up" }], after: [{ line: 4, text: "down" }] }),
        match(5, "next"),
        match(9, "far", { before: [{ line: 8, text: "up" }] }),
      ],
      { gaps: true },
    );
    expect(text).toBe(
      [
        "src/a.ts",
        "   2- up",
        "   3: hit",
        "   4- down",
        "   5: next",
        "   …",
        "   8- up",
        "   9: far",
        "",
      ].join("\n"),
    );
  });

  test("have no gap rows without context", () => {
    expect(print([match(1, "a"), match(9, "b")])).toBe("src/a.ts\n   1: a\n   9: b\n");
  });

  test("do not mark a gap at the start of a file", () => {
    const text = print([match(5, "a"), match(2, "b", { path: "b.ts" })], { gaps: true });
    expect(text).not.toContain("…");
  });

  test("over several lines have a row for each, without carriage returns", () => {
    const text = print([match(7, "if (\r\n  x\r\n)", { submatches: [[0, 11]] })]);
    expect(text).toBe("src/a.ts\n   7: if (\n   8:   x\n   9: )\n");
  });

  test("keep an empty line free of trailing blanks", () => {
    expect(print([match(7, "")])).toBe("src/a.ts\n   7:\n");
  });

  test("colour path, line number and every submatch, across lines too", () => {
    const style = { colour: true, escape: true };
    const text = print(
      [
        match(1, "a foo\nbar foo", {
          submatches: [
            [2, 9],
            [10, 13],
          ],
        }),
      ],
      { style },
    );
    expect(text).toBe(
      `\x1b[35msrc/a.ts\x1b[0m\n\x1b[32m   1\x1b[0m: a ${hit("foo")}\n\x1b[32m   2\x1b[0m: ${hit("bar")} ${hit("foo")}\n`,
    );
  });

  test("escape control characters for a terminal, inside and outside of submatches, and nowhere else", () => {
    const evil = match(1, "a\x1b[2Jb\u202e", { submatches: [[1, 5]] });
    expect(print([evil], { style: { colour: false, escape: true } })).toContain(
      "   1: a\\x1b[2Jb\\u{202e}\n",
    );
    expect(print([evil])).toContain("   1: a\x1b[2Jb\u202e\n");
  });

  test("quote a name that would break its line, wherever it is printed", () => {
    expect(print([match(1, "x", { path: "a\nb" })])).toBe('"a\\nb"\n   1: x\n');
  });

  test("tell two names apart that differ only in bytes that are not UTF-8", () => {
    const a = match(1, "x", { path: "\ufffd", pathBytes: Buffer.from([0xff]).toString("base64") });
    const b = match(1, "x", { path: "\ufffd", pathBytes: Buffer.from([0xfe]).toString("base64") });
    expect(print([a, b])).toBe('"\\xff"\n   1: x\n\n"\\xfe"\n   1: x\n');
  });

  test("say when a line was too long to hold", () => {
    expect(print([match(1, "", { elidedBytes: 5_200_000 })])).toBe(
      "src/a.ts\n   1: (a line of about 5.2 MB, left out)\n",
    );
  });

  test("count the lines that are not UTF-8", () => {
    const { add, remarks } = matchText(PLAIN);
    add(match(1, "caf\ufffd", { invalidUtf8: true }));
    expect(remarks).toEqual({ shortened: 0, invalidUtf8: 1 });
  });
});

describe("a long line", () => {
  const long = `${"a".repeat(1000)}NEEDLE${"b".repeat(1000)}`;

  test("is shortened around its first match, with … at the cut ends", () => {
    const text = print([match(1, long, { submatches: [[1000, 1006]] })]);
    const row = text.split("\n")[1] ?? "";
    expect(row).toMatch(/^ {3}1: …a{253}NEEDLEb{253}…$/);
  });

  test("keeps its beginning when the match lies there", () => {
    const text = print([match(1, `NEEDLE${"b".repeat(1000)}`, { submatches: [[0, 6]] })]);
    expect(text).toContain(`   1: NEEDLE${"b".repeat(506)}…\n`);
  });

  test("keeps its end when the match lies there", () => {
    const text = print([match(1, `${"a".repeat(1000)}NEEDLE`, { submatches: [[1000, 1006]] })]);
    expect(text).toContain(`   1: …${"a".repeat(506)}NEEDLE\n`);
  });

  test("shows the beginning of a match that is longer than the limit", () => {
    const text = print([match(1, `${"a".repeat(600)}${"M".repeat(900)}`, { submatches: [[600, 1500]] })]);
    expect(text).toContain(`   1: …${"M".repeat(512)}…\n`);
  });

  test("is never cut inside a character", () => {
    const text = print([match(1, "😀".repeat(600), { submatches: [[601, 603]] })], { lineLimit: 101 });
    expect(Buffer.from(text).toString()).toBe(text);
  });

  test("of context is cut at its end", () => {
    const text = print([match(2, "x", { before: [{ line: 1, text: long }] })]);
    expect(text).toContain(`   1- ${"a".repeat(512)}…\n`);
  });

  test("is counted, and is whole without a limit", () => {
    const cut = matchText(PLAIN);
    cut.add(match(1, long));
    expect(cut.remarks.shortened).toBe(1);
    const whole = matchText({ ...PLAIN, lineLimit: null });
    expect(whole.add(match(1, long))).toContain(`   1: ${long}\n`);
    expect(whole.remarks.shortened).toBe(0);
  });

  test("of exactly the limit stays whole", () => {
    expect(print([match(1, "x".repeat(512))])).toContain(`   1: ${"x".repeat(512)}\n`);
  });
});
