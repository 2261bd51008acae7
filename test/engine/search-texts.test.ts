/** Many texts at once give what each gives by itself, whichever way they are searched. */
import { assert, asyncProperty, constantFrom, pre } from "fast-check";
import { describe, expect, it } from "vitest";
import { openLedger } from "../../src/engine/ledger.ts";
import { textSearcher } from "../../src/engine/search-text.ts";
import { matchingTexts, type NamedText } from "../../src/engine/search-texts.ts";
import type { Pattern, Query } from "../../src/model/query.ts";
import { isLineLocal } from "../../src/regex/line-local.ts";
import { textMatcher } from "../../src/regex/matcher.ts";
import { anyCase, readable } from "../regex/matching.ts";
import { all, PATTERN, QUERY, stream } from "../support/query.ts";

const GROUND = { env: {}, signal: undefined };

function asking(pattern: Partial<Pattern>, mode: Query["mode"] = "count"): Query {
  return { ...QUERY, root: process.cwd(), mode, pattern: { ...PATTERN, ...pattern } };
}

function named(texts: readonly (string | Buffer)[]): NamedText[] {
  return texts.map((text, at) => ({ file: { path: `m${at}` }, bytes: Buffer.from(text) }));
}

async function together(query: Query, texts: readonly NamedText[]): Promise<Record<string, number>> {
  const options = { query, ground: GROUND, searcher: textSearcher(query, GROUND), ledger: openLedger() };
  const found = await all(matchingTexts(stream(texts), options));
  return Object.fromEntries(found.map(({ file, lines }) => [file.path, lines]));
}

async function apart(query: Query, texts: readonly NamedText[]): Promise<Record<string, number>> {
  const searcher = textSearcher(query, GROUND);
  const counts: Record<string, number> = {};
  for (const { file, bytes } of texts) {
    const { lines } = await searcher.count({ kind: "bytes", bytes }, file);
    if (lines > 0) counts[file.path] = lines;
  }
  return counts;
}

describe("many texts", () => {
  it("match as each does by itself", async () => {
    await assert(
      asyncProperty(anyCase, constantFrom("count", "files", "content"), async ({ texts, request }, mode) => {
        const pattern = readable(request);
        pre(pattern !== null && textMatcher(pattern).kind === "matcher");
        const query = asking(pattern, mode);
        const members = named(texts.map((text) => text.replaceAll("\0", "")));
        const [one, other] = [await together(query, members), await apart(query, members)];
        const said = (found: object): unknown => (mode === "count" ? found : Object.keys(found));
        expect(said(one)).toEqual(said(other));
      }),
      { numRuns: 150 },
    );
  });

  it("are told apart at their ends: no newline at the end, a mark at the start, nothing at all", async () => {
    const texts = named(["", "\ufeffneedle", "need", "le", "", "a\nneedle\nneedle", "\n"]);
    expect(await together(asking({ text: "^needle$" }), texts)).toEqual({ m1: 1, m5: 2 });
    expect(await together(asking({ text: "^$" }), texts)).toEqual({ m6: 1 });
  });

  it("keep PCRE2's looks within a line", async () => {
    const texts = named(["x\n", "y\n", "xy\n"]);
    expect(await together(asking({ text: "(?<=x)y", syntax: "pcre2" }), texts)).toEqual({ m2: 1 });
    expect(await together(asking({ text: "\\A(?=y)y", syntax: "pcre2" }), texts)).toEqual({ m1: 1 });
  });

  it("may span lines, each in its own text", async () => {
    const texts = named(["a", "\nb\n", "a\nb\n"]);
    expect(await together(asking({ text: "a\\nb", multiline: true }), texts)).toEqual({ m2: 2 });
  });

  it("come in several batches in the order given", async () => {
    const large = `${"filler ".repeat(700_000)}needle\n`;
    const found = await together(
      asking({ text: "needl[e]" }),
      named([large, "none\n", large, "needle", large]),
    );
    expect(Object.entries(found)).toEqual([
      ["m0", 1],
      ["m2", 1],
      ["m3", 1],
      ["m4", 1],
    ]);
  });

  it("give ripgrep's own error for what it refuses", async () => {
    const query = asking({ text: "(?=a)(?<=b)[", syntax: "pcre2" });
    await expect(together(query, named(["a"]))).rejects.toMatchObject({ code: "INVALID_PATTERN" });
  });

  it("end with the signal", async () => {
    const query = asking({ text: "a[b]" });
    const signal = AbortSignal.abort();
    const ground = { env: {}, signal };
    const options = { query, ground, searcher: textSearcher(query, ground), ledger: openLedger() };
    await expect(all(matchingTexts(stream(named(["ab"])), options))).rejects.toMatchObject({
      code: "ABORTED",
    });
  });
});

describe("a pattern that looks at one line", () => {
  it.each([
    ["a.*b$", true],
    ["\\Aa", false],
    ["a\\z", false],
    ["(?-m)^a", false],
    ["(?i-m:^a)", false],
    ["(*ANYCRLF)a", false],
    ["(?^)a", false],
  ])("%s: %s", (text, local) => {
    expect(isLineLocal({ ...PATTERN, text })).toBe(local);
    expect(isLineLocal({ ...PATTERN, text, syntax: "literal" })).toBe(true);
    expect(isLineLocal({ ...PATTERN, text, multiline: true })).toBe(false);
  });
});
