import type { Line, Match } from "../model/match.ts";
import { lineEnd, withoutTerminator } from "../regex/lines.ts";
import type { TextMatch } from "../regex/text-match.ts";

/**
 * Gives what was matched in memory its lines of context, for `search-text.ts`: as ripgrep prints them and
 * `ripgrep/decode.ts` shares them out, each line once, to the match it follows where that reaches, else to the next.
 */

export interface ContextOptions {
  readonly before: number;
  readonly after: number;
  /** How many matching lines are looked for. */
  readonly limit: number | null;
}

type Located = Omit<Match, "path" | "pathBytes">;

/** Lazily: a match waits for the next one only where it has lines behind it to share with that. */
export function* withContext(
  text: string,
  records: Iterable<TextMatch>,
  { before, after, limit }: ContextOptions,
): Generator<Located> {
  const lines = lineReader(text);
  let open: Omit<Located, "after"> | null = null;
  let count = 0;
  /** The last line of the open match, the last one to give it, and the last one to give at all. */
  let last = 0;
  let reach = 0;
  let end = Number.POSITIVE_INFINITY;
  for (const record of records) {
    if (record.line > end) break;
    if (open !== null) yield { ...open, after: lines(last + 1, Math.min(reach, record.line - 1)) };
    open = {
      ...record,
      before: before === 0 ? [] : lines(Math.max(reach + 1, record.line - before), record.line - 1),
    };
    last = record.line + lineCount(record.text) - 1;
    reach = Math.min(last + after, end);
    count++;
    // At its limit ripgrep goes on through the context behind, and what matches there is a match.
    if (count === limit) end = reach;
    if (after > 0) continue;
    yield { ...open, after: [] };
    open = null;
    if (count === limit) return;
  }
  if (open !== null) yield { ...open, after: lines(last + 1, reach) };
}

/** The lines of a record, as ripgrep counts them. */
export function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Lines by their numbers, both ends included, asked for in rising order: one pass over the text. */
function lineReader(text: string): (from: number, to: number) => Line[] {
  let line = 1;
  let at = 0;
  return (from, to) => {
    const lines: Line[] = [];
    for (; line <= to && at < text.length; line++) {
      const end = lineEnd(text, at);
      if (line >= from) lines.push({ line, text: withoutTerminator(text.slice(at, end)) });
      at = end;
    }
    return lines;
  };
}
