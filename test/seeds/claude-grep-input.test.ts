/** seeds/claude-code-glob-and-grep.md, chapter 8, and what issue 5 says of input: what Grep understands and refuses. */
import { describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";
import { type Ran, shell } from "../cli/helpers.ts";
import { touch, tree } from "../support/tree.ts";
import { claude } from "./claude.ts";

const CONTENT = { pattern: "hit", output_mode: "content" } as const;
const FIELDS =
  "The fields are pattern, path, glob, type, output_mode, -B, -A, -C, context, -n, -i, head_limit, offset, multiline.";

describe("the pattern", () => {
  it("may begin with dashes, and is no flag", async () => {
    const patterns = ["-v", "-e", "--", "---", "-", "--files", "--pre=./x", "-f", "-vhit", "--help"];
    const { text } = await claude({ "a.txt": `${patterns.join("\n")}\nhit\n` });
    for (const pattern of patterns) {
      const matching = patterns.flatMap((line, at) =>
        line.includes(pattern) ? [`a.txt:${at + 1}:${line}`] : [],
      );
      expect(await text({ pattern, output_mode: "content" })).toBe(matching.join("\n"));
    }
    expect(await text({ pattern: "-v\\b", output_mode: "content" })).toBe("a.txt:1:-v");
    expect(await text({ pattern: "-x", output_mode: "content" })).toBe("No matches found");
  });

  it("is ripgrep's, with look-around where it is used", async () => {
    const { text } = await claude({ "a.txt": "foobar\nfoobaz\ninterface{}\n" });
    expect(await text({ pattern: "foo(?=baz)", output_mode: "content" })).toBe("a.txt:2:foobaz");
    expect(await text({ pattern: "(o)\\1bar", output_mode: "content" })).toBe("a.txt:1:foobar");
    expect(await text({ pattern: "interface\\{\\}", output_mode: "content" })).toBe("a.txt:3:interface{}");
  });

  it("that does not parse is repaired where there is no doubt, and the answer says so", async () => {
    const { text } = await claude({ "a.txt": "call(x)\ninterface{}\n" });
    expect(await text({ pattern: "call(", output_mode: "content" })).toBe(
      "a.txt:1:call(x)\n\n[The pattern does not parse as given (unclosed group); it was read as: call\\(]",
    );
    expect(await text({ pattern: "interface{}", output_mode: "count" })).toMatch(
      /^a\.txt:1\n\nFound 1 total occurrence across 1 file\.\n\n\[The pattern does not parse as given .*\]$/,
    );
  });

  it("that cannot be repaired is an error, which offers nothing that Grep cannot do", async () => {
    const { error } = await claude({ "a.txt": "hit\n" });
    expect(await error({ pattern: "[z-a]" })).toBe(
      "[INVALID_PATTERN] The pattern does not parse. regex parse error:\n    [z-a]\n     ^^^\n" +
        "error: invalid character class range, the start must be <= the end\n" +
        "Put a backslash before the character that is meant as text",
    );
    for (const pattern of ["*", "(?P<x", "\\p{Nope}"]) {
      expect(await error({ pattern })).toMatch(/^\[INVALID_PATTERN\] (?!.*literal)/s);
    }
    expect(await error({ pattern: "" })).toMatch(/^\[INVALID_PATTERN\] The pattern is empty\. /);
  });
});

describe("what models send", () => {
  it("may be numbers as text, booleans as words, null for nothing, fractions", async () => {
    const { text } = await claude({ "a.txt": "one\nHIT\ntwo\nhit\nthree\n" });
    const same = async (sent: object, meant: object): Promise<void> => {
      expect(await text({ ...CONTENT, ...sent })).toBe(await text({ ...CONTENT, ...meant }));
    };
    await same({ "-A": "1" }, { "-A": 1 });
    await same({ "-B": " 1 " }, { "-B": 1 });
    await same({ "-C": "1", "-A": null }, { "-C": 1 });
    await same({ context: "2" }, { context: 2 });
    await same({ "-i": "true", head_limit: "1" }, { "-i": true, head_limit: 1 });
    await same({ "-i": "Yes", offset: "1" }, { "-i": true, offset: 1 });
    await same({ "-i": 1, "-n": "off" }, { "-i": true, "-n": false });
    await same({ "-n": "false", "-i": 0 }, { "-n": false });
    await same({ multiline: "true", pattern: "one.*two" }, { multiline: true, pattern: "one.*two" });
    await same({ path: null, glob: null, type: null, multiline: null }, {});
    await same({ "-A": 1.9, head_limit: 2.5 }, { "-A": 1, head_limit: 2 });
    await same({ head_limit: "0" }, { head_limit: 0 });
    expect(await text({ pattern: "hit", output_mode: null } as never)).toBe("Found 1 file\na.txt");
  });

  it.each([
    [{ "-A": "x" }, '-A must be a number, not "x"'],
    [{ "-A": -1 }, "-A must be a non-negative number, not -1"],
    [{ "-B": [1] }, "-B must be a number, not [1]"],
    [{ "-C": "-2" }, "-C must be a non-negative number, not -2"],
    [{ context: true }, "context must be a number, not true"],
    [{ "-i": "maybe" }, '-i must be true or false, not "maybe"'],
    [{ "-n": 2 }, "-n must be true or false, not 2"],
    [{ multiline: {} }, "multiline must be true or false, not {}"],
    [{ head_limit: -1 }, "head_limit must be a non-negative number, not -1"],
    [{ head_limit: "many" }, 'head_limit must be a number, not "many"'],
    [{ offset: -1 }, "offset must be a non-negative number, not -1"],
    [{ pattern: 1 }, "pattern must be a string, not 1"],
    [{ pattern: null }, "pattern is missing"],
    [{ path: ["a"] }, 'path must be a string, not ["a"]'],
    [{ glob: 5 }, "glob must be a string, not 5"],
    [{ type: ["ts"] }, 'type must be a string, not ["ts"]'],
    [{ output_mode: "lines" }, 'output_mode must be one of content, files_with_matches, count, not "lines"'],
  ])("%j is refused", async (input, message) => {
    const { error } = await claude({ "a.txt": "hit\n" });
    expect(await error({ ...CONTENT, ...input })).toBe(`[INVALID_INPUT] ${message}.`);
  });

  it.each([
    ["paths", "path"],
    ["regex", null],
    ["head_limt", "head_limit"],
    ["headLimit", "head_limit"],
    ["mode", null],
    ["outputmode", "output_mode"],
    ["-c", "-C"],
    ["-a", "-A"],
    ["-N", "-n"],
    ["-I", "-i"],
    ["multi_line", "multiline"],
  ])("a field %j is refused with the nearest name", async (field, near) => {
    const { error } = await claude({ "a.txt": "hit\n" });
    expect(await error({ ...CONTENT, [field]: 1 })).toBe(
      `[INVALID_INPUT] There is no field "${field}". ${near === null ? "" : `Did you mean ${near}? `}${FIELDS}`,
    );
  });

  it("is an object", async () => {
    const { error } = await claude({ "a.txt": "hit\n" });
    for (const input of ["hit", ["hit"], null, 7]) {
      expect(await error(input)).toBe("[INVALID_INPUT] The input must be an object of fields.");
    }
  });
});

it("Grep and Glob are all that Claude's dialect has", async () => {
  const { workspace } = await claude({ "a.txt": "hit\n" });
  expect(Object.keys(workspace.tools)).toEqual(["Grep", "Glob"]);
  expect(toolDefinitions("claude").map(({ name, title, readOnly }) => [name, title, readOnly])).toEqual([
    ["Grep", "Search", true],
    ["Glob", "Search", true],
  ]);
});

describe("quarry call --dialect claude", () => {
  function call(root: string, tool: string, input: object, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const QUARRY_CACHE_DIR = tree();
    return shell(root, `quarry call ${tool} '${JSON.stringify(input)}' --dialect claude`, {
      QUARRY_CACHE_DIR,
      ...env,
    });
  }

  it("prints what an agent gets", async () => {
    const root = tree({ "a.txt": "one\nhit\n", "b.txt": "hit\n" });
    touch(root, "b.txt", 1_000);
    expect(await call(root, "Grep", { ...CONTENT, "-B": 1 })).toEqual({
      code: 0,
      stdout: "a.txt-1-one\na.txt:2:hit\n--\nb.txt:1:hit\n",
      stderr: "",
    });
    expect((await call(root, "Glob", { pattern: "*.txt" })).stdout).toBe("a.txt\nb.txt\n");
    expect(await call(root, "Grep", { pattern: "hit", paths: "a" })).toEqual({
      code: 2,
      stdout: `[INVALID_INPUT] There is no field "paths". Did you mean path? ${FIELDS}\n`,
      stderr: "",
    });
  });

  it("goes by the variables of the shell", async () => {
    const root = tree({ "a.txt": "hit\n", "b.txt": "hit\n" });
    touch(root, "a.txt", 1_000);
    const listed = async (NODE_ENV: string): Promise<string> =>
      (await call(root, "Grep", { pattern: "hit" }, { NODE_ENV })).stdout;
    expect(await listed("production")).toBe("Found 2 files\nb.txt\na.txt\n");
    expect(await listed("test")).toBe("Found 2 files\na.txt\nb.txt\n");
  });
});
