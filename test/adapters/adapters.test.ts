/** The adapters, through the vendors' own libraries and the examples as they are shipped, against scripted models. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { aiSdkTools, anthropicTools, openaiTools, toolDefinitions } from "../../src/quarry.ts";
import { cacheEnv, textOf, workspaceOf } from "../dialects/workspaces.ts";
import { tree } from "../support/tree.ts";
import { scriptedModel } from "./scripted-model.ts";

const FILES = { "src/config.ts": "const timeout = 30;\n", "notes.md": "nothing\n" };
const CALL = { pattern: "timeout", mode: "files" };

function example(name: string, root: string, env: NodeJS.ProcessEnv): Promise<{ stdout: string }> {
  const script = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
  return promisify(execFile)(process.execPath, [script, root, "Where is the timeout?"], {
    env: { ...cacheEnv(), ...env },
  });
}

function last(list: unknown): unknown {
  return (list as unknown[] | undefined)?.at(-1);
}

describe("Anthropic's shapes", () => {
  it("carry an agent through a conversation", async () => {
    const model = await scriptedModel([
      {
        type: "message",
        role: "assistant",
        stop_reason: "tool_use",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "toolu_1", name: "search", input: CALL },
          { type: "tool_use", id: "toolu_2", name: "serch", input: {} },
        ],
      },
      { type: "message", role: "assistant", content: [{ type: "text", text: "In src/config.ts." }] },
    ]);
    const env = { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: model.url };
    const { stdout } = await example("anthropic.mjs", tree(FILES), env);
    expect(stdout).toBe("In src/config.ts.\n");
    const [first, second] = model.asked;
    expect(first?.["tools"]).toEqual(
      toolDefinitions("quarry", { readOnly: true }).map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
    );
    expect(last(second?.["messages"])).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "src/config.ts" }] },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: [{ type: "text", text: '[INVALID_INPUT] There is no tool "serch". Did you mean search?' }],
          is_error: true,
        },
      ],
    });
  });

  it("tell an error as one", async () => {
    const { run } = anthropicTools(await workspaceOf(tree(FILES)));
    const [result] = await run([
      { type: "tool_use", id: "a", name: "search", input: { pattern: "[z-a]" } } as never,
    ]);
    expect(result).toMatchObject({ is_error: true });
  });
});

describe("OpenAI's shapes", () => {
  it("carry an agent through a conversation", async () => {
    const call = { type: "function_call", call_id: "c1", name: "search", arguments: JSON.stringify(CALL) };
    const words = { type: "message", role: "assistant", content: [{ type: "output_text", text: "There." }] };
    const model = await scriptedModel([
      { id: "r1", object: "response", output: [call] },
      { id: "r2", object: "response", output: [words] },
    ]);
    const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: model.url };
    const { stdout } = await example("openai.mjs", tree(FILES), env);
    expect(stdout).toBe("There.\n");
    expect(last(model.asked[1]?.["input"])).toEqual({
      type: "function_call_output",
      call_id: "c1",
      output: "src/config.ts",
    });
    expect(last((model.asked[0]?.["tools"] as unknown[] | undefined)?.slice(0, 1))).toMatchObject({
      type: "function",
      name: "search",
      strict: false,
    });
  });

  it("answer the calls of a chat message, also those whose arguments are no JSON", async () => {
    const { chat } = openaiTools(await workspaceOf(tree(FILES)));
    expect(chat.tools[0]).toMatchObject({ type: "function", function: { name: "search" } });
    const calls = [JSON.stringify(CALL), "{", ""].map((args, at) => ({
      id: `c${at}`,
      type: "function",
      function: { name: "search", arguments: args },
    }));
    expect(await chat.run(calls)).toEqual([
      { role: "tool", tool_call_id: "c0", content: "src/config.ts" },
      {
        role: "tool",
        tool_call_id: "c1",
        content: "[INVALID_INPUT] The input must be an object of fields.",
      },
      { role: "tool", tool_call_id: "c2", content: "[INVALID_INPUT] pattern is missing." },
    ]);
    expect(await chat.run(undefined)).toEqual([]);
  });
});

describe("The AI SDK's shapes", () => {
  it("carry an agent through a conversation", async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: [
        {
          content: [{ type: "tool-call", toolCallId: "t1", toolName: "search", input: JSON.stringify(CALL) }],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: "text", text: "Found it." }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        },
      ],
    });
    const { ask } = (await import(new URL("../../examples/ai-sdk.mjs", import.meta.url).href)) as {
      ask: (model: unknown, root: string, question: string) => Promise<string>;
    };
    expect(await ask(model, tree(FILES), "Where?")).toBe("Found it.");
    const [first, second] = model.doGenerateCalls;
    expect(first?.tools?.map(({ name }) => name)).toEqual(["search", "find", "read"]);
    expect(JSON.stringify(second?.prompt)).toContain("src/config.ts");
  });

  it("hand on an abort", async () => {
    const workspace = await workspaceOf(tree(FILES));
    const ended = aiSdkTools(workspace)["search"]?.execute(CALL, { abortSignal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ code: "ABORTED" });
    const text = await aiSdkTools(workspace)["search"]?.execute(CALL);
    expect(text).toBe(textOf(await workspace.tools.search({ pattern: "timeout", mode: "files" })));
  });
});
