import type { CountHit, FileHit, FilePath, Match } from "../model/match.ts";
import type { Mode, Page } from "../model/query.ts";

/**
 * Hands out one page of what was found: so many files, so many matches in all and of each file. Pure: it
 * pulls from a stream of files and stops pulling when the page is full and it knows whether there is more.
 */

/** A file with its matches, decoded chunk by chunk when they are pulled. */
interface PagedFile {
  readonly file: FilePath;
  readonly lines: number;
  readonly chunks: () => AsyncIterable<readonly Match[]>;
}

export interface PageTally {
  files: number;
  matches: number;
  /** Something was held back. */
  more: boolean;
}

export type Hit = Match | FileHit | CountHit;

export async function* page(
  found: AsyncIterable<PagedFile>,
  limits: Page,
  mode: Mode,
  tally: PageTally,
): AsyncGenerator<Hit> {
  let at = 0;
  for await (const file of found) {
    if (at++ < limits.skipFiles) continue;
    if (reached(tally.files, limits.maxFiles) || reached(tally.matches, limits.maxMatches)) {
      tally.more = true;
      return;
    }
    tally.files++;
    if (mode === "content") yield* matchesOf(file, limits, tally);
    else yield whole(file, mode, tally);
  }
}

async function* matchesOf(file: PagedFile, limits: Page, tally: PageTally): AsyncGenerator<Match> {
  let shown = 0;
  for await (const chunk of file.chunks()) {
    for (const match of chunk) {
      if (reached(shown, limits.maxPerFile) || reached(tally.matches, limits.maxMatches)) {
        tally.more = true;
        return;
      }
      shown++;
      tally.matches++;
      yield match;
    }
  }
}

function whole(file: PagedFile, mode: "files" | "count", tally: PageTally): FileHit | CountHit {
  tally.matches += mode === "count" ? file.lines : 1;
  return mode === "count" ? { ...file.file, count: file.lines } : { ...file.file };
}

function reached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}
