/** Boris's tools for single files over a small real tree. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { borisCreateFile, type CreateFileDetails } from "../../src/dialects/boris/create-file.ts";
import { borisEditor } from "../../src/dialects/boris/editor.ts";
import { borisStrReplace, type StrReplaceDetails } from "../../src/dialects/boris/str-replace.ts";
import { borisView, type ViewDetails } from "../../src/dialects/boris/view.ts";
import { answering, type Failure, type ToolResult } from "../../src/dialects/result.ts";
import { openSession, type SessionOptions } from "../../src/workspace/session.ts";
import { type Files, tree } from "../support/tree.ts";
import { globs } from "../workspace/ground.ts";
import { cacheEnv, textOf } from "./workspaces.ts";

export type Answer<D> = ToolResult<D | Failure>;

export interface Boris {
  readonly root: string;
  readonly view: (input: unknown) => Promise<Answer<ViewDetails>>;
  readonly replace: (input: unknown) => Promise<Answer<StrReplaceDetails>>;
  readonly create: (input: unknown) => Promise<Answer<CreateFileDetails>>;
  readonly editor: (input: unknown, readOnly?: boolean) => Promise<Answer<unknown>>;
  readonly bytes: (path: string) => Buffer;
  readonly file: (path: string) => string;
}

/** For the running test. */
export async function boris(files: Files, options: Partial<SessionOptions> = {}): Promise<Boris> {
  const root = tree(files);
  const env = cacheEnv();
  const session = await openSession({ root, globs, env, ...options });
  onTestFinished(() => session.close());
  const ground = { env, signal: undefined };
  return {
    root,
    view: (input) => answering(() => borisView(session, input, ground)),
    replace: (input) => answering(() => borisStrReplace(session, input, ground)),
    create: (input) => answering(() => borisCreateFile(session, input, ground)),
    editor: (input, readOnly = false) =>
      answering(() => borisEditor(session, input, { ...ground, readOnly })),
    bytes: (path) => readFileSync(join(root, path)),
    file: (path) => readFileSync(join(root, path), "utf8"),
  };
}

/** Details of an answer that is no error. */
export function details<D>(answer: Answer<D>): D {
  if (answer.isError === true) throw new Error(textOf(answer));
  return answer.details as D;
}

export function numbered(first: number, lines: readonly string[]): string {
  return lines.map((text, at) => `${String(first + at).padStart(6)}\t${text}`).join("\n");
}

export function manyLines(count: number): string {
  return Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");
}

/** A notebook of two code cells, the first with an output. */
export function notebook(first: string, second: string): string {
  const cell = (source: string, outputs: readonly object[]): object => ({
    cell_type: "code",
    execution_count: 1,
    metadata: { kept: true },
    outputs,
    source: [source],
  });
  const output = { name: "stdout", output_type: "stream", text: ["1\n"] };
  const cells = [cell(first, [output]), cell(second, [])];
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}
