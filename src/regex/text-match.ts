/** One record of ripgrep's, as in the model's Match. */
export interface TextMatch {
  readonly line: number;
  readonly text: string;
  readonly submatches: readonly (readonly [start: number, end: number])[];
}
