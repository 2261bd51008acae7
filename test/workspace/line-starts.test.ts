import { array, assert, constantFrom, nat, oneof, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LinePlace,
  type LineStarts,
  narrowStarts,
  newlinesIn,
  wideStarts,
} from "../../src/workspace/line-starts.ts";

const NEWLINE = 0x0a;

/** One after the other. */
function placesOf(bytes: Buffer, from: number): LinePlace[] {
  const places: LinePlace[] = [];
  for (let start = from; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline === -1 ? bytes.length : newline + 1;
    places.push({ line: places.length + 1, start, next });
    start = next;
  }
  return places;
}

/** Short lines, empty ones, and some that are longer than what is counted together. */
const parts = array(
  oneof(
    { weight: 12, arbitrary: constantFrom("\n", "a\n", "some text of a line\n", "\r\n", "b") },
    { weight: 1, arbitrary: constantFrom(`${"x".repeat(9_000)}\n`, "y\n".repeat(3_000), "\n".repeat(5_000)) },
  ),
  { maxLength: 30 },
);

/** A place by its line, or by a byte; both as a share of all there are. */
const asked = array(tuple(constantFrom("line", "byte"), nat(1_000)), { minLength: 1, maxLength: 20 });

function laid(text: string, shift: number): Buffer {
  const bytes = Buffer.alloc(Buffer.byteLength(text) + shift);
  bytes.write(text, shift);
  return bytes.subarray(shift);
}

describe("Where lines start", () => {
  it("is found in whatever order it is asked for", () => {
    const law = property(parts, asked, nat(3), nat(3), (given, questions, shift, from) => {
      // No byte of a mark is a newline.
      const bytes = laid(`${"~".repeat(from)}${given.join("")}`, shift);
      const places = placesOf(bytes, from);
      const starts: LineStarts = narrowStarts(bytes, from);
      for (const [kind, share] of questions) {
        const line = Math.floor((share * (places.length + 2)) / 1_000);
        const byte = Math.floor((share * bytes.length) / 1_001);
        const [told, is] =
          kind === "line"
            ? [starts.place(line), places[line - 1] ?? null]
            : [starts.around(byte), places.find(({ next }) => next > Math.max(byte, from))];
        // Of no bytes there is nothing to be around.
        expect(told).toEqual(is ?? told);
      }
      expect(starts.count()).toBe(places.length);
    });
    assert(law, { numRuns: 300 });
  });

  it("is told for a byte behind the last newline, where there is no line", () => {
    const starts = narrowStarts(Buffer.from("a\nb\n"), 0);
    expect(starts.around(4)).toEqual({ line: 3, start: 4, next: 4 });
    expect(starts.place(3)).toBeNull();
    expect(starts.place(2)).toEqual({ line: 2, start: 2, next: 4 });
  });

  it("is the same in UTF-16, two bytes for one", () => {
    const law = property(parts, asked, (given, questions) => {
      const text = given.join("").slice(0, 20_000);
      const [narrow, wide] = [Buffer.from(text), Buffer.from(text, "utf16le")];
      const [one, other] = [narrowStarts(narrow, 0), wideStarts(wide, 0, 0)];
      for (const [kind, share] of questions) {
        const at = Math.floor((share * narrow.length) / 1_001);
        const [said, again] =
          kind === "line" ? [one.place(at), other.place(at)] : [one.around(at), other.around(at * 2)];
        expect(again).toEqual(said && { line: said.line, start: said.start * 2, next: said.next * 2 });
      }
    });
    assert(law, { numRuns: 100 });
  });
});

it("newlines are counted whatever the bytes, and wherever they lie", () => {
  const law = property(array(nat(255), { maxLength: 3_000 }), nat(7), nat(9), (given, shift, from) => {
    const bytes = Buffer.from([...Array.from({ length: shift }, () => 0), ...given]).subarray(shift);
    const to = Math.max(from, bytes.length - 3);
    const part = bytes.subarray(from, to);
    expect(newlinesIn(bytes, Math.min(from, bytes.length), Math.min(to, bytes.length))).toBe(
      part.filter((byte) => byte === NEWLINE).length,
    );
  });
  assert(law, { numRuns: 300 });
  const full = Buffer.alloc(8_192, NEWLINE);
  expect(newlinesIn(full, 0, full.length)).toBe(8_192);
});
