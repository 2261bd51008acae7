/** Boris's tools over a small real tree, as a program opens them: what the tests of its seed are made of. */
import { onTestFinished } from "vitest";
import type { GrepDetails } from "../../src/dialects/boris/grep.ts";
import { type AnyTools, createWorkspace, type Failure, type WorkspaceOptions } from "../../src/quarry.ts";
import { type Files, tree } from "../support/tree.ts";

export interface Answer {
  readonly text: string;
  readonly details: GrepDetails;
}

export interface BorisAgent {
  readonly root: string;
  /** The answer's text, an error's too. */
  readonly call: (tool: string, input: unknown) => Promise<string>;
  /** The text of grep; an error fails the test. */
  readonly grep: (input: object) => Promise<string>;
  /** The same with its details. */
  readonly answer: (input: object) => Promise<Answer>;
  /** The text of grep's error; an answer fails the test. */
  readonly error: (input: unknown) => Promise<string>;
}

type Options = Omit<WorkspaceOptions, "dialect" | "root"> & { readonly root?: string };

/** A workspace over these files, with a cache of its own; both gone when the test is over. */
export async function borisAgent(files: Files, options: Options = {}): Promise<BorisAgent> {
  const root = options.root ?? tree(files);
  const env = { ...process.env, QUARRY_CACHE_DIR: tree(), ...options.env };
  const workspace = await createWorkspace({ ...options, root, dialect: "boris" as const, env });
  onTestFinished(() => workspace.close());
  const tools: AnyTools = workspace.tools;
  const run = async (tool: string, input: unknown): Promise<Ran> => {
    const called = tools[tool];
    if (called === undefined) throw new Error(`No tool ${tool}`);
    const { content, details, isError } = await called(input as never);
    return { text: content[0].text, details, failed: isError === true };
  };
  const answer: BorisAgent["answer"] = async (input) => {
    const { text, details, failed } = await run("grep", input);
    if (failed) throw new Error(text);
    return { text, details: details as GrepDetails };
  };
  return {
    root,
    call: async (tool, input) => (await run(tool, input)).text,
    grep: async (input) => (await answer(input)).text,
    answer,
    error: async (input) => {
      const { text, details, failed } = await run("grep", input);
      if (!failed) throw new Error(`No error but: ${text}`);
      const { code } = details as Failure;
      if (!text.startsWith(`[${code}] `)) throw new Error(`No code ${code} before: ${text}`);
      return text;
    },
  };
}

interface Ran {
  readonly text: string;
  readonly details: unknown;
  readonly failed: boolean;
}
