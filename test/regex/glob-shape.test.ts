/** What a glob says of a name never rules out a name that it matches, and promises none that it does not. */
import { array, assert, constantFrom, oneof, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { compile } from "../../src/regex/compile.ts";
import { globRegex, toBytes } from "../../src/regex/glob-regex.ts";
import { hasShape, nameShapes, saysNothing, shapesOfAny } from "../../src/regex/glob-shape.ts";

const words = (text: string): string[] => text.split(" ");

const intricate = array(
  constantFrom(
    ...words("a b c é . , - ! ? / * * ** **/ /** /**/ *. \\* \\{ \\/ \\, \\é"),
    ...words("[ab] [a-c] [!a] [^b] []a] [é] [a-] [.-0] [b-a] [0-9] [a-z]"),
    ...words("{a,b} {a,b.c} {a,b/c} {,a} {a,{b,c}} {a*,b} {a\\,b} { } ] [ \\"),
    " ",
    "\n",
  ),
  { minLength: 1, maxLength: 6 },
).map((pieces) => pieces.join(""));
const usual = tuple(
  constantFrom("", "", "**/", "/", "a/", "/**/", "**/a/**/", "*/", "a/b/"),
  array(constantFrom(...words("* * a b .c ? [ab] {a,b} \\*")), { minLength: 1, maxLength: 3 }),
).map(([before, pieces]) => before + pieces.join(""));
const glob = oneof(intricate, usual);
const name = oneof(
  array(constantFrom(..."aabbc.é,-!*{ 05\n\\".split("")), { minLength: 1, maxLength: 5 }).map((letters) =>
    letters.join(""),
  ),
  string({ minLength: 1, maxLength: 4 }).map((text) => text.replace(/[/\0]/g, "x")),
);
const folder = constantFrom("", "a/", "b/", "a/b/", "c/a/", "a/b/c/");

/** What the glob matches by its regex; null where it is refused. */
function matcherOf(text: string): ((bytes: string) => boolean) | null {
  try {
    const { regex, foldersOnly } = globRegex(text);
    const compiled = compile(`(?s)^(?:${regex})$`);
    if (compiled.kind !== "matcher") return null;
    return (bytes) => !foldersOnly && compiled.isMatch(bytes);
  } catch (cause) {
    if (cause instanceof ToolError) return null;
    throw cause;
  }
}

interface Seen {
  readonly matched: boolean;
  readonly shaped: boolean;
}

function seen(text: string, paths: readonly string[]): readonly Seen[] {
  const matches = matcherOf(text);
  const shapes = nameShapes(text);
  if (matches === null || shapes === null) return [];
  return paths.map(toBytes).map((bytes) => {
    const from = bytes.lastIndexOf("/") + 1;
    return {
      matched: matches(bytes),
      shaped: shapes.any.some((shape) => hasShape(bytes, from, bytes.length, shape)),
    };
  });
}

const RUNS = { numRuns: 4_000 };

describe("the shapes of a glob's name", () => {
  it("are those of every path that it matches", () => {
    assert(
      property(glob, array(name), folder, (text, names, place) => {
        const paths = names.map((one) => place + one);
        expect(seen(text, paths).filter(({ matched, shaped }) => matched && !shaped)).toEqual([]);
      }),
      RUNS,
    );
  });

  it("decide alone where they are sure, and with the folder where that decides", () => {
    const counted = { all: 0, folder: 0, nothing: 0, unknown: 0 };
    assert(
      property(glob, array(name, { minLength: 4 }), folder, (text, names, place) => {
        const shaped = seen(
          text,
          names.map((one) => place + one),
        ).filter((one) => one.shaped);
        const sure = nameShapes(text)?.sure ?? "unknown";
        if (shaped.length > 1) counted[sure] += 1;
        const verdicts = new Set(shaped.map(({ matched }) => matched));
        expect(sure === "all" ? verdicts.has(false) : sure === "folder" && verdicts.size > 1).toBe(false);
      }),
      RUNS,
    );
    expect(Math.min(counted.all, counted.folder, counted.nothing)).toBeGreaterThan(20);
  });

  it.each([
    ["*.c", "all"],
    ["**/Makefile", "all"],
    ["Kconfig*", "all"],
    ["*.{yaml,yml}", "all"],
    ["*_[ab]*.h", "all"],
    ["/**/*.rst", "all"],
    ["**/*", "all"],
    ["**", "all"],
    ["/*.c", "folder"],
    ["**/include/**/*.h", "folder"],
    ["ext?.h", "nothing"],
    ["*a*b*", "nothing"],
    ["[a-z].c", "nothing"],
  ])("of %s are sure of %s", (text, sure) => {
    expect(nameShapes(text)?.sure).toBe(sure);
  });

  it.each(["a/", "{a,b/c}.c", "a[!b]", "{a,{b,c}}", "{,a}", "a/**", "[0-9][0-9].c"])(
    "of %s are not known",
    (text) => {
      expect(nameShapes(text)).toBeNull();
    },
  );

  it("say nothing where any name will do", () => {
    expect(["**", "*", "?", "**/*"].map((text) => saysNothing(nameShapes(text) ?? NONE))).toEqual(
      Array.from({ length: 4 }, () => true),
    );
  });

  it("of several globs are no longer decided by a folder", () => {
    expect(shapesOfAny(["a/*.c"])?.sure).toBe("folder");
    expect(shapesOfAny(["a/*.c", "b/*.h"])?.sure).toBe("nothing");
    expect(shapesOfAny(["*.c", "*.h"])?.sure).toBe("all");
  });
});

const NONE = { any: [], sure: "nothing" } as const;
