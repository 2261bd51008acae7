/** An unresolved merge conflict in a text. `edit/conflicts.ts` finds it, `workspace/conflict-list.ts` remembers it. */

/** The lines of the four marks, counted from 1, and what stands behind them. */
export interface Conflict {
  /** `<<<<<<<` */
  readonly start: number;
  /** `|||||||`, which only diff3 and zdiff3 write. */
  readonly base: number | null;
  /** `=======` */
  readonly middle: number;
  /** `>>>>>>>` */
  readonly end: number;
  /** How long the marks are: seven, or more where git was told so. */
  readonly size: number;
  /** "" where the mark has none. */
  readonly oursName: string;
  readonly theirsName: string;
  readonly baseName: string | null;
}

export type ConflictSide = "ours" | "theirs" | "base";

/** A conflict that `read …:conflicts` has shown, under the number that its URL has. */
export interface ListedConflict {
  /** Counted from 1 over the session; never given twice. */
  readonly id: number;
  /** The real path. */
  readonly path: string;
  /** The path as it was shown. */
  readonly label: string;
  /** Of the file's bytes: the lines mean nothing in another content. */
  readonly hash: string;
  readonly region: Conflict;
}
