/** Boris's design, what a model sends to grep: decisions 1, 8, 11 and 12, and what both dialects understand. */
import { describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";
import { type BorisAgent, borisAgent } from "./boris.ts";

const FILES = { "src/a.ts": "one\nneedle\nthree\n", "src/b.tsx": "Needle\n", "c.py": "needle\n" };
const BOTH_MODES = [{ anthropicCompat: false }, { anthropicCompat: true }] as const;

const OWN = ["include", "context_before", "context_after", "context", "line_numbers", "case_insensitive"];
const CLAUDE = ["glob", "-B", "-A", "-C", "-n", "-i"];
const SHARED = ["pattern", "path", "type", "output_mode", "multiline", "head_limit", "offset"];

function fieldsOf(anthropicCompat: boolean): string[] {
  const [grep] = toolDefinitions("boris", { anthropicCompat });
  return Object.keys(grep?.inputSchema.properties ?? {}).toSorted();
}

describe("The names of grep's fields", () => {
  it("are told in one set, Boris's or Claude's", () => {
    expect(fieldsOf(false)).toEqual([...SHARED, ...OWN].toSorted());
    expect(fieldsOf(true)).toEqual([...SHARED, ...CLAUDE].toSorted());
  });

  it.each(BOTH_MODES)("are understood in both sets, with the same answer: %j", async (options) => {
    const { grep } = await borisAgent(FILES, options);
    const own = {
      include: "*.{ts,tsx}",
      context_before: 1,
      context_after: 1,
      line_numbers: false,
      case_insensitive: true,
    };
    const claude = { glob: "*.{ts,tsx}", "-B": 1, "-A": 1, "-n": false, "-i": true };
    const asked = { pattern: "needle", output_mode: "content" };
    const text = "src/a.ts-one\nsrc/a.ts:needle\nsrc/a.ts-three\n--\nsrc/b.tsx:Needle";
    expect(await grep({ ...asked, ...own })).toBe(text);
    expect(await grep({ ...asked, ...claude })).toBe(text);
    const around = "src/a.ts-1-one\nsrc/a.ts:2:needle\nsrc/a.ts-3-three";
    expect(await grep({ ...asked, path: "src", context: 1 })).toBe(around);
    expect(await grep({ ...asked, path: "src", "-C": 1 })).toBe(around);
  });

  it.each([
    ["include", "glob", "*.ts"],
    ["context_before", "-B", 1],
    ["context_after", "-A", 1],
    ["context", "-C", 1],
    ["line_numbers", "-n", true],
    ["case_insensitive", "-i", true],
  ])("are refused when both of a pair are given: %s and %s", async (own, claude, value) => {
    const { error, grep } = await borisAgent(FILES);
    expect(await error({ pattern: "needle", [own]: value, [claude]: value })).toBe(
      `[INVALID_INPUT] ${own} and ${claude} mean the same; give one of them.`,
    );
    expect(await grep({ pattern: "needle", path: "src", [own]: value, [claude]: null })).toContain(
      "src/a.ts",
    );
  });

  it.each(BOTH_MODES)("are said of a wrong value as it was sent: %j", async (options) => {
    const { error } = await borisAgent(FILES, options);
    const asked = { pattern: "needle", output_mode: "content" };
    for (const name of [
      "context_before",
      "-B",
      "context_after",
      "-A",
      "context",
      "-C",
      "head_limit",
      "offset",
    ]) {
      expect(await error({ ...asked, [name]: -1 })).toBe(
        `[INVALID_INPUT] ${name} must be a non-negative number, not -1.`,
      );
      expect(await error({ ...asked, [name]: "few" })).toBe(
        `[INVALID_INPUT] ${name} must be a number, not "few".`,
      );
    }
  });
});

describe("An unknown field", () => {
  it("is refused with the nearest name and all of them", async () => {
    const { error } = await borisAgent(FILES);
    const fields =
      "pattern, path, include, type, output_mode, context_before, context_after, context, line_numbers, case_insensitive, multiline, head_limit, offset";
    expect(await error({ pattern: "x", inclde: "*.ts" })).toBe(
      `[INVALID_INPUT] There is no field "inclde". Did you mean include? The fields are ${fields}.`,
    );
    expect(await error({ pattern: "x", zebra: 1 })).toBe(
      `[INVALID_INPUT] There is no field "zebra". The fields are ${fields}.`,
    );
  });

  it("is refused under --anthropic-compat with the name that the schema tells, whichever is near", async () => {
    const { error } = await borisAgent(FILES, { anthropicCompat: true });
    const fields =
      "pattern, path, glob, type, output_mode, -B, -A, -C, -n, -i, multiline, head_limit, offset";
    for (const [sent, meant] of [
      ["globb", "glob"],
      ["inclde", "glob"],
      ["contxt", "-C"],
      ["line_number", "-n"],
      ["headlimit", "head_limit"],
    ] as const) {
      expect(await error({ pattern: "x", [sent]: 1 })).toBe(
        `[INVALID_INPUT] There is no field "${sent}". Did you mean ${meant}? The fields are ${fields}.`,
      );
    }
  });
});

describe("What models send for numbers and booleans", () => {
  it("is understood as text, as words, with a fraction, and as null for nothing", async () => {
    const { grep } = await borisAgent({ "a.txt": "needle\nneedle\nNEEDLE\n" });
    const asked = { pattern: "needle", output_mode: "content" };
    const rest = (offset: number): string => `\n\n[There is more. Use offset=${offset} for the next page]`;
    expect(await grep({ ...asked, head_limit: "1" })).toBe(`a.txt:1:needle${rest(1)}`);
    expect(await grep({ ...asked, head_limit: 1.9, offset: "0" })).toBe(`a.txt:1:needle${rest(1)}`);
    expect(await grep({ ...asked, offset: "1" })).toBe("a.txt:2:needle");
    for (const no of [false, "false", "No", "off", 0, "0"]) {
      expect(await grep({ ...asked, line_numbers: no })).toBe("a.txt:needle\na.txt:needle");
    }
    for (const yes of [true, "TRUE", "yes", "on", 1, "1"]) {
      expect(await grep({ ...asked, output_mode: "count", case_insensitive: yes })).toBe("a.txt:3");
    }
    const nothing = { path: null, include: null, type: null, head_limit: null, multiline: null };
    expect(await grep({ ...asked, output_mode: null, ...nothing })).toBe("a.txt");
    expect(await grep({ ...asked, output_mode: "count", path: "", include: "", type: "" })).toBe("a.txt:2");
  });

  it("is refused where it is neither", async () => {
    const { error } = await borisAgent(FILES);
    expect(await error({ pattern: "x", multiline: "maybe" })).toBe(
      '[INVALID_INPUT] multiline must be true or false, not "maybe".',
    );
    expect(await error({ pattern: "x", output_mode: "contents" })).toBe(
      '[INVALID_INPUT] output_mode must be one of content, files_with_matches, count, not "contents".',
    );
    expect(await error({ pattern: 3 })).toBe("[INVALID_INPUT] pattern must be a string, not 3.");
    expect(await error({ pattern: "x", path: ["a", "b"] })).toBe(
      '[INVALID_INPUT] path must be a string, not ["a","b"].',
    );
    expect(await error(null)).toBe("[INVALID_INPUT] The input must be an object of fields.");
  });
});

describe("The pattern", () => {
  it("is needed, and neither empty nor blank", async () => {
    const { error } = await borisAgent(FILES);
    expect(await error({})).toBe("[INVALID_INPUT] pattern is missing.");
    expect(await error({ pattern: "" })).toBe("[INVALID_INPUT] pattern is empty.");
    expect(await error({ pattern: "  " })).toBe(
      "[INVALID_PATTERN] The pattern is empty. Give the text or the regular expression to search for; `\\s` finds blanks.",
    );
  });

  it("has classes, repetitions, alternatives and anchors", async () => {
    const { grep } = await borisAgent({ "a.txt": "cat 12\nconcat\ndog 7\n-dash\nné\n" });
    const lines = async (pattern: string): Promise<string> => grep({ pattern, output_mode: "content" });
    expect(await lines(String.raw`^(cat|dog) \d{1,2}$`)).toBe("a.txt:1:cat 12\n--\na.txt:3:dog 7");
    expect(await lines(String.raw`\bcat`)).toBe("a.txt:1:cat 12");
    expect(await lines("[[:alpha:]]+cat")).toBe("a.txt:2:concat");
    expect(await lines("-dash")).toBe("a.txt:4:-dash");
    expect(await lines(String.raw`^n\w$`)).toBe("a.txt:5:né");
  });

  it("may look around and back, which RE2 cannot", async () => {
    const { grep } = await borisAgent({ "a.txt": "foobar\nfoobaz\nabab\n" });
    expect(await grep({ pattern: "foo(?=baz)", output_mode: "content" })).toBe("a.txt:2:foobaz");
    expect(await grep({ pattern: String.raw`(ab)\1`, output_mode: "content" })).toBe("a.txt:3:abab");
  });

  it("is repaired and that is said, or refused with the parser's words", async () => {
    const { grep, error } = await borisAgent({ "a.txt": "f(x)\n" });
    expect(await grep({ pattern: "f(", output_mode: "content" })).toBe(
      "a.txt:1:f(x)\n\n[The pattern does not parse as given (unclosed group); it was read as: f\\(]",
    );
    expect(await error({ pattern: "[" })).toMatch(
      /^\[INVALID_PATTERN\] The pattern does not parse\. regex parse error:\n {4}\[\n {4}\^\nerror: unclosed/,
    );
  });

  it("ignores case when asked, also where it says so itself, and a flag in it wins", async () => {
    const { grep } = await borisAgent({ "a.txt": "needle\nNEEDLE\n" });
    const counted = (pattern: string, asked: object = {}): Promise<string> =>
      grep({ pattern, output_mode: "count", ...asked });
    expect(await counted("Needle")).toBe("No matches found");
    expect(await counted("needle")).toBe("a.txt:1");
    expect(await counted("Needle", { case_insensitive: true })).toBe("a.txt:2");
    expect(await counted("(?i)Needle", { "-i": true })).toBe("a.txt:2");
    expect(await counted("(?i)Needle")).toBe("a.txt:2");
    expect(await counted("(?-i)NEEDLE", { "-i": true })).toBe("a.txt:1");
  });
});

async function sorted({ answer }: BorisAgent, input: object): Promise<string[]> {
  return (await answer(input)).details.files.map(({ path }) => path).toSorted();
}

describe("include, or glob", () => {
  it("is compared with the base name, at any depth, with braces", async () => {
    const agent = await borisAgent({ ...FILES, "src/deep/.d.ts": "needle\n", "src/A.TS": "needle\n" });
    const found = (include: string): Promise<string[]> => sorted(agent, { pattern: "(?i)needle", include });
    expect(await found("*.ts")).toEqual(["src/a.ts", "src/deep/.d.ts"]);
    expect(await found("*.{ts,tsx}")).toEqual(["src/a.ts", "src/b.tsx", "src/deep/.d.ts"]);
    expect(await found("{a,c}.*")).toEqual(["c.py", "src/a.ts"]);
    expect(await found("?.[pt]*")).toEqual(["c.py", "src/a.ts", "src/b.tsx"]);
    expect(await found("a.ts")).toEqual(["src/a.ts"]);
    expect(await found("**/a.ts")).toEqual(["src/a.ts"]);
    expect(await found("src")).toEqual([]);
  });

  it("with a folder in it fits no base name, and the answer says where the folder goes", async () => {
    const { grep } = await borisAgent(FILES);
    const note = "is compared with base names only; name the folder as path";
    expect(await grep({ pattern: "needle", include: "src/*.ts" })).toBe(
      `No files found\n\n[include ${note}]`,
    );
    expect(await grep({ pattern: "needle", include: "*.ts", path: "src" })).toBe("src/a.ts");
    const compat = await borisAgent(FILES, { anthropicCompat: true });
    expect(await compat.grep({ pattern: "needle", glob: "src/**/*.ts", output_mode: "count" })).toBe(
      `No matches found\n\n[glob ${note}]`,
    );
  });

  it("is one glob: a list is none, and the answer says how several are written", async () => {
    const { grep } = await borisAgent({ ...FILES, "a, b.md": "needle\n" });
    const note = "\n\n[include is one glob; for several use braces: *.{ts,tsx}]";
    expect(await grep({ pattern: "needle", include: "*.ts, *.tsx" })).toBe(`No files found${note}`);
    expect(await grep({ pattern: "needle", include: "*.ts *.tsx" })).toBe(`No files found${note}`);
    expect(await grep({ pattern: "absent", include: "*.{ts,tsx}" })).toBe("No files found");
    expect(await grep({ pattern: "needle", include: "a, *" })).toBe("a, b.md");
  });

  it("that does not parse is refused", async () => {
    const { error } = await borisAgent(FILES);
    expect(await error({ pattern: "needle", include: "*.{ts" })).toBe(
      "[INVALID_GLOB] The glob `*.{ts` does not parse: `{` is not closed, at character 3. Put a backslash before a `[`, `{`, `}` or `\\` that is part of a name.",
    );
  });

  it("and type do not keep a file from being searched that path names", async () => {
    const { grep } = await borisAgent(FILES);
    expect(await grep({ pattern: "needle", path: "c.py", include: "*.ts", type: "rust" })).toBe("c.py");
  });
});

const TYPES: readonly (readonly [string, readonly string[]])[] = [
  ["c", ["c", "h"]],
  ["cpp", ["cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl"]],
  ["css", ["css", "scss"]],
  ["go", ["go"]],
  ["html", ["htm", "html"]],
  ["java", ["java"]],
  ["js", ["cjs", "js", "jsx", "mjs"]],
  ["json", ["json"]],
  ["markdown", ["markdown", "md", "mdx"]],
  ["py", ["py", "pyi"]],
  ["rust", ["rs"]],
  ["ts", ["cts", "mts", "ts", "tsx"]],
  ["yaml", ["yaml", "yml"]],
  ["python", ["py", "pyi"]],
  ["typescript", ["cts", "mts", "ts", "tsx"]],
  ["md", ["markdown", "md", "mdx"]],
];

describe("type", () => {
  const others = ["txt", "rb", "vue", "less", "toml", "C", "go.bak"];
  const extensions = new Set([...TYPES.flatMap(([, all]) => all), ...others]);
  const files = Object.fromEntries([...extensions].map((extension) => [`d/f.${extension}`, "needle\n"]));

  it.each(TYPES)("%s is the files that end in %j, and no others", async (type, endings) => {
    const agent = await borisAgent(files);
    expect(await sorted(agent, { pattern: "needle", type })).toEqual(
      endings.map((ending) => `d/f.${ending}`),
    );
  });

  it("and include hold together", async () => {
    const agent = await borisAgent(files);
    expect(await sorted(agent, { pattern: "needle", type: "ts", include: "*.{tsx,js}" })).toEqual([
      "d/f.tsx",
    ]);
    expect(await sorted(agent, { pattern: "needle", type: "py", glob: "*.ts" })).toEqual([]);
  });

  it.each(["nope", "TS", "tsx", "toString"])(
    "that is none is answered with all there are: %s",
    async (type) => {
      const { error } = await borisAgent(FILES);
      expect(await error({ pattern: "needle", type })).toBe(
        `[UNKNOWN_TYPE] There is no file type "${type}". The types are c, cpp, css, go, html, java, js, json, markdown, py, rust, ts, yaml, python (py), typescript (ts), md (markdown); or use a glob.`,
      );
    },
  );
});
