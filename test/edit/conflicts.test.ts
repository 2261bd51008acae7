import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { array, assert, constantFrom, integer, option, property, record, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { type FoundConflicts, findConflicts, markOf, sideSpan } from "../../src/edit/conflicts.ts";
import { tree } from "../support/tree.ts";

function find(text: string): FoundConflicts {
  const lines = text.split("\n");
  return findConflicts(lines.length, (line) => lines[line - 1] ?? null);
}

const lines = (...all: string[]): string => all.join("\n");

describe("A conflict", () => {
  it("has ours, theirs and the names behind its marks", () => {
    expect(find(lines("a", "<<<<<<< HEAD", "b", "=======", "c", "d", ">>>>>>> topic", "e"))).toEqual({
      conflicts: [
        {
          start: 2,
          base: null,
          middle: 4,
          end: 7,
          size: 7,
          oursName: "HEAD",
          theirsName: "topic",
          baseName: null,
        },
      ],
      broken: [],
    });
  });

  it("has a base in diff3 style", () => {
    const found = find(lines("<<<<<<< HEAD", "b", "||||||| 1234abc", "o", "=======", ">>>>>>> topic"));
    expect(found.conflicts).toMatchObject([{ start: 1, base: 3, middle: 5, end: 6, baseName: "1234abc" }]);
  });

  it("may have no names and no lines", () => {
    const found = find(lines("<<<<<<<", "|||||||", "=======", ">>>>>>>"));
    expect(found.conflicts).toMatchObject([
      { start: 1, base: 2, middle: 3, end: 4, oursName: "", theirsName: "", baseName: "" },
    ]);
  });

  it("is the same with CRLF, whether or not its lines are handed over with it", () => {
    const found = find(lines("<<<<<<< HEAD\r", "b\r", "=======\r", "c\r", ">>>>>>> a topic\r", ""));
    expect(found.conflicts).toMatchObject([{ start: 1, middle: 3, end: 5, theirsName: "a topic" }]);
  });

  it("may have longer marks, and shorter or longer ones in its lines are text", () => {
    const inner = ["<<<<<<< sample", "x", "=======", "y", ">>>>>>> sample"];
    const nine = find(lines("<<<<<<<<< HEAD", ...inner, "=========", "z", ">>>>>>>>> topic"));
    expect(nine).toMatchObject({ conflicts: [{ start: 1, middle: 7, end: 9, size: 9 }], broken: [] });
    const base = [
      "<<<<<<<<< Temporary merge branch 1",
      "x",
      "=========",
      "y",
      ">>>>>>>>> Temporary merge branch 2",
    ];
    const seven = find(lines("<<<<<<< HEAD", "a", "||||||| merged", ...base, "=======", ">>>>>>> topic"));
    expect(seven).toMatchObject({ conflicts: [{ start: 1, base: 3, middle: 9, end: 10 }], broken: [] });
  });

  it("has sides that can be empty, and a base only where there is a mark for it", () => {
    const [conflict] = find(lines("<<<<<<<", "=======", "c", ">>>>>>>")).conflicts;
    expect(conflict && sideSpan(conflict, "ours")).toEqual({ first: 2, last: 1 });
    expect(conflict && sideSpan(conflict, "theirs")).toEqual({ first: 3, last: 3 });
    expect(conflict && sideSpan(conflict, "base")).toBeNull();
    const [three] = find(lines("<<<<<<<", "a", "|||||||", "b", "=======", ">>>>>>>")).conflicts;
    expect(three && sideSpan(three, "ours")).toEqual({ first: 2, last: 2 });
    expect(three && sideSpan(three, "base")).toEqual({ first: 4, last: 4 });
    expect(three && sideSpan(three, "theirs")).toEqual({ first: 6, last: 5 });
  });
});

describe("What only looks like a conflict", () => {
  it.each([
    ["a heading of reStructuredText", lines("Heading", "=======", "", "Other", "======="), []],
    ["a mark with text right behind it", lines("<<<<<<<HEAD", "a", "=======", "b", ">>>>>>>topic"), []],
    ["six of them", lines("<<<<<< HEAD", "a", "======", "b", ">>>>>> topic"), []],
    ["marks that are indented", lines(" <<<<<<< HEAD", " a", " =======", " b", " >>>>>>> topic"), []],
    ["a middle with words behind it", lines("<<<<<<< HEAD", "a", "======= b", ">>>>>>> topic"), [1]],
    ["a table", lines("||||||| a | b |", "======="), []],
    ["decoration that is longer", lines("<<<<<<<<<<<< START", "a", ">>>>>>>>>>>> END"), []],
    ["marks of different lengths", lines("<<<<<<< HEAD", "a", "========", "b", ">>>>>>> topic"), [1]],
  ])("is none: %s", (_what, text, broken) => {
    expect(find(text)).toEqual({ conflicts: [], broken });
  });

  it.each([
    ["an opening mark by itself", lines("a", "<<<<<<< HEAD", "b"), [2]],
    ["a closing mark by itself", lines("a", ">>>>>>> topic"), [2]],
    ["no middle", lines("<<<<<<< HEAD", "a", ">>>>>>> topic"), [1]],
    ["two middles: which one is it?", lines("<<<<<<<", "T", "=======", "=======", "b", ">>>>>>>"), [1]],
    ["two bases", lines("<<<<<<<", "|||||||", "|||||||", "=======", ">>>>>>>"), [1]],
    ["a base behind the middle", lines("<<<<<<<", "=======", "|||||||", ">>>>>>>"), [1]],
    [
      "one within another of the same length",
      lines("<<<<<<<", "<<<<<<<", "=======", ">>>>>>>", "=======", ">>>>>>>"),
      [1, 2],
    ],
    [
      "two of different lengths across each other",
      lines("<<<<<<<", "<<<<<<<<", "=======", "========", ">>>>>>>", ">>>>>>>>"),
      [1, 2],
    ],
    ["a broken one within another", lines("<<<<<<<", "<<<<<<<", ">>>>>>>", "=======", ">>>>>>>"), [1, 2]],
    ["longer ones that never end", lines("<<<<<<<<", "a", "========", "b"), [1]],
  ])("is told as broken: %s", (_what, text, broken) => {
    expect(find(text)).toEqual({ conflicts: [], broken });
  });

  it("does not hide the whole ones around it", () => {
    const whole = ["<<<<<<< HEAD", "a", "=======", "b", ">>>>>>> topic"];
    const found = find(
      lines("<<<<<<< left over", "Heading", "=======", ...whole, "<<<<<<<<<< art", ...whole),
    );
    expect(found.conflicts.map(({ start }) => start)).toEqual([4, 10]);
    expect(found.broken).toEqual([1]);
  });
});

/** Marks, text that resembles them, and plain text. */
const anyLine = constantFrom(
  ..."<|=>"
    .split("")
    .flatMap((sign) => [sign.repeat(7), sign.repeat(7), sign.repeat(8), `${sign.repeat(7)} x\r`]),
  "<<<<<<<x",
  "text",
  "",
);

describe("Among any lines", () => {
  it("every conflict is whole, in order, and free of its own marks", () => {
    assert(
      property(array(anyLine, { maxLength: 40 }), (all) => {
        const { conflicts, broken } = find(all.join("\n"));
        const signs = (from: number, to: number, size: number): string =>
          all
            .slice(from - 1, to)
            .map(markOf)
            .filter((mark) => mark?.size === size)
            .map((mark) => mark?.sign)
            .join("");
        let reach = 0;
        for (const { start, base, middle, end, size } of conflicts) {
          expect(start).toBeGreaterThan(reach);
          reach = end;
          expect(signs(start, end, size)).toBe(base === null ? "<=>" : "<|=>");
          expect(markOf(all[middle - 1] ?? "")).toMatchObject({ sign: "=", size });
          expect(base === null ? null : markOf(all[base - 1] ?? "")?.sign).toBe(base === null ? null : "|");
          expect(broken.some((line) => line >= start && line <= end)).toBe(false);
        }
        expect([...broken].sort((a, b) => a - b)).toEqual([...new Set(broken)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("no opening mark of seven goes without a word", () => {
    assert(
      property(array(anyLine, { maxLength: 40 }), (all) => {
        const { conflicts, broken } = find(all.join("\n"));
        const openings = all.flatMap((line, at) =>
          markOf(line)?.sign === "<" && markOf(line)?.size === 7 ? [at + 1] : [],
        );
        const told = (line: number): boolean =>
          broken.includes(line) || conflicts.some(({ start, end }) => start <= line && line <= end);
        expect(openings.filter((line) => !told(line))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds exactly the regions that were put there", () => {
    const plain = array(constantFrom("a", "", "<<< b", "==== c", ">", "<<<<<<<d"), { maxLength: 4 });
    const region = record({
      size: integer({ min: 7, max: 20 }),
      ours: plain,
      base: option(plain),
      theirs: plain,
    });
    assert(
      property(array(tuple(plain, region), { maxLength: 8 }), plain, (parts, end) => {
        const all: string[] = [];
        const expected: object[] = [];
        for (const [before, { size, ours, base, theirs }] of parts) {
          all.push(...before);
          const start = all.push(`${"<".repeat(size)} o`);
          all.push(...ours);
          const baseLine = base === null ? null : all.push(`${"|".repeat(size)} b`);
          all.push(...(base ?? []));
          const middle = all.push("=".repeat(size));
          all.push(...theirs);
          expected.push({ start, base: baseLine, middle, end: all.push(`${">".repeat(size)} t`), size });
        }
        all.push(...end);
        const found = find(all.join("\n"));
        expect(found.conflicts).toMatchObject(expected);
        expect(found.conflicts).toHaveLength(expected.length);
        expect(found.broken).toEqual([]);
      }),
    );
  });
});

describe("Ten megabytes", () => {
  it.each([
    ["opening marks", "<<<<<<<\n", 0, 1_250_000],
    ["closing marks", ">>>>>>>\n", 0, 1_250_000],
    ["conflicts", "<<<<<<<\n=======\n>>>>>>>\n", 416_666, 0],
  ])("of %s are taken apart", (_what, part, conflicts, broken) => {
    const found = find(part.repeat(Math.floor(10_000_000 / part.length)));
    expect(found.conflicts).toHaveLength(conflicts);
    expect(found.broken).toHaveLength(broken);
  });

  it("of conflicts in one another are taken apart", () => {
    const depth = 400_000;
    const found = find(`${"<<<<<<<\n".repeat(depth)}${"=======\n>>>>>>>\n".repeat(depth)}`);
    expect(found.conflicts).toEqual([]);
    expect(found.broken).toHaveLength(depth);
  });

  it("on one line are one look", () => {
    expect(find("<".repeat(10_000_000))).toEqual({ conflicts: [], broken: [] });
  });
});

/** A repository of one file with two branches that changed the same line, merged. */
function merged(options: { style: string; eol?: string; attributes?: string }): string {
  const eol = options.eol ?? "\n";
  const root = tree({ "a.txt": `one${eol}two${eol}three${eol}` });
  const git = (...args: string[]): void => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const settings = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "core.autocrlf=false"];
    const style = ["-c", `merge.conflictStyle=${options.style}`];
    execFileSync("git", [...settings, ...style, ...args], { cwd: root, env, stdio: "pipe" });
  };
  const commit = (text: string): void => {
    writeFileSync(join(root, "a.txt"), text);
    git("add", "-A");
    git("commit", "-qm", "change");
  };
  if (options.attributes !== undefined) writeFileSync(join(root, ".gitattributes"), options.attributes);
  git("init", "-q", "-b", "trunk");
  commit(`one${eol}two${eol}three${eol}`);
  git("checkout", "-qb", "topic");
  commit(`one${eol}TOPIC${eol}three${eol}`);
  git("checkout", "-q", "trunk");
  commit(`one${eol}TRUNK${eol}three${eol}`);
  expect(() => git("merge", "topic")).toThrow("merge topic");
  return readFileSync(join(root, "a.txt"), "utf8");
}

describe("What git writes", () => {
  it("is found in merge style", () => {
    const found = find(merged({ style: "merge" }));
    expect(found).toMatchObject({
      conflicts: [{ start: 2, base: null, middle: 4, end: 6, oursName: "HEAD", theirsName: "topic" }],
      broken: [],
    });
  });

  it.each(["diff3", "zdiff3"])("is found in %s style", (style) => {
    expect(find(merged({ style })).conflicts).toMatchObject([{ start: 2, base: 4, middle: 6, end: 8 }]);
  });

  it("is found with CRLF", () => {
    const found = find(merged({ style: "diff3", eol: "\r\n" }));
    expect(found.conflicts).toMatchObject([{ start: 2, base: 4, middle: 6, end: 8, theirsName: "topic" }]);
  });

  it("is found with the length that an attribute asks for", () => {
    const found = find(merged({ style: "merge", attributes: "*.txt conflict-marker-size=12\n" }));
    expect(found.conflicts).toMatchObject([{ start: 2, middle: 4, end: 6, size: 12 }]);
  });
});
