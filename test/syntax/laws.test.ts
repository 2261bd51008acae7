/** What holds for any code: of the project's own sources, whole, cut and spoilt, and of texts made to break a parser. */
import { readFile, readdir } from "node:fs/promises";
import { assert, asyncProperty, constantFrom, integer, nat, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { SUMMARY_SPAN } from "../../src/model/limits.ts";
import { blocksAt } from "../../src/syntax/blocks.ts";
import { outlineOf } from "../../src/syntax/outline.ts";

const SRC = new URL("../../src/", import.meta.url);
const NAMES = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith(".ts")).toSorted();

/** A source, or a piece of it with one character put in: the parser must cope with both. */
const sources = record({
  name: constantFrom(...NAMES),
  from: integer({ min: 0, max: 3 }),
  at: nat(),
  put: constantFrom("", "", "", "{", "}", "(", "`", "/*", "\u2028", "\0", "😀"),
});

type Source = typeof sources extends { generate: (...all: never[]) => { value: infer T } } ? T : never;

async function textOf({ name, from, at, put }: Source): Promise<string> {
  const whole = await readFile(new URL(name, SRC), "utf8");
  const lines = whole.split("\n");
  const text = from === 0 ? whole : lines.slice(Math.floor(lines.length / (from + 1))).join("\n");
  const place = at % (text.length + 1);
  return text.slice(0, place) + put + text.slice(place);
}

describe("for any source", () => {
  it("what an outline leaves out is in order, apart, inside the file, and worth it", async () => {
    await assert(
      asyncProperty(sources, async (source) => {
        const text = await textOf(source);
        const outline = await outlineOf(source.name, text);
        let before = -1;
        for (const { first, last } of outline?.elided ?? []) {
          expect(first).toBeGreaterThan(before + 1);
          expect(last - first + 1).toBeGreaterThanOrEqual(SUMMARY_SPAN);
          before = last;
        }
        expect(before).toBeLessThanOrEqual(text.split("\n").length);
      }),
      { numRuns: 150 },
    );
  });

  it("a block begins on its line, ends inside the file, and blocks lie in one another or apart", async () => {
    await assert(
      asyncProperty(sources, async (source) => {
        const text = await textOf(source);
        const lines = text.split("\n");
        const found = await blocksAt(
          source.name,
          text,
          lines.map((_, at) => at + 1),
        );
        const open: number[] = [];
        for (const [at, lookup] of found.entries()) {
          if (lookup.kind === "none") continue;
          expect(lookup.first).toBe(at + 1);
          expect(lookup.last).toBeGreaterThanOrEqual(lookup.first);
          while ((open.at(-1) ?? Infinity) < lookup.first) open.pop();
          expect(lookup.last).toBeLessThanOrEqual(open.at(-1) ?? lines.length);
          expect(lines[lookup.last - 1]?.trim()).not.toBe("");
          open.push(lookup.last);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("a source that is whole has a block on every line that begins a statement", async () => {
    const text = await readFile(new URL("syntax/blocks.ts", SRC), "utf8");
    const lines = text
      .split("\n")
      .flatMap((line, at) => (/^(?:export|function|import|const)\b/u.test(line) ? at + 1 : []));
    const found = await blocksAt("blocks.ts", text, lines);
    expect(found.map(({ kind }) => kind)).toEqual(lines.map(() => "block"));
  });
});

const LANGUAGES = "ts tsx js py go rs c cpp java cs rb php sh css".split(" ");
const SIZE = 10_000;
const HOSTILE: Readonly<Record<string, string>> = {
  parentheses: "(".repeat(100_000),
  braces: "{\n".repeat(SIZE),
  closers: "}\n".repeat(SIZE),
  calls: "a(\n".repeat(SIZE),
  nested: `${"[\n".repeat(SIZE / 2)}1${"]\n".repeat(SIZE / 2)}`,
  generics: "a<".repeat(SIZE),
  quotes: `'"\`\n`.repeat(SIZE / 4),
  conditions: "if (a) ".repeat(SIZE / 4),
  nul: "\0\n".repeat(SIZE / 2),
  indents: Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}if a:\n`).join(""),
  surrogates: "\ud800\n".repeat(SIZE / 10),
};

describe("a text made to break a parser", () => {
  it.each(LANGUAGES)("is answered, and the next one too: %s", async (ending) => {
    for (const text of Object.values(HOSTILE)) {
      const outline = await outlineOf(`a.${ending}`, text);
      const [first, middle] = await blocksAt(`a.${ending}`, text, [1, 500]);
      expect(outline === null || outline.elided.length > 0).toBe(true);
      expect([first?.kind, middle?.kind].every((kind) => kind === "block" || kind === "none")).toBe(true);
    }
    expect(await blocksAt("a.js", "f(\n  1,\n);\n", [1])).toEqual([{ kind: "block", first: 1, last: 3 }]);
  });

  it("that takes all memory ends its parser, and those at work beside it are answered by another", async () => {
    const texts = Array.from({ length: 4 }, () => "a<".repeat(50_000));
    const found = await Promise.all([
      ...texts.map((text) => blocksAt("a.java", text, [1])),
      blocksAt("b.java", "class A {\n}\n", [1]),
    ]);
    expect(found.map(([lookup]) => lookup)).toEqual([
      ...texts.map(() => ({ kind: "none", why: "it takes too long to parse" })),
      { kind: "block", first: 1, last: 2 },
    ]);
  });
});
