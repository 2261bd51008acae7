import { array, assert, boolean, constantFrom, property, string, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { textLines } from "../../src/workspace/text-lines.ts";

function all(bytes: Buffer): string[] {
  const lines = textLines(bytes);
  const texts: string[] = [];
  for (let number = 1; ; number += 1) {
    const text = lines.line(number);
    if (text === null) return texts;
    texts.push(text);
  }
}

/** By the rule: each newline ends a line, and takes a return right before it with it. */
function split(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => line.replace(/\r$/, "")), ...(last === "" ? [] : [last])];
}

const text = string({
  unit: constantFrom("a", "\n", "\r", "é", "😀", "\u2028", "\v", "\0", "\t"),
  maxLength: 40,
});

describe("The lines of a file", () => {
  it("are what newlines end", () => {
    expect(all(Buffer.from("a\nb"))).toEqual(["a", "b"]);
    expect(all(Buffer.from("a\r\nb\r\n"))).toEqual(["a", "b"]);
    expect(all(Buffer.from("a\rb\r"))).toEqual(["a\rb\r"]);
    expect(all(Buffer.from("\n\n"))).toEqual(["", ""]);
    expect(all(Buffer.from("\r\n"))).toEqual([""]);
    expect(all(Buffer.from("a\r\r\n"))).toEqual(["a\r"]);
    expect(all(Buffer.from(""))).toEqual([]);
  });

  it("are those of the text, whatever its characters", () => {
    assert(
      property(text, (text) => {
        expect(all(Buffer.from(text))).toEqual(split(text));
        expect(textLines(Buffer.from(text)).count()).toBe(split(text).length);
      }),
    );
  });

  it("are the same with a byte order mark, in UTF-8 and in both kinds of UTF-16", () => {
    assert(
      property(text, (text) => {
        const little = Buffer.from(`\ufeff${text}`, "utf16le");
        for (const bytes of [Buffer.from(`\ufeff${text}`), little, Buffer.from(little).swap16()]) {
          expect(all(bytes)).toEqual(split(text));
        }
      }),
    );
  });

  it("have replacements for bytes that are not UTF-8, line by line", () => {
    expect(all(Buffer.from("caf\xe9\nna\xefve\n", "latin1"))).toEqual(["caf\ufffd", "na\ufffdve"]);
    assert(
      property(uint8Array({ maxLength: 40 }), (noise) => {
        const bytes = Buffer.from([0x61, ...noise]);
        // A newline is no part of any other character, so that lines may be cut first and decoded then.
        expect(all(bytes)).toEqual(
          split(bytes.toString("latin1")).map((line) => Buffer.from(line, "latin1").toString()),
        );
      }),
    );
  });

  it("are found whichever is asked for first", () => {
    assert(
      property(array(constantFrom("a", "b", ""), { maxLength: 20 }), boolean(), (parts, last) => {
        const content = parts.join("\n") + (last ? "\n" : "");
        const lines = textLines(Buffer.from(content));
        const expected = split(content);
        for (let number = expected.length + 1; number > 0; number -= 1)
          expect(lines.line(number)).toBe(expected[number - 1] ?? null);
        expect(lines.line(1)).toBe(expected[0] ?? null);
      }),
    );
  });

  it("are counted from 1", () => {
    expect(textLines(Buffer.from("a\n")).line(0)).toBeNull();
    expect(textLines(Buffer.from("a\n")).line(-1)).toBeNull();
  });
});
