/** One record of ripgrep's, as in the model's Match. */
export interface TextMatch {
  readonly line: number;
  readonly text: string;
  readonly submatches: readonly (readonly [start: number, end: number])[];
}

/** Thrown in the middle of a text that cannot be decided in process: ripgrep, asked anew, gives the same records. */
export class Undecided extends Error {}
