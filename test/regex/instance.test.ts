/** Bytes that are put to a pattern without a text being made of them. */
import { getHeapStatistics } from "node:v8";
import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { collect } from "../../src/index/give-back.ts";
import { REGEX_INSTANCE } from "../../src/model/limits.ts";
import { build, instanceNumber, isMatchIn } from "../../src/regex/instance.ts";
import { textMatcher } from "../../src/regex/matcher.ts";
import { PATTERN } from "../support/query.ts";
import { Undecided } from "../../src/regex/text-match.ts";

describe("A pattern", () => {
  it("matches bytes where it matches their text, whatever the letters", () => {
    const seen = { matched: 0, other: 0 };
    const patterns = ["\\w\\s\\w", "^$", "é|ß", "\\p{Greek}", "a+b", "\\bx\\b"].map(build);
    const text = string({ unit: constantFrom("a", "b", "x", " ", "\n", "é", "Ω", "😀") });
    assert(
      property(constantFrom(...patterns), text, (regex, text) => {
        const matches = regex.isMatch(text);
        seen[matches ? "matched" : "other"] += 1;
        expect(isMatchIn(regex, Buffer.from(text))).toBe(matches);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(seen.matched, seen.other)).toBeGreaterThan(200);
  });

  it("takes no memory for good, however many texts it is asked for", () => {
    const regex = build("needle");
    const text = Buffer.alloc(1024 * 1024, "hay ");
    for (let time = 0; time < 200; time++) expect(isMatchIn(regex, text)).toBe(false);
    expect(isMatchIn(regex, Buffer.concat([text, Buffer.from("needle")]))).toBe(true);
  });

  it("is put to no bytes that are no text: Rust believes that they are", () => {
    expect(() => isMatchIn(build("a"), Buffer.from([0x61, 0xff]))).toThrow(Undecided);
  });
});

describe("An instance that is full", () => {
  /** Such as take much of it. */
  const ask = (at: number): void => {
    const text = `\\w+ of ${at}`;
    expect(textMatcher({ ...PATTERN, text, source: text }).kind).toBe("matcher");
  };

  it("is kept by none of the matchers that are remembered once there is another", async () => {
    ask(0);
    const start = getHeapStatistics().external_memory;
    const first = instanceNumber();
    let at = 0;
    while (instanceNumber() < first + 3) ask(++at);
    ask(++at);
    await vi.waitFor(() => {
      collect();
      collect({ type: "minor" });
      expect(getHeapStatistics().external_memory).toBeLessThan(start + REGEX_INSTANCE / 2);
    });
  });
});
