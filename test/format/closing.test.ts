import { describe, expect, test } from "vitest";
import { findClosing, type SearchView, searchClosing } from "../../src/format/closing.ts";
import type { FindSummary, SearchSummary } from "../../src/model/summary.ts";

const NONE = { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 };

function search(summary: Partial<SearchSummary>, view: Partial<SearchView> = {}): string {
  const whole: SearchSummary = {
    engine: "ripgrep",
    engineWhy: "there is no index",
    partial: false,
    more: false,
    skipped: NONE,
    notices: [],
    elapsedMs: 7,
    files: 2,
    matches: 3,
    totalFiles: 2,
    totalLines: 3,
    searched: 10,
    considered: 10,
    ...summary,
  };
  return searchClosing(whole, {
    mode: "content",
    skip: 0,
    remarks: { shortened: 0, invalidUtf8: 0 },
    ...view,
  });
}

function find(summary: Partial<FindSummary>, skip = 0): string {
  const whole: FindSummary = {
    engine: "ripgrep",
    engineWhy: "there is no index",
    partial: false,
    more: false,
    skipped: NONE,
    notices: [],
    elapsedMs: 7,
    entries: 2,
    totalEntries: 2,
    ...summary,
  };
  return findClosing(whole, skip);
}

const PAGE = { files: 20, matches: 57, totalFiles: 134, totalLines: 900, more: true };

describe("the last line of a search", () => {
  test("says how much there is", () => {
    expect(search({})).toBe("3 matches in 2 files.");
    expect(search({ files: 1, matches: 1 })).toBe("1 match in 1 file.");
    expect(search({ files: 1234, matches: 1_234_567 })).toBe("1,234,567 matches in 1,234 files.");
    expect(search({}, { mode: "files" })).toBe("2 files with matches.");
    expect(search({}, { mode: "count" })).toBe("3 matching lines in 2 files.");
  });

  test("of a page says how to see the rest", () => {
    expect(search(PAGE)).toBe(
      "Showing 20 of 134 files, 57 of 900 matching lines. --skip 20 for the next page, --all for everything.",
    );
    expect(search(PAGE, { skip: 20 })).toBe(
      "Showing files 21 to 40 of 134, 57 of 900 matching lines. --skip 40 for the next page, --all for everything.",
    );
    expect(search(PAGE, { mode: "files" })).toBe(
      "Showing 20 of 134 files. --skip 20 for the next page, --all for everything.",
    );
  });

  test("of the last page offers no next one", () => {
    expect(search({ ...PAGE, files: 14, more: false }, { skip: 120 })).toBe(
      "Showing files 121 to 134 of 134, 57 of 900 matching lines.",
    );
    expect(search({ ...PAGE, files: 1, more: false }, { skip: 133, mode: "files" })).toBe(
      "Showing file 134 of 134.",
    );
  });

  test("offers --all alone when every file is there and only matches were held back", () => {
    expect(search({ files: 2, matches: 400, totalLines: 900, more: true })).toBe(
      "Showing 2 of 2 files, 400 of 900 matching lines. --all for everything.",
    );
  });

  test("does not invent a total that nobody knows", () => {
    expect(search({ ...PAGE, totalFiles: null, totalLines: null })).toBe(
      "Showing 20 files, 57 matching lines; there are more. --skip 20 for the next page, --all for everything.",
    );
  });

  test("says what was skipped, shortened and replaced", () => {
    expect(search({ skipped: { binary: 2, tooLarge: 1, unreadable: 1000, denied: 0 } })).toBe(
      "3 matches in 2 files. Skipped: 2 binary, 1 too large, 1,000 unreadable.",
    );
    expect(search({}, { remarks: { shortened: 1, invalidUtf8: 2 } })).toBe(
      "3 matches in 2 files. 1 long line shortened (--all shows them whole), 2 lines not in UTF-8, shown with \ufffd.",
    );
  });

  test("says when the answer is not complete", () => {
    expect(search({ partial: true })).toBe("3 matches in 2 files. Not everything was searched.");
  });

  test("says no matches only of what was searched", () => {
    const none = { files: 0, matches: 0, totalFiles: 0, totalLines: 0 };
    expect(search(none)).toBe("No matches in 10 files searched.");
    expect(search({ ...none, searched: null })).toBe("No matches.");
    expect(search({ ...none, searched: 0 })).toMatch(/^No file was searched/);
    expect(search({ ...none, partial: true })).toBe("Nothing found, but not everything was searched.");
    expect(search({ ...none, totalFiles: 134 }, { skip: 200 })).toBe(
      "Nothing on this page: there are 134 files, and --skip 200 is past them.",
    );
  });
});

describe("the last line of a find", () => {
  test("says how much there is and how to see the rest", () => {
    expect(find({})).toBe("2 paths.");
    expect(find({ entries: 200, totalEntries: 5000, more: true })).toBe(
      "Showing 200 of 5,000 paths. --skip 200 for the next page, --all for everything.",
    );
    expect(find({ entries: 10, totalEntries: 210 }, 200)).toBe("Showing paths 201 to 210 of 210.");
    expect(find({ partial: true })).toBe("2 paths. Not everything was looked at.");
  });

  test("says when there is nothing, and why", () => {
    expect(find({ entries: 0, totalEntries: 0 })).toBe("No paths found.");
    expect(find({ entries: 0, totalEntries: null, partial: true })).toBe(
      "Nothing found, but not everything was looked at.",
    );
    expect(find({ entries: 0, totalEntries: 3 }, 9)).toBe(
      "Nothing on this page: there are 3 paths, and --skip 9 is past them.",
    );
  });
});
