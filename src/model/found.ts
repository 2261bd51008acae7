import type { FilePath, Match } from "./match.ts";

/** Where in a file its matches are, as long as it looks like this. */
export interface Where {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Start and length of whole lines, in bytes, by turns and rising. */
  readonly parts: readonly number[];
}

/** One file with matches, as an engine hands it on. Its matches are decoded when somebody wants them. */
export interface Found {
  readonly file: FilePath;
  /** Matching lines, in the mode that counts them. */
  readonly lines: number;
  /** An index told of it: it is on a local disk. */
  readonly indexed?: true;
  /** Nowhere else does it match; where it is not given, that is not known. */
  readonly where?: Where | undefined;
  /** The matches, in order, in one chunk or, for a very large file, several. */
  readonly chunks: () => AsyncIterable<readonly Match[]>;
}
