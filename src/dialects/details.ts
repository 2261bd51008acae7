/** What the details of search, find and their kin have in common. */
import type { AgentPage, FindPage, SearchPage } from "../model/agent-page.ts";
import type { Notice } from "../model/notice.ts";
import type { EngineName, Skipped } from "../model/summary.ts";

/** What an answer says of how it came about. */
export interface PageDetails {
  readonly scopePath: string;
  /** In all; null when not everything was looked at. */
  readonly totalFiles: number | null;
  readonly missingPaths: readonly string[];
  readonly engine: EngineName;
  readonly engineWhy: string;
  /** The state of the index that the answer is from, where it is from one. */
  readonly generation?: number;
  readonly elapsedMs: number;
  readonly skipped: Skipped;
  /** The work ended before everything was looked at. */
  readonly partial: boolean;
  readonly notices: readonly Notice[];
}

export function pageDetails(page: AgentPage & { readonly totalFiles: number | null }): PageDetails {
  return {
    scopePath: page.scope.join(", "),
    totalFiles: page.totalFiles,
    missingPaths: page.missing,
    engine: page.engine,
    engineWhy: page.engineWhy,
    ...(page.generation === undefined ? {} : { generation: page.generation }),
    elapsedMs: page.elapsedMs,
    skipped: page.skipped,
    partial: page.partial,
    notices: page.notices,
  };
}

export interface CommonDetails extends PageDetails {
  readonly fileCount: number;
  /** On this page. */
  readonly files: readonly string[];
  /** `skip` of the next page; null when there is none. */
  readonly nextSkip: number | null;
}

export function commonDetails(
  page: SearchPage | FindPage,
  files: readonly string[],
  nextSkip: number | null,
): CommonDetails {
  return { ...pageDetails(page), fileCount: files.length, files, nextSkip };
}
