/** A client's roots become the workspace's: asked for in every revision, followed when they change, and held to scope. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { link, touch, tree } from "../support/tree.ts";
import { type Answer, CLIENTS, converse, OVER_STDIO, type Step } from "./clients.ts";
import { type Message, messages, send, serve } from "./http-server.ts";
import { newest, Wire } from "./wire.ts";

const root = (path: string, name?: string): { uri: string; name?: string } => ({
  uri: pathToFileURL(path).href,
  ...(name === undefined ? {} : { name }),
});

/** Two projects, and something beside them. */
function ground(): {
  readonly all: string;
  readonly api: string;
  readonly web: string;
  readonly other: string;
} {
  const all = tree({
    "api/src/a.ts": "needle one\nplain\n",
    "web/src/b.ts": "needle two\n",
    "other/c.ts": "needle three\n",
    "api-link": link("other"),
  });
  // Of one age: the newest come first.
  for (const path of ["web/src/b.ts", "web/src"]) touch(all, path, 1_700_000_000);
  return { all, api: join(all, "api"), web: join(all, "web"), other: join(all, "other") };
}

const SEARCH: Step = { do: "call", name: "search", arguments: { pattern: "needle", mode: "files" } };

const textOf = (answer: Answer | undefined): unknown => answer?.content?.[0];
const text = (value: string): unknown => ({ type: "text", text: value });

/** Those that can say that their roots changed. */
const TELLING = CLIENTS.filter(([, { revision }]) => revision === undefined);

describe.each(CLIENTS)("%s", (_, library, transport) => {
  test("with one root works in it, below what is allowed", async () => {
    const { all, api } = ground();
    const { results, stderr } = await converse(library, transport, {
      flags: ["--workdir", all],
      roots: [root(api, "API")],
      steps: [SEARCH, { do: "call", name: "read", arguments: { path: "../web/src/b.ts" } }],
    });
    expect(textOf(results[0])).toEqual(text("src/a.ts"));
    expect(results[1]).toMatchObject({
      isError: true,
      _meta: { "quarry/details": { code: "PATH_OUTSIDE" } },
    });
    expect(stderr).not.toContain(" warn ");
  });

  test("is denied what was denied, wherever its roots are", async () => {
    const all = tree({ "config/prod/key.txt": "canary\n", "src/a.ts": "needle\n" });
    const read = (path: string): Step => ({ do: "call", name: "read", arguments: { path } });
    const asked = async (roots: readonly string[], path: string): Promise<unknown> => {
      const { results } = await converse(library, transport, {
        flags: ["--workdir", all, "--deny", "config/prod/**"],
        roots: roots.map((folder) => root(join(all, folder))),
        steps: [read(path), SEARCH],
      });
      expect(JSON.stringify(results)).not.toContain("canary");
      return results[0];
    };
    const denied = { isError: true, _meta: { "quarry/details": { code: "PATH_DENIED" } } };
    expect(await asked(["config"], "prod/key.txt")).toMatchObject(denied);
    expect(await asked(["config/prod"], "key.txt")).toMatchObject(denied);
    expect(await asked(["config", "src"], join(all, "config/prod/key.txt"))).toMatchObject(denied);
  });

  test("works in its roots and not beside them, whatever else is allowed", async () => {
    const { all, api, web } = ground();
    const { results } = await converse(library, transport, {
      flags: ["--allow-dir", all],
      roots: [root(api)],
      steps: [{ do: "call", name: "read", arguments: { path: join(web, "src/b.ts") } }],
    });
    expect(results[0]).toMatchObject({
      isError: true,
      _meta: { "quarry/details": { code: "PATH_OUTSIDE" } },
    });
  });

  test("with several sees their names in front, and every tool understands them", async () => {
    const { all, api, web } = ground();
    const edit = "¶API server/src/a.ts#TAG\nreplace 2..2:\n+changed\n";
    const read = { do: "call", name: "read", arguments: { path: "API server/src/a.ts" } };
    const conversation = {
      flags: ["--allow-dir", all],
      roots: [root(api, "API server"), root(web)],
    };
    const first = await converse(library, transport, { ...conversation, steps: [read] });
    const [tag = ""] =
      /(?<=#)[0-9A-F]{4}$/m.exec(JSON.stringify(first.results[0]?.content).replaceAll("\\n", "\n")) ?? [];
    const { results } = await converse(library, transport, {
      ...conversation,
      steps: [
        SEARCH,
        { do: "call", name: "find", arguments: { paths: "web/**" } },
        read,
        { do: "call", name: "edit", arguments: { input: edit.replace("TAG", tag) } },
        { do: "call", name: "write", arguments: { path: "web/new.txt", content: "made\n" } },
      ],
    });
    expect(results.filter(({ isError }) => isError === true)).toEqual([]);
    expect(textOf(results[0])).toEqual(text("API server/src/a.ts\nweb/src/b.ts"));
    expect(textOf(results[1])).toEqual(text("# web/\nsrc/\n\n# web/src/\nb.ts"));
    expect(readFileSync(join(api, "src/a.ts"), "utf8")).toBe("needle one\nchanged\n");
    expect(readFileSync(join(web, "new.txt"), "utf8")).toBe("made\n");
  });

  test("does not get a root outside of what is allowed, and is told", async () => {
    const { all, api, web, other } = ground();
    const { results, stderr, logs } = await converse(library, transport, {
      flags: ["--allow-dir", api, "--allow-dir", web],
      cwd: all,
      roots: [
        root(api),
        root(other),
        root(join(all, "api-link")),
        root(join(api, "..")),
        root(join(api, "nowhere")),
        root(join(api, "src/a.ts")),
        { uri: "https://example.com/api" },
        { uri: "file://elsewhere/api" },
      ],
      steps: [
        ...(library.revision === undefined ? [{ do: "level", level: "warning" }] : []),
        { ...SEARCH, meta: library.revision && { "io.modelcontextprotocol/logLevel": "warning" } },
        { do: "call", name: "read", arguments: { path: join(other, "c.ts") } },
      ],
    });
    expect(textOf(results.at(-2))).toEqual(text("src/a.ts"));
    expect(results.at(-1)).toMatchObject({
      isError: true,
      _meta: { "quarry/details": { code: "PATH_OUTSIDE" } },
    });
    const refused = [
      `${root(other).uri} is not used: it lies outside what --allow-dir permits`,
      `api-link is not used: it lies outside what --allow-dir permits`,
      `${root(all).uri} is not used: it lies outside what --allow-dir permits`,
      "nowhere is not used: it is not there",
      "; and 3 more",
    ];
    expect(stderr.match(/; and 3 more/g)).toHaveLength(1);
    expect(refused.filter((words) => !stderr.includes(words))).toEqual([]);
    const said = logs.filter(({ level }) => level === "warning").map(({ data }) => data);
    expect(said).toHaveLength(1);
  });

  test("without any root that is allowed works in the folder of the server", async () => {
    const { api, other } = ground();
    const { results } = await converse(library, transport, {
      flags: ["--workdir", api],
      roots: [root(other)],
      steps: [SEARCH],
    });
    expect(textOf(results[0])).toEqual(text("src/a.ts"));
  });

  test("without roots works in the folder of the server", async () => {
    const { web } = ground();
    const { results } = await converse(library, transport, { flags: ["--workdir", web], steps: [SEARCH] });
    expect(textOf(results[0])).toEqual(text("src/b.ts"));
  });
});

describe.each(TELLING)("%s", (_, library, transport) => {
  test("says that its roots changed, and the next call is made in the new ones", async () => {
    const { all, api, web } = ground();
    const { results } = await converse(library, transport, {
      flags: ["--workdir", all],
      roots: [root(api)],
      steps: [
        SEARCH,
        { do: "roots", roots: [root(web)] },
        SEARCH,
        { do: "roots", roots: [root(web, "W"), root(api, "A")] },
        SEARCH,
        { do: "roots", roots: [] },
        SEARCH,
      ],
    });
    expect(results.filter((_, at) => at % 2 === 0).map(textOf)).toEqual(
      ["src/a.ts", "src/b.ts", "A/src/a.ts\nW/src/b.ts", "api/src/a.ts\nother/c.ts\nweb/src/b.ts"].map(text),
    );
  });
});

test("who has roots and never names them is answered without", async () => {
  // At once: each waits for the answer that does not come.
  const all = await Promise.all(
    TELLING.map(([, library, transport]) =>
      converse(library, transport, {
        flags: ["--workdir", ground().web],
        roots: [],
        silent: true,
        steps: [SEARCH, SEARCH],
      }),
    ),
  );
  expect(all.map(({ results }) => results.map(textOf))).toEqual(
    all.map(() => [text("src/b.ts"), text("src/b.ts")]),
  );
});

describe("in the newest revision", () => {
  test("the roots are asked for by an answer, and come with the same call again", async () => {
    const { all, api } = ground();
    const wire = new Wire({ cwd: all });
    const call = {
      name: "search",
      arguments: { pattern: "needle", mode: "files" },
      _meta: newest({ roots: {} }),
    };
    expect((await wire.request(1, "tools/call", call))?.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { roots: { method: "roots/list" } },
    });
    const roots = { roots: { roots: [root(api)] } };
    const again = await wire.request(2, "tools/call", { ...call, inputResponses: roots });
    expect(again?.result).toMatchObject({ resultType: "complete", content: [{ text: "src/a.ts" }] });
    // They are kept for a while, so that not every call is made twice.
    const next = await wire.request(3, "tools/call", call);
    expect(next?.result).toMatchObject({ resultType: "complete", content: [{ text: "src/a.ts" }] });
  });

  test("over HTTP no client works in the roots of another, whoever has the same token", async () => {
    const { all, api, web } = ground();
    const { port } = await serve(all);
    const ask = async (
      folder: string | null,
      method: string,
      params: object,
    ): Promise<Message | undefined> => {
      const own = folder === null ? {} : { inputResponses: { roots: { roots: [root(folder)] } } };
      const name = "uri" in params ? params.uri : "search";
      const answer = await send(port, {
        headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": String(name) },
        body: { jsonrpc: "2.0", id: 1, method, params: { ...params, ...own, _meta: newest({ roots: {} }) } },
      });
      return messages(answer.text).at(-1);
    };
    const search = { name: "search", arguments: { pattern: "needle", mode: "files" } };
    const searched = async (folder: string): Promise<unknown> => {
      // Asked each time: only the call itself says whose it is.
      expect((await ask(null, "tools/call", search))?.result).toMatchObject({ resultType: "input_required" });
      return (await ask(folder, "tools/call", search))?.result?.content?.[0]?.text;
    };
    expect(await searched(api)).toBe("src/a.ts");
    expect(await searched(web)).toBe("src/b.ts");
    expect(await Promise.all([api, web, api, web].map(searched))).toEqual(
      ["a", "b", "a", "b"].map((name) => `src/${name}.ts`),
    );
    // What was kept for one of them is not the other's, and the documentation is everybody's.
    const artifact = { uri: "artifact://1" };
    expect((await ask(null, "resources/read", artifact))?.result).toMatchObject({
      resultType: "input_required",
    });
    expect((await ask(api, "resources/read", artifact))?.error?.code).toBe(-32_602);
    const docs = { uri: "docs://tools.md" };
    expect((await ask(null, "resources/read", docs))?.result).toMatchObject({ resultType: "complete" });
  });

  test("a client that has none is not asked", async () => {
    const { web } = ground();
    const wire = new Wire({ cwd: web });
    const call = { name: "find", arguments: {}, _meta: newest() };
    expect((await wire.request(1, "tools/call", call))?.result).toMatchObject({ resultType: "complete" });
  });
});

/** A path with a root's name in front, in every tool of the dialects of others. */
const OTHERS: readonly (readonly [string, readonly string[], readonly Step[]])[] = [
  [
    "claude",
    ["--dialect", "claude"],
    [
      { do: "call", name: "Grep", arguments: { pattern: "needle", path: "web" } },
      { do: "call", name: "Glob", arguments: { pattern: "web/**/*.ts" } },
    ],
  ],
  [
    "boris",
    ["--dialect", "boris"],
    [
      { do: "call", name: "grep", arguments: { pattern: "needle", path: "web/src" } },
      { do: "call", name: "glob", arguments: { pattern: "**/*.ts", path: "web" } },
      { do: "call", name: "view", arguments: { path: "web/src/b.ts" } },
      { do: "call", name: "str_replace", arguments: { path: "web/src/b.ts", old_str: "two", new_str: "2" } },
      { do: "call", name: "create_file", arguments: { path: "web/src/b.ts.txt", file_text: "" } },
    ],
  ],
  [
    "boris with Claude's names",
    ["--dialect", "boris", "--anthropic-compat"],
    [
      { do: "call", name: "grep", arguments: { pattern: "needle", path: "web/src" } },
      { do: "call", name: "glob", arguments: { pattern: "**/*.ts", path: "web" } },
      { do: "call", name: "str_replace_editor", arguments: { command: "view", path: "web/src/b.ts" } },
    ],
  ],
];

test.each(OTHERS)("several roots are understood by every tool of %s", async (_, flags, steps) => {
  const { all, api, web } = ground();
  for (const [, library, transport] of OVER_STDIO.slice(0, 1)) {
    const conversation = { flags: ["--workdir", all, ...flags], roots: [root(api), root(web)], steps };
    const { results } = await converse(library, transport, conversation);
    const texts = results.map(({ isError, content }) => [isError, JSON.stringify(content)]);
    expect(texts.filter(([isError, shown]) => isError === true || !/b\.ts|two/.test(String(shown)))).toEqual(
      [],
    );
  }
});
