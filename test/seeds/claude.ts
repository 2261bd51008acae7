/** Claude's `Grep` and `Glob` over a small real tree: what the tests of its seed are made of. */
import { onTestFinished } from "vitest";
import type { GlobDetails } from "../../src/dialects/glob-answer.ts";
import type { GrepDetails } from "../../src/dialects/claude/grep.ts";
import type { GlobInput } from "../../src/dialects/claude/glob-definition.ts";
import type { GrepInput } from "../../src/dialects/claude/grep-definition.ts";
import {
  type ClaudeTools,
  createWorkspace,
  type Failure,
  type ToolResult,
  type Workspace,
  type WorkspaceOptions,
} from "../../src/quarry.ts";
import { type Files, tree } from "../support/tree.ts";

export interface Claude {
  readonly root: string;
  readonly workspace: Workspace<ClaudeTools>;
  /** The text of Grep's answer; an error fails the test. */
  readonly text: (input: GrepInput) => Promise<string>;
  readonly lines: (input: GrepInput) => Promise<readonly string[]>;
  readonly details: (input: GrepInput) => Promise<GrepDetails>;
  /** The text of Grep's error; an answer fails the test. */
  readonly error: (input: unknown) => Promise<string>;
  /** The text of Glob's answer. */
  readonly glob: (input: GlobInput) => Promise<string>;
  readonly globDetails: (input: GlobInput) => Promise<GlobDetails>;
}

/**
 * A workspace over these files with a cache of its own, gone when the test is over. The environment is this one alone,
 * without what the runner of the tests sets, unless a test says more.
 */
export async function claude(
  files: Files,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Claude> {
  const root = options.root ?? tree(files);
  const env = { HOME: tree(), QUARRY_CACHE_DIR: tree(), ...options.env };
  const workspace = await createWorkspace({ ...options, root, env, dialect: "claude" });
  onTestFinished(() => workspace.close());
  const { Grep, Glob } = workspace.tools;
  const text: Claude["text"] = async (input) => textOf(answered(await Grep(input)));
  return {
    root,
    workspace,
    text,
    lines: async (input) => (await text(input)).split("\n"),
    details: async (input) => answered(await Grep(input)).details as GrepDetails,
    error: async (input) => {
      const result = await Grep(input as GrepInput);
      if (result.isError !== true) throw new Error(`No error but: ${textOf(result)}`);
      return textOf(result);
    },
    glob: async (input) => textOf(answered(await Glob(input))),
    globDetails: async (input) => answered(await Glob(input)).details as GlobDetails,
  };
}

function answered<D>(result: ToolResult<D | Failure>): ToolResult<D | Failure> {
  if (result.isError === true) throw new Error(textOf(result));
  return result;
}

function textOf(result: ToolResult): string {
  return result.content[0].text;
}
