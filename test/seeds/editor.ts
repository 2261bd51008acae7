/** An agent that reads, edits and writes over a small real tree: what the tests of these seeds are made of. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EditDetails, Failure, WorkspaceOptions, WriteDetails } from "../../src/quarry.ts";
import type { Files } from "../support/tree.ts";
import { type Agent, agent } from "./agent.ts";

export interface Refusal extends Failure {
  /** All that the agent reads. */
  readonly text: string;
}

export interface Editor extends Agent {
  /** What read answers. An error fails the test, here and below. */
  readonly read: (path: string) => Promise<string>;
  /** The tag that read prints. */
  readonly tagOf: (path: string) => Promise<string>;
  /** What edit answers. */
  readonly edit: (...rows: readonly string[]) => Promise<string>;
  readonly edited: (...rows: readonly string[]) => Promise<EditDetails>;
  /** The error of an edit; an answer fails the test. */
  readonly refused: (...rows: readonly string[]) => Promise<Refusal>;
  readonly write: (path: string, content: string) => Promise<string>;
  readonly written: (path: string, content: string) => Promise<WriteDetails>;
  readonly unwritten: (path: string, content: string) => Promise<Refusal>;
  /** A file of the tree as it is on the disk. */
  readonly file: (path: string) => string;
  readonly bytes: (path: string) => Buffer;
  /** What others do to it meanwhile. */
  readonly put: (path: string, content: string | Buffer) => void;
}

interface Result {
  readonly isError?: true;
  readonly content: readonly [{ readonly text: string }];
  readonly details: unknown;
}

export async function editor(
  files: Files,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Editor> {
  const one = await agent(files, options);
  const { read, edit, write } = one.workspace.tools;
  const readText = async (path: string): Promise<string> => answer(await read({ path })).content[0].text;
  const place = (path: string): string => join(one.root, path);
  return {
    ...one,
    read: readText,
    tagOf: async (path) => tagIn(await readText(path)),
    edit: async (...rows) => answer(await edit({ input: rows.join("\n") })).content[0].text,
    edited: async (...rows) => answer(await edit({ input: rows.join("\n") })).details as EditDetails,
    refused: async (...rows) => refusal(await edit({ input: rows.join("\n") })),
    write: async (path, content) => answer(await write({ path, content })).content[0].text,
    written: async (path, content) => answer(await write({ path, content })).details as WriteDetails,
    unwritten: async (path, content) => refusal(await write({ path, content })),
    file: (path) => readFileSync(place(path), "utf8"),
    bytes: (path) => readFileSync(place(path)),
    put: (path, content) => writeFileSync(place(path), content),
  };
}

/** The first tag of an answer, or of an error. */
export function tagIn(text: string): string {
  const [, tag] = /^¶.*#([0-9A-F]{4})$/m.exec(text) ?? [];
  if (tag === undefined) throw new Error(`No tag in: ${text}`);
  return tag;
}

function answer(result: Result): Result {
  if (result.isError === true) throw new Error(result.content[0].text);
  return result;
}

function refusal(result: Result): Refusal {
  const [{ text }] = result.content;
  if (result.isError !== true) throw new Error(`No error but: ${text}`);
  return { ...(result.details as Failure), text };
}
