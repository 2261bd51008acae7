import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fatalError, faultReader, type FaultReport } from "../../src/ripgrep/faults.ts";

function read(text: string, cuts: readonly number[] = []): FaultReport {
  const bytes = Buffer.from(text);
  const reader = faultReader();
  const ends = [...cuts, bytes.length];
  for (const [at, end] of ends.entries()) reader.feed(bytes.subarray(ends[at - 1] ?? 0, end));
  return reader.finish(false);
}

const IGNORING = "rg: DEBUG|ignore::walk|crates/ignore/src/walk.rs:1942: ignoring";
const SAID = [
  "rg: ./日本/é.txt: Permission denied (os error 13)",
  "rg: File system loop found: ./a/loop points to an ancestor ./a",
  "rg: DEBUG|rg::flags::parse|crates/core/flags/parse.rs:89: not reading config files",
  `${IGNORING} ./日本語.bin: 1234 bytes`,
  `${IGNORING} ./build: Ignore(IgnoreMatch(Gitignore(Glob { from: Some("./.gitignore") })))`,
  "rg: ./.ignore: line 1: error parsing glob '{a': unclosed alternate group",
  "rg: gone.txt: No such file or directory (os error 2)",
].join("\n");

describe("what ripgrep says on stderr", () => {
  it("is told apart: paths it could not read, loops, and the rest", () => {
    expect(read(`${SAID}\n`).faults).toEqual([
      { kind: "unreadable", path: "日本/é.txt", message: "Permission denied (os error 13)" },
      { kind: "loop", path: "a/loop", message: expect.stringContaining("back to") as string },
      { kind: "other", message: "./.ignore: line 1: error parsing glob '{a': unclosed alternate group" },
      { kind: "unreadable", path: "gone.txt", message: "No such file or directory (os error 2)" },
    ]);
  });

  it("names what was left out, and whether for its size", () => {
    expect(read(`${SAID}\n`).ignored.map(({ path, reason }) => [path, reason.kind])).toEqual([
      ["日本語.bin", "size"],
      ["build", "rule"],
    ]);
  });

  it("is the same in any chunks, also without a newline at its end", () => {
    const whole = read(SAID);
    const length = Buffer.byteLength(SAID);
    fc.assert(
      fc.property(fc.array(fc.nat(length), { maxLength: 20 }), (cuts) => {
        expect(
          read(
            SAID,
            cuts.sort((one, other) => one - other),
          ),
        ).toEqual(whole);
      }),
    );
    expect(whole.faults).toHaveLength(4);
  });

  it("is one message where a name holds a newline", () => {
    const { faults, ignored } = read(
      `${IGNORING} ./a\nb: 9 bytes\nrg: ./c\nd: Permission denied (os error 13)\n`,
    );
    expect(ignored.map(({ path }) => path)).toEqual(["a\nb"]);
    expect(faults).toEqual([
      { kind: "unreadable", path: "c\nd", message: "Permission denied (os error 13)" },
    ]);
  });

  it("is not kept without end", () => {
    const reader = faultReader();
    const chunk = Buffer.from(`rg: ${"x".repeat(1 << 16)}: y\n`.repeat(4));
    for (let at = 0; at < 40; at++) reader.feed(chunk);
    for (let at = 0; at < 200; at++) reader.feed(Buffer.alloc(1 << 16, "z"));
    expect(reader.finish(false).text.length).toBeLessThan(4 << 20);
  });
});

describe("a run that failed", () => {
  it.each([
    ["unrecognized file type: nope", "UNKNOWN_TYPE", 'ripgrep knows no file type "nope"'],
    ["unrecognized file type: ", "UNKNOWN_TYPE", 'ripgrep knows no file type ""'],
    ["PCRE2 is not available in this build of ripgrep", "PCRE2_UNAVAILABLE", "this ripgrep has no PCRE2"],
    ["error parsing glob '{a': unclosed", "INVALID_GLOB", "error parsing glob '{a': unclosed"],
    ["regex parse error:\n    (\n    ^\nerror: unclosed group", "INVALID_PATTERN", "error: unclosed group"],
    ["PCRE2: error compiling pattern at offset 3: x", "INVALID_PATTERN", "PCRE2: error compiling"],
    ["something new", "RIPGREP_FAILED", "something new"],
    ["", "RIPGREP_FAILED", "ripgrep ended with code 2 and said nothing"],
  ])("with %j is %s", (text, code, message) => {
    const error = fatalError(text === "" ? "" : `rg: ${text}\n`, 2);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.hint).toBeTruthy();
  });
});
