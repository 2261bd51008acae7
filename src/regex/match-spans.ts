/**
 * Search across lines, for the patterns that `matcher.ts` has found fit for it. Records are as ripgrep makes them: the
 * lines that a match touches, joined with those of the next where they adjoin; and what is marked in a record is
 * searched anew in it and 128 bytes behind it.
 */
import { LOOKED_AT_IN_PROCESS } from "../model/limits.ts";
import type { Finder } from "./finder.ts";
import { lineCounter, lineEnd, lineStart, withoutTerminator } from "./lines.ts";
import { matchingLines, type Range, within } from "./match-lines.ts";
import { type TextMatch, Undecided } from "./text-match.ts";

const BLOCK = 64 * 1024;
const BEHIND_FALSE_MATCH = 512;
/** ripgrep's, in bytes. */
const LOOK_AHEAD = 128;

export interface Spanning {
  readonly finder: Finder;
  /** The most newlines of a match. */
  readonly newlines: number;
  /** Matches at the very start of a text; null for a pattern to which the text before makes no difference. */
  readonly again: Finder | null;
}

/** No match holds a newline: the matching lines, joined where they adjoin. */
export function matchRuns(finder: Finder, text: string): Generator<TextMatch> {
  return records(finder, text, matchingLines(finder, text));
}

/** @throws Undecided where nearly every match has another right behind it: that takes the square of a line's length */
export function matchSpans(spanning: Spanning, text: string): Generator<TextMatch> {
  return records(spanning.finder, text, lines(text, spans(spanning, text)));
}

function* records(finder: Finder, text: string, ranges: Iterable<Range>): Generator<TextMatch> {
  const lineAt = lineCounter(text);
  for (const { start, end } of joined(ranges)) {
    const shown = withoutTerminator(text.slice(start, end));
    const searched = text.slice(start, lookAhead(text, end));
    yield {
      line: lineAt(start),
      text: shown,
      submatches: within(finder.all(searched), { limit: end - start, shown: shown.length }),
    };
  }
}

function* joined(ranges: Iterable<Range>): Generator<Range> {
  let last: Range | null = null;
  for (const range of ranges) {
    if (last !== null && last.end >= range.start) {
      last = { start: last.start, end: Math.max(last.end, range.end) };
    } else {
      if (last !== null) yield last;
      last = range;
    }
  }
  if (last !== null) yield last;
}

function* lines(text: string, ranges: Iterable<Range>): Generator<Range> {
  for (const { start, end } of ranges) {
    yield {
      start: lineStart(text, start),
      end: end > start && text.charAt(end - 1) === "\n" ? end : lineEnd(text, end),
    };
  }
}

/** The matches as ripgrep's searcher finds them, in blocks of whole lines and as many more as a match may need. */
function* spans({ finder, newlines, again }: Spanning, text: string): Generator<Range> {
  let size = BLOCK;
  let from = 0;
  let looked = 0;
  const lookAt = (part: string): string => {
    looked += part.length;
    if (looked > LOOKED_AT_IN_PROCESS) throw new Undecided();
    return part;
  };
  while (from < text.length) {
    const all = newlines === Number.POSITIVE_INFINITY;
    const end = all ? text.length : lineEnd(text, Math.min(from + size, text.length) - 1);
    const block = lookAt(text.slice(from, all ? end : linesBehind(text, end, newlines + 1)));
    const base = from;
    from = end;
    size = Math.min(size * 2, BLOCK);
    if (!finder.isMatch(block)) continue;
    for (const [first, behind] of finder.all(block)) {
      const start = base + first;
      if (start >= end) break;
      const stop = base + behind;
      yield { start, end: stop };
      from = Math.max(end, stop);
      // Behind a newline, a text of its own looks no different.
      const ownText = again !== null && text.charAt(stop - 1) !== "\n";
      if (ownText && again.isMatch(lookAt(text.slice(stop, linesBehind(text, stop, newlines + 2))))) {
        from = stop;
        size = BEHIND_FALSE_MATCH;
        break;
      }
    }
  }
}

function linesBehind(text: string, at: number, count: number): number {
  let end = at;
  for (let line = 0; line < count && end < text.length; line += 1) end = lineEnd(text, end);
  return end;
}

function lookAhead(text: string, end: number): number {
  let bytes = 0;
  let at = end;
  while (at < text.length && bytes < LOOK_AHEAD) {
    const char = text.codePointAt(at) ?? 0;
    bytes += char < 0x80 ? 1 : char < 0x800 ? 2 : char < 0x1_0000 ? 3 : 4;
    at += char < 0x1_0000 ? 1 : 2;
  }
  return at;
}
