import { describe, expect, test } from "vitest";
import { errorText } from "../../src/format/error-text.ts";
import { ToolError } from "../../src/model/errors.ts";

const PLAIN = { colour: false, escape: true };

describe("an error", () => {
  test("is one line with code, message and hint", () => {
    const error = new ToolError("PATH_NOT_FOUND", "There is no a\nb\x1b", { hint: "Look again" });
    expect(errorText(PLAIN, error)).toBe("quarry: [PATH_NOT_FOUND] There is no a\\nb\\x1b. Look again.\n");
    expect(errorText(PLAIN, new ToolError("ABORTED", "Done!"))).toBe("quarry: [ABORTED] Done!\n");
  });

  test("in a pattern keeps the parser's lines, so that the caret stands under its place", () => {
    const message = "regex parse error:\n    a\x1b(b\n      ^\nerror: unclosed group";
    expect(errorText(PLAIN, new ToolError("INVALID_PATTERN", message, { hint: "Escape it as \\(" }))).toBe(
      "quarry: [INVALID_PATTERN] regex parse error:\n    a\u241b(b\n      ^\nerror: unclosed group\nEscape it as \\(\n",
    );
  });

  test("that nobody foresaw shows its message and no stack", () => {
    expect(errorText(PLAIN, new TypeError("x is not a function"))).toBe(
      "quarry: [INTERNAL] x is not a function.\n",
    );
    expect(errorText(PLAIN, "thrown")).toBe("quarry: [INTERNAL] thrown.\n");
  });

  test("of the system names its own code", () => {
    const error = Object.assign(new Error("no space left on device, write"), { code: "ENOSPC" });
    expect(errorText(PLAIN, error)).toBe("quarry: [ENOSPC] no space left on device, write.\n");
  });

  test("has a coloured name only where colours are wanted", () => {
    expect(errorText({ colour: true, escape: true }, "x")).toContain("\x1b[1;31mquarry:\x1b[0m");
  });
});
