import { describe, expect, it } from "vitest";
import { SUMMARY_TYPE, SUMMARY_TYPE_SHOWN } from "../../src/model/limits.ts";
import { outlineOf } from "../../src/syntax/outline.ts";
import { sample } from "./sample.ts";

/** "3-9 12-20"; null: no outline. */
async function elided(path: string, text: string): Promise<string | null> {
  const outline = await outlineOf(path, text);
  return outline === null ? null : outline.elided.map(({ first, last }) => `${first}-${last}`).join(" ");
}

function repeat(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
}

const SAMPLES: readonly (readonly [string, string])[] = [
  ["shop.ts", "9-12 24-27 43-45 54-59 63-67 76-81 85-96 101-104"],
  ["shop.tsx", "8-26 30-36"],
  ["shop.test.js", "5-7 14-16 20-23 28-31 35-37 43-48 52-55"],
  ["shop.py", "19-22 44-47 53-59 67-79 83-85 92-98 102-106"],
  ["shop.go", "18-20 35-44 48-59"],
  ["shop.rs", "21-25 30-33 40-45 50-55 62-66 75-77"],
  ["shop.c", "21-23 34-40 46-49 55-66"],
  ["shop.cpp", "12-15 32-35 39-41 47-52 64-66"],
  ["Shop.java", "12-14 20-22 26-29 34-39 43-51 58-60 69-71"],
  ["Shop.cs", "12-14 27-29 35-39 45-53 60-66"],
  ["shop.rb", "8-11 18-20 24-37 41-44 48-52 65-67 72-74 80-83"],
  ["shop.php", "10-12 29-31 36-39 44-50 57-59 64-68 72-76"],
  ["shop.sh", "6-9 13-17 21-28 32-37"],
  ["shop.css", "6-8 13-15"],
];

describe("an outline", () => {
  it.each(SAMPLES)("leaves out bodies and long values, and keeps declarations: %s", async (name, spans) => {
    const text = await sample(name);
    expect(await elided(name, text)).toBe(spans);
    expect(await elided(name, text.replaceAll("\n", "\r\n"))).toBe(spans);
  });

  it("is not made of a language that is not known, of nothing, and of what is short", async () => {
    expect(await elided("a.foo", "f() {\n1\n2\n3\n4\n}\n")).toBeNull();
    expect(await elided("a.ts", "")).toBeNull();
    expect(await elided("a.ts", "f(() => {\n  a();\n  b();\n});\n")).toBeNull();
  });

  it("is not made when less than a quarter would be left out", async () => {
    const body = "function f() {\n  a();\n  b();\n  c();\n}\n";
    expect(await elided("a.ts", body + repeat(7, (at) => `g(${at});`))).toBe("2-4");
    expect(await elided("a.ts", body + repeat(8, (at) => `g(${at});`))).toBeNull();
  });

  it("keeps functions that a wrapper holds, and leaves out those inside others", async () => {
    const inner = "  function f() {\n    a();\n    b();\n    c();\n  }\n";
    expect(await elided("a.js", `(function () {\n${inner}${inner}})();\n`)).toBe("3-5 8-10");
    expect(await elided("a.js", `function g() {\n${inner}${inner}}\n`)).toBe("2-11");
    expect(await elided("a.js", `module.exports = {\n${inner.replace("function ", "")}};\n`)).toBe("3-5");
    expect(
      await elided("a.py", "try:\n    def f():\n        a()\n        b()\n        c()\nexcept E:\n  d()\n"),
    ).toBe("3-5");
  });

  it("leaves out a callback as one unless half of it are functions", async () => {
    const inner = "  g(() => {\n    a();\n    b();\n    c();\n  });\n";
    const lines = (count: number): string => repeat(count, (at) => `  h(${at});`);
    expect(await elided("a.js", `f(() => {\n${lines(5)}${inner}});\n`)).toBe("8-10");
    expect(await elided("a.js", `f(() => {\n${lines(6)}${inner}});\n`)).toBe("2-12");
  });

  it("opens a very long function that is a module by itself", async () => {
    const inner = repeat(60, (at) => `  function f${at}() {\n    a();\n    b();\n    c();\n  }`);
    const outline = await outlineOf("a.js", `function g() {\n${inner}}\n`);
    expect(outline?.elided.length).toBe(60);
  });

  it("cuts members of a very long type only, from the beginning of one", async () => {
    const members = (count: number): string =>
      repeat(count, (at) => `  /** ${at} */\n  readonly a${at}: string;`);
    const long = SUMMARY_TYPE / 2 + 1;
    expect(await elided("a.ts", `interface A {\n${members(SUMMARY_TYPE / 2)}}\n`)).toBeNull();
    expect(await elided("a.ts", `interface A {\n${members(long)}}\n`)).toBe(
      `${SUMMARY_TYPE_SHOWN + 2}-${long * 2 + 1}`,
    );
  });

  it("leaves out as one what lies in one another or touches", async () => {
    const comment = `  /*\n${repeat(10, (at) => `   * ${at}`)}   */\n`;
    const text = `interface A {\n${repeat(SUMMARY_TYPE, (at) => `  a${at}: string;`)}${comment}  b: string;\n}\n`;
    expect(await elided("a.ts", text)).toBe(`${SUMMARY_TYPE_SHOWN + 2}-${SUMMARY_TYPE + 14}`);
  });

  it("keeps the beginning of a comment, be it one or many", async () => {
    const rest = "f();\n";
    const lines = (mark: string): string => repeat(12, (at) => `${mark} ${at}`);
    expect(await elided("a.go", `${lines("//")}package a\n`)).toBe("6-11");
    expect(await elided("a.rs", `${lines("///")}fn f() {}\n`)).toBe("6-11");
    expect(await elided("a.js", `/*\n${repeat(10, (at) => ` * ${at}`)} */\n${rest}`)).toBe("6-11");
    expect(
      await elided(
        "a.js",
        repeat(12, (at) => `f(${at}); // ${at}`),
      ),
    ).toBeNull();
  });

  it("shows a body that the parser lost its way in, unless its braces stand where they should", async () => {
    const lost = "void f(void)\n{\n\tint a;\n\tvoid __rcu **b;\n\tg();\n\th();\n}\n";
    expect(await elided("a.c", lost)).toBe("3-6");
    expect(await elided("a.c", lost.replace("h();\n}", "h(); }"))).toBeNull();
    expect(
      await elided("a.py", "def f():\n    a = (\n    b = 1\n    c = 2\n    d = 3\n\n\ndef g():\n    e = 1\n"),
    ).toBeNull();
  });

  it("is not made of what is mostly no code", async () => {
    expect(
      await elided(
        "a.ts",
        repeat(50, () => "Lorem ipsum dolor {{ sit amet, consectetur ]"),
      ),
    ).toBeNull();
    expect(
      await elided(
        "a.c",
        repeat(50, () => ")))) }}}} [["),
      ),
    ).toBeNull();
  });
});
