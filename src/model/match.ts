/** What was found. */

/** A path as it is shown, and its bytes where they are not UTF-8. */
export interface FilePath {
  /** Relative to the root with `/`, absolute outside it; bytes that are not UTF-8 are replaced. */
  readonly path: string;
  /** The raw bytes in base64, only when `path` could not say them. */
  readonly pathBytes?: string;
}

export interface Line {
  readonly line: number;
  readonly text: string;
  /** The line is not valid UTF-8 and is shown with replacement characters. */
  readonly invalidUtf8?: true;
  /** The line was too long to hold; `text` is empty, and this is about how many bytes it had. */
  readonly elidedBytes?: number;
}

/** `line` is the first of the match, counted from 1; `text` is without its terminator, and keeps inner ones. */
export interface Match extends FilePath, Line {
  /** Where in `text` the pattern matched: start and end in UTF-16 units. */
  readonly submatches: readonly (readonly [start: number, end: number])[];
  /** Context. Each line of the file is given once: after the match before it where it reaches, else before the next. */
  readonly before: readonly Line[];
  readonly after: readonly Line[];
}

export type FileHit = FilePath;

export interface CountHit extends FilePath {
  /** Matching lines. */
  readonly count: number;
}

export interface Entry extends FilePath {
  readonly kind: "file" | "folder";
  readonly mtimeMs: number;
}
