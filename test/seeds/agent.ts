/** An agent's tools over a small real tree: what the tests of the seeds are made of. */
import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import {
  type CallOptions,
  createWorkspace,
  type Failure,
  type SearchDetails,
  type SearchInput,
  type Workspace,
  type WorkspaceOptions,
} from "../../src/quarry.ts";
import { type Files, tree } from "../support/tree.ts";

export interface Answer {
  readonly text: string;
  readonly details: SearchDetails;
}

export interface Agent {
  readonly root: string;
  readonly workspace: Workspace;
  /** The answer; an error fails the test. */
  readonly search: (input: SearchInput, options?: CallOptions) => Promise<Answer>;
  /** The text alone. */
  readonly text: (input: SearchInput) => Promise<string>;
  /** The error; an answer fails the test. */
  readonly error: (input: unknown) => Promise<Failure & { readonly text: string }>;
}

/** A workspace over these files, with a cache of its own; both gone when the test is over. */
export async function agent(
  files: Files,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Agent> {
  const root = tree(files);
  const env = { ...process.env, QUARRY_CACHE_DIR: tree(), ...options.env };
  const workspace = await createWorkspace({ root, ...options, env });
  onTestFinished(() => workspace.close());
  const search: Agent["search"] = async (input, call) => {
    const result = await workspace.tools.search(input, call);
    if (result.isError === true) throw new Error(result.content[0].text);
    return { text: result.content[0].text, details: result.details as SearchDetails };
  };
  return {
    root,
    workspace,
    search,
    text: async (input) => (await search(input)).text,
    error: async (input) => {
      const result = await workspace.tools.search(input as SearchInput);
      if (result.isError !== true) throw new Error(`No error but: ${result.content[0].text}`);
      return { ...(result.details as Failure), text: result.content[0].text };
    },
  };
}

/** `name 1`, `name 2`, … one to a line. */
export function lines(count: number, name: string): string {
  return Array.from({ length: count }, (_, at) => `${name} ${at + 1}\n`).join("");
}

/** So many files of the same content: `f01.txt`, `f02.txt`, … */
export function manyFiles(count: number, content: string): Files {
  const names = Array.from({ length: count }, (_, at) => `f${String(at + 1).padStart(3, "0")}.txt`);
  return Object.fromEntries(names.map((name) => [name, content]));
}

/** The tag of a content that no other content of the file has been given. */
export function tag(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 4).toUpperCase();
}

/** The names in an answer's headings, in order, without their tags. */
export function headings(text: string): string[] {
  return [...text.matchAll(/^(?:¶|# )(.*?)(?:#[0-9A-F]{4})?$/gm)].map(([, name = ""]) => name);
}

/** The numbers of the lines that match, in order. */
export function matchLines(text: string): number[] {
  return [...text.matchAll(/^\*(\d+)[:|]/gm)].map(([, line]) => Number(line));
}
