/**
 * With --structured, the details of every tool in every dialect are what its published schema says: found, empty, cut
 * and failed ones. `every-tool.test.ts` has the client libraries hold answers to the same schemas.
 */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { expect, test } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { databaseBytes } from "../sources/sqlite/build.ts";
import { FOLDER, link, tree } from "../support/tree.ts";
import { type Message, Wire } from "./wire.ts";

type Call = readonly [tool: string, input: object];

interface Dialect {
  readonly flags: readonly string[];
  readonly names: readonly string[];
  readonly calls: readonly Call[];
}

const long = (line: string, lines: number): string => `${line}\n`.repeat(lines);

async function planted(): Promise<string> {
  const code = Array.from({ length: 80 }, (_, at) => `function f${at}() {\n${long("  call();", 20)}}\n`);
  return tree({
    "a.ts": "const needle = 1;\nplain\n",
    "b.ts": "needle\n",
    "outlined.ts": code.join("\n"),
    "long.txt": long("haystack", 9_000),
    "wide.txt": "x".repeat(200_000),
    "empty.txt": "",
    "none.txt": "no newline",
    "bin.dat": Buffer.from([0, 1, 2, 0, 255]),
    "merge.txt": "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n",
    "pack.zip": zip([{ name: "in.txt", data: "needle inside\n" }]),
    "data.db": await databaseBytes(
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1,'x')",
    ),
    "folder/deep/unique.md": "# needle\n",
    hollow: FOLDER,
    dangling: link("nowhere"),
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`many/${at}.txt`, long(`needle ${"y".repeat(300)}`, 20)]),
    ),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`names/${"n".repeat(200)}${at}.txt`, ""])),
  });
}

const EDITED = "one\ntwo\nthree\n";

const QUARRY: readonly Call[] = [
  ["search", { pattern: "needle" }],
  ["search", { pattern: "needle", mode: "files", limit: 2 }],
  ["search", { pattern: "needle", mode: "count", paths: ["a.ts", "no-such.ts"] }],
  ["search", { pattern: "nothing of the kind" }],
  ["search", { pattern: "needle", paths: "pack.zip" }],
  ["search", { pattern: "foo(", paths: "a.ts" }],
  ["search", { pattern: "x+", paths: "wide.txt" }],
  ["search", { pattern: "needle", paths: "nowhere" }],
  ["search", {}],
  ["find", {}],
  ["find", { paths: "*.ts", limit: 1 }],
  ["find", { paths: "names/*" }],
  ["find", { paths: "*.nothing" }],
  ["find", { paths: "nowhere/" }],
  ["find", { paths: "{" }],
  ["read", { path: "a.ts" }],
  ["read", { path: "outlined.ts" }],
  ["read", { path: "long.txt" }],
  ["read", { path: "wide.txt" }],
  ["read", { path: "empty.txt" }],
  ["read", { path: "none.txt:raw" }],
  ["read", { path: "a.ts:1-1,2-2" }],
  ["read", { path: "deep/unique.md" }],
  ["read", { path: "." }],
  ["read", { path: "hollow" }],
  ["read", { path: "names" }],
  ["read", { path: "pack.zip" }],
  ["read", { path: "pack.zip:in.txt" }],
  ["read", { path: "data.db" }],
  ["read", { path: "data.db:t" }],
  ["read", { path: "data.db?q=SELECT 1" }],
  ["read", { path: "merge.txt:conflicts" }],
  ["read", { path: "docs://" }],
  ["read", { path: "docs://tools.md" }],
  ["read", { path: "bin.dat" }],
  ["read", { path: "dangling" }],
  ["read", { path: "/etc/passwd" }],
  ["write", { path: "edited.txt", content: EDITED }],
  ["edit", { input: "¶edited.txt#TAG\nreplace 2..2:\n+zwei\n+drei\n" }],
  ["edit", { input: "¶edited.txt#TAG\ndelete 1..4\n" }],
  ["edit", { input: "¶edited.txt#0000\ndelete 1..1\n" }],
  ["edit", { input: "nonsense" }],
  ["write", { path: "run.sh", content: "#!/bin/sh\n" }],
  ["write", { path: "edited.txt", content: "¶edited.txt#0000\n1:one\n2:two\n" }],
  ["write", { path: "pack.zip:new.txt", content: "new\n" }],
  ["write", { path: "data.db:t", content: "{b: 'new'}" }],
  ["write", { path: "conflict://1", content: "@ours" }],
  ["write", { path: "local://note", content: "kept\n" }],
  ["write", { path: "../out.txt", content: "" }],
];

const GREP: readonly object[] = [
  { pattern: "needle" },
  { pattern: "needle", output_mode: "content" },
  { pattern: "needle", output_mode: "content", head_limit: 2, offset: 1 },
  { pattern: "needle", output_mode: "count" },
  { pattern: "nothing of the kind" },
  { pattern: "x+", path: "wide.txt", output_mode: "content" },
  { pattern: "needle", head_limit: 1 },
  { pattern: "(", path: "a.ts" },
  { pattern: "needle", path: "nowhere" },
  { pattern: "needle", type: "no-such-type" },
];

const GLOB: readonly object[] = [
  { pattern: "**/*.ts" },
  { pattern: "names/*" },
  { pattern: "*.nothing" },
  { pattern: "*", path: "nowhere" },
  {},
];

const VIEW: readonly object[] = [
  { path: "a.ts" },
  { path: "long.txt" },
  { path: "long.txt", view_range: [10, 20] },
  { path: "wide.txt" },
  { path: "empty.txt" },
  { path: "." },
  { path: "hollow" },
  { path: "deep/unique.md" },
  { path: "bin.dat" },
  { path: "a.ts", view_range: [9, 1] },
];

const CREATE: readonly object[] = [
  { path: "made.txt", file_text: EDITED },
  { path: "made.txt", file_text: "#!/bin/sh\n" },
  { path: "../out.txt", file_text: "" },
];

const REPLACE: readonly object[] = [
  { path: "b.ts", old_str: "needle", new_str: "pin\nneedle" },
  { path: "b.ts", old_str: "pin\nneedle\n" },
  { path: "long.txt", old_str: "haystack", new_str: "" },
  { path: "a.ts", old_str: "not there", new_str: "" },
];

const calls = (tool: string, inputs: readonly object[], more: object = {}): readonly Call[] =>
  inputs.map((input) => [tool, { ...input, ...more }]);

const names = (...options: Parameters<typeof toolDefinitions>): readonly string[] =>
  toolDefinitions(...options).map(({ name }) => name);

const DIALECTS: Readonly<Record<string, Dialect>> = {
  quarry: { flags: [], names: names(), calls: QUARRY },
  claude: {
    flags: ["--dialect", "claude"],
    names: names("claude"),
    calls: [...calls("Grep", GREP), ...calls("Glob", GLOB)],
  },
  boris: {
    flags: ["--dialect", "boris"],
    names: names("boris"),
    calls: [
      ...calls("grep", GREP),
      ...calls("glob", GLOB),
      ...calls("view", VIEW),
      ...calls("create_file", CREATE),
      ...calls("str_replace", REPLACE),
    ],
  },
  "boris with Claude's names": {
    flags: ["--dialect", "boris", "--anthropic-compat"],
    names: names("boris", { anthropicCompat: true }),
    calls: [
      ...calls("grep", GREP),
      ...calls("glob", GLOB),
      ...calls("str_replace_editor", VIEW, { command: "view" }),
      ...calls("str_replace_editor", CREATE, { command: "create" }),
      ...calls("str_replace_editor", REPLACE, { command: "str_replace" }),
    ],
  },
};

interface Published {
  readonly name: string;
  readonly outputSchema: { readonly type: "object"; readonly anyOf: readonly object[] };
}

/** Each call, its answer, and what a validator says of it. */
async function validated({ flags, calls: all }: Dialect): Promise<{
  readonly tools: readonly Published[];
  readonly wrong: readonly string[];
  /** The schemas of each tool that answers were of: all of them, or this test does not look at enough. */
  readonly used: ReadonlyMap<string, ReadonlySet<number>>;
}> {
  const wire = new Wire({ cwd: await planted(), flags: ["--structured", ...flags] });
  await wire.initialize();
  const tools = (await wire.request("list", "tools/list"))?.result?.["tools"] as readonly Published[];
  const ajv = new AjvJsonSchemaValidator();
  const wrong: string[] = [];
  const used = new Map(tools.map(({ name }) => [name, new Set<number>()]));
  let tag = "";
  for (const [id, [name, input]] of all.entries()) {
    const params = {
      name,
      arguments: JSON.parse(JSON.stringify(input).replace("#TAG", `#${tag}`)) as object,
    };
    const { result, error } = (await wire.request(id, "tools/call", params)) as Message;
    const { content, structuredContent, _meta } = result as {
      content: [{ text: string }];
      structuredContent: object;
      _meta: Record<string, unknown>;
    };
    tag = /^¶edited\.txt#([0-9A-F]{4})$/m.exec(content[0].text)?.[1] ?? tag;
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    const told = ajv.getValidator(schema as object)(structuredContent);
    if (!told.valid) wrong.push(`${JSON.stringify(params)}: ${told.errorMessage} ${JSON.stringify(error)}`);
    expect(structuredContent).toEqual(_meta["quarry/details"]);
    for (const [at, one] of (schema?.anyOf ?? []).entries()) {
      if (ajv.getValidator(one)(structuredContent).valid) used.get(name)?.add(at);
    }
  }
  return { tools, wrong, used };
}

test.each(Object.entries(DIALECTS))(
  "in the dialect %s details are what the schemas say",
  async (_, spoken) => {
    const { tools, wrong, used } = await validated(spoken);
    expect(wrong).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(spoken.names);
    expect(tools.map(({ name, outputSchema }) => [name, outputSchema.anyOf.length])).toEqual(
      [...used].map(([name, kinds]) => [name, kinds.size]),
    );
    expect(tools.filter(({ outputSchema }) => outputSchema.type !== "object")).toEqual([]);
  },
);
