/**
 * The parts of a text that an outline may leave out, in the order they begin: `outline.ts` chooses among them.
 * The walk is iterative, for a text may nest as deep as it is long, and enters only nodes of several lines.
 * Its cursor is never copied: a copy in web-tree-sitter 0.27 shares the place it stands at.
 */
import type { Tree, TreeCursor } from "web-tree-sitter";
import {
  SUMMARY_FUNCTION,
  SUMMARY_NESTING,
  SUMMARY_SPAN,
  SUMMARY_TYPE,
  SUMMARY_TYPE_SHOWN,
} from "../model/limits.ts";
import type { LineSpan } from "../model/selector.ts";
import type { Language } from "./language.ts";
import { type Shape, isHanded, isHandedBlock, shapeOf } from "./shapes.ts";
import { beginsLine, lineBegin, lineEnd } from "./text-lines.ts";

export interface Region {
  /** `callback`: a function handed to a call; `block`: a body that is no function's. */
  readonly kind: "function" | "callback" | "block" | "value" | "type" | "comment";
  /** The lines that would go. */
  readonly span: LineSpan;
  /** The region around it; -1: none. */
  readonly parent: number;
}

/** A node on the way from the root to the cursor. */
interface Step {
  readonly type: string;
  /** The innermost region the node lies in or is. */
  readonly region: number;
  readonly depth: number;
}

interface Walk {
  readonly cursor: TreeCursor;
  readonly text: string;
  readonly language: Language;
  readonly shape: Shape;
  readonly regions: Region[];
  readonly path: Step[];
}

export function regionsOf(tree: Tree, text: string, language: Language): readonly Region[] {
  const cursor = tree.walk();
  const root: Step = { type: cursor.nodeType, region: -1, depth: 0 };
  const walk: Walk = { cursor, text, language, shape: shapeOf(language), regions: [], path: [root] };
  if (cursor.gotoFirstChild()) {
    do walk.path.push(visit(walk));
    while (advance(walk));
  }
  cursor.delete();
  return walk.regions;
}

/** To the next node in order; into the current one only if it may hold something to leave out. */
function advance({ cursor, path }: Walk): boolean {
  const here = path.at(-1);
  if (here !== undefined && here.depth <= SUMMARY_NESTING && isTall(cursor) && cursor.gotoFirstChild()) {
    return true;
  }
  while (path.length > 1) {
    path.pop();
    if (cursor.gotoNextSibling()) return true;
    cursor.gotoParent();
  }
  return false;
}

/** An indented body of so many lines is all that goes. */
function isTall(cursor: TreeCursor): boolean {
  return cursor.endPosition.row - cursor.startPosition.row + 1 >= SUMMARY_SPAN;
}

/** Takes down the node under the cursor if it is a region. A depth beyond all others: it is not entered. */
function visit(walk: Walk): Step {
  const { cursor, path, shape, regions } = walk;
  const type = cursor.nodeType;
  const around = path.at(-1) ?? { type: "", region: -1, depth: 0 };
  const step: Step = { type, region: around.region, depth: around.depth };
  const closed: Step = { ...step, depth: SUMMARY_NESTING + 1 };
  if (type.endsWith("comment")) {
    addComment(walk, around);
    return closed;
  }
  if (!isTall(cursor)) return step;
  if (type === "ERROR") return closed;
  if (shape.types.has(type)) addType(walk, around);
  const kind = kindOf(walk, type, around);
  if (kind === null || !isTrusted(walk, kind)) return kind === "function" ? closed : step;
  const span = kind === "comment" ? allLines(cursor) : innerLines(walk, type, kind);
  if (span.last - span.first + 1 < SUMMARY_SPAN) return step;
  regions.push({ kind, span, parent: around.region });
  const isOpaque = kind === "comment" || (kind === "function" && span.last - span.first < SUMMARY_FUNCTION);
  return isOpaque ? closed : { type, region: regions.length - 1, depth: around.depth + 1 };
}

function kindOf(walk: Walk, type: string, around: Step): Region["kind"] | null {
  const { shape, language } = walk;
  if (isHandedBlock(type, language)) return around.type === "lambda" ? "function" : "callback";
  if (shape.bodies.has(type)) {
    if (shape.functions.has(around.type)) return isCallback(walk) ? "callback" : "function";
    return shape.holders.has(around.type) ? null : "block";
  }
  if (!shape.values.has(type)) return null;
  // A string that is a statement by itself is Python's comment on what is around it.
  const isDocstring = type === "string" && language === "python" && around.type === "expression_statement";
  return isDocstring ? "comment" : "value";
}

/** The function's parent is two steps up. */
function isCallback({ path }: Walk): boolean {
  return isHanded(path.at(-2)?.type ?? "");
}

/**
 * Where a node ends is certain if the parser understood all of it. A body that holds something it did not, as
 * macros make it in C, is trusted if the first line that closes as far out as the function begins is its last.
 */
function isTrusted({ cursor, text }: Walk, kind: Region["kind"]): boolean {
  const node = cursor.currentNode;
  if (!node.hasError) return true;
  const begin = node.parent?.startIndex ?? 0;
  if (kind !== "function" || text[node.endIndex - 1] !== "}" || !beginsLine(text, begin)) return false;
  const indent = text.slice(lineBegin(text, begin), begin);
  return text.indexOf(`\n${indent}}`, node.startIndex) === node.endIndex - indent.length - 2;
}

function allLines(cursor: TreeCursor): LineSpan {
  return { first: cursor.startPosition.row + 1, last: lastRow(cursor) + 1 };
}

/** What ends with a line ends before the next one begins. */
function lastRow(cursor: TreeCursor): number {
  const { row, column } = cursor.endPosition;
  return column === 0 && row > cursor.startPosition.row ? row - 1 : row;
}

/** The lines between the one that opens and the one that closes; of an indented body, all. */
function innerLines(walk: Walk, type: string, kind: Region["kind"]): LineSpan {
  const { cursor, shape } = walk;
  if (!shape.indented.has(type)) return { first: cursor.startPosition.row + 2, last: lastRow(cursor) };
  const first =
    kind === "function" ? Math.max(headEnd(cursor) + 2, docstringEnd(walk) + 2) : headEnd(cursor) + 2;
  return { first, last: lastRow(cursor) + 1 };
}

/** The row on which what stands before an indented body ends; comments between belong to the body. */
function headEnd(cursor: TreeCursor): number {
  let before = cursor.currentNode.previousSibling;
  while (before?.type.endsWith("comment") === true) before = before.previousSibling;
  return before?.endPosition.row ?? cursor.startPosition.row - 1;
}

/** The row of the first words of a Python function's docstring; -1: it has none. */
function docstringEnd({ cursor, text, language }: Walk): number {
  const statement = language === "python" ? cursor.currentNode.firstChild : null;
  const string = statement?.type === "expression_statement" ? statement.firstChild : null;
  if (string?.type !== "string") return -1;
  const opening = text.slice(string.startIndex, lineEnd(text, string.startIndex));
  const { row } = string.startPosition;
  return /^\w*["']{3}\s*$/u.test(opening) ? Math.min(row + 1, string.endPosition.row) : row;
}

/** Comments that follow each other line by line are one. */
function addComment({ cursor, text, regions }: Walk, around: Step): void {
  if (!beginsLine(text, cursor.startIndex)) return;
  const span = allLines(cursor);
  const last = regions.at(-1);
  if (last?.kind === "comment" && last.parent === around.region && last.span.last + 1 === span.first) {
    regions[regions.length - 1] = { ...last, span: { first: last.span.first, last: span.last } };
  } else {
    regions.push({ kind: "comment", span, parent: around.region });
  }
}

/** The members of a very long type behind the first of them, from the beginning of one. */
function addType({ cursor, text, regions }: Walk, around: Step): void {
  const { row } = cursor.startPosition;
  const last = lastRow(cursor);
  if (last - row - 1 <= SUMMARY_TYPE || cursor.currentNode.hasError) return;
  const member = cursor.currentNode.children.find(
    ({ startPosition, startIndex }) =>
      startPosition.row - row > SUMMARY_TYPE_SHOWN && beginsLine(text, startIndex),
  );
  const first = (member?.startPosition.row ?? last) + 1;
  if (last - first + 1 >= SUMMARY_SPAN) {
    regions.push({ kind: "type", span: { first, last }, parent: around.region });
  }
}
