import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { parseConflictUrl } from "../../src/workspace/conflict-url.ts";

describe("A conflict's URL", () => {
  it.each([
    ["conflict://1", [1], null],
    ["1", [1], null],
    ["CONFLICT://12/ours", [12], "ours"],
    ["conflict://12/Theirs", [12], "theirs"],
    ["3/base", [3], "base"],
    ["1,3-5", [1, 3, 4, 5], null],
    ["5, 1-2,2", [1, 2, 5], null],
    ["conflict://*", "all", null],
    ["*/ours", "all", "ours"],
  ])("%s is read", (url, ids, side) => {
    expect(parseConflictUrl(url)).toEqual({ ids, side });
  });

  it.each([
    ["conflict://", "conflict:// names no conflict"],
    ["conflict:///ours", "conflict:// names no conflict"],
    ["0", "Conflicts are counted from 1"],
    ["5-3", "conflict://5-3 ends before it starts"],
    ["a.ts", "conflict://a.ts is no number of a conflict"],
    ["-1", "conflict://-1 is no number of a conflict"],
    ["1,", "conflict:// is no number of a conflict"],
    ["1.5", "conflict://1.5 is no number of a conflict"],
    ["1-999999999", "conflict://1-999999999 names more conflicts than can be listed"],
    ["1,".repeat(10_000), "conflict:// names more conflicts than can be listed"],
    ["1/mine", "A conflict has no side mine"],
    ["1/", "A conflict has no side without a name"],
    ["1/ours/x", "A conflict has no side ours/x"],
  ])("%s is refused", (url, message) => {
    expect(() => parseConflictUrl(url)).toThrowError(
      expect.objectContaining({ code: "INVALID_INPUT", message }),
    );
  });

  it("that is refused names what is listed", () => {
    const hint = "Listed are 1-3,7; read FILE:conflicts lists those of a file";
    expect(() => parseConflictUrl("x", [1, 2, 3, 7])).toThrowError(expect.objectContaining({ hint }));
    const none = "None is listed: read FILE:conflicts lists those of a file";
    expect(() => parseConflictUrl("x")).toThrowError(expect.objectContaining({ hint: none }));
  });

  it("is one or is refused, whatever it is", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        let failure: unknown = null;
        try {
          parseConflictUrl(text);
        } catch (cause) {
          failure = cause;
        }
        expect(failure === null || failure instanceof ToolError).toBe(true);
      }),
    );
  });
});
