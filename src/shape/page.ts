import type { Found } from "../model/found.ts";
import type { CountHit, FileHit, Match } from "../model/match.ts";
import type { Mode, Page } from "../model/query.ts";

/**
 * Hands out one page of what was found: so many files, so many matches in all and of each file. Pure: it
 * pulls from a stream of files and stops pulling when the page is full and it knows whether there is more.
 */

export interface PageTally {
  files: number;
  matches: number;
  /** Something was held back. */
  more: boolean;
}

export type PageHit = Match | FileHit | CountHit;

export async function* page(
  found: AsyncIterable<Found>,
  limits: Page,
  mode: Mode,
  tally: PageTally,
): AsyncGenerator<PageHit> {
  let at = 0;
  for await (const file of found) {
    if (at++ < limits.skipFiles) continue;
    if (reached(tally.files, limits.maxFiles) || reached(tally.matches, limits.maxMatches)) {
      tally.more = true;
      return;
    }
    if (mode === "content") yield* matchesOf(file, limits, tally);
    else yield whole(file, mode, tally);
  }
}

async function* matchesOf(file: Found, limits: Page, tally: PageTally): AsyncGenerator<Match> {
  let shown = 0;
  for await (const chunk of file.chunks()) {
    for (const match of chunk) {
      if (reached(shown, limits.maxPerFile) || reached(tally.matches, limits.maxMatches)) {
        tally.more = true;
        return;
      }
      if (shown++ === 0) tally.files++;
      tally.matches++;
      yield match;
    }
  }
}

function whole(file: Found, mode: "files" | "count", tally: PageTally): FileHit | CountHit {
  tally.files++;
  tally.matches += mode === "count" ? file.lines : 1;
  return mode === "count" ? { ...file.file, count: file.lines } : { ...file.file };
}

function reached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}
