/**
 * Search by line in the bytes of a file, where every match holds one of a few texts: only the lines that hold one are
 * decoded, and nothing is made of the others. Gives what `match-lines.ts` gives. Called by `engine/search-text.ts` for
 * files that are shown from their bytes.
 */
import type { RRegex } from "rregex";
import { matchLine } from "./match-lines.ts";
import type { TextMatch } from "./text-match.ts";

/** Where the lines of the bytes are. */
export interface LinePlaces {
  readonly around: (offset: number) => {
    readonly line: number;
    readonly start: number;
    readonly next: number;
  };
}

/** Lines that hold a needle and do not match, before the whole text is quicker after all. */
const MISSES = 32;

/** At most so many records; null: better done with the whole text. The bytes are UTF-8 without NUL. */
export function matchBytes(
  regex: RRegex,
  needles: readonly Buffer[],
  bytes: Buffer,
  places: LinePlaces,
  count: number,
): readonly TextMatch[] | null {
  const next = needles.map((needle) => bytes.indexOf(needle));
  const records: TextMatch[] = [];
  let misses = 0;
  while (records.length < count) {
    let found = Number.POSITIVE_INFINITY;
    for (const at of next) if (at !== -1 && at < found) found = at;
    if (found === Number.POSITIVE_INFINITY) break;
    const { line, start, next: end } = places.around(found);
    const record = matchLine(regex, bytes.toString("utf8", start, end));
    if (record !== null) records.push({ line, ...record });
    else if (++misses > MISSES) return null;
    for (const [index, needle] of needles.entries()) {
      const at = next[index] ?? -1;
      if (at !== -1 && at < end) next[index] = bytes.indexOf(needle, end);
    }
  }
  return records;
}
