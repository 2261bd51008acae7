/** What an edit did to a file, as it is told: what was taken out and put in, and how lines moved. */
import type { LineSpan } from "./selector.ts";

export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** One place of a change. */
export interface Hunk {
  /** Lines between it and the one before are not shown. */
  readonly gap: boolean;
  /** Lines around it, as they are numbered now. */
  readonly above: readonly NumberedLine[];
  /** As they were numbered right before. */
  readonly removed: readonly NumberedLine[];
  readonly added: readonly NumberedLine[];
  readonly below: readonly NumberedLine[];
}

/** Lines of the version that was shown, and what is added to their numbers now; `last` may be infinite. */
export interface Move extends LineSpan {
  readonly by: number;
}

export interface EditedFile {
  /** As the answer calls it. */
  readonly label: string;
  readonly tag: string;
  readonly hunks: readonly Hunk[];
  /** Only those that moved. */
  readonly moves: readonly Move[];
  /** Changes that others made since were kept. */
  readonly merged: boolean;
  /** What block operations came to: `replace block 4 → resolved lines 4-9 (6 lines)`. */
  readonly blocks: readonly string[];
  readonly warnings: readonly string[];
  /** These lines of it were printed in full. */
  readonly show: (lines: Iterable<number | LineSpan>) => void;
}
