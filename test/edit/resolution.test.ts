import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { findConflicts } from "../../src/edit/conflicts.ts";
import { resolutionLines, resolutionSides, sideLines } from "../../src/edit/resolution.ts";
import type { Conflict } from "../../src/model/conflict.ts";

function first(...lines: string[]): { conflict: Conflict; lineAt: (line: number) => string | null } {
  const lineAt = (line: number): string | null => lines[line - 1] ?? null;
  const [conflict] = findConflicts(lines.length, lineAt).conflicts;
  if (conflict === undefined) throw new Error("no conflict");
  return { conflict, lineAt };
}

const PLAIN = first("a", "<<<<<<< HEAD", "b", "c", "=======", "d", ">>>>>>> topic", "e");
const THREE = first("<<<<<<< HEAD", "b", "||||||| o", "x", "y", "=======", "d", ">>>>>>> topic");

function resolve(content: string, { conflict, lineAt } = PLAIN): readonly string[] {
  return resolutionLines(content, conflict, lineAt);
}

describe("A resolution", () => {
  it.each([
    ["x\ny\n", ["x", "y"]],
    ["x\ny", ["x", "y"]],
    ["x\r\ny\r\n", ["x", "y"]],
    ["", []],
    ["\n", [""]],
    ["\n\n", ["", ""]],
    ["x\n\n", ["x", ""]],
    ["  @oursx\n", ["  @oursx"]],
  ])("of text is its lines: %j", (content, lines) => {
    expect(resolve(content)).toEqual(lines);
  });

  it.each([
    ["@ours", ["b", "c"]],
    ["@theirs\n", ["d"]],
    ["  @both\r\n", ["b", "c", "d"]],
  ])("by a word is that side: %j", (content, lines) => {
    expect(resolve(content)).toEqual(lines);
  });

  it("is the base where there is one", () => {
    expect(resolve("@base", THREE)).toEqual(["x", "y"]);
    expect(() => resolve("@base")).toThrowError(
      expect.objectContaining({
        code: "INVALID_INPUT",
        message: "The conflict of lines 2-7 has no base",
        hint: expect.stringContaining("diff3") as string,
      }),
    );
  });

  it("takes a word among other lines for text: it may be a decorator", () => {
    expect(resolve("@base\ndef f(): pass\n")).toEqual(["@base", "def f(): pass"]);
    expect(resolutionSides("@ours\n@theirs")).toBeNull();
    expect(resolutionSides(`${" ".repeat(100)}@ours`)).toBeNull();
    expect(resolutionSides("constructor")).toBeNull();
  });

  it("refuses a word that is a line of the conflict too", () => {
    const decorated = first("<<<<<<< HEAD", "@base", "=======", "@both", ">>>>>>> topic");
    for (const word of ["@base", "@both"]) {
      expect(() => resolve(word, decorated)).toThrowError(
        expect.objectContaining({ code: "INVALID_INPUT", hint: "Resolve it with edit" }),
      );
    }
    expect(resolve("@ours", decorated)).toEqual(["@base"]);
  });

  it.each(["<<<<<<< HEAD", "||||||| o", "=======", ">>>>>>> topic", ">>>>>>>\r"])(
    "refuses content that still holds %j",
    (mark) => {
      expect(() => resolve(`x\n${mark}\ny`)).toThrowError(
        expect.objectContaining({
          code: "INVALID_INPUT",
          message: expect.stringContaining("still holds a conflict mark: its line 2 is") as string,
        }),
      );
    },
  );

  it("takes what only resembles a mark, and marks of a length that this conflict does not have", () => {
    expect(resolve("<<<<<<<x\n======\n>>>>>> y\n========")).toHaveLength(4);
    const long = first("<<<<<<<<<", "<<<<<<< a", "=======", ">>>>>>> b", "=========", ">>>>>>>>>");
    expect(resolve("@ours", long)).toEqual(["<<<<<<< a", "=======", ">>>>>>> b"]);
  });

  it("refuses a base that has conflicts itself", () => {
    const base = ["<<<<<<<<< 1", "x", "=========", "y", ">>>>>>>>> 2"];
    const criss = first("<<<<<<< HEAD", "a", "||||||| merged", ...base, "=======", "b", ">>>>>>> topic");
    expect(() => resolve("@base", criss)).toThrowError(
      /still holds a conflict mark: its line 1 is <<<<<<<<< 1/,
    );
  });

  it("of any sides gives them back, and leaves no conflict in the text", () => {
    const side = array(constantFrom("a", "", " b", "<<<<<<", "@ours2", "======"), { maxLength: 5 });
    assert(
      property(side, side, side, (ours, base, theirs) => {
        const made = first("<<<<<<< h", ...ours, "||||||| o", ...base, "=======", ...theirs, ">>>>>>> t");
        expect(resolve("@ours", made)).toEqual(ours);
        expect(resolve("@theirs", made)).toEqual(theirs);
        expect(resolve("@base", made)).toEqual(base);
        expect(resolve("@both", made)).toEqual([...ours, ...theirs]);
        expect(sideLines(made.conflict, "ours", made.lineAt)).toEqual(ours);
        expect(resolve(ours.map((line) => `${line}\n`).join(""), made)).toEqual(ours);
      }),
    );
  });

  it("may be ten megabytes", () => {
    expect(resolve("line\n".repeat(2_000_000))).toHaveLength(2_000_000);
  });
});
