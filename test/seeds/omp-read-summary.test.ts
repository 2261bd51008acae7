/**
 * seeds/omp-read.md, structural summaries, and issue 4: long code without a selector keeps its declarations and leaves
 * bodies out, with a footer that names exactly what was left out.
 *
 * Without a test: the function that makes it, and summaries of prose (the issue asks for code; docs/deviations.md).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SUMMARY_BYTES, SUMMARY_LINES } from "../../src/model/limits.ts";
import { leftOut, notesIn, numbered, reader } from "./reader.ts";

const SAMPLES = join(import.meta.dirname, "../syntax/samples");
const sample = (name: string): string => readFileSync(join(SAMPLES, `${name}.txt`), "utf8");

const body = (count: number): string =>
  Array.from({ length: count }, (_, at) => `    step(${at});\n`).join("");
const functions = (count: number, length: number): string =>
  Array.from({ length: count }, (_, at) => `export function f${at}(): void {\n${body(length)}}\n`).join("\n");

/** Lines that a summary has rows for: both of a pair. */
function rowLines(text: string): number[] {
  return [...text.matchAll(/^(\d+)(?:-(\d+))?:/gm)].flatMap(([, first, last]) =>
    last === undefined ? [Number(first)] : [Number(first), Number(last)],
  );
}

/** Every line of the file is a row or left out, and none is both. */
function expectExact(text: string, content: string): void {
  const count = content.replace(/\n$/, "").split("\n").length;
  const missing = leftOut(text).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  const all = [...rowLines(text), ...missing].sort((a, b) => a - b);
  expect(all).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  const [, lines = ""] = /^\[([\d,]+) lines left out/m.exec(text) ?? [];
  expect(Number(lines.replaceAll(",", ""))).toBe(missing.length);
}

describe("A summary", () => {
  it("keeps declarations, shows a pair of braces in one row with both numbers, and names what it left out", async () => {
    const content = `import { step } from "./step";\n\n${functions(4, 40)}`;
    const { read } = await reader({ "a.ts": content });
    const text = await read("a.ts");
    expect(text.replace(/#[0-9A-F]{4}/, "#TAG")).toBe(
      [
        "¶a.ts#TAG",
        '1:import { step } from "./step";',
        "2:",
        "3-44:export function f0(): void { … }",
        "45:",
        "46-87:export function f1(): void { … }",
        "88:",
        "89-130:export function f2(): void { … }",
        "131:",
        "132-173:export function f3(): void { … }",
        "[160 lines left out; read what you need of a.ts:4-43,47-86,90-129,133-172]",
      ].join("\n"),
    );
    expectExact(text, content);
  });

  it("is told in the details", async () => {
    const { details } = await reader({ "a.ts": functions(4, 40) });
    expect(await details("a.ts")).toMatchObject({
      summary: { lines: 7, elidedLines: 160, elidedSpans: [{ first: 2, last: 41 }, {}, {}, {}] },
      nextSelector: null,
      truncated: false,
      lines: { first: 1, last: 171, total: 171 },
    });
  });

  it("the footer, read as it stands, shows exactly the bodies with the lines around them", async () => {
    const content = functions(6, 40);
    const { read } = await reader({ "a.ts": content });
    const text = await read("a.ts");
    const ranges = leftOut(text);
    const call = /read what you need of (.*)\]$/.exec(text)?.[1] ?? "";
    const bodies = await read(call);
    const rows = content.split("\n");
    for (const [first, last] of ranges) {
      for (let line = first; line <= last; line += 1) {
        expect(numbered(bodies)).toContainEqual([line, rows[line - 1]]);
      }
    }
    expect(notesIn(bodies)).toEqual([]);
  });

  it("both lines of a pair count as shown, a line left out does not", async () => {
    const { tagOf, edit, refused } = await reader({ "a.ts": functions(4, 40) });
    const mark = await tagOf("a.ts");
    expect(await refused(`¶a.ts#${mark}`, "delete 2..2")).toMatchObject({ code: "LINE_NOT_SHOWN" });
    await edit(`¶a.ts#${mark}`, "insert before 42:", "+    last();", "insert after 1:", "+    first();");
  });

  it("names every body, however many there are, and the last of the file too", async () => {
    const python = Array.from(
      { length: 150 },
      (_, at) => `def f${at}(x):\n    """Doc."""\n    a = 1\n    b = 2\n    c = 3\n    return a\n`,
    ).join("\n");
    const { read } = await reader({ "a.py": python, "b.ts": functions(150, 10) });
    expect(leftOut(await read("a.py"))).toHaveLength(150);
    expectExact(await read("a.py"), python);
    expectExact(await read("b.ts"), functions(150, 10));
  });

  it("leaves bodies out that follow one another, and says of none that it is shown", async () => {
    const content = `foo(function () {\n${body(40)}}, function () {\n${body(40)}});\nif (a) {\n${body(40)}} else {\n${body(40)}}\n`;
    const { read } = await reader({ "a.js": content });
    const text = await read("a.js");
    expect(leftOut(text).length).toBeGreaterThan(1);
    expectExact(text, content);
  });

  it.each([
    "Shop.cs",
    "Shop.java",
    "shop.c",
    "shop.cpp",
    "shop.go",
    "shop.php",
    "shop.py",
    "shop.rb",
    "shop.rs",
    "shop.sh",
    "shop.test.js",
    "shop.ts",
    "shop.tsx",
  ])("covers %s exactly and is never longer than the file", async (name) => {
    // The samples are short: several of them are long enough to be summed up.
    const once = sample(name);
    const content = once.repeat(Math.ceil(150 / once.split("\n").length) + 1);
    const { read, details } = await reader({ [name]: content });
    const text = await read(name);
    expect((await details(name)).summary?.elidedLines).toBeGreaterThan(0);
    expectExact(text, content);
    expect(text.length).toBeLessThan((await read(`${name}:1-`)).length);
  });

  it("that does not fit one answer goes on with what was not looked at", async () => {
    const content = Array.from(
      { length: 900 },
      (_, at) => `export function f${at}(${"argument: string, ".repeat(5)}): void {\n${body(6)}}\n`,
    ).join("");
    const { read, details } = await reader({ "a.ts": content });
    const text = await read("a.ts");
    const next = Number((await details("a.ts")).nextSelector?.replace("-", ""));
    const part = content
      .split("\n")
      .slice(0, next - 1)
      .join("\n");
    expect(next).toBeGreaterThan(2000);
    expect(leftOut(text)).toHaveLength(leftOutIn(part));
    expectExact(text.replace(/\n\[Lines .*$/, ""), `${part}\n`);
  });
});

/** Functions of the test above that begin in a text. */
function leftOutIn(part: string): number {
  return part.split("export function").length - 1;
}

describe("No summary", () => {
  const long = functions(4, 40);

  it("of a file that is short, of one that is no code, of one without bodies", async () => {
    const flat = Array.from({ length: 200 }, (_, at) => `export const a${at} = ${at};\n`).join("");
    const files = { "short.ts": functions(1, 40), "a.txt": long, "flat.ts": flat, "a.md": `# t\n\n${long}` };
    const { read } = await reader(files);
    for (const [name, content] of Object.entries(files)) {
      const text = await read(name);
      expect(leftOut(text)).toEqual([]);
      expect(numbered(text)).toHaveLength(content.replace(/\n$/, "").split("\n").length);
    }
  });

  it("with a selector, raw or of lines", async () => {
    const { read } = await reader({ "a.ts": long });
    expect(numbered(await read("a.ts:1-"))).toHaveLength(171);
    expect(await read("a.ts:raw")).toBe(long.trimEnd());
  });

  it("of a file over 2 MiB or 20,000 lines: it is shown from its beginning", async () => {
    expect([SUMMARY_BYTES, SUMMARY_LINES]).toEqual([2 * 1024 * 1024, 20_000]);
    const wide = `export function f(): void {\n${`  x("${"y".repeat(2000)}");\n`.repeat(1100)}}\n`;
    const { details, read } = await reader({ "long.ts": functions(480, 40), "wide.ts": wide });
    expect((await details("long.ts")).summary).toBe(undefined);
    expect((await details("wide.ts")).summary).toBe(undefined);
    expect(numbered(await read("long.ts")).slice(0, 2)).toEqual([
      [1, "export function f0(): void {"],
      [2, "    step(0);"],
    ]);
  });

  it("of code that does not parse and has no declarations", async () => {
    const { read } = await reader({ "a.ts": "{{{{ ((( \n".repeat(200) });
    expect(numbered(await read("a.ts"))).toHaveLength(200);
  });
});
