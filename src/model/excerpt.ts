import type { LineSpan } from "./selector.ts";
import type { FilePath } from "./match.ts";

/** What an agent is shown of the files that match. */

/** A match, which may span lines, or one line of context. */
export interface Extract {
  readonly line: number;
  readonly text: string;
  /** Where in `text` the pattern matched; none in context. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly hit: boolean;
  /** The text was too long to hold: about so many bytes. */
  readonly elidedBytes?: number;
}

/** One file of a page. */
export interface Excerpt {
  readonly file: FilePath;
  /** The label of the snapshot that the lines are from; null where there is nothing to edit. */
  readonly tag: string | null;
  /** In order; what lies between two that do not adjoin was left out. */
  readonly extracts: readonly Extract[];
  /** Matches among them; in the mode that counts, the matching lines of the file. */
  readonly matches: number;
  /** The line from which on there are matches that are not shown; null when there are none. */
  readonly rest: number | null;
  /** What of the file is still to be searched from a line on, as a selector without its colon. */
  readonly selectorFrom: (line: number) => string;
  /** These lines were printed in full. */
  readonly show: (lines: Iterable<number | LineSpan>) => void;
}
