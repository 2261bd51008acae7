import type { Extract } from "../model/excerpt.ts";
import type { Match } from "../model/match.ts";

/**
 * Matches with the lines around them, each line of the file once: where the context of two matches meets it is
 * merged, and what neither reaches is left out. Pure.
 */

export interface Around {
  readonly before: number;
  readonly after: number;
}

/** `stop` is where the next match stands that is not shown: context ends before it. */
export function extracts(
  matches: readonly Match[],
  lineAt: (line: number) => string | null,
  { before, after }: Around,
  stop: number | null,
): Extract[] {
  const rows: Extract[] = [];
  let printed = 0;
  const context = (from: number, to: number): void => {
    for (let line = Math.max(from, printed + 1); line <= to; line += 1) {
      const text = lineAt(line);
      if (text === null) return;
      rows.push({ line, text, spans: [], hit: false });
      printed = line;
    }
  };
  for (const [at, match] of matches.entries()) {
    const { line, text, submatches: spans, elidedBytes } = match;
    context(line - before, line - 1);
    rows.push({ line, text, spans, hit: true, ...(elidedBytes === undefined ? {} : { elidedBytes }) });
    printed = lastLine(match);
    const next = matches[at + 1]?.line ?? stop ?? Number.POSITIVE_INFINITY;
    context(printed + 1, Math.min(printed + after, next - 1));
  }
  return rows;
}

export function lastLine({ line, text }: { readonly line: number; readonly text: string }): number {
  let last = line;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) last += 1;
  return last;
}
