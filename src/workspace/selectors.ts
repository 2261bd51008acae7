/**
 * The grammar of line selectors, `PATH:50-100`, one for search and read. Total: any text is a selector, a selector
 * with a fault, or none. What a path ends with is only taken for a selector when there is no such path.
 *
 *     selector  part (":" part)*, each of raw, conflicts and a list at most once
 *     list      range ("," range)*
 *     range     N | N- | A-B | A+C | -N, and each number may have an L before it
 */
import { ToolError } from "../model/errors.ts";
import type { LineRange, LineSpan, Selector } from "../model/selector.ts";
import { mergeRanges } from "./line-set.ts";

const RANGE = /^(?:[Ll]?(\d+)(?:(-)(?:[Ll]?(\d+))?|\+[Ll]?(\d+))?|-(\d+))$/;

/** Without its leading colon. null: no selector. A ToolError: one that makes no sense; it is not thrown. */
export function parseSelector(text: string): Selector | ToolError | null {
  const parts = text.split(":");
  const lists = parts.filter((part) => part !== "raw" && part !== "conflicts");
  const chunks = lists.flatMap((list) => list.split(","));
  const read = chunks.map(readRange);
  if (read.includes(null)) return null;
  const raw = parts.includes("raw");
  const conflicts = parts.includes("conflicts");
  if (parts.length !== lists.length + Number(raw) + Number(conflicts) || lists.length > 1) {
    return fault(text, "says the same thing twice", "Name each of raw and the lines once: :raw:5-16,960-973");
  }
  if (conflicts && parts.length > 1) {
    return fault(text, "mixes conflicts with something else", "Use :conflicts by itself");
  }
  const ranges: LineRange[] = [];
  let tail: number | null = null;
  for (const range of read) {
    if (range instanceof ToolError) return range;
    if (typeof range === "number") tail = Math.max(tail ?? 0, range);
    else if (range !== null) ranges.push(range);
  }
  return { raw, conflicts, ranges: mergeRanges(ranges), tail };
}

/** A range; a number of lines at the end; a fault; or null, which makes the whole text no selector. */
function readRange(text: string): LineRange | number | ToolError | null {
  const match = RANGE.exec(text);
  if (match === null) return null;
  const [, from, dash, to, count, tail] = match;
  if (
    [from, to, count, tail].some((digits) => digits !== undefined && !Number.isSafeInteger(Number(digits)))
  ) {
    return fault(text, "has a number that no file reaches", "Lines are counted from 1");
  }
  if (tail !== undefined) {
    if (Number(tail) > 0) return Number(tail);
    return fault(text, "asks for no lines", "Use :-1 for the last line");
  }
  const first = Number(from);
  if (first === 0) return fault(text, "starts at line 0, and lines are counted from 1", "Use :1");
  if (count !== undefined) return counted(text, first, Number(count));
  if (dash === undefined || to === undefined) return { first, last: null };
  if (Number(to) >= first) return { first, last: Number(to) };
  return fault(text, "ends before it starts", `Use :${to === "0" ? 1 : to}-${first}`);
}

function counted(text: string, first: number, count: number): LineRange | ToolError {
  if (count === 0) return fault(text, "asks for no lines", `Use :${first}+1 for one line`);
  const last = first + count - 1;
  if (Number.isSafeInteger(last)) return { first, last };
  return fault(text, "ends at a line that no file reaches", `Use :${first}- for all from there on`);
}

function fault(text: string, what: string, hint: string): ToolError {
  return new ToolError("SELECTOR_INVALID", `The selector :${text} ${what}`, { hint });
}

/** The shortest text that means the same; "" for the whole file. No leading colon. */
export function formatSelector({ raw, conflicts, ranges, tail }: Selector): string {
  const chunks = ranges.map(({ first, last }) => (last === null ? `${first}-` : `${first}-${last}`));
  if (tail !== null) chunks.push(`-${tail}`);
  const parts = [raw ? "raw" : "", conflicts ? "conflicts" : "", chunks.join(",")];
  return parts.filter((part) => part !== "").join(":");
}

/** Does it leave lines out? */
export function selectsLines({ ranges, tail }: Selector): boolean {
  return ranges.length > 0 || tail !== null;
}

/** The lines meant in a file of so many; none where it asks for lines past the end. */
export function selectedSpans(selector: Selector, lines: number): LineSpan[] {
  const { ranges, tail } = selector;
  const all: LineRange[] = selectsLines(selector) ? [...ranges] : [{ first: 1, last: null }];
  if (tail !== null) all.push({ first: Math.max(1, lines - tail + 1), last: null });
  return mergeRanges(all)
    .filter(({ first }) => first <= lines)
    .map(({ first, last }) => ({ first, last: Math.min(last ?? lines, lines) }));
}

/** What is left of a selector's ranges, or of a whole file, from a line on; without its colon. */
export function selectorFrom(selector: Selector | null, line: number): string {
  if (selector === null || !selectsLines(selector)) return `${line}-`;
  const ranges = rangesFrom(selector.ranges, line);
  // Behind all ranges it is a line of the end.
  if (ranges.length === 0) return `${line}-`;
  return formatSelector({ raw: false, conflicts: false, ranges, tail: selector.tail });
}

/** What is left of ranges in order, from a line on. */
export function rangesFrom(ranges: readonly LineRange[], line: number): LineRange[] {
  return ranges
    .filter(({ last }) => last === null || last >= line)
    .map(({ first, last }) => ({ first: Math.max(first, line), last }));
}

/** A way to read an input as a path and a selector. */
export interface Split {
  readonly path: string;
  readonly selector: string;
}

/** More parts than a selector can have: one too many is still told as a fault. */
const PARTS = 3;

/** Every such way, the shortest selector first. */
export function splitSelector(input: string): Split[] {
  const splits: Split[] = [];
  for (
    let at = input.lastIndexOf(":");
    at > 0 && splits.length < PARTS;
    at = input.lastIndexOf(":", at - 1)
  ) {
    const selector = input.slice(at + 1);
    if (parseSelector(selector) === null) break;
    splits.push({ path: input.slice(0, at), selector });
  }
  return splits;
}

/**
 * The path and the selector of an input. What exists as a whole has no selector; otherwise the longest path that
 * exists wins, and a fault in the rest is thrown. When nothing exists, the path is the one before all selectors.
 */
export async function readInput(
  input: string,
  exists: (path: string) => Promise<boolean>,
): Promise<{ readonly path: string; readonly selector: Selector | null }> {
  const splits = splitSelector(input);
  if (splits.length === 0 || (await exists(input))) return { path: input, selector: null };
  for (const split of splits) {
    if (!(await exists(split.path))) continue;
    const selector = parseSelector(split.selector);
    if (selector instanceof ToolError) throw selector;
    return { path: split.path, selector };
  }
  const last = splits.at(-1) as Split;
  const selector = parseSelector(last.selector);
  return { path: last.path, selector: selector instanceof ToolError ? null : selector };
}
