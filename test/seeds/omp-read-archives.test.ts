/**
 * seeds/omp-read.md, "Archives", and issue 4: the members of an archive as a list, one of them as a text.
 *
 * Without a test: what it unpacks archives with (internals).
 */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LISTED_MEMBERS } from "../../src/model/limits.ts";
import { tar, zip } from "../sources/build.ts";
import { lines } from "./agent.ts";
import { notesIn, reader, shownRanges } from "./reader.ts";

const MEMBERS = [
  { name: "src/a.ts", data: lines(40, "line") },
  { name: "src/deep/b.ts", data: "b\n" },
  { name: "README.md", data: "x".repeat(1500) },
  { name: "empty.txt", data: "" },
  { name: "bin.dat", data: "a\0b" },
  { name: "latin.txt", data: Buffer.from([0x63, 0xe9, 0x0a]) },
];
const LIST = [
  "src/ (2 members)",
  "README.md (1.5 kB)",
  "bin.dat (3 bytes)",
  "empty.txt",
  "latin.txt (3 bytes)",
].join("\n");

describe("An archive", () => {
  it("of each kind is a list of what lies at its top, folders first, sizes where there is any", async () => {
    const packed = tar(MEMBERS);
    const { read, details } = await reader({
      "a.zip": zip(MEMBERS),
      "a.jar": zip(MEMBERS),
      "a.whl": zip(MEMBERS),
      "a.tar": packed,
      "a.tar.gz": gzipSync(packed),
      "a.tgz": gzipSync(packed),
      "UPPER.ZIP": zip(MEMBERS),
    });
    for (const name of ["a.zip", "a.jar", "a.whl", "a.tar", "a.tar.gz", "a.tgz", "UPPER.ZIP"]) {
      expect(await read(name)).toBe(LIST);
      expect(await read(`${name}:src/deep/b.ts`)).toBe(`¶${name}:src/deep/b.ts\n1|b`);
    }
    expect(await details("a.zip")).toMatchObject({ kind: "archive", tag: null, truncated: false });
  });

  it("a folder of it is a list of its children, with or without a slash", async () => {
    const { read } = await reader({ "a.zip": zip(MEMBERS) });
    for (const path of ["a.zip:src", "a.zip:src/", "a.zip:./src/."]) {
      expect(await read(path)).toBe("deep/ (1 member)\na.ts (311 bytes)");
    }
    expect(await read("a.zip:")).toBe(LIST);
    expect(await read("a.zip:src/deep")).toBe("b.ts (2 bytes)");
  });

  it("a member is a text with numbers and |, and takes every selector of lines", async () => {
    const { read, details } = await reader({ "a.zip": zip(MEMBERS) });
    expect(await read("a.zip:src/a.ts:10-11")).toBe(
      `¶a.zip:src/a.ts\n${[9, 10, 11, 12, 13, 14].map((line) => `${line}|line ${line}`).join("\n")}`,
    );
    expect(shownRanges(await read("a.zip:src/a.ts:5-6,-2"))).toBe("4-9,38-40");
    expect(await read("a.zip:src/a.ts:raw:3-4")).toBe("line 3\nline 4");
    expect(notesIn(await read("a.zip:src/a.ts:50"))[0]).toContain("past the end, which is line 40");
    expect(await read("a.zip:empty.txt")).toBe("¶a.zip:empty.txt\n[Empty file]");
    expect(await details("a.zip:src/a.ts")).toMatchObject({ tag: null, kind: "lines" });
  });

  it("nothing in it can be edited line by line", async () => {
    const { refused, read } = await reader({ "a.zip": zip(MEMBERS) });
    await read("a.zip:src/a.ts");
    const { code, hint } = await refused("¶a.zip:src/a.ts#0A1B", "delete 1..1");
    expect(code).toBe("PATH_NOT_FOUND");
    expect(hint).toContain("write makes new files and entries of archives");
  });

  it("`.` segments are dropped and `..` is refused", async () => {
    const { read, unread } = await reader({ "a.zip": zip(MEMBERS), "other.txt": "x\n" });
    expect(await read("a.zip:./src/./deep/b.ts")).toContain("1|b");
    expect(await read("a.zip:src//deep/b.ts")).toContain("1|b");
    for (const name of ["../other.txt", "src/../README.md", "/src/a.ts"]) {
      expect(await unread(`a.zip:${name}`)).toMatchObject({ code: "MEMBER_NOT_FOUND" });
    }
    expect((await unread("a.zip:/src/a.ts")).hint).toBe("Of that name there is a.zip:src/a.ts");
  });

  it("a member that is no text is told in a notice, not an error and not its bytes", async () => {
    const { read } = await reader({ "a.zip": zip(MEMBERS) });
    expect(await read("a.zip:bin.dat")).toBe("[Cannot read a.zip:bin.dat: it is binary, 3 bytes]");
    expect(await read("a.zip:latin.txt")).toBe("[Cannot read a.zip:latin.txt: it is not UTF-8, 3 bytes]");
  });

  it("a member that is not there is an error with the way out", async () => {
    const { unread } = await reader({ "a.zip": zip(MEMBERS) });
    expect((await unread("a.zip:nope.ts")).text).toBe(
      '[MEMBER_NOT_FOUND] a.zip has no file "nope.ts". find a.zip: lists what it has.',
    );
    expect((await unread("a.zip:b.ts")).text).toBe(
      '[MEMBER_NOT_FOUND] a.zip has no file "b.ts". Of that name there is a.zip:src/deep/b.ts.',
    );
  });

  it("lists 500 members and names the call for the next", async () => {
    const many = Array.from({ length: 1201 }, (_, at) => ({
      name: `d/f${String(at).padStart(4, "0")}`,
      data: "x",
    }));
    const { read, details } = await reader({ "a.zip": zip(many) });
    expect(LISTED_MEMBERS).toBe(500);
    expect(notesIn(await read("a.zip:d"))).toEqual(["Rows 1-500 of 1,201. Read a.zip:d/:501- for more"]);
    expect((await details("a.zip:d")).truncated).toBe(true);
    const seen: string[] = [];
    for (let next: string | null = "a.zip:d"; next !== null; ) {
      const text = await read(next);
      seen.push(...text.split("\n").filter((row) => row.startsWith("f")));
      next = /Read (.*) for more\]$/.exec(text)?.[1] ?? null;
    }
    expect(seen).toEqual(many.map(({ name }) => `${name.slice(2)} (1 byte)`));
    expect(await read("a.zip:d:2-3")).toBe("f0001 (1 byte)\nf0002 (1 byte)");
    expect(await read("a.zip:d:5000")).toBe("[a.zip:d/ has 1,201 rows, and 5,000 is past them]");
  });

  it("a selector that a list or a member has no meaning for is refused", async () => {
    const { unread } = await reader({ "a.zip": zip(MEMBERS) });
    const cases = {
      "a.zip:conflicts": "a.zip is an archive, of which only one range is shown",
      "a.zip:src:1-2,5": "a.zip:src is a folder of an archive, of which only one range is shown",
      "a.zip:src/a.ts:conflicts": "a.zip:src/a.ts cannot be edited, so it has no conflicts to resolve",
    };
    for (const [path, message] of Object.entries(cases)) {
      expect(await unread(path)).toMatchObject({ code: "SELECTOR_INVALID", message });
    }
    expect((await unread("a.zip:raw")).text).toBe(
      "[KIND_UNSUPPORTED] a.zip is a zip archive, of which nothing can be shown raw. Read a.zip for its members.",
    );
  });

  it("that is damaged, or none, says so", async () => {
    const { unread } = await reader({ "cut.zip": zip(MEMBERS).subarray(0, 200), "text.zip": "hello\n" });
    expect(await unread("cut.zip")).toMatchObject({ code: "ARCHIVE_INVALID" });
    expect(await unread("text.zip")).toMatchObject({ code: "ARCHIVE_INVALID" });
  });

  it("what the policy denies is neither listed nor read", async () => {
    const { read, unread } = await reader({ "a.zip": zip(MEMBERS) }, { deny: ["**/README.md"] });
    expect(await read("a.zip")).not.toContain("README.md");
    expect(await unread("a.zip:README.md")).toMatchObject({ code: "PATH_DENIED" });
  });
});
