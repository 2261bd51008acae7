import type { FilePath, Match } from "./match.ts";

/** One file with matches, as an engine hands it on. Its matches are decoded when somebody wants them. */
export interface Found {
  readonly file: FilePath;
  /** Matching lines, in the mode that counts them. */
  readonly lines: number;
  /** An index told of it: it is on a local disk. */
  readonly indexed?: true;
  /** The matches, in order, in one chunk or, for a very large file, several. */
  readonly chunks: () => AsyncIterable<readonly Match[]>;
}
