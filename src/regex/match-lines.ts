/**
 * Search by line: `matcher.ts` uses it for every pattern whose matches stay within a line. Blocks of lines are searched
 * first, then only the lines that match. The blocks are small behind a match and grow while there is none, so
 * that neither rare nor frequent matches cost much more than one pass.
 */
import type { Finder, Submatch } from "./finder.ts";
import { lineCounter, lineEnd, lineStart, withoutTerminator } from "./lines.ts";
import type { TextMatch } from "./text-match.ts";

/** Larger blocks are no faster (20 MB in 130 ms from here on), half of it is slower by a third. */
const BLOCK = 16 * 1024;
/** A few lines: where there was a match, the next is often near. */
const BEHIND_MATCH = 512;
/** Lines that hold a needle and do not match, before blocks are searched instead. */
const MISSES = 32;

/** `needles`: every match holds one of these; null: that is not known. */
export function* matchLines(
  finder: Finder,
  text: string,
  needles: readonly string[] | null = null,
): Generator<TextMatch> {
  const lineAt = lineCounter(text);
  const lines = needles === null ? matchingLines(finder, text) : linesWith(finder, text, needles);
  for (const { start, end } of lines) {
    const record = matchLine(finder, text.slice(start, end));
    // In the block, a match may have begun here and gone on to another line, in a pattern with comments; and a wider
    // finder may have pointed here.
    if (record !== null) yield { line: lineAt(start), ...record };
  }
}

/** The record of one line, which is given with its end; null: it does not match. */
export function matchLine(finder: Finder, ended: string): Omit<TextMatch, "line"> | null {
  const terminated = ended.endsWith("\n");
  const line = terminated ? ended.slice(0, -1) : ended;
  const shown = withoutTerminator(ended);
  const found = finder.all(line);
  if (found.length === 0) return null;
  // ripgrep prints no empty match at the end of a last line without newline.
  const limit = terminated ? Number.POSITIVE_INFINITY : line.length;
  return { text: shown, submatches: within(found, { limit, shown: shown.length }) };
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The lines that hold a needle and match. Where needles are many and matches few, whole blocks are quicker after all. */
function* linesWith(finder: Finder, text: string, needles: readonly string[]): Generator<Range> {
  const next = needles.map((needle) => text.indexOf(needle));
  let misses = 0;
  for (;;) {
    const found = Math.min(...next.map((at) => (at === -1 ? Number.POSITIVE_INFINITY : at)));
    if (found === Number.POSITIVE_INFINITY) return;
    const start = lineStart(text, found);
    const end = lineEnd(text, found);
    const line = text.charAt(end - 1) === "\n" ? text.slice(start, end - 1) : text.slice(start, end);
    if (finder.isMatch(line)) yield { start, end };
    else misses += 1;
    if (misses > MISSES) {
      yield* matchingLines(finder, text, end);
      return;
    }
    for (const [index, needle] of needles.entries()) {
      const at = next[index] ?? -1;
      if (at !== -1 && at < end) next[index] = text.indexOf(needle, end);
    }
  }
}

/** The lines in which a match begins, each with its newline; with a wider finder others too. */
export function* matchingLines(finder: Finder, text: string, from = 0): Generator<Range> {
  let size = BLOCK;
  let at = from;
  while (at < text.length) {
    const end = lineEnd(text, Math.min(at + size, text.length) - 1);
    const block = text.slice(at, end);
    const found = finder.first(block);
    // A match behind the last newline is on no line of this block.
    if (found === -1 || (found === block.length && block.endsWith("\n"))) {
      at = end;
      size = Math.min(size * 2, BLOCK);
      continue;
    }
    const start = at + lineStart(block, found);
    at = lineEnd(text, start);
    size = BEHIND_MATCH;
    yield { start, end: at };
  }
}

/** Those that start before `limit`, cut where the shown text ends. */
export function within(
  found: readonly Submatch[],
  { limit, shown }: { readonly limit: number; readonly shown: number },
): Submatch[] {
  return found
    .filter(([start]) => start < limit)
    .map(([start, end]) => [Math.min(start, shown), Math.min(end, shown)]);
}
