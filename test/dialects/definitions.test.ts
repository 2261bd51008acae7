import { describe, expect, it } from "vitest";
import {
  createWorkspace,
  DIALECTS,
  type DialectName,
  type DialectOptions,
  toolDefinitions,
} from "../../src/quarry.ts";
import { tree } from "../support/tree.ts";
import { cacheEnv } from "./workspaces.ts";

const VARIANTS: readonly (readonly [DialectName, DialectOptions])[] = [
  ["quarry", {}],
  ["claude", {}],
  ["boris", {}],
  ["boris", { anthropicCompat: true }],
  ["boris", { anthropicCompat: true, readOnly: true }],
];

describe("The definitions of a dialect", () => {
  it.each(VARIANTS)("as a model sees them: %s %j", (dialect, options) => {
    expect(toolDefinitions(dialect, options)).toMatchSnapshot();
  });

  it.each(DIALECTS.flatMap((dialect) => [false, true].map((readOnly) => [dialect, readOnly] as const)))(
    "are those of the tools that a workspace has: %s, read-only %s",
    async (dialect, readOnly) => {
      const workspace = await createWorkspace({ root: tree(), env: cacheEnv(), dialect, readOnly });
      await workspace.close();
      const names = workspace.definitions.map(({ name }) => name);
      expect(Object.keys(workspace.tools).toSorted()).toEqual(names.toSorted());
      expect(workspace.definitions.every((tool) => tool.readOnly || !readOnly)).toBe(true);
    },
  );

  it("of Claude Code are two, and both are Search to people", () => {
    expect(toolDefinitions("claude").map(({ name, title }) => [name, title])).toEqual([
      ["Grep", "Search"],
      ["Glob", "Search"],
    ]);
  });

  it("of Boris have its editor in one tool for Claude, which can still view where nothing may be written", () => {
    const names = (options: DialectOptions): string[] =>
      toolDefinitions("boris", options).map(({ name }) => name);
    expect(names({})).toEqual(["grep", "glob", "view", "str_replace", "create_file"]);
    expect(names({ readOnly: true })).toEqual(["grep", "glob", "view"]);
    expect(names({ anthropicCompat: true })).toEqual(["grep", "glob", "str_replace_editor"]);
    expect(names({ anthropicCompat: true, readOnly: true })).toEqual(["grep", "glob", "str_replace_editor"]);
  });

  it("are refused for a dialect that there is not", async () => {
    expect(() => toolDefinitions("cursor" as DialectName)).toThrow('There is no dialect "cursor"');
    expect(() => toolDefinitions("claude", { anthropicCompat: true })).toThrow(
      "anthropicCompat is for boris",
    );
    const opened = createWorkspace({ root: tree(), env: cacheEnv(), dialect: "cursor" as DialectName });
    await expect(opened).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});
