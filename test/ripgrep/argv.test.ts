import { describe, expect, it } from "vitest";
import { type Invocation, listArgv, searchArgv, typeListArgv, versionArgv } from "../../src/ripgrep/argv.ts";
import type { Query } from "../../src/model/query.ts";
import { PATTERN, QUERY, SCOPE } from "../support/query.ts";

const PLAIN: Invocation = { operands: ["./"], nameGlobs: [], singleThread: false, explain: false };

describe("the arguments of a search", () => {
  it("are the fixed flags, the pattern behind -e and the paths behind --", () => {
    expect(searchArgv(QUERY, PLAIN)).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--case-sensitive",
      "-e",
      "needle",
      "--",
      "./",
    ]);
  });

  it("ask for one match more than is shown of a file, but not across lines, where ripgrep would panic", () => {
    const page = { ...QUERY.page, maxPerFile: 4 };
    expect(searchArgv({ ...QUERY, page }, PLAIN)).toContain("--max-count=5");
    const across = { ...QUERY, page, pattern: { ...PATTERN, multiline: true } };
    expect(searchArgv(across, PLAIN).join(" ")).not.toContain("--max-count");
  });

  it("say everything that a query can ask for", () => {
    const query: Query = {
      ...QUERY,
      pattern: { ...PATTERN, syntax: "pcre2", case: "smart", word: true, multiline: true, dotAll: true },
      before: 2,
      after: 3,
      reportBinary: true,
      page: { skipFiles: 7, maxFiles: 8, maxMatches: 9, maxPerFile: 4 },
      exclude: [".git", "build/", "*.min.js"],
      types: ["ts", "js"],
      typeGlobs: ["*.vue", "Rakefile"],
      ignore: "off",
      hidden: true,
      links: "follow",
      maxFileSize: 1024,
    };
    expect(searchArgv(query, { ...PLAIN, operands: ["src", "/etc/hosts"], singleThread: true })).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--smart-case",
      "--pcre2",
      "--word-regexp",
      "--multiline",
      "--multiline-dotall",
      "--binary",
      "--before-context=2",
      "--after-context=3",
      "--no-ignore",
      "--hidden",
      "--follow",
      "--max-filesize=1024",
      "--debug",
      "--threads=1",
      "--type=ts",
      "--type=js",
      "--type-add=quarry:*.vue",
      "--type-add=quarry:Rakefile",
      "--type=quarry",
      "--glob=!.git",
      "--glob=!build/",
      "--glob=!*.min.js",
      "-e",
      "needle",
      "--",
      "src",
      "/etc/hosts",
    ]);
  });

  it("take a literal pattern as it is, in any case", () => {
    const pattern = { ...PATTERN, syntax: "literal", case: "insensitive", text: "a.b(" } as const;
    expect(searchArgv({ ...QUERY, pattern }, PLAIN)).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--ignore-case",
      "--fixed-strings",
      "-e",
      "a.b(",
      "--",
      "./",
    ]);
  });

  it("stop at the first match of a file, without context, where only its name is wanted", () => {
    const page = { ...QUERY.page, maxPerFile: 4 };
    expect(searchArgv({ ...QUERY, mode: "files", before: 2, after: 3, page }, PLAIN)).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--case-sensitive",
      "--max-count=1",
      "-e",
      "needle",
      "--",
      "./",
    ]);
  });

  it("count every line of a file, without context, where the count is wanted", () => {
    const page = { ...QUERY.page, maxPerFile: 4 };
    expect(searchArgv({ ...QUERY, mode: "count", before: 2, after: 3, page }, PLAIN)).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--case-sensitive",
      "-e",
      "needle",
      "--",
      "./",
    ]);
  });

  it("leave dot-matches-newline out where a match cannot span lines", () => {
    const pattern = { ...PATTERN, dotAll: true };
    expect(searchArgv({ ...QUERY, pattern }, PLAIN)).not.toContain("--multiline-dotall");
  });

  it("have ripgrep read everything as text, and only that, where binary files are told by their first bytes", () => {
    expect(searchArgv({ ...QUERY, binary: "first-bytes", reportBinary: true }, PLAIN)).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--case-sensitive",
      "--text",
      "-e",
      "needle",
      "--",
      "./",
    ]);
  });

  it("keep whatever looks like a flag where no flag can stand", () => {
    const query: Query = {
      ...QUERY,
      pattern: { ...PATTERN, text: "--pre=./run" },
      exclude: ["--pre=./run"],
      types: ["--pre=./run"],
      typeGlobs: ["--pre=./run"],
    };
    expect(searchArgv(query, { ...PLAIN, operands: ["-z", "--pre=./run", "--"] })).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--case-sensitive",
      "--type=--pre=./run",
      "--type-add=quarry:--pre=./run",
      "--type=quarry",
      "--glob=!--pre=./run",
      "-e",
      "--pre=./run",
      "--",
      "-z",
      "--pre=./run",
      "--",
    ]);
  });

  it("name a file that is called by a lone dash so that it is not stdin", () => {
    const argv = searchArgv(QUERY, { ...PLAIN, operands: ["-", "a/-"] });
    expect(argv.slice(argv.indexOf("--"))).toEqual(["--", "./-", "a/-"]);
  });

  it("take the sieve on base names as a type, beside the type globs", () => {
    const argv = searchArgv({ ...QUERY, typeGlobs: ["*.a"] }, { ...PLAIN, nameGlobs: ["*.b", "c?"] });
    expect(argv.filter((flag) => flag.startsWith("--type"))).toEqual([
      "--type-add=quarry:*.a",
      "--type-add=quarry:*.b",
      "--type-add=quarry:c?",
      "--type=quarry",
    ]);
  });

  it("let .gitignore count everywhere on request", () => {
    expect(searchArgv({ ...QUERY, ignore: "everywhere" }, PLAIN)).toContain("--no-require-git");
  });
});

describe("the arguments of a list", () => {
  it("are the fixed flags and the paths behind --", () => {
    expect(listArgv(SCOPE, { ...PLAIN, operands: ["-a", "-"] })).toEqual([
      "--no-config",
      "--files",
      "--null",
      "--color=never",
      "--",
      "-a",
      "./-",
    ]);
  });

  it("say everything that a scope can ask for", () => {
    const scope = {
      ...SCOPE,
      exclude: [".git"],
      types: ["ts"],
      typeGlobs: ["*.vue"],
      ignore: "everywhere",
      hidden: true,
      links: "follow",
      maxFileSize: 0,
    } as const;
    expect(listArgv(scope, { operands: ["src"], nameGlobs: [], singleThread: true, explain: true })).toEqual([
      "--no-config",
      "--files",
      "--null",
      "--color=never",
      "--no-require-git",
      "--hidden",
      "--follow",
      "--max-filesize=0",
      "--debug",
      "--threads=1",
      "--type=ts",
      "--type-add=quarry:*.vue",
      "--type=quarry",
      "--glob=!.git",
      "--",
      "src",
    ]);
  });
});

it("asks for types and version without reading a configuration", () => {
  expect([typeListArgv, versionArgv]).toEqual([
    ["--no-config", "--type-list"],
    ["--no-config", "--version"],
  ]);
});
