/** A sketch is of the bytes of its file, and what is read by it are whole lines with those around them. */
import { type Arbitrary, array, assert, constantFrom, nat, property, record, string } from "fast-check";
import { hash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { NEWLINES_COUNTED, STREAM_CHUNK } from "../../src/model/limits.ts";
import { type Sketch, sketchOf, windowAround } from "../../src/workspace/sketch.ts";
import { textLines } from "../../src/workspace/text-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "quarry-sketch-"));
afterAll(() => rmSync(folder, { recursive: true }));

function sketched(bytes: Buffer, size: number = bytes.length): Sketch | null {
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  const fd = openSync(path, "r");
  try {
    return sketchOf(fd, size);
  } finally {
    closeSync(fd);
  }
}

/** Some lines again and again, so that letters and lines lie across every bound. */
const recipe = record({
  lines: array(string({ unit: constantFrom("a", "é", "漢", "😀", "\r", " ", "word"), maxLength: 30 }), {
    minLength: 1,
    maxLength: 6,
  }),
  widened: constantFrom(1, 1, 300),
  size: nat(3 * STREAM_CHUNK),
  end: constantFrom("", "\n", "last"),
});
type Recipe = typeof recipe extends Arbitrary<infer Value> ? Value : never;

function made({ lines, widened, size, end }: Recipe): Buffer {
  const once = `${lines.map((line, at) => (at === 0 ? line.repeat(widened) : line)).join("\n")}\n`;
  return Buffer.from(once.repeat(1 + Math.ceil(size / Buffer.byteLength(once))) + end);
}

describe("a sketch", () => {
  it("has the hash of the bytes and their newlines, wherever letters are cut", () => {
    const law = property(recipe, (given) => {
      const bytes = made(given);
      const sketch = sketched(bytes);
      expect(sketch?.hash).toBe(hash("sha256", bytes, "hex"));
      const counts = Array.from(sketch?.newlines ?? [], (_, chunk) =>
        bytes.subarray(0, chunk * NEWLINES_COUNTED).reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0),
      );
      expect([...(sketch?.newlines ?? [])]).toEqual(counts);
    });
    assert(law, { numRuns: 60 });
  });

  it("is of nothing that is no UTF-8, holds a NUL, or is shorter than it was", () => {
    const plain = Buffer.from("ü\n".repeat(STREAM_CHUNK));
    expect(sketched(plain)).not.toBeNull();
    for (const at of [0, STREAM_CHUNK - 1, STREAM_CHUNK, plain.length - 1]) {
      for (const byte of [0, 0xff, 0xc3, 0xe2]) {
        const odd = Buffer.from(plain);
        odd[at] = byte;
        // The first half of an ü may be put where it was.
        if (odd.equals(plain)) continue;
        expect([byte, at, sketched(odd)]).toEqual([byte, at, null]);
      }
    }
    expect(sketched(plain.subarray(0, -1))).not.toBeNull();
    expect(sketched(plain.subarray(0, -2), plain.length)).toBeNull();
    expect(sketched(Buffer.from(`${"a".repeat(STREAM_CHUNK - 1)}ü`).subarray(0, STREAM_CHUNK))).toBeNull();
  });

  it("tells what to read for lines and those around them", () => {
    const law = property(recipe, nat(), nat(40), nat(5), nat(5), (given, start, count, before, after) => {
      const bytes = made(given);
      const sketch = sketched(bytes);
      if (sketch === null) throw new Error("it is plain");
      const whole = textLines(bytes);
      const first = 1 + (start % whole.count());
      const last = Math.min(first + count, whole.count());
      const lines = { from: whole.span(first)?.start ?? 0, to: whole.span(last)?.next ?? 0 };
      const window = windowAround(sketch, lines, { before, after });
      const read = textLines(bytes.subarray(window.from, window.to));
      expect(window.first).toBeLessThanOrEqual(Math.max(1, first - before));
      expect(window.last).toBeGreaterThanOrEqual(Math.min(whole.count(), last + after));
      for (let line = window.first; line <= window.last; line++)
        expect(read.line(line - window.newlines)).toBe(whole.line(line));
    });
    assert(law, { numRuns: 300 });
  });

  it("has little read for a few lines of many", () => {
    const bytes = Buffer.from("twenty bytes a line\n".repeat(20_000));
    const sketch = sketched(bytes);
    if (sketch === null) throw new Error("it is plain");
    const { from, to } = windowAround(sketch, { from: 200_000, to: 208_000 }, { before: 1, after: 3 });
    expect(to - from).toBeLessThanOrEqual(8_000 + 4 * NEWLINES_COUNTED);
  });
});
