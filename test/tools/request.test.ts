import { describe, expect, it } from "vitest";
import { find, type FindRequest, search, type SearchRequest } from "../../src/quarry.ts";
import { tree } from "../support/tree.ts";

/** What a caller in JavaScript may give. */
const asked = (request: unknown): Promise<unknown> =>
  search(request as SearchRequest)
    .collect()
    .catch((error: unknown) => error);
const found = (request: unknown): Promise<unknown> =>
  find(request as FindRequest)
    .collect()
    .catch((error: unknown) => error);

describe("a request", () => {
  it.each([
    "patern",
    "Pattern",
    "limit",
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "__proto__",
  ])("with an option that there is not is an error that names it: %s", async (option) => {
    const request: unknown = JSON.parse(`{"root":${JSON.stringify(tree())},"pattern":"x","${option}":1}`);
    const error = await asked(request);
    expect(error).toMatchObject({
      name: "ToolError",
      code: "INVALID_INPUT",
      message: expect.stringContaining(`"${option}"`) as string,
    });
  });

  it.each<[string, unknown]>([
    ["pattern", 5],
    ["pattern", ["a"]],
    ["literal", "yes"],
    ["case", "upper"],
    ["before", -1],
    ["after", 1.5],
    ["before", "2"],
    ["mode", "lines"],
    ["order", "size"],
    ["maxFiles", 0],
    ["skipFiles", -1],
    ["maxMatches", Number.NaN],
    ["maxPerFile", Number.POSITIVE_INFINITY],
    ["paths", 5],
    ["paths", ["a", 5]],
    ["include", {}],
    ["ignore", true],
    ["hidden", "no"],
    ["follow", 1],
    ["maxFileSize", -1],
    ["timeoutMs", 0],
    ["timeoutMs", Number.POSITIVE_INFINITY],
    ["signal", {}],
    ["engine", "index"],
    ["binary", "always"],
    ["root", null],
  ])("with a wrong %s is an error that names it: %j", async (option, value) => {
    const error = await asked({ root: tree(), pattern: "x", [option]: value });
    expect(error).toMatchObject({
      name: "ToolError",
      code: "INVALID_INPUT",
      message: expect.stringMatching(new RegExp(`^${option} must be`)) as string,
    });
  });

  it.each<[string, unknown]>([
    ["limit", 0],
    ["skip", -1],
    ["kinds", "links"],
    ["pattern", "x"],
  ])("to find with a wrong %s is an error", async (option, value) => {
    expect(await found({ root: tree(), [option]: value })).toMatchObject({ code: "INVALID_INPUT" });
  });

  it.each([null, undefined, "needle", 7])("that is no object is an error: %s", async (request) => {
    expect(await asked(request)).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("without a pattern is an error, and so is a blank one", async () => {
    expect(await asked({ root: tree() })).toMatchObject({ code: "INVALID_INPUT" });
    expect(await asked({ root: tree(), pattern: " \t" })).toMatchObject({ code: "INVALID_PATTERN" });
  });

  it("may say undefined for what it leaves out", async () => {
    const root = tree({ a: "needle\n" });
    const request = {
      root,
      pattern: "needle",
      paths: undefined,
      maxFiles: undefined,
      signal: undefined,
      case: undefined,
    };
    expect(await asked(request)).toMatchObject({ hits: [{ path: "a" }] });
  });

  it("with a type that ripgrep does not know is an error that names it", async () => {
    const root = tree({ a: "needle\n" });
    for (const types of ["nope", "--pre=x", "ts\n", ""]) {
      const expected = {
        code: "UNKNOWN_TYPE",
        message: expect.stringContaining(`"${types.trim()}"`) as string,
      };
      expect(await asked({ root, pattern: "needle", types })).toMatchObject(expected);
      expect(await found({ root, types })).toMatchObject(expected);
    }
  });

  it("with a glob that does not parse is an error that names it", async () => {
    const root = tree({ a: "needle\n" });
    for (const option of ["include", "exclude", "typeGlobs"]) {
      expect(await asked({ root, pattern: "needle", [option]: "{a" })).toMatchObject({
        code: "INVALID_GLOB",
        message: expect.stringContaining("{a") as string,
      });
    }
    expect(await asked({ root, pattern: "needle", paths: "d{a" })).toMatchObject({ code: "INVALID_GLOB" });
    expect(await asked({ root, pattern: "needle", typeGlobs: "a:b" })).toMatchObject({
      code: "INVALID_GLOB",
    });
  });
});
