/** Workspaces for the tests of the agent's tools, and the text of an answer read back. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type QuarryTools, quarryTools } from "../../src/dialects/quarry/tools.ts";
import type { Failure, ToolResult } from "../../src/dialects/result.ts";
import {
  createWorkspace,
  type FindDetails,
  type SearchDetails,
  type Workspace,
  type WorkspaceOptions,
} from "../../src/quarry.ts";
import { openSession, type Session } from "../../src/workspace/session.ts";
import { tree } from "../support/tree.ts";
import { globs } from "../workspace/ground.ts";

/** An environment with a cache of its own, outside every root. */
export function cacheEnv(): NodeJS.ProcessEnv {
  return { ...process.env, QUARRY_CACHE_DIR: join(tree(), "cache") };
}

/** A workspace for the running test. */
export async function workspaceOf(
  root: string,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Workspace> {
  const workspace = await createWorkspace({ root, env: cacheEnv(), ...options });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** The same with what a workspace keeps to itself: snapshots and artifacts. The caller closes it. */
export async function sessionOf(
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly session: Session; readonly tools: QuarryTools }> {
  const session = await openSession({ root, globs, env });
  return { session, tools: quarryTools(session, { env }) };
}

export function textOf(result: ToolResult): string {
  return result.content[0].text;
}

/** The details of an answer that is no error. */
export function found<D extends SearchDetails | FindDetails>(result: ToolResult<D | Failure>): D {
  if (result.isError === true) throw new Error(textOf(result));
  return result.details as D;
}

/** The code of an answer that is an error; "none" for any other. */
export function codeIn(result: ToolResult): string {
  return result.isError === true ? (result.details as Failure).code : "none";
}

export interface PrintedLine {
  readonly line: number;
  readonly hit: boolean;
  readonly text: string;
}

export interface PrintedFile {
  readonly mark: "# " | "¶";
  readonly name: string;
  readonly tag: string | null;
  /** null is a gap. */
  readonly rows: readonly (PrintedLine | null)[];
  /** The `paths` that show the rest. */
  readonly rest: string | null;
}

export interface Printed {
  readonly files: readonly PrintedFile[];
  /** What is said in brackets at the end, without them. */
  readonly notes: readonly string[];
}

const HEADING = /^(# |¶)(.*?)(?:#([0-9A-F]{4}))?$/s;
const ROW = /^([* ])(\d+)[:|](.*)$/s;
const REST = /^\[More matches: paths (.*)\]$/s;
const NO_REST = /^\[More matches, and no call for them: .*\]$/s;
const NOTE = /^\[(.*)\]$/s;

/** The text of a search's content, taken apart again; whatever does not fit the layout is an error. */
export function readPage(text: string): Printed {
  const blocks = text === "" ? [] : text.split("\n\n");
  const notes = blocks.at(-1)?.startsWith("[") === true ? (blocks.pop() ?? "").split("\n") : [];
  return { files: blocks.map(readBlock), notes: notes.map((note) => captured(NOTE, note)[0] ?? "") };
}

function readBlock(block: string): PrintedFile {
  const [heading = "", ...lines] = block.split("\n");
  const [mark, name = "", tag] = captured(HEADING, heading);
  const rest = REST.exec(lines.at(-1) ?? "")?.[1] ?? null;
  const closed = rest !== null || NO_REST.test(lines.at(-1) ?? "");
  const rows = (closed ? lines.slice(0, -1) : lines).map((line) => {
    if (line === "…") return null;
    const [sign, number, text = ""] = captured(ROW, line);
    return { line: Number(number), hit: sign === "*", text };
  });
  return { mark: mark === "¶" ? "¶" : "# ", name: readName(name), tag: tag ?? null, rows, rest };
}

function captured(shape: RegExp, text: string): (string | undefined)[] {
  const match = shape.exec(text);
  if (match === null) throw new Error(`This is no part of an answer: ${JSON.stringify(text)}`);
  return match.slice(1);
}

/** A printed name, read as `format/escape.ts` says it can be. */
export function readName(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  return printed.slice(1, -1).replace(/\\(?:x(..)|u\{([^}]*)\}|(.))/gs, (_, byte, point, letter: string) => {
    const code = (byte ?? point) as string | undefined;
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return { n: "\n", r: "\r", t: "\t" }[letter] ?? letter;
  });
}

/** The answers of one session's tools as texts; an error is its text too. */
export interface Hands {
  readonly read: (path: string) => Promise<string>;
  readonly edit: (input: string) => Promise<string>;
  readonly write: (path: string, content: string) => Promise<string>;
}

export function handsOf({ tools }: Workspace): Hands {
  return {
    read: async (path) => textOf(await tools.read({ path })),
    edit: async (input) => textOf(await tools.edit({ input })),
    write: async (path, content) => textOf(await tools.write({ path, content })),
  };
}

/** The codes of read, edit and write for a path; "none" for an answer that is no error. */
export async function fileCodes({ tools }: Workspace, path: string, tag = "0000"): Promise<string[]> {
  const header = /[\n"]|^\s|\s$/.test(path) ? JSON.stringify(path) : path;
  return [
    codeIn(await tools.read({ path })),
    codeIn(await tools.edit({ input: `¶${header}#${tag}\ninsert head:\n+planted\n` })),
    codeIn(await tools.write({ path, content: "planted\n" })),
  ];
}

/** Everything below a folder: names, kinds, contents; links are not followed. */
export function contentsOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        const content = entry.isSymbolicLink()
          ? `link to ${readlinkSync(path)}`
          : entry.isFile()
            ? readFileSync(path, "latin1")
            : "no file";
        return [path.slice(folder.length + 1), content];
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
