import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import type { LineRange, Selector } from "../../src/model/selector.ts";
import { mergeRanges } from "../../src/workspace/line-set.ts";
import {
  formatSelector,
  parseSelector,
  readInput,
  selectedSpans,
  selectsLines,
  splitSelector,
} from "../../src/workspace/selectors.ts";

const WHOLE: Selector = { raw: false, conflicts: false, ranges: [], tail: null };

function lines(...ranges: readonly (readonly [number, number | null])[]): Selector {
  return { ...WHOLE, ranges: ranges.map(([first, last]) => ({ first, last })) };
}

describe("A selector", () => {
  it.each<[string, Selector]>([
    ["raw", { ...WHOLE, raw: true }],
    ["conflicts", { ...WHOLE, conflicts: true }],
    ["50", lines([50, null])],
    ["L50", lines([50, null])],
    ["50-", lines([50, null])],
    ["50-100", lines([50, 100])],
    ["L50-L100", lines([50, 100])],
    ["50+10", lines([50, 59])],
    ["L50+L10", lines([50, 59])],
    ["7-7", lines([7, 7])],
    ["5-16,960-973", lines([5, 16], [960, 973])],
    ["960-973,5-16", lines([5, 16], [960, 973])],
    ["5-16,10-20,21-22", lines([5, 22])],
    ["5-16,10-", lines([5, null])],
    ["raw:50-100", { ...lines([50, 100]), raw: true }],
    ["50-100:raw", { ...lines([50, 100]), raw: true }],
    ["-20", { ...WHOLE, tail: 20 }],
    ["-20:raw", { ...WHOLE, tail: 20, raw: true }],
    ["1-5,-20", { ...lines([1, 5]), tail: 20 }],
    ["-3,-20", { ...WHOLE, tail: 20 }],
    ["007-010", lines([7, 10])],
  ])("is read: %s", (text, selector) => {
    expect(parseSelector(text)).toEqual(selector);
  });

  it.each([
    "",
    " ",
    "Raw",
    "rawr",
    "src/a.ts",
    "../x",
    "1-2-3",
    "-",
    "--5",
    "+5",
    "5,",
    ",5",
    "5;6",
    "5 - 6",
    "L",
    "1.5",
    "1e3",
    "٣",
    "raw:",
    ":raw",
    "5-6:x",
    "table:key",
  ])("is not what reads %j", (text) => {
    expect(parseSelector(text)).toBeNull();
  });

  it.each([
    ["0", "The selector :0 starts at line 0, and lines are counted from 1"],
    ["0-5", "The selector :0-5 starts at line 0, and lines are counted from 1"],
    ["9-3", "The selector :9-3 ends before it starts"],
    ["1-5,9-3", "The selector :9-3 ends before it starts"],
    ["5+0", "The selector :5+0 asks for no lines"],
    ["-0", "The selector :-0 asks for no lines"],
    ["99999999999999999999", "The selector :99999999999999999999 has a number that no file reaches"],
    ["5+9007199254740991", "The selector :5+9007199254740991 ends at a line that no file reaches"],
    ["raw:raw", "The selector :raw:raw says the same thing twice"],
    ["5:6", "The selector :5:6 says the same thing twice"],
    ["conflicts:5", "The selector :conflicts:5 mixes conflicts with something else"],
    ["raw:conflicts", "The selector :raw:conflicts mixes conflicts with something else"],
  ])("has a fault that is told and not thrown: %s", (text, message) => {
    const fault = parseSelector(text);
    expect(fault).toBeInstanceOf(ToolError);
    expect(fault).toMatchObject({ code: "SELECTOR_INVALID", message });
    expect((fault as ToolError).hint).not.toBe("");
  });

  const line = fc.integer({ min: 1, max: 1_000_000 });
  const range: fc.Arbitrary<LineRange> = fc
    .tuple(line, fc.option(fc.nat(5000)))
    .map(([first, more]) => ({ first, last: more === null ? null : first + more }));
  const selector: fc.Arbitrary<Selector> = fc
    .record({ raw: fc.boolean(), ranges: fc.array(range, { maxLength: 6 }), tail: fc.option(line) })
    .map(({ ranges, ...rest }) => ({ ...rest, conflicts: false, ranges: mergeRanges(ranges) }));

  it("means the same after it was written and read again", () => {
    fc.assert(
      fc.property(selector, (selector) => {
        const text = formatSelector(selector);
        expect(text === "" ? WHOLE : parseSelector(text)).toEqual(selector);
      }),
      { numRuns: 2000 },
    );
  });

  it("is read from any text without throwing", () => {
    const letters = fc.string({
      unit: fc.constantFrom(..."0159-+,:Llrawconflits /.é\0\n".split("")),
      maxLength: 24,
    });
    fc.assert(
      fc.property(fc.oneof(letters, fc.string({ unit: "binary" })), (text) => {
        const read = parseSelector(text);
        if (read === null || read instanceof ToolError) return;
        expect(parseSelector(formatSelector(read))).toEqual(read);
        for (const { path, selector } of splitSelector(`x:${text}`))
          expect(`${path}:${selector}`).toBe(`x:${text}`);
      }),
      { numRuns: 5000 },
    );
  });

  it("selects exactly the lines it names", () => {
    fc.assert(
      fc.property(selector, fc.nat(300), (selector, total) => {
        const spans = selectedSpans(selector, total);
        for (let line = 1; line <= total; line += 1) {
          const named =
            !selectsLines(selector) ||
            selector.ranges.some(({ first, last }) => first <= line && line <= (last ?? line)) ||
            (selector.tail !== null && line > total - selector.tail);
          expect(spans.some(({ first, last }) => first <= line && line <= last)).toBe(named);
        }
        expect(spans.every(({ first, last }) => first >= 1 && first <= last && last <= total)).toBe(true);
      }),
    );
  });

  it("of a hostile length is read to an end", () => {
    expect(splitSelector(`x${":1".repeat(500_000)}`).length).toBeLessThanOrEqual(3);
    expect(splitSelector(`x:${"1,".repeat(500_000)}1`).length).toBeLessThanOrEqual(3);
    expect(parseSelector("1".repeat(1_000_000))).toBeInstanceOf(ToolError);
  });
});

describe("An input with a selector (T6)", () => {
  const among =
    (...paths: readonly string[]) =>
    async (path: string): Promise<boolean> =>
      paths.includes(path);

  it("is a path and a selector when only the path exists", async () => {
    expect(await readInput("x.ts:10-20", among("x.ts"))).toEqual({ path: "x.ts", selector: lines([10, 20]) });
    expect(await readInput("x.ts:raw:10-20", among("x.ts"))).toEqual({
      path: "x.ts",
      selector: { ...lines([10, 20]), raw: true },
    });
  });

  it.each(["x.ts:10", "b.zip:src", "a:raw", "5-16,960-973", "x:1:2:3:4", ":50", "docs://a:1"])(
    "is the path that is really called so: %s",
    async (name) => {
      expect(await readInput(name, among(name, "x.ts", "b.zip", "a", "x"))).toEqual({
        path: name,
        selector: null,
      });
    },
  );

  it("takes the longest path that exists", async () => {
    expect(await readInput("x.ts:10:20", among("x.ts", "x.ts:10"))).toEqual({
      path: "x.ts:10",
      selector: lines([20, null]),
    });
    expect(await readInput("b.zip:src/a.ts:5", among("b.zip:src/a.ts"))).toEqual({
      path: "b.zip:src/a.ts",
      selector: lines([5, null]),
    });
  });

  it("leaves archive members and tables alone, escapes among them", async () => {
    for (const input of ["a.zip:../x", "a.zip:/etc/passwd", "db.sqlite:users:key", "C:\\x", "a.zip:"]) {
      expect(await readInput(input, among("a.zip", "C"))).toEqual({ path: input, selector: null });
    }
  });

  it("that is not there is told by its path, without the selector", async () => {
    expect(await readInput("gone.ts:raw:5-9", among())).toMatchObject({ path: "gone.ts" });
    expect(await readInput("gone.ts:9-5", among())).toEqual({ path: "gone.ts", selector: null });
  });

  it("throws the fault of a selector on a path that is there", async () => {
    await expect(readInput("x.ts:9-5", among("x.ts"))).rejects.toMatchObject({ code: "SELECTOR_INVALID" });
    await expect(readInput("x.ts:0", among("x.ts"))).rejects.toMatchObject({ hint: "Use :1" });
  });

  it("gives every name back whole, whatever it looks like", async () => {
    const name = fc.string({
      unit: fc.constantFrom(..."ab.:/-,+01rawL ".split("")),
      minLength: 1,
      maxLength: 16,
    });
    await fc.assert(
      fc.asyncProperty(name, async (name) => {
        expect(await readInput(name, among(name))).toEqual({ path: name, selector: null });
        const read = await readInput(`${name}:3-4`, among(name));
        expect(read).toEqual({ path: name, selector: lines([3, 4]) });
      }),
    );
  });
});
