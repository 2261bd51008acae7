import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countJson,
  entryJson,
  fileJson,
  findSummaryJson,
  matchJson,
  searchSummaryJson,
} from "../../src/format/json-lines.ts";
import type { Match } from "../../src/model/match.ts";

const MATCH: Match = {
  path: "src/a.ts",
  line: 12,
  text: "x foo",
  submatches: [[2, 5]],
  before: [{ line: 11, text: "up" }],
  after: [],
};
const BASE = {
  engine: "ripgrep",
  engineWhy: "there is no index",
  partial: false,
  more: false,
  skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
  notices: [],
  elapsedMs: 7,
} as const;

describe("JSON lines", () => {
  test("have exactly the fields that are promised", () => {
    expect(matchJson(MATCH)).toBe(
      '{"type":"match","path":"src/a.ts","line":12,"text":"x foo","submatches":[[2,5]],"before":[{"line":11,"text":"up"}],"after":[]}\n',
    );
    expect(fileJson({ path: "a" })).toBe('{"type":"file","path":"a"}\n');
    expect(countJson({ path: "a", count: 3 })).toBe('{"type":"count","path":"a","count":3}\n');
    expect(entryJson({ path: "a", kind: "file", mtimeMs: 1.5 })).toBe(
      '{"type":"file","path":"a","mtimeMs":1.5}\n',
    );
    expect(entryJson({ path: "a", kind: "folder", mtimeMs: 2 })).toBe(
      '{"type":"dir","path":"a","mtimeMs":2}\n',
    );
  });

  test("name bytes, replaced text and left out text only where there are any", () => {
    const line = matchJson({ ...MATCH, pathBytes: "/w==", invalidUtf8: true, elidedBytes: 9 });
    expect(JSON.parse(line)).toEqual({
      type: "match",
      ...MATCH,
      pathBytes: "/w==",
      invalidUtf8: true,
      elidedBytes: 9,
    });
    expect(fileJson({ path: "\ufffd", pathBytes: "/w==" })).toBe(
      '{"type":"file","path":"\ufffd","pathBytes":"/w=="}\n',
    );
  });

  test("end with a summary whose first fields stand in the promised order", () => {
    const counts = { files: 2, matches: 5, totalFiles: 2, totalLines: 5, searched: 9, considered: 9 };
    expect(searchSummaryJson({ ...BASE, ...counts })).toMatch(
      /^\{"type":"summary","files":2,"matches":5,"engine":"ripgrep","partial":false,"skipped":\{"binary":0,"tooLarge":0,"unreadable":0,"denied":0\},"notices":\[\],"elapsedMs":7,/,
    );
    expect(findSummaryJson({ ...BASE, entries: 2, totalEntries: 2 })).toMatch(
      /^\{"type":"summary","entries":2,"engine":"ripgrep","partial":false,/,
    );
  });

  test("hold any text whole, on one line, with nothing a terminal obeys", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) }),
        (text) => {
          const line = matchJson({ ...MATCH, text });
          expect(JSON.parse(line)).toMatchObject({ text });
          expect(line.slice(0, -1)).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/u);
        },
      ),
    );
  });

  test("keep lone surrogates, line separators and bidi controls readable", () => {
    const text = "\ud800 \u2028 \u202e \x9b \x1b \0";
    const line = matchJson({ ...MATCH, text });
    expect(line).toContain('"\\ud800 \\u2028 \\u202e \\u009b \\u001b \\u0000"');
    expect(JSON.parse(line)).toMatchObject({ text });
  });
});
