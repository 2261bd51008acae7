/**
 * The block that begins on a line: the largest construct whose first character is the first of the line, through
 * the line it ends on. `edit/` resolves `replace block N` with it. Whole lines are replaced, so a block that shares
 * its last line with other code is refused rather than taken with more than was meant.
 */
import type { Node, Tree } from "web-tree-sitter";
import { BLOCK_DEPTH } from "../model/limits.ts";
import {
  PART_FIELDS,
  isCloser,
  isDeclaration,
  isList,
  isOnlyClosing,
  isPart,
  isString,
  isWhole,
} from "./constructs.ts";
import { type Language, languageOf } from "./language.ts";
import { withTree } from "./parse.ts";
import { lineEnd } from "./text-lines.ts";

export type BlockLookup =
  /** Lines counted from 1, both ends included. */
  | { readonly kind: "block"; readonly first: number; readonly last: number }
  /** `why` continues a sentence: "no block was found: line 3 is blank". */
  | { readonly kind: "none"; readonly why: string };

/** A line of the text: where it begins, and where its first character that is not blank stands. */
interface Line {
  readonly number: number;
  readonly begin: number;
  readonly index: number;
}

/** The blocks that begin on these lines of one text: parsed once. */
export async function blocksAt(
  path: string,
  text: string,
  lines: readonly number[],
): Promise<readonly BlockLookup[]> {
  const language = languageOf(path, text.slice(0, lineEnd(text, 0)));
  if (language === null) return lines.map(() => none("its language is not known here"));
  const places = linesOf(text, lines);
  const found = await withTree(language, text, (tree) =>
    lines.map((line) => {
      const place = places.get(line);
      if (place === undefined) return none(`there is no line ${line}`);
      if (place === "blank") return none(`line ${line} is blank`);
      return blockAt(tree, text, language, place);
    }),
  );
  return found ?? lines.map(() => none("it takes too long to parse"));
}

/** One pass over the text, whatever the order of the lines asked for. */
function linesOf(text: string, lines: readonly number[]): ReadonlyMap<number, Line | "blank"> {
  const wanted = new Set(lines);
  const found = new Map<number, Line | "blank">();
  for (let begin = 0, number = 1; begin < text.length && found.size < wanted.size; number++) {
    const end = lineEnd(text, begin);
    if (wanted.has(number)) {
      const indent = text.slice(begin, end).search(/\S/u);
      found.set(number, indent < 0 ? "blank" : { number, begin, index: begin + indent });
    }
    begin = end + 1;
  }
  return found;
}

/** Goes down from the root to the outermost node that begins where the line does. */
function blockAt(tree: Tree, text: string, language: Language, line: Line): BlockLookup {
  const root = tree.rootNode;
  const inmost = root.descendantForIndex(line.index, line.index + 1) ?? root;
  // The cursor's own search for an index does not work in web-tree-sitter 0.27: it stops at the first child.
  let around = root;
  for (let depth = 0; inmost.startIndex === line.index && depth < BLOCK_DEPTH; depth++) {
    const node = around.childWithDescendant(inmost);
    if (node === null) break;
    if (node.startIndex === line.index && !isList(node.type, language)) {
      return refusal(node, around, text, language, line) ?? measure(node, text, language, line);
    }
    around = node;
  }
  return within(inmost, line);
}

/** Why the node is not what a person would call a block. null: it is. */
function refusal(node: Node, around: Node, text: string, language: Language, line: Line): BlockLookup | null {
  if (isString(around.type)) return within(around, line);
  if (isCloser(node.type)) return closing(node, text, language, line);
  if (node.hasError || (around.type === "ERROR" && !isWhole(node.type))) return broken(line);
  const isPart = around.startIndex < line.begin && isPartOf(node, around);
  return isPart || !node.isNamed ? within(around, line) : null;
}

/** `int` of `int⏎main(void)`, `public` below its annotation: a line that goes on with what began above it. */
function isPartOf(node: Node, around: Node): boolean {
  if (isPart(node.type)) return true;
  if (!isDeclaration(around.type)) return false;
  return PART_FIELDS.some((field) => around.childForFieldName(field)?.id === node.id);
}

function closing(node: Node, text: string, language: Language, line: Line): BlockLookup {
  const rest = text.slice(node.endIndex, lineEnd(text, node.endIndex)).replace(/^[\s}\])>;,]+/u, "");
  const isAll = isOnlyClosing(rest, node.type, language);
  return none(`line ${line.number} ${isAll ? "only closes a block" : "begins by closing a block"}`);
}

function broken(line: Line): BlockLookup {
  return none(`the block that begins on line ${line.number} has a syntax error`);
}

/** Nothing begins with the line: it stands in this node. */
function within(node: Node, line: Line): BlockLookup {
  if (isString(node.type)) return none(`line ${line.number} stands inside a string`);
  if (node.type.endsWith("comment")) return none(`line ${line.number} stands inside a comment`);
  if (node.type === "ERROR") return broken(line);
  const from = node.startPosition.row + 1;
  if (node.parent === null || from >= line.number) return none(`nothing begins on line ${line.number}`);
  return none(`nothing begins on line ${line.number}, it continues what begins on line ${from}`);
}

/** The lines of the node, if it has its last line for itself. */
function measure(node: Node, text: string, language: Language, line: Line): BlockLookup {
  let end = trimmedEnd(text, line.index, node.endIndex);
  for (let more = heredocEnd(node, text, end); more > end; more = heredocEnd(node, text, end)) end = more;
  const last = line.number + countBreaks(text, line.index, end);
  const rest = text.slice(end, lineEnd(text, end));
  if (!isOnlyClosing(rest, node.type, language)) {
    return none(`other code stands on line ${last}, behind the block that begins on line ${line.number}`);
  }
  return { kind: "block", first: line.number, last };
}

/** Some nodes take the blanks and line ends behind them along. */
function trimmedEnd(text: string, from: number, to: number): number {
  return from + text.slice(from, to).trimEnd().length;
}

/** Ruby's heredocs begin behind the line of the construct that names them, as nodes of their own. */
function heredocEnd(block: Node, text: string, end: number): number {
  const at = lineEnd(text, end);
  let node = block.tree.rootNode.descendantForIndex(at, at + 1);
  if (node?.type === "heredoc_content") node = node.parent;
  if (node?.type !== "heredoc_body" || node.startIndex < end) return end;
  return trimmedEnd(text, node.startIndex, node.endIndex);
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function none(why: string): BlockLookup {
  return { kind: "none", why };
}
