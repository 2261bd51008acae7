import { array, assert, constantFrom, nat, property, record, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { applySplices, type Splice } from "../../src/edit/splice.ts";
import { ToolError } from "../../src/model/errors.ts";
import { textLines } from "../../src/workspace/text-lines.ts";

/** A file as lines with their terminators, in an encoding: the plain model that the bytes are held against. */
interface Model {
  readonly lines: readonly (readonly [text: string, end: string])[];
  readonly encoding: "utf-8" | "utf-8 mark" | "utf-16le" | "utf-16be";
}

const letters = string({ unit: constantFrom("a", "b", " ", "é", "😀", "\t", "}"), maxLength: 5 });
const model = record({
  lines: tuple(
    array(tuple(letters, constantFrom("\n", "\r\n")), { maxLength: 8 }),
    constantFrom(true, false),
  ),
  encoding: constantFrom("utf-8", "utf-8 mark", "utf-16le", "utf-16be"),
}).map(({ lines: [lines, ended], encoding }): Model => {
  const last = lines.at(-1);
  // Without its terminator an empty last line would be none.
  if (ended || last === undefined || last[0] === "") return { lines, encoding };
  return { lines: [...lines.slice(0, -1), [last[0], ""]], encoding };
});

function bytesOf({ lines, encoding }: Model): Buffer {
  const text = lines.map(([line, end]) => line + end).join("");
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-8 mark") return Buffer.from(`\ufeff${text}`);
  const wide = Buffer.from(`\ufeff${text}`, "utf16le");
  return encoding === "utf-16le" ? wide : wide.swap16();
}

/** Random splices, in order and apart, over so many lines. */
function splicesOver(
  count: number,
  seeds: readonly (readonly [number, number, readonly string[]])[],
): Splice[] {
  const splices: Splice[] = [];
  let at = 1;
  for (const [gap, size, body] of seeds) {
    at += gap % 3;
    if (at > count + 1) break;
    const remove = Math.min(size % 3, count + 1 - at);
    if (remove === 0 && body.length === 0) continue;
    splices.push({ at, remove, body });
    at += Math.max(remove, 1);
  }
  return splices;
}

function expected({ lines, encoding }: Model, splices: readonly Splice[]): Model {
  const unended = lines.length > 0 && lines.at(-1)?.[1] === "";
  const known = lines.map(([, end]) => end);
  const like = (line: number): string =>
    [line, line - 1, line + 1, 1].map((near) => known[near - 1]).find((end) => end) ?? "\n";
  const result: [string, string][] = [];
  let done = 1;
  for (const { at, remove, body } of splices) {
    for (; done < at; done += 1) result.push([...(lines[done - 1] as [string, string])]);
    const before = result.at(-1);
    if (before !== undefined && before[1] === "" && body.length > 0) before[1] = like(at - 1);
    for (const [index, row] of body.entries()) {
      result.push([row, like(remove > 0 ? at + Math.min(index, remove - 1) : at - 1)]);
    }
    done = at + remove;
  }
  for (; done <= lines.length; done += 1) result.push([...(lines[done - 1] as [string, string])]);
  const last = result.at(-1);
  // A blank line without its newline would be none.
  if (unended && last !== undefined && last[0] !== "") last[1] = "";
  return { lines: result, encoding };
}

describe("A splice of lines", () => {
  it("leaves every other byte as it is, in every encoding and mix of line ends", () => {
    assert(
      property(
        model,
        array(tuple(nat(5), nat(5), array(letters, { maxLength: 3 })), { maxLength: 4 }),
        (file, seeds) => {
          const splices = splicesOver(file.lines.length, seeds);
          const result = applySplices(textLines(bytesOf(file)), splices, "a");
          expect(result.toString("hex")).toBe(bytesOf(expected(file, splices)).toString("hex"));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a\nb", [{ at: 3, remove: 0, body: ["c"] }], "a\nb\nc"],
    ["a\r\nb", [{ at: 3, remove: 0, body: ["c"] }], "a\r\nb\r\nc"],
    ["a\nb", [{ at: 2, remove: 1, body: [] }], "a"],
    ["a\n\nb", [{ at: 3, remove: 1, body: [] }], "a\n\n"],
    ["a\nb", [{ at: 2, remove: 1, body: ["x", ""] }], "a\nx\n\n"],
    ["a\nb\n", [{ at: 2, remove: 1, body: [] }], "a\n"],
    [
      "a\nb",
      [
        { at: 1, remove: 2, body: [] },
        { at: 3, remove: 0, body: ["x"] },
      ],
      "x",
    ],
    ["", [{ at: 1, remove: 0, body: ["x"] }], "x\n"],
    ["a", [{ at: 1, remove: 0, body: ["x"] }], "x\na"],
    ["a\n\r\n", [{ at: 3, remove: 0, body: ["x"] }], "a\n\r\nx\r\n"],
  ])("makes of %j what is meant", (before, splices, after) => {
    expect(applySplices(textLines(Buffer.from(before)), splices, "a").toString()).toBe(after);
  });

  it("puts nothing behind half a character", () => {
    const text = textLines(Buffer.from("\ufeffone\ntwo", "utf16le").subarray(0, -1));
    const changed = applySplices(text, [{ at: 1, remove: 1, body: ["1"] }], "a");
    expect(changed.equals(Buffer.from("\ufeff1\ntwo", "utf16le").subarray(0, -1))).toBe(true);
    expect(() => applySplices(text, [{ at: 3, remove: 0, body: ["3"] }], "a")).toThrow("half a character");
  });

  it("changes lines of ASCII in a file of an unknown encoding, and no others", () => {
    const text = textLines(Buffer.from("one\ncaf\xe9\nthree\n", "latin1"));
    const changed = applySplices(text, [{ at: 3, remove: 1, body: ["3"] }], "a");
    expect(changed.toString("latin1")).toBe("one\ncaf\xe9\n3\n");
    const refused = (splice: Splice) => () => applySplices(text, [splice], "a");
    expect(refused({ at: 2, remove: 1, body: ["cafe"] })).toThrow(ToolError);
    expect(refused({ at: 1, remove: 1, body: ["é"] })).toThrow("not UTF-8");
    expect(refused({ at: 1, remove: 1, body: ["\ud800"] })).toThrow(ToolError);
    expect(refused({ at: 1, remove: 1, body: ["\0"] })).toThrow("NUL");
  });
});
