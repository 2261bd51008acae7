import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { parse } from "../../src/regex/compile.ts";
import { type PatternRequest, readPattern } from "../../src/regex/read.ts";
import { soundPattern } from "./patterns.ts";
import { plant, type Tree } from "./ripgrep.ts";

const raw = String.raw;

declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };

function request(pattern: string, more: Partial<PatternRequest> = {}): PatternRequest {
  return {
    pattern,
    literal: false,
    word: false,
    case: "sensitive",
    multiline: false,
    dotAll: false,
    ...more,
  };
}

/** What matters of a reading: the text, its syntax, and what was said. */
function read(pattern: string, more: Partial<PatternRequest> = {}): [string, string, ...string[]] {
  const { pattern: read, notices } = readPattern(request(pattern, more));
  return [read.text, read.syntax, ...notices.map(({ code }) => code)];
}

function refusal(pattern: string, more: Partial<PatternRequest> = {}): ToolError {
  try {
    readPattern(request(pattern, more));
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error(`${pattern} was not refused`);
}

describe("a pattern that parses", () => {
  it("is taken as it is, with everything that was asked for", () => {
    const asked = { word: true, case: "smart", multiline: true, dotAll: true } as const;
    expect(readPattern(request(raw`fo+\w{2}`, asked))).toEqual({
      pattern: { source: raw`fo+\w{2}`, text: raw`fo+\w{2}`, syntax: "rust", ...asked },
      notices: [],
    });
  });

  it("keeps the blanks at its ends", () => {
    expect(read("  a  ")).toEqual(["  a  ", "rust"]);
  });

  it("needs no parser when nothing in it can be wrong", async () => {
    vi.resetModules();
    const load = vi.spyOn(WebAssembly, "Module");
    const fresh = await import("../../src/regex/read.ts");
    for (const pattern of ["plain text", "^a.b|c$", "two\nlines", "é"]) fresh.readPattern(request(pattern));
    fresh.readPattern(request("a(b", { literal: true }));
    expect(load).toHaveBeenCalledTimes(0);
    fresh.readPattern(request("a(b)"));
    expect(load).toHaveBeenCalledTimes(1);
    load.mockRestore();
  });
});

describe("a literal", () => {
  it("is never parsed or repaired", () => {
    expect(read("foo({[\\", { literal: true })).toEqual(["foo({[\\", "literal"]);
  });

  it("is matched across lines when it holds a newline, and says so unless asked", () => {
    expect(readPattern(request("a\nb", { literal: true }))).toMatchObject({
      pattern: { multiline: true },
      notices: [{ code: "MULTILINE_USED" }],
    });
    expect(readPattern(request("a\nb", { literal: true, multiline: true })).notices).toEqual([]);
    expect(readPattern(request(raw`a\nb`, { literal: true })).pattern.multiline).toBe(false);
  });
});

describe("a pattern in either case", () => {
  it("is matched across lines where ripgrep would refuse its newline only then", () => {
    expect(readPattern(request(raw`(a|\n)a`)).pattern.multiline).toBe(false);
    expect(readPattern(request(raw`(a|\n)a`, { case: "insensitive" })).pattern.multiline).toBe(true);
    expect(readPattern(request("plain", { case: "insensitive" })).pattern.multiline).toBe(false);
  });
});

describe("a pattern that does not parse", () => {
  it.each([
    ["interface{}", raw`interface\{\}`],
    ["${platform}", raw`\$\{platform\}`],
    ["foo(", raw`foo\(`],
    ["if (x) {", raw`if (x) \{`],
    ["foo({", raw`foo\(\{`],
    ["a) {x}", raw`a\) \{x\}`],
    ["a)(b", raw`a\)\(b`],
  ])("is read differently: %s as %s", (pattern, text) => {
    expect(read(pattern)).toEqual([text, "rust", "PATTERN_REPAIRED"]);
  });

  it("is shown as it was read, with what was wrong", () => {
    const [notice] = readPattern(request("foo(")).notices;
    expect(notice?.message).toBe(
      raw`The pattern does not parse as given (unclosed group); it was read as: foo\(`,
    );
  });

  it.each(["[z-a]", "*a", "foo(*b)", raw`\p{Nope}`, "arr[", raw`C:\qux`, "(?q)a", "[a{x}"])(
    "is refused when no repair makes it parse: %s",
    (pattern) => {
      expect(refusal(pattern)).toMatchObject({
        code: "INVALID_PATTERN",
        hint: expect.stringContaining("literal"),
      });
    },
  );

  it("is refused with the error of the pattern as given, the caret under the place", () => {
    expect(refusal("${x}[z-a]").message).toBe(
      "The pattern does not parse. regex parse error:\n    ${x}[z-a]\n      ^\n" +
        "error: repetition quantifier expects a valid decimal",
    );
  });

  it.each(["", " ", "\n\t "])("is refused when blank: %j", (pattern) => {
    expect(refusal(pattern)).toMatchObject({ code: "INVALID_PATTERN", message: "The pattern is empty" });
    expect(refusal(pattern, { literal: true }).hint).toBeTruthy();
  });

  it("is refused when it holds a NUL, which no argument can", () => {
    expect(refusal("a\0b", { literal: true })).toMatchObject({ code: "INVALID_PATTERN" });
  });
});

describe("a pattern for PCRE2", () => {
  it.each([
    "foo(?=bar)",
    "(?!a)b",
    "(?<=a)b",
    "(?<!a)b",
    raw`(a)\1`,
    raw`(?P<n>a)(?P=n)`,
    raw`(?<n>a)\k<n>`,
    raw`(?<n>a)\k{n}`,
    raw`(a)\g{1}`,
    "(?>a+)b",
  ])("is told by what Rust's parser does not know: %s", (pattern) => {
    expect(read(pattern)).toEqual([pattern, "pcre2", "PCRE2_USED"]);
  });

  it("can come to light by a repair", () => {
    expect(read("${x}(?=y)")).toEqual([raw`\$\{x\}(?=y)`, "pcre2", "PATTERN_REPAIRED", "PCRE2_USED"]);
  });

  it.each([raw`\k is no reference`, raw`C:\git\kernel`, raw`[\k<a>]`])("is not seen in %s", (pattern) => {
    expect(refusal(pattern).code).toBe("INVALID_PATTERN");
  });

  it("is matched across lines when it holds a newline outside a class", () => {
    expect(read(raw`a(?=\n)`)).toContain("MULTILINE_USED");
    expect(read("a(?=\n)")).toContain("MULTILINE_USED");
    expect(read(raw`a(?=[^\n])`)).not.toContain("MULTILINE_USED");
    expect(read(raw`a(?=\\n)`)).not.toContain("MULTILINE_USED");
  });
});

describe("a newline in a pattern", () => {
  it.each([
    raw`a\nb`,
    "a\nb",
    "a+\nb",
    raw`\x0a`,
    raw`\x{00A}x`,
    raw`\u000a`,
    raw`[\n]`,
    raw`(ab|\n)*`,
    raw`\w{300}\n`,
  ])("turns multiline on: %j", (pattern) => {
    expect(readPattern(request(pattern))).toMatchObject({
      pattern: { multiline: true, text: pattern },
      notices: [{ code: "MULTILINE_USED" }],
    });
  });

  it.each([
    raw`a\s+b`,
    raw`(a|\n)b`,
    raw`\w\n|\wb`,
    raw`[^\n]a`,
    raw`[\r\n]`,
    raw`a\n{0}`,
    raw`\\n`,
    "(?x) a\n b+",
  ])("does not when ripgrep takes it line by line: %j", (pattern) => {
    expect(readPattern(request(pattern))).toMatchObject({ pattern: { multiline: false }, notices: [] });
  });

  it("is decided on the text of a pattern too large to parse", () => {
    const large = "x*".repeat(3_000);
    expect(read(raw`${large}\n`)).toEqual([raw`${large}\n`, "rust", "MULTILINE_USED"]);
    expect(read(raw`${large}[^\n]`)).toEqual([raw`${large}[^\n]`, "rust"]);
  });

  it("says nothing when multiline was asked for", () => {
    expect(read(raw`a\nb`, { multiline: true })).toEqual([raw`a\nb`, "rust"]);
  });
});

describe("against ripgrep", () => {
  let tree: Tree;
  beforeAll(() => {
    tree = plant({ file: "const x = `${platform}`\nvar y interface{}\ncall(a) {\n" });
  });
  afterAll(() => tree.remove());

  it.each([
    ["${platform}", 1],
    ["interface{}", 2],
    ["call(a) {", null],
    ["call(", 3],
  ])("a repaired %s finds its own text", (pattern, line) => {
    const { stdout } = tree.rg("-n", `--regexp=${readPattern(request(pattern)).pattern.text}`, "file");
    expect(stdout === "" ? null : Number.parseInt(stdout, 10)).toBe(line);
  });

  it("turns multiline on exactly where ripgrep refuses a newline without it", () => {
    fc.assert(
      fc.property(soundPattern, (pattern) => {
        fc.pre(pattern.trim() !== "" && parse(pattern).kind === "valid");
        const { stderr } = tree.rg(`--regexp=${pattern}`, "file");
        const refused = stderr.includes(raw`literal "\n" is not allowed`);
        expect(readPattern(request(pattern)).pattern.multiline).toBe(refused);
      }),
      { numRuns: 400 },
    );
  });
});
