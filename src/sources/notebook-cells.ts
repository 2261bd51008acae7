/**
 * A Jupyter notebook as cells with their places in the JSON text. Called by `notebook.ts`. Only the fourth format
 * is read: what is shaped otherwise is refused with the way to its plain text, never guessed at.
 */
import { isUtf8 } from "node:buffer";
import { ToolError } from "../model/errors.ts";
import { TAGGED_FILE } from "../model/limits.ts";
import {
  elementsOf,
  type MemberSpan,
  membersOf,
  skipBlanks,
  stringValue,
  type ValueSpan,
  valueEnd,
} from "./json-spans.ts";

export type CellKind = "code" | "markdown" | "raw";

export function isCellKind(word: unknown): word is CellKind {
  return word === "code" || word === "markdown" || word === "raw";
}

export interface Cell extends ValueSpan {
  readonly kind: CellKind;
  readonly members: readonly MemberSpan[];
  /** The member `cell_type`. */
  readonly type: MemberSpan;
  readonly source: MemberSpan;
  /** The source in one piece, however it is written. */
  readonly text: string;
}

export interface Notebook {
  /** The whole file; a byte order mark is still there. */
  readonly text: string;
  /** Of the outermost object. */
  readonly members: readonly MemberSpan[];
  readonly cellsMember: MemberSpan;
  readonly cells: readonly Cell[];
  /** Must every cell have an id? From format 4.5 on. */
  readonly hasIds: boolean;
}

export function invalidNotebook(name: string, what: string, hint?: string): ToolError {
  return new ToolError("NOTEBOOK_INVALID", `${name} cannot be read as a notebook: ${what}`, {
    hint: hint ?? `${name}:raw shows the file as it is`,
  });
}

/** The file is a notebook, and what it is to become is none. */
export function invalidCells(name: string, what: string, hint?: string): ToolError {
  return new ToolError("NOTEBOOK_INVALID", `The cells of ${name} cannot be changed so: ${what}`, {
    hint: hint ?? `Nothing was changed; ${name}:raw shows the file as it is`,
  });
}

export function parseNotebook(bytes: Buffer, name: string): Notebook {
  if (bytes.length > TAGGED_FILE)
    throw new ToolError(
      "FILE_TOO_LARGE",
      `${name} is too large for a view of its cells: ${bytes.length} bytes`,
      {
        hint: `${name}:raw shows the file as it is`,
      },
    );
  if (!isUtf8(bytes)) throw invalidNotebook(name, "it is not UTF-8");
  const text = bytes.toString("utf8");
  const start = wholeValue(text, name);
  const members = membersOf(text, start);
  if (text[start] !== "{") throw invalidNotebook(name, "it is no JSON object");
  const format = scalar(text, lastOf(members, "nbformat"));
  const cellsMember = lastOf(members, "cells");
  if ((typeof format === "number" && format < 4) || (cellsMember === null && lastOf(members, "worksheets")))
    throw invalidNotebook(name, "it has a format older than 4, of before 2015");
  if (cellsMember === null || text[cellsMember.start] !== "[")
    throw invalidNotebook(name, "it has no list of cells");
  const cells = elementsOf(text, cellsMember.start).map((span, at) => cellOf(text, span, at, name));
  const minor = scalar(text, lastOf(members, "nbformat_minor"));
  const hasIds = typeof format === "number" && (format > 4 || (typeof minor === "number" && minor >= 5));
  return { text, members, cellsMember, cells, hasIds };
}

/** The beginning of the one value that the text must be. */
function wholeValue(text: string, name: string): number {
  const start = skipBlanks(text, text.startsWith("\ufeff") ? 1 : 0);
  try {
    const end = skipBlanks(text, valueEnd(text, start));
    if (end < text.length) throw new SyntaxError("something stands behind its end");
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidNotebook(name, `it is no JSON (${error.message})`);
    throw error;
  }
  return start;
}

function cellOf(text: string, span: ValueSpan, at: number, name: string): Cell {
  const members = membersOf(text, span.start);
  const type = lastOf(members, "cell_type");
  const source = lastOf(members, "source");
  const kind = scalar(text, type);
  if (type === null || !isCellKind(kind))
    throw invalidNotebook(name, `cell ${at} is no code, markdown or raw cell`);
  const joined = source === null ? null : joinedSource(text, source);
  if (source === null || joined === null) throw invalidNotebook(name, `the source of cell ${at} is no text`);
  return { start: span.start, end: span.end, kind, members, type, source, text: joined };
}

/** A source is a string, or a list of strings that are one together. */
function joinedSource(text: string, source: ValueSpan): string | null {
  if (text[source.start] === '"') return stringValue(text, source);
  if (text[source.start] !== "[") return null;
  const lines = elementsOf(text, source.start);
  if (lines.some(({ start }) => text[start] !== '"')) return null;
  return lines.map((line) => stringValue(text, line)).join("");
}

/** Of several members with one key, the last counts. */
export function lastOf(members: readonly MemberSpan[], key: string): MemberSpan | null {
  return members.findLast((member) => member.key === key) ?? null;
}

/** A string, a number, or what else is no list and no object. */
export function scalar(text: string, span: ValueSpan | null): unknown {
  const first = span === null ? undefined : text[span.start];
  if (span === null || first === "{" || first === "[") return null;
  if (first === '"') return stringValue(text, span);
  return JSON.parse(text.slice(span.start, span.end));
}
