/** Names that answers print in quotes are understood as inputs. */
import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteName } from "../../src/format/escape.ts";
import { readEntries } from "../../src/workspace/entries.ts";
import { readQuotedName } from "../../src/workspace/quoted-name.ts";

describe("a quoted name", () => {
  it("reads back as the name it was made from", () => {
    const names = string({ unit: "binary", minLength: 1 }).filter((name) => !/\p{Surrogate}/u.test(name));
    assert(
      property(names, (name) => {
        const printed = quoteName(name);
        expect(printed === name ? name : readQuotedName(printed)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps the selector behind it", () => {
    expect(readQuotedName('"a\\nb":5-16')).toBe("a\nb:5-16");
  });

  it("is none where the bytes are no text, or there is no closing quote", () => {
    for (const text of ['"\\xff"', '"a', "a", '""', '"a" "b"', '"\\u{110000}"']) {
      expect([text, readQuotedName(text)]).toEqual([text, null]);
    }
  });

  it("counts only if there is such a file: backslashes may be a path's own", async () => {
    const reader = (there: readonly string[]) => ({
      home: "/home/me",
      exists: async (entry: string) => there.includes(entry),
    });
    expect(await readEntries('"a\\nb.txt"', reader(["a\nb.txt"]))).toEqual(["a\nb.txt"]);
    expect(await readEntries('"C:\\new"', reader(["C:\\new"]))).toEqual(["C:\\new"]);
  });
});
