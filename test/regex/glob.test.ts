import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { compileGlobs, escapeGlob, nameGlob } from "../../src/regex/glob.ts";
import { plant, type Tree } from "./ripgrep.ts";

const chars = (text: string): string[] => text.split("");

const NAMES = [
  ...chars("abcx?*!#"),
  "é",
  "e\u0301",
  "日本.ts",
  "a.ts",
  "b.c",
  ".hidden",
  "-dash",
  "x y",
  " before",
  "behind ",
  "tab\t",
  "wide\u3000",
  "line\nbreak",
  "[a]",
  "{a,b}",
  "{a}",
  "a,b",
  "a\\b",
  "ab",
  "abc",
];
const FOLDERS = ["d", "d/a", "d/b/c", "é é", "[d]", "{d,e}", ".h", "a.b"];
const PATHS = [...NAMES, ...FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`))].filter(
  // A file cannot stand where a folder does.
  (path) => !FOLDERS.some((folder) => `${folder}/`.startsWith(`${path}/`)),
);

const words = (text: string): string[] => text.split(" ");

const glob: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      ...chars("abcdexé.,-!/? "),
      ...chars("/**?"),
      ...chars("{}[],\\"),
      ...words("** **/ /** /**/ *.ts a.b 日 \\* \\{ \\/ \\, \\!"),
      ...words("[a-c] [!a] [^b] []a] [é] [a-c-e] [+-9] [-a] [a-] [.-0] [!-é] [b-a] [c-a-e]"),
      ...words("{a,b} {a,b/c} {**,b} {**/a,b} {d/**,a} {,a} {} {a,{b,c}} {a\\,**}"),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join("").trimEnd())
  .filter((text) => text !== "");

/** A leading `!` or `#` is syntax of ripgrep's command line. */
const argument = (text: string): string => (/^[!#]/.test(text) ? `\\${text}` : text);

function folders(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

let tree: Tree;
beforeAll(() => {
  tree = plant(Object.fromEntries(PATHS.map((path) => [path, ""])));
});
afterAll(() => tree.remove());

/** The files ripgrep lists, or null when it refuses a glob. */
function listed(...globs: string[]): string[] | null {
  const { status, stdout, stderr } = tree.rg(
    "--files",
    "--threads=1",
    "--hidden",
    "--no-ignore",
    "--null",
    ...globs.map((text) => `--glob=${text}`),
  );
  if (stderr.includes("error parsing glob")) return null;
  if (status !== 0 && status !== 1) throw new Error(`ripgrep ended with ${status}: ${stderr}`);
  return stdout.split("\0").filter(Boolean).sort();
}

/** The files of the tree for which `test` is true, or null when a glob is refused. */
function matched(
  globs: string[],
  test: (set: ReturnType<typeof compileGlobs>, path: string) => boolean,
): string[] | null {
  try {
    const set = compileGlobs(globs, "path");
    return PATHS.filter((path) => test(set, path)).sort();
  } catch (error) {
    if (error instanceof ToolError && error.code === "INVALID_GLOB") return null;
    throw error;
  }
}

describe("a set of globs, against ripgrep", () => {
  it("starts from a tree that ripgrep lists in full", () => {
    expect(listed()).toEqual([...PATHS].sort());
  });

  it("matches the files that ripgrep lists with them, and is refused where ripgrep refuses", () => {
    fc.assert(
      fc.property(fc.array(glob, { minLength: 1, maxLength: 2 }), (globs) => {
        expect(matched(globs, (set, path) => set.matches(path, "file"))).toEqual(
          listed(...globs.map(argument)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("matches the folders that ripgrep does not enter without them", () => {
    fc.assert(
      fc.property(glob, fc.constantFrom("", "/"), (text, slash) => {
        const folderGlob = text + slash;
        const kept = matched(
          [folderGlob],
          (set, path) =>
            !set.matches(path, "file") && !folders(path).some((folder) => set.matches(folder, "folder")),
        );
        expect(kept).toEqual(listed(`!${folderGlob}`));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a set of globs", () => {
  it("matches base names alone when asked to", () => {
    const set = compileGlobs(["*.ts", "d/*"], "name");
    expect(set.matches("d/e/a.ts", "file")).toBe(true);
    expect(set.matches("d/a", "file")).toBe(false);
    expect(compileGlobs(["/a.ts"], "name").matches("d/a.ts", "file")).toBe(true);
  });

  it("matches a folder glob with folders only", () => {
    const set = compileGlobs(["build/"], "path");
    expect(set.matches("x/build", "folder")).toBe(true);
    expect(set.matches("x/build", "file")).toBe(false);
  });

  it("takes a leading ! or # and blanks at the end as part of the name", () => {
    const set = compileGlobs(["!a", "#b", "c "], "path");
    expect(["!a", "#b", "c ", "a", "b", "c"].map((path) => set.matches(path, "file"))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("matches nothing when it is empty", () => {
    expect(compileGlobs([], "path").matches("a", "file")).toBe(false);
  });

  it("tells apart more globs than fit into one regex", () => {
    const set = compileGlobs(
      Array.from({ length: 3_000 }, (_, i) => `folder${i}/**/*.ts`),
      "path",
    );
    for (let i = 0; i < 1_000; i += 1) {
      expect(set.matches(`folder${i + 2_000}/a/b/${i}.ts`, "file")).toBe(true);
      expect(set.matches(`folder${i + 3_000}/a/b/${i}.ts`, "file")).toBe(false);
    }
  });

  it.each([
    ["src/[a", "The glob `src/[a` does not parse: `[` is not closed, at character 5."],
    ["[a", "The glob `[a` does not parse: `[` is not closed, at character 1."],
    ["/a{b", "The glob `/a{b` does not parse: `{` is not closed, at character 3."],
    ["é}", "The glob `é}` does not parse: `}` has no `{` before it, at character 2."],
    ["a\\", "The glob `a\\` does not parse: nothing follows the `\\`, at character 2."],
    ["[c-a]", "The glob `[c-a]` does not parse: `c-a` is no range, at character 1."],
    ["", "The glob `` does not parse: it is empty, at character 1."],
    ["a\0", "The glob `a\0` does not parse: no name has a NUL character, at character 2."],
  ])("names the glob and the place it does not parse: %j", (text, message) => {
    expect(() => compileGlobs(["*.ts", text], "path")).toThrow(
      expect.objectContaining({ code: "INVALID_GLOB", message, hint: expect.stringContaining("backslash") }),
    );
  });

  it("refuses a glob that is nested too deeply, and comes to an end on hostile ones", () => {
    expect(() => compileGlobs(["{".repeat(1_000) + "}".repeat(1_000) + "a"], "path")).not.toThrow();
    expect(() => compileGlobs([`${"{".repeat(1_000)}a${"}".repeat(1_000)}`], "path")).toThrow(
      expect.objectContaining({ code: "INVALID_GLOB" }),
    );
    const hostile = compileGlobs([`${"*a".repeat(50)}b`, `${"**/".repeat(50)}b`], "path");
    expect(hostile.matches("a".repeat(5_000), "file")).toBe(false);
    expect(hostile.matches("a/".repeat(2_000), "file")).toBe(false);
  });
});

describe("escapeGlob", () => {
  it("writes each path as a glob with which ripgrep lists that path alone", () => {
    for (const path of PATHS) expect(listed(`/${escapeGlob(path)}`)).toEqual([path]);
    for (const path of NAMES) expect(listed(escapeGlob(path))).toContain(`.h/${path}`);
  });

  it("writes each name as a glob that matches it and none of the others", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/[/\0]/.test(text));
    fc.assert(
      fc.property(name, name, (one, other) => {
        const set = compileGlobs([escapeGlob(one)], "name");
        expect(set.matches(`d/${one}`, "file")).toBe(true);
        expect(set.matches(other, "file")).toBe(one === other);
      }),
    );
  });
});

describe("nameGlob", () => {
  it.each([
    ["src/**/*.ts", "*.ts"],
    ["*.ts", "*.ts"],
    ["/a", "a"],
    ["d/{a,b}.[ch]", "{a,b}.[ch]"],
    ["{a,b/c}/d*", "d*"],
    ["a[!b]c/x", "x"],
    ["d\\/a", "a"],
    ["d/!a", "\\!a"],
  ])("takes the last segment of %s", (text, name) => {
    expect(nameGlob(text)).toBe(name);
  });

  it.each([
    "src/**",
    "**",
    "src/*",
    "src/",
    "a/{b,c/d}",
    "a[!b]c",
    "a[.-0]c",
    "{a",
    "[a",
    "a}",
    "{a\\,**}",
    "d/a ",
  ])("says nothing of %s", (text) => {
    expect(nameGlob(text)).toBe(null);
  });

  it("matches the name of every path that the glob matches", () => {
    let told = 0;
    fc.assert(
      fc.property(glob, (text) => {
        const all = matched([text], (set, path) => set.matches(path, "file"));
        const name = nameGlob(text);
        fc.pre(all !== null && name !== null);
        told += all.length;
        const set = compileGlobs([name], "name");
        expect(all.filter((path) => !set.matches(path, "file"))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    expect(told).toBeGreaterThan(0);
  });
});
