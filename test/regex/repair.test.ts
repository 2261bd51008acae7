import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "../../src/regex/compile.ts";
import { escapeBraces, escapeParentheses } from "../../src/regex/repair.ts";
import { tokenize } from "../../src/regex/tokens.ts";
import { anyPattern, soundPattern } from "./patterns.ts";

const raw = String.raw;

describe("tokenize", () => {
  it("loses nothing of a pattern", () => {
    fc.assert(
      fc.property(fc.oneof(anyPattern, fc.string({ unit: "binary" })), (pattern) => {
        expect(
          tokenize(pattern)
            .map(({ text }) => text)
            .join(""),
        ).toBe(pattern);
      }),
    );
  });

  it("is linear in the length of a pattern", () => {
    const hostile = ["\\p{", "(?P<a", "[[:a", "{1,", "{ ", "[^-", "(?i", "{1, "].map((piece) =>
      piece.repeat(100_000),
    );
    for (const pattern of [...hostile, `{1,${" ".repeat(300_000)}`]) {
      const start = performance.now();
      tokenize(`a${pattern}`);
      expect(performance.now() - start).toBeLessThan(1_000);
    }
  });
});

describe("escapeBraces", () => {
  it.each([
    ["interface{}", raw`interface\{\}`],
    ["${platform}", raw`\$\{platform\}`],
    [raw`\${platform}`, raw`\$\{platform\}`],
    ["{{ name }}", raw`\{\{ name \}\}`],
    ["{{2}}", raw`\{\{2\}\}`],
    ["a{,5}", raw`a\{,5\}`],
    ["a{3,2}", raw`a\{3,2\}`],
    ["a{99999999999}", raw`a\{99999999999\}`],
    ["a{2", raw`a\{2`],
    ["{2}", raw`\{2\}`],
    ["a|{2}", raw`a|\{2\}`],
    ["({2})", raw`(\{2\})`],
    ["(?i){2}", raw`(?i)\{2\}`],
    [raw`\b{here}`, raw`\b\{here\}`],
    [raw`\w{2}{x}`, raw`\w{2}\{x\}`],
  ])("takes the braces of %s as text", (pattern, repaired) => {
    expect(escapeBraces(pattern)).toBe(repaired);
    expect(parse(repaired).kind).toBe("valid");
  });

  it.each([
    "a{2}",
    "a{2,}",
    "a{2,4}",
    "a{ 2 , 4 }",
    "^{2}",
    "(a){2}",
    "[a]{2}{3}",
    "[{}]",
    "[]{}]",
    "[a[{]}]",
    "[[:alpha:]{}]",
    raw`\{\}`,
    raw`\p{Greek}\P{L}\x{41}\u{41}\U{41}`,
    raw`\b{start}\b{end}\b{start-half}\b{end-half}`,
    raw`\b{2}`,
    "$",
  ])("leaves %s as it is", (pattern) => {
    expect(escapeBraces(pattern)).toBe(pattern);
    expect(parse(pattern).kind).toBe("valid");
  });

  it("changes no pattern that parses and has no brace for text", () => {
    fc.assert(
      fc.property(soundPattern, (pattern) => {
        fc.pre(parse(pattern).kind === "valid");
        expect(escapeBraces(pattern)).toBe(pattern);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("escapeParentheses", () => {
  it.each([
    ["foo(", raw`foo\(`],
    ["foo)", raw`foo\)`],
    ["a(b(c)", raw`a\(b\(c\)`],
    [raw`\(a(`, raw`\(a\(`],
    ["[(]a(", raw`[(]a\(`],
    ["(?i)foo(", raw`(?i)foo\(`],
    ["(?s-m)a)", raw`(?s-m)a\)`],
    ["a(?:b", raw`a\(\?:b`],
    ["a(?P<n>b", raw`a\(\?P<n>b`],
  ])("takes the parentheses of %s as text", (pattern, repaired) => {
    expect(escapeParentheses(pattern)).toBe(repaired);
    expect(parse(repaired).kind).toBe("valid");
  });
});
