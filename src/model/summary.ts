import type { Notice } from "./notice.ts";

/** What an answer says of itself when it is complete. */

export type EngineName = "index" | "ripgrep" | "mixed";

/** Files that were looked at and not searched, and why. */
export interface Skipped {
  /** Binary files that ripgrep named; without `reportBinary` it passes over most of them without a word. */
  readonly binary: number;
  readonly tooLarge: number;
  readonly unreadable: number;
  /** What a session's policy withholds: files, and folders that were not entered. */
  readonly denied: number;
}

/** Who answered. */
export interface EngineUsed {
  readonly engine: EngineName;
  /** Why this engine. */
  readonly engineWhy: string;
  /** The state of the index that the answer is from: it counts the changes that the index has seen. */
  readonly generation?: number;
}

interface SummaryBase extends EngineUsed {
  /** Something ended the work before everything was looked at: the answer may lack matches. */
  readonly partial: boolean;
  /** A page or a cap held something back; more can be had by asking for it. */
  readonly more: boolean;
  readonly skipped: Skipped;
  readonly notices: readonly Notice[];
  readonly elapsedMs: number;
}

export interface SearchSummary extends SummaryBase {
  /** What was handed out. */
  readonly files: number;
  readonly matches: number;
  /** What was found, page or not; null when the work ended before everything was looked at. */
  readonly totalFiles: number | null;
  readonly totalLines: number | null;
  /** Files searched to their end, and those plus the skipped ones; null when the work ended early,
   * and when ripgrep opened more than was asked for because globs were matched behind it. */
  readonly searched: number | null;
  readonly considered: number | null;
}

export interface FindSummary extends SummaryBase {
  readonly entries: number;
  readonly totalEntries: number | null;
}
