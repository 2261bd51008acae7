/** What an agent is shown of one thing it reads: lines of a text, or a text that describes something else. */
import type { LineSpan } from "./selector.ts";

export interface LinesPage {
  readonly kind: "lines";
  /** As answers call it, and as it can be given back. */
  readonly label: string;
  /** null where there is nothing to edit. */
  readonly tag: string | null;
  /** As it is, without numbers. */
  readonly raw: boolean;
  /** In order, with the lines around what was asked for; the last may go on past the end. */
  readonly spans: readonly LineSpan[];
  /** The first line that was asked for. */
  readonly from: number;
  /** A line of which only the beginning is here, and the last one that is here at all; null when there is none. */
  readonly brokenOff: number | null;
  /** null past the end. */
  readonly lineAt: (line: number) => string | null;
  /** Lines in all; null when nobody has counted them. */
  readonly total: () => number | null;
  /** Lines that are left out because they are bodies; none unless it is a summary. */
  readonly elided: readonly LineSpan[];
  /** What is left of what was asked for, from a line on, as a selector without its colon; null when nothing is. */
  readonly selectorFrom: (line: number) => string | null;
  readonly notes: readonly string[];
  /** These lines were printed in full. */
  readonly show: (lines: Iterable<number | LineSpan>) => void;
}

/** A folder, the members of an archive, a database, URLs: told in a text of its own. */
export interface ToldPage {
  readonly kind: "folder" | "archive" | "database" | "urls" | "conflicts";
  readonly label: string;
  readonly text: string;
  /** Some of it was left out. */
  readonly cut: boolean;
  readonly notes: readonly string[];
}

export type ReadPage = LinesPage | ToldPage;

/** What was read, beside what is shown of it. */
export interface ReadAnswer {
  readonly page: ReadPage;
  /** A missing path that was taken for another. */
  readonly resolved: { readonly from: string; readonly to: string } | null;
  /** The file behind it; null when there is none on the disk. */
  readonly realPath: string | null;
}
