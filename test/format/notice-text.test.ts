import { describe, expect, test } from "vitest";
import { noticeLines } from "../../src/format/notice-text.ts";
import { searchStats } from "../../src/format/stats-text.ts";
import type { Notice } from "../../src/model/notice.ts";

const PLAIN = { colour: false, escape: true };
const unreadable = (n: number): Notice => ({ code: "UNREADABLE", message: `no permission: ${n}` });
const many: Notice[] = [
  { code: "PCRE2_USED", message: "read by PCRE2" },
  ...[1, 2, 3, 4, 5, 6, 7].map(unreadable),
];

describe("notices", () => {
  test("are one line each, whatever they hold", () => {
    const lines = noticeLines(PLAIN, [{ code: "PATH_SKIPPED", message: "a\nb\t\x1b[2J" }], false);
    expect(lines).toEqual(["note: a\\nb\\t\\x1b[2J"]);
  });

  test("name the path they are about", () => {
    const lines = noticeLines(
      PLAIN,
      [{ code: "LOOP_CUT", message: "leads back to src", path: "src/a\nb" }],
      false,
    );
    expect(lines).toEqual(['note: "src/a\\nb": leads back to src']);
  });

  test("are counted, not dropped, where many are of one kind", () => {
    const lines = noticeLines(PLAIN, many, false);
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe("note: 2 more notices of UNREADABLE (--all shows every one)");
  });

  test("are all there with --all", () => {
    expect(noticeLines(PLAIN, many, true)).toHaveLength(8);
  });
});

test("statistics say what was done, and what is not known", () => {
  const lines = searchStats({
    engine: "ripgrep",
    engineWhy: "there is no index",
    partial: true,
    more: false,
    skipped: { binary: 1, tooLarge: 2, unreadable: 3, denied: 0 },
    notices: [],
    elapsedMs: 1234.5,
    files: 1,
    matches: 1,
    totalFiles: null,
    totalLines: null,
    searched: 12_345,
    considered: 12_351,
  });
  expect(lines).toContain("files searched       12,345");
  expect(lines).toContain("files with matches   not known");
  expect(lines).toContain("skipped, unreadable  3");
  expect(lines).toContain("elapsed              1,235 ms");
});
