/** What the details of search and find have in common. */
import type { FindPage, SearchPage } from "../model/agent-page.ts";
import type { Notice } from "../model/notice.ts";
import type { EngineName, Skipped } from "../model/summary.ts";

export interface CommonDetails {
  readonly scopePath: string;
  readonly fileCount: number;
  /** On this page. */
  readonly files: readonly string[];
  /** In all; null when not everything was looked at. */
  readonly totalFiles: number | null;
  /** `skip` of the next page; null when there is none. */
  readonly nextSkip: number | null;
  readonly missingPaths: readonly string[];
  readonly engine: EngineName;
  readonly engineWhy: string;
  readonly elapsedMs: number;
  readonly skipped: Skipped;
  /** The work ended before everything was looked at. */
  readonly partial: boolean;
  readonly notices: readonly Notice[];
}

export function commonDetails(
  page: SearchPage | FindPage,
  files: readonly string[],
  nextSkip: number | null,
): CommonDetails {
  return {
    scopePath: page.scope.join(", "),
    fileCount: files.length,
    files,
    totalFiles: page.totalFiles,
    nextSkip,
    missingPaths: page.missing,
    engine: page.engine,
    engineWhy: page.engineWhy,
    elapsedMs: page.elapsedMs,
    skipped: page.skipped,
    partial: page.partial,
    notices: page.notices,
  };
}
