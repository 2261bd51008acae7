import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  nat,
  option,
  record,
  string,
  uint8Array,
} from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LineRange } from "../../src/model/selector.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { mergeRanges } from "../../src/workspace/line-set.ts";
import { type StreamedLines, streamLines, tailLines } from "../../src/workspace/line-stream.ts";
import { tree } from "../support/tree.ts";
import { codeOf } from "./ground.ts";

const PLENTY = { lines: 1e6, bytes: 1e9 };

async function opened(
  content: string | Buffer,
): Promise<{ readonly file: FileHandle; readonly path: string }> {
  const path = join(tree({ f: content }), "f");
  const file = await open(path);
  onTestFinished(() => file.close());
  return { file, path };
}

async function read(
  content: string | Buffer,
  ranges: readonly LineRange[],
  budget = PLENTY,
  chunk = 4,
): Promise<StreamedLines> {
  return streamLines((await opened(content)).file, ranges, budget, undefined, chunk);
}

async function tail(
  content: string | Buffer,
  count: number,
  budget = PLENTY,
  chunk = 4,
): Promise<StreamedLines> {
  return tailLines((await opened(content)).file, count, budget, undefined, chunk);
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

const texts = ({ lines }: StreamedLines): string[] => lines.map(({ text }) => text);
const numbers = ({ lines }: StreamedLines): number[] => lines.map(({ line }) => line);
const ALL: readonly LineRange[] = [{ first: 1, last: null }];

describe("The lines of a file that is not held", () => {
  it("are those of the ranges, and the end is known only where it was reached", async () => {
    const content = "one\ntwo\nthree\nfour\nfive\n";
    const some = await read(content, [
      { first: 2, last: 2 },
      { first: 4, last: 4 },
    ]);
    expect(some).toEqual({
      lines: [
        { line: 2, text: "two", whole: true },
        { line: 4, text: "four", whole: true },
      ],
      total: null,
    });
    expect((await read(content, [{ first: 4, last: 5 }])).total).toBe(5);
    expect(await read(content, [{ first: 6, last: 9 }])).toEqual({ lines: [], total: 5 });
    expect(await read("", ALL)).toEqual({ lines: [], total: 0 });
    expect(await read("a\nb", [{ first: 2, last: 2 }])).toEqual({
      lines: [{ line: 2, text: "b", whole: true }],
      total: 2,
    });
  });

  it("end where the budget ends, the last one cut at a whole character", async () => {
    const content = "aaaa\nöööö\ncccc\n";
    expect(await read(content, ALL, { lines: 2, bytes: 99 })).toMatchObject({ lines: [{}, {}], total: null });
    expect(await read(content, ALL, { lines: 3, bytes: 99 })).toMatchObject({
      lines: [{}, {}, {}],
      total: 3,
    });
    const cut = await read(content, ALL, { lines: 9, bytes: 9 });
    expect(cut.lines.at(-1)).toEqual({ line: 2, text: "öö", whole: false });
    expect(cut.total).toBeNull();
    expect((await read(content, ALL, { lines: 9, bytes: 4 })).lines).toHaveLength(1);
    expect((await read(content, ALL, { lines: 9, bytes: 12 })).lines.map(({ whole }) => whole)).toEqual([
      true,
      true,
    ]);
  });

  it("a cut line does not hide that the file goes on, whatever the chunk", async () => {
    for (const chunk of [2, 4, 8, 64]) {
      expect((await read("aaaaaaaaaa\nb\n", ALL, { lines: 9, bytes: 3 }, chunk)).total).toBeNull();
      expect(await read("x\naaaaaaaaaa\n", ALL, { lines: 9, bytes: 1 }, chunk)).toMatchObject({
        lines: [{}],
        total: null,
      });
    }
  });

  it("lose a carriage return only before a newline, also across chunks", async () => {
    for (const chunk of [2, 4, 6]) {
      expect(texts(await read("abc\r\ndef\r\n\r\nx\ry\r", ALL, PLENTY, chunk))).toEqual([
        "abc",
        "def",
        "",
        "x\ry\r",
      ]);
    }
    expect(await read("abcd\r\n", ALL, { lines: 9, bytes: 4 })).toMatchObject({
      lines: [{ text: "abcd", whole: true }],
    });
  });

  it("are decoded by their byte order mark", async () => {
    const text = "\ufeffgrün\r\n\u0a0a\u0a00\ufeff\n😀 end";
    const lines = ["grün", "\u0a0a\u0a00\ufeff", "😀 end"];
    for (const bytes of [Buffer.from(text), Buffer.from(text, "utf16le"), utf16be(text)]) {
      for (const chunk of [2, 4, 6, 64]) {
        expect(texts(await read(bytes, ALL, PLENTY, chunk))).toEqual(lines);
        expect(texts(await tail(bytes, 2, PLENTY, chunk))).toEqual(lines.slice(1));
      }
    }
    expect(await read(Buffer.from([0xff, 0xfe]), ALL)).toEqual({ lines: [], total: 0 });
    expect(texts(await read(Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a]), ALL))).toEqual(["", "\ufffd"]);
    expect(texts(await read(Buffer.from([0x61, 0xff, 0x0a]), ALL))).toEqual(["a\ufffd"]);
  });

  it("at the end of the file come with their numbers, the first of them if there are too many", async () => {
    const content = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join("");
    expect(numbers(await tail(content, 3))).toEqual([18, 19, 20]);
    expect(await tail(content, 10, { lines: 2, bytes: 99 })).toEqual({
      lines: [
        { line: 11, text: "line 11", whole: true },
        { line: 12, text: "line 12", whole: true },
      ],
      total: 20,
    });
    expect(numbers(await tail("a\nb", 9))).toEqual([1, 2]);
    expect(await tail("", 9)).toEqual({ lines: [], total: 0 });
  });
});

describe("The end of a long file", () => {
  it("is found behind every mark of the count, in the middle of a line and at its start", async () => {
    const content = Array.from({ length: 120 }, (_, at) => "x".repeat(at % 23)).join("\n");
    const whole = content.split("\n");
    const { file } = await opened(content);
    for (let count = 1; count <= 120; count++) {
      const { lines, total } = await tailLines(file, count, PLENTY, undefined, 2);
      expect(lines.map(({ text }) => text)).toEqual(whole.slice(-count));
      expect([total, lines[0]?.line]).toEqual([120, 121 - count]);
    }
  });
});

describe("A file that changes while it is read", () => {
  it("is read as far as it was when the reading began", async () => {
    const { file, path } = await opened("a\nb\n");
    const grown = streamLines(file, ALL, PLENTY, undefined, 2);
    appendFileSync(path, "c\n".repeat(1000));
    expect((await grown).lines.length).toBeLessThanOrEqual(1002);
    expect((await streamLines(file, ALL, PLENTY, undefined)).total).toBe(1002);
  });

  it("ends where it was cut off", async () => {
    const { file, path } = await opened("line\n".repeat(1000));
    const started = streamLines(file, [{ first: 900, last: null }], PLENTY, undefined, 8);
    truncateSync(path, 0);
    expect((await started).total).toBeLessThanOrEqual(1000);
  });

  it("is left at once when the caller aborts, and can be closed", async () => {
    const { file } = await opened("x".repeat(1 << 20));
    const abort = new AbortController();
    const started = streamLines(file, ALL, PLENTY, abort.signal, 16);
    abort.abort();
    expect(await codeOf(started)).toBe("ABORTED");
    expect(await codeOf(tailLines(file, 5, PLENTY, abort.signal, 16))).toBe("ABORTED");
  });

  it("a hole is one long line of which only the beginning is held", async () => {
    const { file, path } = await opened("first\n");
    truncateSync(path, 200 * 1024 * 1024);
    const before = process.memoryUsage().rss;
    const { lines, total } = await streamLines(file, ALL, { lines: 10, bytes: 1000 }, undefined);
    expect(lines.map(({ whole, text }) => [whole, text.length])).toEqual([
      [true, 5],
      [false, 995],
    ]);
    expect(total).toBeNull();
    expect((await tailLines(file, 1, { lines: 1, bytes: 10 }, undefined)).total).toBe(2);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("For any bytes, ranges, budgets and chunks", () => {
  const piece = constantFrom(
    "a",
    "bc",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "ü",
    "😀",
    "\u0a0a",
    "\ufeff",
    "\u{d83d}",
    "",
  );
  const content = constantFrom("utf8", "bom", "utf16le", "utf16be", "bytes").chain((coding) =>
    coding === "bytes"
      ? uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))
      : array(piece, { maxLength: 40 }).map((pieces) => encoded(pieces.join(""), coding)),
  );
  const ranges = array(record({ first: integer({ min: 1, max: 20 }), more: option(nat(6)) }), {
    maxLength: 3,
  }).map((list) =>
    mergeRanges(
      list.map(({ first, more }): LineRange => ({ first, last: more === null ? null : first + more })),
    ),
  );
  const budget = record({ lines: integer({ min: 1, max: 12 }), bytes: integer({ min: 1, max: 40 }) });
  const chunk = integer({ min: 1, max: 12 }).map((half) => half * 2);

  it("they are the lines of the whole text, cut by the budget", async () => {
    const path = join(tree(), "f");
    await assert(
      asyncProperty(content, ranges, budget, chunk, async (bytes, wanted, cap, size) => {
        writeFileSync(path, bytes);
        const file = await open(path);
        try {
          const whole = plain(bytes);
          const expected = cutTo(
            whole,
            (line) => wanted.some(({ first, last }) => first <= line && line <= (last ?? line)),
            cap,
          );
          const found = await streamLines(file, wanted, cap, undefined, size);
          expect(found.lines).toEqual(expected);
          // A line that was cut may or may not have been the end of what was read.
          const exact = found.lines.every((line) => line.whole);
          const total = stopOf(expected, wanted, cap) < whole.length ? null : whole.length;
          expect(exact ? found.total : total).toBe(total);
        } finally {
          await file.close();
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("so are the last ones", async () => {
    const path = join(tree(), "f");
    await assert(
      asyncProperty(content, integer({ min: 1, max: 30 }), budget, chunk, async (bytes, count, cap, size) => {
        writeFileSync(path, bytes);
        const file = await open(path);
        try {
          const whole = plain(bytes);
          const found = await tailLines(file, count, cap, undefined, size);
          expect(found.lines).toEqual(cutTo(whole, (line) => line > whole.length - count, cap));
          expect(found.total).toBe(whole.length);
        } finally {
          await file.close();
        }
      }),
      { numRuns: 500 },
    );
  });

  it("a page of plenty knows the end", async () => {
    await assert(
      asyncProperty(array(string(), { maxLength: 10 }), chunk, async (lines, size) => {
        const bytes = Buffer.from(lines.join("\n"));
        const path = join(tree({ f: bytes }), "f");
        const file = await open(path);
        const found = await streamLines(file, ALL, PLENTY, undefined, size);
        await file.close();
        expect(texts(found)).toEqual(plain(bytes));
        expect(found.total).toBe(plain(bytes).length);
      }),
      { numRuns: 200 },
    );
  });
});

function encoded(text: string, coding: "utf8" | "bom" | "utf16le" | "utf16be"): Buffer {
  if (coding === "utf16le") return Buffer.from(`\ufeff${text}`, "utf16le");
  if (coding === "utf16be") return utf16be(`\ufeff${text}`);
  return Buffer.from(coding === "bom" ? `\ufeff${text}` : text);
}

/** As a file that is held is read. */
function plain(bytes: Buffer): string[] {
  const lines = textLines(bytes);
  return Array.from({ length: lines.count() }, (_, at) => lines.line(at + 1) ?? "");
}

/** The line behind which nothing is wanted. */
function stopOf(
  lines: StreamedLines["lines"],
  ranges: readonly LineRange[],
  cap: { readonly lines: number; readonly bytes: number },
): number {
  const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (lines.length >= cap.lines || bytes >= cap.bytes) return lines.at(-1)?.line ?? 0;
  const last = ranges.at(-1);
  return last === undefined ? 0 : (last.last ?? Number.POSITIVE_INFINITY);
}

function cutTo(
  whole: readonly string[],
  wants: (line: number) => boolean,
  cap: { readonly lines: number; readonly bytes: number },
): { line: number; text: string; whole: boolean }[] {
  const kept: { line: number; text: string; whole: boolean }[] = [];
  let left = cap.bytes;
  for (const [at, text] of whole.entries()) {
    if (!wants(at + 1) || kept.length >= cap.lines || left <= 0) continue;
    let shown = text;
    while (Buffer.byteLength(shown) > left) shown = Array.from(shown).slice(0, -1).join("");
    kept.push({ line: at + 1, text: shown, whole: shown === text });
    left -= Buffer.byteLength(text);
  }
  return kept;
}
