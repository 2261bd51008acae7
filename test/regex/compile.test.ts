import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { compile, parse } from "../../src/regex/compile.ts";
import { anyPattern } from "./patterns.ts";
import { plant, type Tree } from "./ripgrep.ts";

const MB = 1024 * 1024;

declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };

describe("compile", () => {
  it("gives a matcher with Rust's meaning", () => {
    const compiled = compile(String.raw`(?i)^straße\d+$`);
    expect(compiled.kind === "matcher" && compiled.isMatch("STRAßE42")).toBe(true);
    expect(compiled.kind === "matcher" && compiled.isMatch("strasse42")).toBe(false);
  });

  it("gives the parser's own words, with the caret under the place", () => {
    expect(parse("foo(")).toEqual({
      kind: "invalid",
      error: "regex parse error:\n    foo(\n       ^\nerror: unclosed group",
    });
    expect(compile("foo(")).toEqual(parse("foo("));
  });

  it("leaves to ripgrep what is too large for it or matches bytes that are no text", () => {
    expect(compile(String.raw`\w{10000}{1000}`)).toEqual({ kind: "undecided" });
    expect(parse(String.raw`(?-u)\xff`)).toEqual({ kind: "undecided" });
  });

  it("reads a large repetition without building it", () => {
    expect(parse(String.raw`\w{10000}{1000}`)).toEqual({ kind: "valid" });
  });

  it("refuses a pattern that is only balanced by the group ripgrep puts around it", () => {
    expect(parse("a)(b").kind).toBe("invalid");
    expect(parse(String.raw`a\)[)](b)`).kind).toBe("valid");
    expect(parse("(?x)a # :)").kind).toBe("valid");
  });

  it("leaves to ripgrep what would take the parser long, and parses the rest", () => {
    const kinds = [
      `(?i)${"[^\\w]".repeat(800)}`,
      `(?i)${"\\pL".repeat(20_000)}`,
      "(".repeat(100_000),
      "[".repeat(100_000),
      "a{9}".repeat(900),
      `((((((\\w{99}){99}){99}){99}){99}){99})`,
      `a${"*".repeat(4_000)}`,
    ].map((pattern) => parse(pattern).kind);
    expect(kinds).toEqual(["undecided", "undecided", "undecided", "undecided", "valid", "valid", "invalid"]);
  });

  it("keeps a matcher working after the instance it was built in was replaced", () => {
    const early = compile("^early$");
    for (let i = 0; i < 60; i += 1) compile(String.raw`late${i}\w{10}`);
    expect(early.kind === "matcher" && early.isMatch("early")).toBe(true);
    expect(early.kind === "matcher" && early.isMatch("late")).toBe(false);
  });

  it("holds its memory over 2,000 patterns, of which each loses a part for good", () => {
    compile("(warm)");
    const before = process.memoryUsage.rss();
    for (let i = 0; i < 2_000; i += 1) {
      expect(compile(String.raw`name${i}\w+(a|b)?`).kind).toBe("matcher");
    }
    expect((process.memoryUsage.rss() - before) / MB).toBeLessThan(150);
  });

  it("loads nothing before the first pattern, and the module once", async () => {
    vi.resetModules();
    const load = vi.spyOn(WebAssembly, "Module");
    const fresh = await import("../../src/regex/compile.ts");
    expect(load).toHaveBeenCalledTimes(0);
    for (let i = 0; i < 60; i += 1) fresh.compile(String.raw`name${i}\w{10}`);
    expect(load).toHaveBeenCalledTimes(1);
    load.mockRestore();
  });
});

describe("against ripgrep", () => {
  let tree: Tree;
  beforeAll(() => {
    tree = plant({ file: "some text\n" });
  });
  afterAll(() => tree.remove());

  it("finds the syntax errors that ripgrep finds, and no others", () => {
    fc.assert(
      fc.property(anyPattern, (pattern) => {
        const ours = parse(pattern);
        fc.pre(ours.kind !== "undecided");
        // ripgrep puts a group around the pattern, which can balance a parenthesis that was never opened.
        fc.pre(ours.kind !== "invalid" || !ours.error.endsWith("unopened group"));
        const { stderr } = tree.rg(`--regexp=${pattern}`, "file");
        expect(ours.kind === "invalid").toBe(stderr.includes("regex parse error"));
      }),
      { numRuns: 400 },
    );
  });
});
