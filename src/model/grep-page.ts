import type { FilePath } from "./match.ts";
import type { AgentPage } from "./agent-page.ts";
import type { Mode } from "./query.ts";

/** What a search found that hands out lines and names, as grep does, before it is printed. */

export interface GrepLine {
  readonly file: FilePath;
  readonly line: number;
  readonly text: string;
  /** Where in `text` the pattern matched; none in context. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly hit: boolean;
  /** Bytes of the line with its end. */
  readonly bytes: number;
}

/** A line of a file, or a gap between two that do not adjoin. */
export type GrepRow = GrepLine | null;

export interface GrepPage extends AgentPage {
  readonly mode: Mode;
  /** In mode content. */
  readonly rows: readonly GrepRow[];
  /** In the other modes: files, with their matching lines where these are counted. */
  readonly files: readonly { readonly file: FilePath; readonly lines: number }[];
  /** Matching files, on this page or not; null when not all were looked at. */
  readonly totalFiles: number | null;
}
