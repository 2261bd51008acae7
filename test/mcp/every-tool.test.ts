/**
 * The official client libraries call every tool in every dialect, and get what `quarry call` prints: the same text, the
 * same details beside it.
 */
import { describe, expect, test } from "vitest";
import { type DialectName, toolDefinitions, type ToolResult } from "../../src/quarry.ts";
import { quarry } from "../cli/helpers.ts";
import { touch, tree } from "../support/tree.ts";
import { type Answer, CLIENTS, converse, OVER_STDIO, serverEnv, type Step } from "./clients.ts";

const FILES = {
  "src/first.ts": 'export const first = "needle";\nconst other = 1;\n',
  "src/second.ts": "const second = first;\n// needle, and again: needle\n",
  "src/deep/third.py": "def third():\n    return 'needle'\n",
  "notes.md": "# Notes\n\nA needle in a haystack.\n",
  "data/rows.csv": "name,size\nneedle,3\n",
};

/** The same tree each time, ages and all. */
function planted(): string {
  const root = tree(FILES);
  for (const [at, path] of Object.keys(FILES).entries()) touch(root, path, 1_700_000_000 + 60 * at);
  return root;
}

type Call = readonly [tool: string, input: object];

interface Dialect {
  readonly dialect: DialectName;
  readonly compat: boolean;
  readonly calls: readonly Call[];
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  quarry: {
    dialect: "quarry",
    compat: false,
    calls: [
      ["search", { pattern: "needle" }],
      ["search", { pattern: "NEEDLE", i: true, mode: "count", paths: ["src"] }],
      ["search", { pattern: "nowhere to be found" }],
      ["find", { paths: "**/*.{ts,py}" }],
      ["read", { path: "src/first.ts" }],
      ["edit", { input: "¶src/first.ts#TAG\nreplace 2..2:\n+const other = 2;\n" }],
      ["read", { path: "src/first.ts" }],
      ["write", { path: "made/new.txt", content: "one\ntwo\n" }],
      ["read", { path: "no/such/file.ts" }],
      ["search", { pattern: "(" }],
      ["search", { pattern: "needle", colour: "red" }],
    ],
  },
  claude: {
    dialect: "claude",
    compat: false,
    calls: [
      ["Grep", { pattern: "needle" }],
      ["Grep", { pattern: "needle", output_mode: "content", "-n": true, "-C": 1, glob: "*.ts" }],
      ["Grep", { pattern: "needle", output_mode: "count" }],
      ["Glob", { pattern: "**/*.ts" }],
      ["Glob", { pattern: "*", path: "no/such/folder" }],
    ],
  },
  boris: {
    dialect: "boris",
    compat: false,
    calls: [
      ["grep", { pattern: "needle", output_mode: "content", context: 1 }],
      ["grep", { pattern: "needle", include: "*.py" }],
      ["glob", { pattern: "**/*.ts" }],
      ["view", { path: "src/second.ts", view_range: [1, 1] }],
      ["str_replace", { path: "src/second.ts", old_str: "second = first", new_str: "second = 2" }],
      ["create_file", { path: "made/new.txt", file_text: "one\n" }],
      ["view", { path: "src/deep" }],
      ["str_replace", { path: "src/second.ts", old_str: "not there", new_str: "" }],
    ],
  },
  "boris with Claude's names": {
    dialect: "boris",
    compat: true,
    calls: [
      ["grep", { pattern: "needle", output_mode: "content", "-C": 1 }],
      ["glob", { pattern: "**/*.ts" }],
      ["str_replace_editor", { command: "view", path: "notes.md" }],
      ["str_replace_editor", { command: "str_replace", path: "notes.md", old_str: "hay", new_str: "straw" }],
      ["str_replace_editor", { command: "create", path: "made.txt", file_text: "one\n" }],
      ["str_replace_editor", { command: "view", path: "nowhere.md" }],
    ],
  },
};

function flagsOf({ dialect, compat }: Dialect): string[] {
  return ["--dialect", dialect, ...(compat ? ["--anthropic-compat"] : [])];
}

interface Answered {
  readonly calls: Call[];
  readonly answers: ToolResult[];
}

const answered = new Map<Dialect, Promise<Answered>>();

/** The calls as an agent would make them one after the other, and what the command line answers: asked once. */
function byHand(spoken: Dialect): Promise<Answered> {
  const answers = answered.get(spoken) ?? answerByHand(spoken);
  answered.set(spoken, answers);
  return answers;
}

async function answerByHand(spoken: Dialect): Promise<Answered> {
  const root = planted();
  const env = serverEnv();
  const calls: Call[] = [];
  const answers: ToolResult[] = [];
  let tag = "";
  for (const [tool, input] of spoken.calls) {
    const json = JSON.stringify(input).replace("#TAG", `#${tag}`);
    const argv = ["call", "--details", "--session", "hand", ...flagsOf(spoken), tool, json];
    const { stdout, stderr } = await quarry(root, argv, { env });
    if (stdout === "") throw new Error(stderr);
    const answer = JSON.parse(stdout) as ToolResult;
    tag = /^¶src\/first\.ts#([0-9A-F]{4})$/m.exec(answer.content[0].text)?.[1] ?? tag;
    calls.push([tool, JSON.parse(json) as object]);
    answers.push(plain(withoutDisplay(answer), root));
  }
  return { calls, answers };
}

/** The text once more, for a person's screen, is not sent to clients. */
function withoutDisplay({ details, ...rest }: ToolResult): ToolResult {
  const { displayContent: _, ...sent } = details as { readonly displayContent?: unknown };
  return { ...rest, details: sent };
}

/** Without where the tree is and how long it took. */
function plain<T>(answer: T, root: string): T {
  const text = JSON.stringify(answer)
    .replaceAll(root, "/ROOT")
    .replaceAll(/"(elapsedMs|durationMs|ms)":[\d.]+/g, '"$1":0')
    .replaceAll(/\b\d+(?:\.\d+)? ?ms\b/g, "0 ms");
  return JSON.parse(text) as T;
}

/** A client's answer in the shape of the library's. */
function asResult({ content, _meta, isError }: Answer): unknown {
  return {
    content,
    details: _meta?.["quarry/details"],
    ...(isError === undefined ? {} : { isError }),
  };
}

describe.each(Object.entries(DIALECTS))("in the dialect %s", (_, spoken) => {
  const definitions = toolDefinitions(spoken.dialect, { anthropicCompat: spoken.compat });

  test("the calls of this test reach every tool", () => {
    const called = new Set(spoken.calls.map(([tool]) => tool));
    expect(called).toEqual(new Set(definitions.map(({ name }) => name)));
  });

  test.each(CLIENTS)("%s gets what quarry call prints", async (_, library, transport) => {
    const { calls, answers } = await byHand(spoken);
    const root = planted();
    const steps: Step[] = calls.map(([name, input]) => ({ do: "call", name, arguments: input }));
    const flags = ["--workdir", root, ...flagsOf(spoken)];
    const { results, stderr } = await converse(library, transport, {
      steps: [{ do: "list" }, ...steps],
      flags,
    });
    const [list, ...called] = results.map((answer) => plain(answer, root));
    expect(called.map(asResult)).toEqual(answers);
    expect(called.filter((answer) => "structuredContent" in answer)).toEqual([]);
    expect(
      list?.tools?.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ).toEqual(definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    expect(list?.tools?.filter((tool) => "outputSchema" in tool)).toEqual([]);
    expect(stderr).not.toMatch(/ error | warn /);
  });

  test.each(OVER_STDIO)(
    "%s gets the details as structured content with --structured",
    async (_, library, transport) => {
      const { calls, answers } = await byHand(spoken);
      const root = planted();
      // The list first: the libraries hold answers to the schemas that it has.
      const steps: Step[] = calls.map(([name, input]) => ({ do: "call", name, arguments: input }));
      const flags = ["--workdir", root, "--structured", ...flagsOf(spoken)];
      const { results } = await converse(library, transport, { steps: [{ do: "list" }, ...steps], flags });
      const [list, ...called] = results.map((answer) => plain(answer, root));
      expect(list?.tools?.map(({ outputSchema }) => outputSchema?.type)).toEqual(
        definitions.map(() => "object"),
      );
      expect(called.map(({ structuredContent }) => structuredContent)).toEqual(
        answers.map(({ details }) => details),
      );
      expect(called.map(asResult)).toEqual(answers);
    },
  );
});
