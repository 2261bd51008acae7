import type { Excerpt } from "./excerpt.ts";
import type { Entry } from "./match.ts";
import type { Notice } from "./notice.ts";
import type { Mode } from "./query.ts";
import type { EngineUsed, Skipped } from "./summary.ts";

/** What an agent's call found, before it is printed: one page and all that is to be said about it. */

export interface AgentPage extends EngineUsed {
  /** What was looked at, as it is called. */
  readonly scope: readonly string[];
  readonly skip: number;
  /** There is more behind this page. */
  readonly more: boolean;
  readonly missing: readonly string[];
  readonly notices: readonly Notice[];
  readonly skipped: Skipped;
  /** The work ended before everything was looked at. */
  readonly partial: boolean;
  readonly elapsedMs: number;
}

export interface SearchPage extends AgentPage {
  readonly mode: Mode;
  /** The scope is one file. */
  readonly single: boolean;
  readonly excerpts: readonly Excerpt[];
  /** Matching files, on this page or not; null when not everything was looked at. */
  readonly totalFiles: number | null;
}

export interface FindPage extends AgentPage {
  /** The scope is one file, named by itself. */
  readonly exact: boolean;
  readonly entries: readonly Entry[];
  /** How many were found, all of them or those until the time was up. */
  readonly found: number;
  /** How long it might take. */
  readonly timeoutMs: number;
  /** Entries, on this page or not; null when not everything was looked at. */
  readonly totalFiles: number | null;
}
