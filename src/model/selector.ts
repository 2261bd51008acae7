/** Which lines of a file are meant, and how they are wanted. `workspace/selectors.ts` reads and writes it. */

/** Lines counted from 1, both ends included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** A span that may go on to the end of the file. */
export interface LineRange {
  readonly first: number;
  /** null: to the end. */
  readonly last: number | null;
}

export interface Selector {
  /** As it is, without line numbers or summary. */
  readonly raw: boolean;
  /** The unresolved merge conflicts of the file. */
  readonly conflicts: boolean;
  /** In order, not touching each other. None, and no `tail`: the whole file. */
  readonly ranges: readonly LineRange[];
  /** This many lines at the end. */
  readonly tail: number | null;
}
