/**
 * The lines of a long code file that a first look can do without: bodies, long values, the rest of long comments.
 * `read` shows what is left. Declarations stay, with the calls that hold a file's functions, as test files do.
 */
import type { Tree } from "web-tree-sitter";
import {
  SUMMARY_CALLBACKS,
  SUMMARY_COMMENT,
  SUMMARY_FUNCTION,
  SUMMARY_SHARE,
  SUMMARY_SPAN,
} from "../model/limits.ts";
import type { LineSpan } from "../model/selector.ts";
import { type Language, languageOf } from "./language.ts";
import { withTree } from "./parse.ts";
import { type Region, regionsOf } from "./regions.ts";
import { countLines, lineEnd } from "./text-lines.ts";

export interface Outline {
  /** The lines that are left out, in order, not touching each other. */
  readonly elided: readonly LineSpan[];
}

/** null: language not known, does not parse well enough, or nothing worth leaving out. */
export async function outlineOf(path: string, text: string): Promise<Outline | null> {
  const language = languageOf(path, text.slice(0, lineEnd(text, 0)));
  if (language === null) return null;
  const lines = countLines(text);
  const elided = await withTree(language, text, (tree) =>
    isMostlyBroken(tree, lines) ? [] : elidedOf(tree, text, language),
  );
  const count = (elided ?? []).reduce((sum, span) => sum + length(span), 0);
  return elided === null || count * SUMMARY_SHARE < lines || count === 0 ? null : { elided };
}

/** Half of the text is no code that the parser could read. */
function isMostlyBroken(tree: Tree, lines: number): boolean {
  const root = tree.rootNode;
  if (root.type === "ERROR") return true;
  if (!root.hasError) return false;
  let lost = 0;
  const cursor = root.walk();
  for (let more = cursor.gotoFirstChild(); more; more = cursor.gotoNextSibling()) {
    if (cursor.nodeType === "ERROR") lost += cursor.endPosition.row - cursor.startPosition.row + 1;
  }
  cursor.delete();
  return lost * 2 > lines;
}

function elidedOf(tree: Tree, text: string, language: Language): readonly LineSpan[] {
  const regions = regionsOf(tree, text, language);
  const held = heldLines(regions);
  /** For each region: how many open callbacks it lies in; null: it is left out, or lies in one that is. */
  const open: (number | null)[] = [];
  const spans: LineSpan[] = [];
  for (const [at, region] of regions.entries()) {
    const depth = region.parent < 0 ? 0 : (open[region.parent] ?? null);
    const stays = depth !== null && staysOpen(region, held[at] ?? 0, depth);
    open.push(stays ? depth + (region.kind === "callback" ? 1 : 0) : null);
    if (depth !== null && !stays) spans.push(...cut(region));
  }
  return merged(spans);
}

/** For each region: the lines of the functions that stand in it, directly or in values and blocks of it. */
function heldLines(regions: readonly Region[]): readonly number[] {
  const held = regions.map(() => 0);
  for (let at = regions.length - 1; at >= 0; at--) {
    const region = regions[at];
    if (region === undefined || region.parent < 0) continue;
    const isFunction = region.kind === "function" || region.kind === "callback";
    const lines = isFunction ? length(region.span) + 2 : (held[at] ?? 0);
    held[region.parent] = (held[region.parent] ?? 0) + lines;
  }
  return held;
}

/** Is the region mostly functions, which are worth a line each? */
function staysOpen(region: Region, held: number, callbacks: number): boolean {
  if (held * 2 < length(region.span)) return false;
  if (region.kind === "callback") return callbacks < SUMMARY_CALLBACKS;
  return region.kind !== "function" || length(region.span) > SUMMARY_FUNCTION;
}

function cut(region: Region): readonly LineSpan[] {
  const { first, last } = region.span;
  const span = region.kind === "comment" ? { first: first + SUMMARY_COMMENT, last: last - 1 } : region.span;
  return length(span) < SUMMARY_SPAN ? [] : [span];
}

function merged(spans: readonly LineSpan[]): readonly LineSpan[] {
  const result: LineSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before === undefined || span.first > before.last + 1) result.push(span);
    else result[result.length - 1] = { first: before.first, last: Math.max(before.last, span.last) };
  }
  return result;
}

function length({ first, last }: LineSpan): number {
  return last - first + 1;
}
