/**
 * What must come of a patch: the file as it shall be, or the reasons for which it may be refused. Reasons of which one
 * must be given (`must`) are told from those that may be (`may`): where a file has changed and lines in it are equal,
 * a refusal is never wrong.
 */
import type { ErrorCode } from "../../../src/model/errors.ts";
import { type Asked, named } from "./asked.ts";
import type { Blocks } from "./files.ts";
import { bytesOf, type Change, changed, isAscii, type Row, type TextFile, told } from "./text-model.ts";

/** Whether a line was shown: `maybe` where it was carried across what others did. */
export type Known = "yes" | "maybe" | "no";

/** What somebody has seen of a file, under a tag. */
export interface Version {
  readonly tag: string;
  readonly file: TextFile;
  /** By line. */
  readonly known: Known[];
  /** null: the language is not known. undefined: nobody knows where the blocks are. */
  readonly blocks: Blocks | null | undefined;
}

export interface Prediction {
  readonly must: ReadonlySet<ErrorCode>;
  readonly may: ReadonlySet<ErrorCode>;
  /** Where nothing must be refused. */
  readonly result: TextFile | null;
  readonly merged: boolean;
}

export function predict(asked: readonly Asked[], version: Version, current: TextFile): Prediction {
  const must = new Set<ErrorCode>();
  const may = new Set<ErrorCode>();
  const merged = !bytesOf(version.file).equals(bytesOf(current));
  for (const one of asked) refuseLines(one, version, must, may);
  const spans = asked.map((one) => spanOf(one, version));
  if (overlap(asked, spans)) must.add("PATCH_INVALID");
  if (spans.includes(null)) must.add("BLOCK_NOT_FOUND");
  if (must.size > 0) return { must, may, result: null, merged };
  const places = spans.map((span) => (span === null || span === "ends" ? [] : idsOf(span, version.file)));
  if (merged && !places.every((ids) => standTogether(ids, current))) must.add("FILE_CHANGED");
  else if (merged && !isCertain(version.file, current)) may.add("FILE_CHANGED");
  if (must.size > 0) return { must, may, result: null, merged };
  refuseLetters(asked, places, current, must);
  if (must.size > 0) return { must, may, result: null, merged };
  const result = changed(current, changeOf(asked, places));
  if (bytesOf(result).equals(bytesOf(current))) must.add("NO_CHANGE");
  return { must, may, result: must.size > 0 ? null : result, merged };
}

function refuseLines(asked: Asked, version: Version, must: Set<ErrorCode>, may: Set<ErrorCode>): void {
  for (const line of named(asked)) {
    if (line < 1) must.add("PATCH_INVALID");
    else if (line > version.file.rows.length) must.add("LINE_NOT_FOUND");
    else if (version.known[line - 1] === "maybe") may.add("LINE_NOT_SHOWN");
    else if (version.known[line - 1] !== "yes") must.add("LINE_NOT_SHOWN");
  }
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** The lines that an operation is about; null: no block begins there. */
function spanOf(asked: Asked, { file: { rows }, blocks }: Version): Span | "ends" | null {
  if ("first" in asked) return asked;
  if (!("line" in asked)) return "ends";
  if (!asked.kind.endsWith("block")) return { first: asked.line, last: asked.line };
  const own = rows[asked.line - 1];
  const last = own === undefined ? undefined : blocks?.get(own.id);
  if (last === undefined) return null;
  return { first: asked.line, last: rows.findIndex(({ id }) => id === last) + 1 };
}

/** Two ranges with a line in common, or a line beside which something is put that is in a range. */
function overlap(asked: readonly Asked[], spans: readonly (Span | "ends" | null)[]): boolean {
  const touched = asked.flatMap((one, at) => {
    const span = spans[at];
    // Of a block that is not there only its first line counts.
    const known = span ?? ("line" in one ? { first: one.line, last: one.line } : null);
    if (known === null || known === "ends") return [];
    if (one.kind === "insert after block") {
      return span === null ? [] : [{ first: known.last, last: known.last, range: false }];
    }
    return [{ ...known, range: !one.kind.startsWith("insert") }];
  });
  return touched.some((one, at) =>
    touched.some(
      (other, index) =>
        index > at && (one.range || other.range) && one.first <= other.last && other.first <= one.last,
    ),
  );
}

function idsOf({ first, last }: Span, { rows }: TextFile): number[] {
  return rows.slice(first - 1, last).map(({ id }) => id);
}

function standTogether(ids: readonly number[], { rows }: TextFile): boolean {
  const at = rows.findIndex(({ id }) => id === ids[0]);
  return ids.length === 0 || (at !== -1 && ids.every((id, index) => rows[at + index]?.id === id));
}

/** Every line that is still there can be told for certain. */
export function isCertain(before: TextFile, after: TextFile): boolean {
  return isDistinct(before) && isDistinct(after) && inOrder(before, after);
}

function isDistinct({ rows }: TextFile): boolean {
  return new Set(rows.map(({ text }) => text)).size === rows.length;
}

/**
 * Whether it can be said which line is which. Not where a line that is gone is equal to one that came; and where lines
 * changed places, only if nothing else was done.
 */
export function tellable(before: TextFile, after: TextFile): boolean {
  const ids = (rows: readonly Row[]): Set<number> => new Set(rows.map(({ id }) => id));
  const [was, is] = [ids(before.rows), ids(after.rows)];
  const gone = new Set(before.rows.filter(({ id }) => !is.has(id)).map(({ text }) => text));
  if (!inOrder(before, after)) return movedOnly(before.rows, after.rows);
  return !after.rows.some(({ id, text }) => !was.has(id) && gone.has(text));
}

/** Some lines were moved past others, and one of them is like no other in the file. */
function movedOnly(before: readonly Row[], after: readonly Row[]): boolean {
  const differs = (row: Row, at: number): boolean => row.id !== after[at]?.id;
  const [first, last] = [before.findIndex(differs), before.findLastIndex(differs)];
  const between = before.slice(first, last + 1);
  const now = after.slice(first, last + 1).map(({ id }) => id);
  const turn = between.findIndex(({ id }) => id === now[0]);
  const turned = [...between.slice(turn), ...between.slice(0, turn)].map(({ id }) => id);
  const single = ({ text }: Row): boolean => before.filter((row) => row.text === text).length === 1;
  return before.length === after.length && turned.join() === now.join() && between.some(single);
}

/** Of lines that are in both, none has moved past another. */
export function inOrder(before: TextFile, after: TextFile): boolean {
  const places = new Map(after.rows.map(({ id }, at) => [id, at]));
  const now = before.rows.flatMap(({ id }) => places.get(id) ?? []);
  return now.every((place, at) => at === 0 || place > (now[at - 1] ?? -1));
}

function refuseLetters(
  asked: readonly Asked[],
  places: readonly (readonly number[])[],
  current: TextFile,
  must: Set<ErrorCode>,
): void {
  const single = told(current) === "single-byte";
  for (const [at, one] of asked.entries()) {
    for (const text of "body" in one ? one.body : []) {
      if (text.includes("\0")) must.add("BINARY_FILE");
      if (/\p{Surrogate}/u.test(text) || (single && !isAscii(text))) must.add("ENCODING_UNKNOWN");
    }
    if (!single || one.kind.startsWith("insert")) continue;
    const gone = current.rows.filter(({ id }) => places[at]?.includes(id));
    if (gone.some(({ text }) => !isAscii(text))) must.add("ENCODING_UNKNOWN");
  }
}

function changeOf(asked: readonly Asked[], places: readonly (readonly number[])[]): Change {
  const change = {
    head: [] as string[],
    tail: [] as string[],
    before: new Map<number, string[]>(),
    after: new Map<number, string[]>(),
    replaced: [] as { ids: readonly number[]; body: readonly string[] }[],
  };
  for (const [at, one] of asked.entries()) {
    const ids = places[at] ?? [];
    const body = "body" in one ? one.body : [];
    const add = (map: Map<number, string[]>, id: number | undefined): void => {
      if (id !== undefined) map.set(id, [...(map.get(id) ?? []), ...body]);
    };
    if (one.kind === "insert head") change.head.push(...body);
    else if (one.kind === "insert tail") change.tail.push(...body);
    else if (one.kind === "insert before") add(change.before, ids[0]);
    else if (one.kind.startsWith("insert")) add(change.after, ids.at(-1));
    else change.replaced.push({ ids, body });
  }
  return change;
}
