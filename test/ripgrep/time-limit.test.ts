import { describe, expect, it } from "vitest";
import { SEARCH_TIME, SEARCH_TIME_WSL } from "../../src/model/limits.ts";
import { searchTimeLimit } from "../../src/ripgrep/time-limit.ts";

describe("the time that a search may take", () => {
  it("is longer on WSL, where files are slower", () => {
    expect(searchTimeLimit({})).toBe(SEARCH_TIME);
    expect(searchTimeLimit({ WSL_DISTRO_NAME: "Ubuntu" })).toBe(SEARCH_TIME_WSL);
    expect(searchTimeLimit({ WSL_INTEROP: "/run/x" })).toBe(SEARCH_TIME_WSL);
  });

  it("is what the environment says, in seconds", () => {
    expect(searchTimeLimit({ QUARRY_TIMEOUT_SECONDS: "2.5", WSL_DISTRO_NAME: "Ubuntu" })).toBe(2500);
    expect(searchTimeLimit({ QUARRY_TIMEOUT_SECONDS: " " })).toBe(SEARCH_TIME);
  });

  it("may also be said by the variable of Claude's tools, where ours says nothing", () => {
    const claude = { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "7", WSL_INTEROP: "/run/x" };
    expect(searchTimeLimit(claude)).toBe(7_000);
    expect(searchTimeLimit({ ...claude, QUARRY_TIMEOUT_SECONDS: "" })).toBe(7_000);
    expect(searchTimeLimit({ ...claude, QUARRY_TIMEOUT_SECONDS: "3" })).toBe(3_000);
    const wrong = { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "soon" };
    expect(() => searchTimeLimit(wrong)).toThrow(/^CLAUDE_CODE_GLOB_TIMEOUT_SECONDS is "soon"/);
    expect(searchTimeLimit({ ...wrong, QUARRY_TIMEOUT_SECONDS: "3" })).toBe(3_000);
  });

  it.each(["0", "-1", "soon", "Infinity", "1s"])(
    "is an error that names the variable when it is %j",
    (given) => {
      expect(() => searchTimeLimit({ QUARRY_TIMEOUT_SECONDS: given })).toThrow(/QUARRY_TIMEOUT_SECONDS/);
    },
  );
});
