/**
 * seeds/omp-read.md, "Selector grammar", and issue 4: what stands behind a path's colon, and which lines it shows.
 *
 * Without a test: `:raw` and ranges of web addresses, and the slash before them (the web is not read); the names of
 * its functions (internals); hash lines switched off by a setting (there is no such setting).
 */
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { lines } from "./agent.ts";
import { notesIn, reader, shownRanges } from "./reader.ts";

const FORTY = { "a.txt": lines(40, "line") };

describe("Selector grammar", () => {
  it("each form shows its lines, one before and three after on the sides that were chosen", async () => {
    const { read } = await reader(FORTY);
    const cases = {
      "": "1-40",
      ":30": "29-40",
      ":L30": "29-40",
      ":30-": "29-40",
      ":10-12": "9-15",
      ":L10-L12": "9-15",
      ":l10-12": "9-15",
      ":10+3": "9-15",
      ":L10+L3": "9-15",
      ":10-10": "9-13",
      ":1-1": "1-4",
      ":38-99": "37-40",
      ":1-40": "1-40",
      ":-3": "37-40",
      ":-1": "39-40",
      ":-99": "1-40",
      ":10-11,30-31": "9-14,29-34",
      ":2-3,-2": "1-6,38-40",
    };
    const shown = await Promise.all(
      Object.keys(cases).map(async (selector) => [selector, shownRanges(await read(`a.txt${selector}`))]),
    );
    expect(Object.fromEntries(shown)).toEqual(cases);
  });

  it("several ranges are sorted and merged, and a row of dots stands for what is between", async () => {
    const { read } = await reader(FORTY);
    expect(shownRanges(await read("a.txt:5-16,3-7"))).toBe("2-19");
    expect(shownRanges(await read("a.txt:30,10-11"))).toBe("9-14,29-40");
    expect(await read("a.txt:5-6,10-11")).not.toContain("…");
    expect(await read("a.txt:30-31,10-11")).toMatch(/\n14:line 14\n…\n29:line 29\n/);
  });

  it("raw shows the lines and nothing else: no heading, no numbers, no lines around", async () => {
    const { read } = await reader(FORTY);
    expect(await read("a.txt:raw:10-11")).toBe("line 10\nline 11");
    expect(await read("a.txt:10-11:raw")).toBe("line 10\nline 11");
    expect(await read("a.txt:10+1,12-12:raw")).toBe("line 10\nline 12");
    expect(await read("a.txt:raw")).toBe(lines(40, "line").trimEnd());
    expect(await read("a.txt:raw:-2")).toBe("line 39\nline 40");
  });

  it("raw gives no tag and shows no line to edit", async () => {
    const { details, refused } = await reader(FORTY);
    expect(await details("a.txt:raw:1-2")).toMatchObject({ tag: null, lines: { first: 1, last: 2 } });
    const { tag } = await details("a.txt:30-");
    expect(await refused(`¶a.txt#${tag}`, "delete 1..1")).toMatchObject({ code: "LINE_NOT_SHOWN" });
  });
});

describe("Selectors that make no sense", () => {
  it("say what is wrong and what to use", async () => {
    const { unread } = await reader(FORTY);
    const cases = {
      "0": "[SELECTOR_INVALID] The selector :0 starts at line 0, and lines are counted from 1. Use :1.",
      "0-5": "[SELECTOR_INVALID] The selector :0-5 starts at line 0, and lines are counted from 1. Use :1.",
      "3,0": "[SELECTOR_INVALID] The selector :0 starts at line 0, and lines are counted from 1. Use :1.",
      "9-5": "[SELECTOR_INVALID] The selector :9-5 ends before it starts. Use :5-9.",
      "5+0": "[SELECTOR_INVALID] The selector :5+0 asks for no lines. Use :5+1 for one line.",
      "-0": "[SELECTOR_INVALID] The selector :-0 asks for no lines. Use :-1 for the last line.",
      "99999999999999999999":
        "[SELECTOR_INVALID] The selector :99999999999999999999 has a number that no file reaches. Lines are counted from 1.",
      "raw:raw":
        "[SELECTOR_INVALID] The selector :raw:raw says the same thing twice. Name each of raw and the lines once: :raw:5-16,960-973.",
      "1-2:5-6":
        "[SELECTOR_INVALID] The selector :1-2:5-6 says the same thing twice. Name each of raw and the lines once: :raw:5-16,960-973.",
      "raw:conflicts":
        "[SELECTOR_INVALID] The selector :raw:conflicts mixes conflicts with something else. Use :conflicts by itself.",
    };
    const told = await Promise.all(
      Object.keys(cases).map(async (selector) => [selector, (await unread(`a.txt:${selector}`)).text]),
    );
    expect(Object.fromEntries(told)).toEqual(cases);
  });

  it("what is no selector is a part of the path", async () => {
    const { unread } = await reader(FORTY);
    for (const rest of ["bogus", "1-2-3", "1..2", "", "raw2", "5-6:"]) {
      expect(await unread(`a.txt:${rest}`)).toMatchObject({
        code: "PATH_NOT_FOUND",
        message: `Path not found: a.txt:${rest}`,
      });
    }
  });

  it("a fault is told of a file that was found by its end, too", async () => {
    const { unread } = await reader({ "src/deep/only.txt": "one\n" });
    expect(await unread("only.txt:9-5")).toMatchObject({ code: "SELECTOR_INVALID" });
  });
});

describe("An existing path wins over a selector", () => {
  it("x.ts:10 is a file, and lines of it come behind it", async () => {
    const { read } = await reader({ "x.ts": lines(20, "x"), "x.ts:10": "the file\n", "x.ts:raw": "raw\n" });
    expect(await read("x.ts:10")).toMatch(/^¶x\.ts:10#[0-9A-F]{4}\n1:the file$/);
    expect(await read("x.ts:10:1-1")).toMatch(/^¶x\.ts:10#/);
    expect(await read("x.ts:raw")).toMatch(/^¶x\.ts:raw#/);
    expect(shownRanges(await read("x.ts:11-11"))).toBe("10-14");
  });

  it("a.zip:b is a file, and the archive's other members stay members", async () => {
    const archive = zip([
      { name: "b", data: "member b\n" },
      { name: "c", data: "member c\n" },
    ]);
    const { read } = await reader({ "a.zip": archive, "a.zip:b": "the file\n" });
    expect(await read("a.zip:b")).toMatch(/^¶a\.zip:b#[0-9A-F]{4}\n1:the file$/);
    expect(await read("a.zip:c")).toBe("¶a.zip:c\n1|member c");
  });

  it("a folder whose name ends in lines is a folder", async () => {
    const { read } = await reader({ "src:1-2/a.txt": "" });
    expect(await read("src:1-2")).toMatch(/^# src:1-2\/\na\.txt {2}0B/);
  });
});

describe("Lines past the end", () => {
  it("are no error: the answer says where the end is and what to use", async () => {
    const { read, details } = await reader(FORTY);
    expect(notesIn(await read("a.txt:41"))).toEqual([
      "Line 41 is past the end, which is line 40. Use :40 for the last line, :1 for the beginning",
    ]);
    expect(await details("a.txt:41")).toMatchObject({ lines: null, nextSelector: null, truncated: false });
    expect(notesIn(await read("a.txt:raw:100-200"))).toEqual([
      "Line 100 is past the end, which is line 40. Use :40 for the last line, :1 for the beginning",
    ]);
  });

  it("beside lines that are there, those are shown", async () => {
    const { read } = await reader(FORTY);
    const text = await read("a.txt:2-3,50-60");
    expect(shownRanges(text)).toBe("1-6");
    expect(notesIn(text)).toHaveLength(1);
    expect(notesIn(await read("a.txt:39-60"))).toEqual([]);
  });

  it("in a file that is empty there is no line at all", async () => {
    const { read } = await reader({ "empty.txt": "" });
    for (const selector of ["", ":1", ":5-9", ":-3"]) {
      expect(await read(`empty.txt${selector}`)).toMatch(/^¶empty\.txt#[0-9A-F]{4}\n\[Empty file\]$/);
    }
    expect(await read("empty.txt:raw")).toBe("[Empty file]");
  });
});
