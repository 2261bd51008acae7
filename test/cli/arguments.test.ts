import { describe, expect, test } from "vitest";
import { parseTyped } from "../../src/cli/arguments.ts";
import { searchRequest } from "../../src/cli/search-request.ts";

const request = (...argv: string[]): ReturnType<typeof searchRequest> =>
  searchRequest(parseTyped("search", argv), "/r");

describe("what is typed", () => {
  test("becomes a request with a page for people", () => {
    expect(request("foo", "src", "test")).toEqual({
      root: "/r",
      pattern: "foo",
      paths: ["src", "test"],
      include: [],
      exclude: [],
      types: [],
      ignore: "on",
      hidden: true,
      follow: false,
      maxFileSize: undefined,
      timeoutMs: undefined,
      engine: undefined,
      literal: false,
      word: false,
      case: "sensitive",
      multiline: false,
      dotAll: false,
      before: 0,
      after: 0,
      mode: "content",
      order: undefined,
      maxFiles: 20,
      skipFiles: 0,
      maxMatches: 2000,
      maxPerFile: 200,
      reportBinary: false,
    });
  });

  test.each<[string[], object]>([
    [["-i", "x"], { case: "insensitive" }],
    [["--ignore-case", "x"], { case: "insensitive" }],
    [["-S", "x"], { case: "smart" }],
    [["--smart-case", "x"], { case: "smart" }],
    [["-F", "x"], { literal: true }],
    [["--fixed-strings", "x"], { literal: true }],
    [["-w", "x"], { word: true }],
    [["--word-regexp", "x"], { word: true }],
    [["-U", "x"], { multiline: true, dotAll: false }],
    [["--multiline", "x"], { multiline: true }],
    [["--multiline-dotall", "x"], { multiline: true, dotAll: true }],
    [["-iwF", "x"], { case: "insensitive", word: true, literal: true }],
    [["-t", "ts", "--type", "py", "-tc", "x"], { types: ["ts", "py", "c"] }],
    [["-g", "*.ts", "--glob", "!test/**", "-g!x", "p"], { include: ["*.ts"], exclude: ["test/**", "x"] }],
    [["-A", "2", "x"], { before: 0, after: 2 }],
    [["-B3", "x"], { before: 3, after: 0 }],
    [["-C", "4", "x"], { before: 4, after: 4 }],
    [["-C", "4", "-A", "0", "x"], { before: 4, after: 0 }],
    [["--context=1", "--before-context", "2", "--after-context=3", "x"], { before: 2, after: 3 }],
    [["--mode", "files", "x"], { mode: "files", maxMatches: undefined, maxPerFile: undefined, maxFiles: 20 }],
    [["--mode=count", "x"], { mode: "count" }],
    [["--no-ignore", "x"], { ignore: "off" }],
    [["--no-require-git", "x"], { ignore: "everywhere" }],
    [["--no-hidden", "x"], { hidden: false }],
    [["-L", "x"], { follow: true }],
    [["--follow", "x"], { follow: true }],
    [["--max-filesize", "10M", "x"], { maxFileSize: 10 * 1024 * 1024 }],
    [["--max-filesize", "64k", "x"], { maxFileSize: 65536 }],
    [["--binary", "x"], { reportBinary: true }],
    [["--limit", "5", "--skip", "10", "x"], { maxFiles: 5, skipFiles: 10, maxMatches: 2000 }],
    [["--limit", "5", "--limit", "6", "x"], { maxFiles: 6 }],
    [["--all", "x"], { maxFiles: undefined, maxMatches: undefined, maxPerFile: undefined }],
    [["--json", "x"], { maxFiles: undefined, maxMatches: undefined, maxPerFile: undefined }],
    [["--json", "--limit", "5", "x"], { maxFiles: 5, maxMatches: undefined }],
    [["--sort", "mtime", "x"], { order: "mtime" }],
    [["--engine", "ripgrep", "x"], { engine: "ripgrep" }],
    [["--timeout", "0.5", "x"], { timeoutMs: 500 }],
    [["x", "-i", "src"], { pattern: "x", paths: ["src"], case: "insensitive" }],
    [["--", "-x", "-y"], { pattern: "-x", paths: ["-y"] }],
    [["-e", "-x", "src"], { pattern: "-x", paths: ["src"] }],
    [["-e", "--", "src"], { pattern: "--", paths: ["src"] }],
    [["--regexp=-x"], { pattern: "-x", paths: undefined }],
    [["x"], { paths: undefined }],
    [["", "src"], { pattern: "", paths: ["src"] }],
  ])("%j means %j", (argv, meant) => {
    expect(request(...argv)).toMatchObject(meant);
  });

  test.each<[string[], RegExp]>([
    [[], /There is no pattern/],
    [["-e", "a", "-e", "b"], /There are 2 patterns/],
    [["-i", "-S", "x"], /-i and -S exclude each other/],
    [["--all", "--limit", "3", "x"], /--all and --limit exclude each other/],
    [["--all", "--skip", "3", "x"], /--all and --skip exclude each other/],
    [["--limit", "0", "x"], /--limit must be a whole number from 1 to \d+, not "0"/],
    [["--limit", "1.5", "x"], /--limit must be a whole number/],
    [["--limit", "1e3", "x"], /--limit must be a whole number/],
    [["--skip", "-1", "x"], /--skip must be a whole number from 0/],
    [["-A", "many", "x"], /--after-context must be a whole number/],
    [["-C", "99999999999999999999", "x"], /--context must be a whole number/],
    [["--timeout", "0", "x"], /--timeout must be a number from 0.001/],
    [["--timeout", "soon", "x"], /--timeout must be a number/],
    [["--timeout", "1e9", "x"], /--timeout must be a number/],
    [["--max-filesize", "big", "x"], /--max-filesize must be a size/],
    [["--mode", "file", "x"], /--mode must be content, files or count, not "file"/],
    [["--sort", "size", "x"], /--sort must be path, mtime or none/],
    [["--engine", "grep", "x"], /--engine must be auto or ripgrep/],
    [["--json=yes", "x"], /--json takes no value/],
    [["x", "--limit"], /--limit needs a value/],
    [["x", "--limit="], /--limit needs a value/],
    [["x", "-t"], /-t needs a value/],
    [["--limt", "3", "x"], /There is no flag --limt/],
    [["-iZ", "x"], /There is no flag -Z/],
    [["--no-json", "x"], /There is no flag --no-json/],
    [["--kind", "file", "x"], /There is no flag --kind for quarry search/],
  ])("%j is refused", (argv, message) => {
    expect(() => request(...argv)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringMatching(message) }),
    );
  });

  test.each<[string[], RegExp]>([
    [["--limt", "3", "x"], /^Did you mean --limit\?/],
    [["--ignorecase", "x"], /^Did you mean --ignore-case\?/],
    [["--mode", "file", "x"], /^Did you mean files\?/],
    [["--fixed", "x"], /^Did you mean --fixed-strings\?/],
    [["-l", "x"], /^Use --mode files/],
    [["--xyzzy", "x"], /^quarry help search lists the flags/],
    [["-foo"], /what starts with a dash and is no flag goes after --$/],
  ])("%j gets a hint", (argv, hint) => {
    expect(() => request(...argv)).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) }));
  });
});
