/**
 * seeds/omp-read.md, "Local text files", "Limits & Caps" and "Outputs", omp-notes.md and issue 4: a file as text, how
 * much of it one answer has, and how the next one goes on.
 *
 * Without a test: the size of its chunks and its byte budget for lines (internals; an answer has 50 KiB); its setting
 * for fewer lines and its display modes without numbers (docs/deviations.md); that its file-read cache speeds nothing up
 * (no behaviour); the extra context's reason (no behaviour).
 */
import { describe, expect, it } from "vitest";
import { AGENT_TEXT, READ_LINES } from "../../src/model/limits.ts";
import { lines, tag } from "./agent.ts";
import { nextCall, notesIn, numbered, reader, shownRanges } from "./reader.ts";

/** The lines of all pages in order, without those that a page repeats as context. */
function joined(pages: readonly string[]): [number, string][] {
  const all: [number, string][] = [];
  for (const page of pages) {
    const rows = numbered(page);
    const repeated = rows.filter(([line]) => line <= (all.at(-1)?.[0] ?? 0));
    expect(repeated.length).toBeLessThanOrEqual(1);
    all.push(...rows.slice(repeated.length));
  }
  return all;
}

function wanted(content: string): [number, string][] {
  return content
    .replace(/\n$/, "")
    .split("\n")
    .map((text, at) => [at + 1, text]);
}

describe("A text", () => {
  it("is ¶PATH#TAG and LINE:text, and that is what edit takes", async () => {
    const { read, edit, file } = await reader({ "src/foo.py": "def alpha():\n    pass\n" });
    const mark = tag("def alpha():\n    pass\n");
    expect(await read("src/foo.py")).toBe(`¶src/foo.py#${mark}\n1:def alpha():\n2:    pass`);
    await edit(`¶src/foo.py#${mark}`, "replace 2..2:", "+    return 1");
    expect(file("src/foo.py")).toBe("def alpha():\n    return 1\n");
  });

  it("is found by file://, quotes, an absolute path, and a heading given back", async () => {
    const { read, root } = await reader({ "a b.txt": "one\n" });
    const mark = tag("one\n");
    const same = ["a b.txt", '"a b.txt"', "'a b.txt'", `${root}/a b.txt`, `file://${root}/a%20b.txt`];
    for (const path of [...same, `¶a b.txt#${mark}`, `a b.txt#${mark}`, "./a b.txt", " a b.txt "]) {
      expect(await read(path)).toBe(`¶a b.txt#${mark}\n1:one`);
    }
    expect(await read(`¶a b.txt#${mark}:1-1`)).toBe(`¶a b.txt#${mark}\n1:one`);
  });

  it("with a name that needs quotes is printed so that it can be read back", async () => {
    const names = [
      `a 'b' "c".txt`,
      '"q".txt',
      " lead.txt",
      "new\nline.txt",
      "tab\t.txt",
      "ü#1.txt",
      "a,b.txt",
    ];
    const { read } = await reader(Object.fromEntries(names.map((name) => [name, `${name.length}\n`])));
    for (const name of names) {
      const text = await read(name);
      expect(text).toContain(`\n1:${name.length}`);
      const [, printed = ""] = /^¶(.*)#[0-9A-F]{4}\n/.exec(text) ?? [];
      expect(await read(printed)).toBe(text);
    }
  });

  it("is the same file through a link, and says where it is", async () => {
    const { details, read, root } = await reader({ "real.txt": "one\n", "l.txt": { link: "real.txt" } });
    expect(await read("l.txt")).toBe(`¶l.txt#${tag("one\n")}\n1:one`);
    expect(await details("l.txt")).toMatchObject({ path: "l.txt", resolvedPath: `${root}/real.txt` });
  });

  it("has no row for a final newline, and one for a blank line", async () => {
    const { read } = await reader({ "no.txt": "one\ntwo", "nl.txt": "\n", "two.txt": "one\n\n" });
    expect(numbered(await read("no.txt"))).toEqual([
      [1, "one"],
      [2, "two"],
    ]);
    expect(numbered(await read("nl.txt"))).toEqual([[1, ""]]);
    expect(numbered(await read("two.txt"))).toEqual([
      [1, "one"],
      [2, ""],
    ]);
  });

  it("of another encoding is shown as text: UTF-16 by its mark, a mark of UTF-8 not as a character", async () => {
    const { read } = await reader({
      "le.txt": Buffer.from("\ufeffäöü\r\ntwo\r\n", "utf16le"),
      "be.txt": Buffer.from("\ufeffäöü\ntwo", "utf16le").swap16(),
      "bom.txt": "\ufeffäöü\ntwo\n",
      "latin.txt": Buffer.from("caf\xe9\nascii\n", "latin1"),
    });
    const both = [
      [1, "äöü"],
      [2, "two"],
    ];
    expect(numbered(await read("le.txt"))).toEqual(both);
    expect(numbered(await read("be.txt"))).toEqual(both);
    expect(numbered(await read("bom.txt"))).toEqual(both);
    expect(await read("bom.txt:raw:1-1")).toBe("äöü");
    expect(numbered(await read("latin.txt"))).toEqual([
      [1, "caf\ufffd"],
      [2, "ascii"],
    ]);
  });

  it("with CRLF has the lines alone; a carriage return inside one is spelled out, and the line can be named", async () => {
    const { read, tagOf, edit, file } = await reader({ "crlf.txt": "one\r\ntwo\rhalf\r\n" });
    expect(numbered(await read("crlf.txt"))).toEqual([
      [1, "one"],
      [2, "two\\rhalf"],
    ]);
    const mark = await tagOf("crlf.txt");
    await edit(`¶crlf.txt#${mark}`, "delete 2..2");
    expect(file("crlf.txt")).toBe("one\r\n");
  });
});

describe("Limits of an answer", () => {
  it("3,000 lines are one answer, and 3,001 are two", async () => {
    const { read, pages, details } = await reader({ "a.txt": lines(3000, "l"), "b.txt": lines(3001, "l") });
    expect(READ_LINES).toBe(3000);
    expect(numbered(await read("a.txt"))).toHaveLength(3000);
    expect(notesIn(await read("a.txt"))).toEqual([]);
    expect(notesIn(await read("b.txt"))).toEqual(["Lines 1-3000 of 3,001. Read b.txt:3001- for more"]);
    const all = await pages("b.txt");
    expect(all).toHaveLength(2);
    expect(shownRanges(all[1] ?? "")).toBe("3000-3001");
    expect(await details("b.txt")).toMatchObject({
      kind: "lines",
      lines: { first: 1, last: 3000, total: 3001 },
      nextSelector: "3001-",
      truncated: true,
      meta: {
        source: "b.txt",
        truncation: {
          direction: "head",
          truncatedBy: "lines",
          totalLines: 3001,
          shownLines: 3000,
          shownRange: { first: 1, last: 3000 },
          nextSelector: "3001-",
        },
      },
    });
  });

  it("50 KiB are the other limit, and no answer is longer", async () => {
    const content = Array.from({ length: 2500 }, (_, at) => `${"ä".repeat(at % 60)} ${at}\n`).join("");
    const { pages, details } = await reader({ "wide.txt": content });
    const all = await pages("wide.txt");
    expect(all.length).toBeGreaterThan(3);
    for (const page of all) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(AGENT_TEXT);
    // An answer that is cut is well filled.
    for (const page of all.slice(0, -1)) expect(Buffer.byteLength(page)).toBeGreaterThan(AGENT_TEXT * 0.95);
    expect(joined(all)).toEqual(wanted(content));
    expect((await details("wide.txt")).meta.truncation).toMatchObject({ truncatedBy: "bytes" });
  });

  it.each([":-7000", ":1-7000", ":500-", ":10-3500,5000-8500", ":2-5,-6500", ":3-3002", ":4000-7000"])(
    "following the next selector shows every line of %s once, in order",
    async (selector) => {
      const { pages, read } = await reader({ "a.txt": lines(9000, "l") });
      const all = joined(await pages(`a.txt${selector}`));
      const asked = (await raws(read, selector)).map((text) => [Number(text.slice(2)), text]);
      // Lines around a range are there too, and no line twice.
      const shown = all.map(([line]) => line);
      expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
      expect(all.filter(([line]) => asked.some(([one]) => one === line))).toEqual(asked);
      expect(shown.length - asked.length).toBeLessThanOrEqual(8);
    },
  );

  it("raw goes on raw, without a heading, and joins to the file", async () => {
    const content = lines(7000, "line");
    const { pages } = await reader({ "a.txt": content });
    const all = await pages("a.txt:raw");
    expect(all.map((page) => nextCall(page))).toEqual(["a.txt:raw:3001-", "a.txt:raw:6001-", null]);
    const rows = all.flatMap((page) => page.split("\n").filter((row) => !row.startsWith("[")));
    expect(`${rows.join("\n")}\n`).toBe(content);
  });

  it("when only the lines around a range do not fit, nothing is left to read", async () => {
    const { details } = await reader({ "a.txt": lines(5000, "l") });
    expect(await details("a.txt:1-3000")).toMatchObject({ nextSelector: null, truncated: false });
    expect(await details("a.txt:1-3001")).toMatchObject({ nextSelector: "3001-3001", truncated: true });
  });

  it("details have the text without numbers, for a screen", async () => {
    const { details } = await reader({ "a.txt": lines(9, "l") });
    expect((await details("a.txt:3-4")).displayContent).toEqual({
      text: "l 2\nl 3\nl 4\nl 5\nl 6\nl 7",
      startLine: 2,
    });
  });
});

describe("A line longer than an answer", () => {
  it("is shown by its beginning, says so, and does not count as shown", async () => {
    const { read, refused, tagOf } = await reader({ "one.txt": "x".repeat(100 * 1024) });
    const text = await read("one.txt");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(AGENT_TEXT);
    expect(numbered(text)[0]?.[1]).toMatch(/^x{49000,}…$/);
    expect(notesIn(text)).toEqual([
      "Line 1 has 102,400 bytes, and only its beginning is shown; search finds what is in it",
    ]);
    const mark = await tagOf("one.txt");
    expect(await refused(`¶one.txt#${mark}`, "delete 1..1")).toMatchObject({ code: "LINE_NOT_SHOWN" });
  });

  it("does not hold up what follows, wherever it stands", async () => {
    const long = "ä".repeat(60 * 1024);
    const { pages } = await reader({ "a.txt": `one\n${long}\n${long}\nfour\nfive\n${long}` });
    const all = await pages("a.txt");
    expect(joined(all).map(([line]) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const page of all) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(AGENT_TEXT);
  });

  it("nor do two that fit one by one", async () => {
    const half = "x".repeat(30 * 1024);
    const { pages } = await reader({ "a.txt": `${half}1\n${half}2\n${half}3\n` });
    const all = joined(await pages("a.txt"));
    expect(all.map(([line, text]) => [line, text.at(-1)])).toEqual([
      [1, "1"],
      [2, "2"],
      [3, "3"],
    ]);
  });
});

describe("What counts as shown", () => {
  it("lines printed by read, those around a range too, and no other", async () => {
    const { details, edit, refused } = await reader({ "a.txt": lines(40, "l") });
    const { tag: mark } = await details("a.txt:10-12");
    expect(await refused(`¶a.txt#${mark}`, "delete 16..16")).toMatchObject({ code: "LINE_NOT_SHOWN" });
    await edit(`¶a.txt#${mark}`, "delete 15..15");
  });

  it("more of the same version adds up under the same tag", async () => {
    const { details, edit, file } = await reader({ "a.txt": lines(40, "l") });
    const [one, other] = [await details("a.txt:2-2"), await details("a.txt:30-30")];
    expect(one.tag).toBe(other.tag);
    await edit(`¶a.txt#${one.tag}`, "delete 2..2", "delete 30..30");
    expect(file("a.txt")).toBe(lines(40, "l").replace("l 2\n", "").replace("l 30\n", ""));
  });
});

describe("A file over 32 MiB", () => {
  const row = "0123456789 0123456789 0123456789 01234567\n";
  const big = Buffer.from(row.repeat(1_000_000));

  it("is read in pages with | and without a tag, from anywhere, and edit says why not", async () => {
    const { read, details, pages, refused } = await reader({ "big.log": big });
    expect((await read("big.log")).startsWith(`¶big.log\n1|${row}2|`)).toBe(true);
    const { lines: shown, nextSelector, tag: mark } = await details("big.log");
    expect(mark).toBe(null);
    expect(nextSelector).toBe(`${(shown?.last ?? 0) + 1}-`);
    expect(shownRanges(await read("big.log:500000-500002"))).toBe("499999-500005");
    expect(shownRanges(await read("big.log:-2"))).toBe("999998-1000000");
    expect(shownRanges(await read("big.log:2-3,-1"))).toBe("1-6,999999-1000000");
    expect(await read("big.log:raw:7-8")).toBe(row.repeat(2).trimEnd());
    expect(joined(await pages("big.log:-3000")).map(([line]) => line)).toEqual(
      Array.from({ length: 3001 }, (_, at) => 997_000 + at),
    );
    expect(joined(await pages("big.log:5-2500")).length).toBe(2500);
    expect(notesIn(await read("big.log:1000001"))).toEqual([
      "Line 1000001 is past the end, which is line 1000000. Use :1000000 for the last line, :1 for the beginning",
    ]);
    expect(await refused("¶big.log#0A1B", "delete 1..1")).toMatchObject({
      code: "FILE_TOO_LARGE",
      message: "big.log is larger than 32 MiB: it is read in pages, has no tag, and cannot be edited here",
    });
  });

  it("with lines longer than an answer goes on behind them", async () => {
    const long = "x".repeat(17e6);
    const { pages } = await reader({ "a.log": `one\n${"y".repeat(20_000)}\n${long}\n${long}\nfive\n` });
    const all = await pages("a.log");
    expect(joined(all).map(([line]) => line)).toEqual([1, 2, 3, 4, 5]);
    expect(all.flatMap(notesIn)).toContain(
      "Line 3 is too long for an answer, and only its beginning is shown; search finds what is in it",
    );
    for (const page of all) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(AGENT_TEXT);
  });
});

/** The lines that a selector means, without any around them. */
async function raws(read: (path: string) => Promise<string>, selector: string): Promise<string[]> {
  const rows: string[] = [];
  for (let next: string | null = `a.txt:raw${selector}`; next !== null; ) {
    const page = await read(next);
    rows.push(...page.split("\n").filter((row) => !row.startsWith("[")));
    next = nextCall(page);
  }
  return rows;
}
