import { describe, expect, it } from "vitest";
import { languageOf } from "../../src/syntax/language.ts";

describe("the language of a file", () => {
  it.each([
    ["a.ts", "typescript"],
    ["a.d.mts", "typescript"],
    ["a.tsx", "tsx"],
    ["a.jsx", "javascript"],
    ["a.cjs", "javascript"],
    ["a.pyi", "python"],
    ["a.go", "go"],
    ["a.rs", "rust"],
    ["a.h", "c"],
    ["a.H", "cpp"],
    ["a.hxx", "cpp"],
    ["A.JAVA", "java"],
    ["a.cs", "csharp"],
    ["lib/Rakefile", "ruby"],
    ["a.php", "php"],
    ["a.sh", "bash"],
    ["C:\\home\\a.css", "css"],
  ])("is told by its name: %s", (path, language) => {
    expect(languageOf(path, "")).toBe(language);
  });

  it.each([
    ["#!/bin/sh", "bash"],
    ["#!/usr/bin/env bash\r", "bash"],
    ["#! /usr/bin/python3.11 -u", "python"],
    ["#!/usr/bin/env -S node --no-warnings", "javascript"],
    ["#!/usr/bin/env -i PATH=/bin ruby", "ruby"],
    ["#!/usr/bin/perl", null],
    ["#!", null],
    ["# sh", null],
  ])("is told by its first line if the name says nothing: %s", (line, language) => {
    expect(languageOf("bin/tool", line)).toBe(language);
    expect(languageOf("bin/tool.v2", line)).toBe(language);
  });

  it("is told by the name if both speak", () => {
    expect(languageOf("a.py", "#!/bin/sh")).toBe("python");
  });

  it("is C++ for a header that says so", () => {
    expect(languageOf("a.h", "//===- Shop.h - A shop -*- C++ -*-===//")).toBe("cpp");
  });

  it("is not known for other files", () => {
    expect(languageOf("a.foo", "")).toBeNull();
    expect(languageOf("py", "")).toBeNull();
    expect(languageOf("", "")).toBeNull();
  });
});
