/** A tool that is disabled goes in every dialect, whatever it is called there. */
import { describe, expect, onTestFinished, test } from "vitest";
import { ClientGround } from "../../src/mcp/client-ground.ts";
import type { McpOptions } from "../../src/mcp/options.ts";
import { toolList } from "../../src/mcp/tool-list.ts";
import { tree } from "../support/tree.ts";
import { OPTIONS } from "./http-server.ts";

const given = (options: Partial<McpOptions>): McpOptions => ({
  ...OPTIONS,
  root: tree({ "a.txt": "one\n" }),
  ...options,
});

async function offered(options: McpOptions): Promise<readonly string[]> {
  const ground = new ClientGround(options, () => {});
  onTestFinished(() => ground.close());
  return ground.look(({ tools }) => Promise.resolve(Object.keys(tools)));
}

describe("a disabled tool", () => {
  test.each([
    ["quarry", ["create_file", "str_replace"], ["search", "find", "read"]],
    ["quarry", ["Grep", "glob", "view"], ["edit", "write"]],
    ["boris", ["write", "edit"], ["grep", "glob", "view"]],
    ["boris", ["read", "search"], ["glob", "str_replace", "create_file"]],
    ["claude", ["find"], ["Grep"]],
    ["boris", ["str_replace_editor"], ["grep", "glob"]],
  ] as const)("of %s goes by any of its names: %s", async (dialect, disabledTools, left) => {
    const options = given({ dialect, disabledTools });
    expect(toolList(options).map(({ name }) => name)).toEqual(left);
    expect(new Set(await offered(options))).toEqual(new Set<string>(left));
  });

  test.each([
    ["create_file", { command: "create", path: "b.txt", file_text: "x" }],
    ["write", { command: "create_file", path: "b.txt", file_text: "x" }],
    ["edit", { command: "str_replace", path: "a.txt", old_str: "one", new_str: "two" }],
    ["view", { command: "view", path: "a.txt" }],
  ])("%s is no command of the editor either", async (name, input) => {
    const options = given({ dialect: "boris", anthropicCompat: true, disabledTools: [name] });
    const ground = new ClientGround(options, () => {});
    onTestFinished(() => ground.close());
    const answer = ground.look(
      ({ tools }) => tools["str_replace_editor"]?.(input as never) ?? Promise.reject(),
    );
    await expect(answer).rejects.toMatchObject({
      code: "READ_ONLY",
      message: expect.stringContaining("is disabled"),
    });
  });

  test("takes the editor along when no command of it is left", () => {
    const options = given({
      dialect: "boris",
      anthropicCompat: true,
      disabledTools: ["read", "edit", "write"],
    });
    expect(toolList(options).map(({ name }) => name)).toEqual(["grep", "glob"]);
  });
});
